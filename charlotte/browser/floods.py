"""Rests from what a page streams: every message on its WebSockets is told to every session.

Some thousands of them a second fill the browser's only way to us, and every tab waits behind them.
Nobody needs these messages. They come with the Network domain, so that is given up for a while.
"""

import math
from collections.abc import Callable
from contextlib import suppress

import attrs
import trio

from charlotte.protocol import network, page
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.session import Session, Subscription

WITHIN = 0.2
"""Seconds of the page's clock: what is told late, because there is so much, was not sent late."""

MOST = 200
MOST_CHARACTERS = 2_000_000
FIRST_REST = 2.0
LONGEST_REST = 30.0
_BACKLOG = 1000


@attrs.define
class Pace:
    """Whether messages come too fast: more than ``most``, or more text, ``within`` some time."""

    within: float
    most: int
    most_characters: float = math.inf
    _begun: float = 0.0
    _count: int = 0
    _characters: int = 0

    def is_exceeded(self, at: float, length: int = 0) -> bool:
        """Count a message that was sent ``at`` a time of the page's clock."""
        if not self._begun <= at <= self._begun + self.within:
            self._begun, self._count, self._characters = at, 0, 0
        self._count += 1
        self._characters += length
        return self._count > self.most or self._characters > self.most_characters


@attrs.define
class Rests:
    """How long to rest: each time twice as long as the time before, if that was just now."""

    longest: float = LONGEST_REST
    _last: float = FIRST_REST
    _over: float = -math.inf

    def begin(self) -> float:
        """Seconds that this one takes."""
        goes_on = trio.current_time() - self._over < self.longest
        self._last = min(2 * self._last, self.longest) if goes_on else FIRST_REST
        return self._last

    def end(self) -> None:
        """It is over."""
        self._over = trio.current_time()


async def rest_from_floods(
    session: Session, begin: Callable[[], object], needed: Callable[[], bool] = lambda: False
) -> None:
    """While a page floods the session, hear nothing of its network; until the session ends.

    ``begin`` is called when that begins, and what was known of open requests is out of date. There
    is no rest while the domain is ``needed``, for what it does besides goes with it. A rest is over
    when a frame goes elsewhere.
    """
    rests = Rests()
    with (
        suppress(SessionGone),
        session.events(*network.STREAMED, backlog=_BACKLOG) as messages,
        session.events(page.FrameStartedNavigating) as departures,
    ):
        while True:
            await _flood(messages)
            if needed():
                await trio.sleep(FIRST_REST)
                messages.now()
                continue
            begin()
            await session.begin(network.Disable())
            departures.now()
            with trio.move_on_after(rests.begin()):
                await departures.next()
            await session.begin(network.Enable())
            messages.now()
            rests.end()


async def _flood(messages: Subscription[network.Streamed]) -> None:
    """Wait until there are too many messages, or too long ones, in too little time."""
    pace = Pace(WITHIN, MOST, MOST_CHARACTERS)
    while True:
        message = await messages.next()
        if pace.is_exceeded(message.timestamp, message.length):
            return
