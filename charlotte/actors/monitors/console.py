"""The console monitor: an actor per tab that writes down what the page and the browser log."""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from typing import NoReturn, TypeVar

import attrs
import trio

from charlotte.actors.monitors.console_throttle import ConsoleEvent
from charlotte.actors.monitors.frame_monitors import Wanted, follow_frames
from charlotte.actors.monitors.transcript import (
    ENABLE,
    FOLLOWED,
    MISSED,
    ConsoleMessage,
    Level,
    Transcript,
)
from charlotte.browser.event_throttle import ENTRIES, rest_from_lines
from charlotte.clock import now
from charlotte.protocol.connection import Connection
from charlotte.protocol.session import Session, Subscription, open_session

T = TypeVar("T")

CAPACITY = 1000
_RESTING = (
    "The page logs thousands of lines a second: what it logs now can be read in {:.0f} s, as far "
    "as it is kept."
)


@contextmanager
def _among(those: list[T], one: T) -> Generator[None]:
    """Have one among those while the block runs."""
    those.append(one)
    try:
        yield
    finally:
        those.remove(one)


@attrs.define(eq=False)
class ConsoleLog:
    """The last `CAPACITY` messages of a tab, and how many were dropped; outlives its monitor.

    ``max_chars`` tells how long an answer about them may be, ``hidden`` takes secrets out of a text
    before it is cut. ``holders`` are the sessions in which the browser keeps what was printed, so
    that it can be looked into. ``documents`` is how many documents have ended.
    """

    tab_id: str | None = None
    max_chars: Callable[[], int] = lambda: 40_000
    hidden: Callable[[str], str] = str
    messages: deque[ConsoleMessage] = attrs.field(factory=lambda: deque(maxlen=CAPACITY))
    added: int = 0
    dropped: int = 0
    documents: int = 0
    tell: Callable[[ConsoleMessage], None] = lambda _: None
    holders: list[Session] = attrs.field(factory=list[Session])
    _errors: deque[ConsoleMessage] = attrs.field(factory=deque[ConsoleMessage])

    def add(self, message: ConsoleMessage) -> None:
        """Keep and tell a message; the oldest makes room."""
        self.added += 1
        self.dropped += len(self.messages) == CAPACITY
        numbered = attrs.evolve(message, number=self.added, document=self.documents)
        self.messages.append(numbered)
        if numbered.level == "error":
            self._errors.append(numbered)
        while self._errors and self._errors[0].number <= self.added - CAPACITY:
            self._errors.popleft()
        self.tell(numbered)

    def errors_since(self, added: int) -> list[ConsoleMessage]:
        """Return the errors among the messages after number ``added``."""
        return [message for message in self._errors if message.number > added]

    def held_in(self, session: Session) -> AbstractContextManager[None]:
        """While the block runs, have what was printed let go of in a session too."""
        return _among(self.holders, session)

    def clear(self) -> None:
        """Forget everything."""
        self.messages.clear()
        self._errors.clear()
        self.dropped = 0


class ConsoleMonitor:
    """The actor's state: where it writes, and what the console tool asks of it."""

    def __init__(self, kept: ConsoleLog) -> None:
        self._log = kept
        self._heard: list[Transcript] = []
        self.tab_id = kept.tab_id
        self.max_chars = kept.max_chars

    @property
    def note(self) -> str | None:
        """What is to be said of lines that are not told yet."""
        rests = [one.rest for one in self._heard if one.rest is not None]
        return _RESTING.format(max(rests)) if rests else None

    async def read(self, level: Level | None, *, clear: bool) -> tuple[list[ConsoleMessage], int]:
        """Messages of one level, or all, oldest first, and how many were dropped before them."""
        messages = [one for one in self._log.messages if level in {None, one.level}]
        dropped = self._log.dropped
        if clear:
            self._log.clear()
        return messages, dropped

    async def follow_tab(self, session: Session, events: Subscription[ConsoleEvent]) -> NoReturn:
        """Write down events of the tab's own session, and count the documents that end."""
        await self._follow(session, events, self._document_ended)

    async def follow(self, session: Session, events: Subscription[ConsoleEvent]) -> NoReturn:
        """Write down events; raises `SessionGone` when the session is detached."""
        await self._follow(session, events, lambda: None)

    def _document_ended(self) -> None:
        self._log.documents += 1

    async def rest(self, session: Session) -> None:
        """Rest from what the browser logs of a session without measure; lines are lost then."""

        def missed() -> None:
            self._log.add(ConsoleMessage("warn", MISSED, now()))

        await rest_from_lines(session, ENTRIES, missed, has_page=False)

    async def _follow(
        self,
        session: Session,
        events: Subscription[ConsoleEvent],
        document_ended: Callable[[], None],
    ) -> NoReturn:
        transcript = Transcript(
            session, events, self._log.hidden, self._log.holders, document_ended
        )
        with _among(self._heard, transcript):
            while True:
                messages = await transcript.next()
                self._log.dropped += events.take_lost()
                for message in messages:
                    self._log.add(message)


@asynccontextmanager
async def open_console(
    connection: Connection, target_id: str, kept: ConsoleLog
) -> AsyncGenerator[ConsoleMonitor]:
    """Attach to the target and follow its console."""
    async with open_session(connection, target_id) as session:
        with session.events(*FOLLOWED) as events, kept.held_in(session):
            async with trio.open_nursery() as nursery:
                monitor = ConsoleMonitor(kept)
                for command in ENABLE:
                    await session.begin(command)  # a busy renderer may answer much later
                wanted = Wanted(ENABLE, FOLLOWED, monitor.follow, [monitor.rest])
                nursery.start_soon(monitor.follow_tab, session, events)
                nursery.start_soon(monitor.rest, session)
                nursery.start_soon(follow_frames, connection, session, wanted, nursery)
                yield monitor
                nursery.cancel_scope.cancel("console closed")
