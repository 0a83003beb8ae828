"""Which answers of a session its gateways have sent to the client.

An answer does not repeat what the client has already. A gateway reports what it has sent with its
next call; when another gateway calls before that, the first one is asked.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable

import attrs
import trio

DELIVERY_WAIT = 0.5
"""Seconds in which a gateway has to report which answers it has sent."""
_MOST = 64

Delivered = Callable[[], None]


def _by_number() -> defaultdict[str, dict[int, Delivered]]:
    return defaultdict(dict[int, Delivered])


@attrs.define(eq=False)
class Deliveries:
    """The last answers of each gateway that it has not reported as sent.

    ``ask`` asks a gateway for a report, and returns whether the gateway is there.
    """

    ask: Callable[[str], bool]
    _unsure: defaultdict[str, dict[int, Delivered]] = attrs.field(factory=_by_number)
    _asked: set[str] = attrs.field(factory=set[str])
    _reported: trio.Event = attrs.field(factory=trio.Event)

    def keep(self, gateway: str, number: int, delivered: Delivered) -> None:
        """Keep the callback for the delivery of an answer."""
        answers = self._unsure[gateway]
        answers[number] = delivered
        if len(answers) > _MOST:
            del answers[next(iter(answers))]

    def note(self, gateway: str, numbers: Iterable[int]) -> None:
        """Note the report of a gateway."""
        for number in numbers:
            if delivered := self._unsure[gateway].pop(number, None):
                delivered()
        self._asked.discard(gateway)
        self._reported.set()
        self._reported = trio.Event()

    async def settle(self, gateway: str) -> None:
        """Wait for the reports of all other gateways; without one, an answer counts as not sent."""
        others = {name for name, answers in self._unsure.items() if answers and name != gateway}
        if not others:
            return
        asked = {name for name in others if name in self._asked or self.ask(name)}
        self._asked |= asked
        with trio.move_on_after(DELIVERY_WAIT):
            while self._asked & asked:
                await self._reported.wait()
        for name in (others - asked) | (self._asked & asked):
            self._unsure.pop(name, None)  # a call at the same time may have removed it
        self._asked -= asked
