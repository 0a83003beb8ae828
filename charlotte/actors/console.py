"""The console monitor: an actor per tab that writes down what the page and the browser log."""

from collections import deque
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager, suppress
from typing import Literal, NoReturn, TypeVar

import attrs
import trio

from charlotte.actors.console_calls import Groups, said
from charlotte.actors.console_lines import ConsoleEvent, ConsoleLines, Line
from charlotte.actors.console_values import printed
from charlotte.actors.frame_monitors import Wanted, follow_frames
from charlotte.clock import from_seconds, now
from charlotte.protocol import log, runtime
from charlotte.protocol.connection import Connection
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.session import Session, Subscription, open_session

T = TypeVar("T")
Level = Literal["log", "info", "warn", "error", "debug"]

CAPACITY = 1000
_ALARMING = {"error", "warn"}
_TEXT_LIMIT = 2000
_MOST_HELD = 100
"""Messages with objects after which these are let go of."""

_PRINTED = "console"
"""What the browser calls the group of objects that were printed."""

_RESTING = (
    "The page logs thousands of lines a second: what it logs now can be read in {:.0f} s, as far "
    "as it is kept."
)
_MISSED = (
    "[Charlotte] The page logged thousands of lines a second: some before this were not recorded."
)

_LEVELS: dict[str, Level] = {
    "warning": "warn", "error": "error", "assert": "error", "info": "info",
    "debug": "debug", "verbose": "debug", "trace": "debug",
}  # fmt: skip

_FOLLOWED: tuple[type[ConsoleEvent], ...] = (
    runtime.ConsoleApiCalled,
    runtime.ExceptionThrown,
    runtime.ExecutionContextsCleared,
    log.EntryAdded,
)
_ENABLE = (runtime.Enable(), log.Enable())


@contextmanager
def _among(those: list[T], one: T) -> Generator[None]:
    """Have one among those while the block runs."""
    those.append(one)
    try:
        yield
    finally:
        those.remove(one)


@attrs.frozen
class ConsoleMessage:
    """One line of the console (C-CON-03), its tab's ``number``th.

    ``timestamp`` is ISO 8601 in UTC.
    """

    level: Level
    text: str
    timestamp: str
    number: int = attrs.field(default=0, eq=False)


@attrs.define(eq=False)
class ConsoleLog:
    """The last `CAPACITY` messages of a tab, and how many were dropped; outlives its monitor.

    ``max_chars`` tells how long an answer about them may be, ``hidden`` takes secrets out of a text
    before it is cut. ``holders`` are the sessions in which
    the browser keeps what was printed, so that it can be looked into.
    """

    tab_id: str | None = None
    max_chars: Callable[[], int] = lambda: 40_000
    hidden: Callable[[str], str] = str
    messages: deque[ConsoleMessage] = attrs.field(factory=lambda: deque(maxlen=CAPACITY))
    added: int = 0
    dropped: int = 0
    tell: Callable[[ConsoleMessage], None] = lambda _: None
    holders: list[Session] = attrs.field(factory=list[Session])
    _errors: deque[ConsoleMessage] = attrs.field(factory=deque[ConsoleMessage])

    def add(self, message: ConsoleMessage) -> None:
        """Keep and tell a message; the oldest makes room."""
        self.added += 1
        self.dropped += len(self.messages) == CAPACITY
        numbered = attrs.evolve(message, number=self.added)
        self.messages.append(numbered)
        if numbered.level in _ALARMING:
            self._errors.append(numbered)
        while self._errors and self._errors[0].number <= self.added - CAPACITY:
            self._errors.popleft()
        self.tell(numbered)

    def errors_since(self, added: int) -> list[ConsoleMessage]:
        """Errors and warnings among the messages that came after number ``added`` (C-ERR-04)."""
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
        self._heard: list[ConsoleLines] = []
        self.tab_id = kept.tab_id
        self.max_chars = kept.max_chars

    @property
    def note(self) -> str | None:
        """What is to be said of lines that are not told yet."""
        rests = [lines.rest for lines in self._heard if lines.rest is not None]
        return _RESTING.format(max(rests)) if rests else None

    async def read(self, level: Level | None, *, clear: bool) -> tuple[list[ConsoleMessage], int]:
        """Messages of one level, or all, oldest first, and how many were dropped before them."""
        messages = [one for one in self._log.messages if level in {None, one.level}]
        dropped = self._log.dropped
        if clear:
            self._log.clear()
        return messages, dropped

    async def follow(self, session: Session, events: Subscription[ConsoleEvent]) -> NoReturn:
        """Write down events; raises `SessionGone` when the session is detached."""
        held, lines, groups = 0, ConsoleLines(session, events), Groups()
        with _among(self._heard, lines):
            while True:
                event = await lines.next()
                self._log.dropped += events.take_lost()
                if lines.take_missed():
                    self._log.add(ConsoleMessage("warn", _MISSED, now()))
                    groups.close()
                self._note(event, groups)
                held += _holds_objects(event)
                if held == _MOST_HELD:
                    held = 0
                    await self._let_go()

    def _note(self, event: ConsoleEvent, groups: Groups) -> None:
        """Write down a line, in the group that is open; the end of a group is none."""
        match event:
            case runtime.ExecutionContextsCleared():
                groups.close()
            case log.EntryAdded(log.Entry("worker")):
                pass  # which tells it itself
            case runtime.ConsoleApiCalled():
                if event.type != "endGroup":
                    self._log.add(message_of(event, self._log.hidden, groups.indent))
                groups.note(event)
            case _:
                self._log.add(message_of(event, self._log.hidden))

    async def _let_go(self) -> None:
        """Have the browser keep nothing for us of what was printed so far."""
        for session in tuple(self._log.holders):
            with suppress(SessionGone):
                await session.begin(runtime.ReleaseObjectGroup(object_group=_PRINTED))


@asynccontextmanager
async def open_console(
    connection: Connection, target_id: str, kept: ConsoleLog
) -> AsyncGenerator[ConsoleMonitor]:
    """Attach to the target and follow its console."""
    async with open_session(connection, target_id) as session:
        with session.events(*_FOLLOWED) as events, kept.held_in(session):
            async with trio.open_nursery() as nursery:
                monitor = ConsoleMonitor(kept)
                for command in _ENABLE:
                    await session.begin(command)  # a busy renderer may answer much later
                wanted = Wanted(_ENABLE, _FOLLOWED, monitor.follow)
                nursery.start_soon(monitor.follow, session, events)
                nursery.start_soon(follow_frames, connection, session, wanted, nursery)
                yield monitor
                nursery.cancel_scope.cancel("console closed")


def message_of(event: Line, hidden: Callable[[str], str] = str, indent: str = "") -> ConsoleMessage:
    """What one event says, as DevTools would print it, but for what is to be ``hidden``."""
    level, text, timestamp = _told(event)
    text = "\n".join(f"{indent}{line}" for line in text.split("\n")) if indent else text
    return ConsoleMessage(level, hidden(text)[:_TEXT_LIMIT], from_seconds(timestamp / 1000))


def _told(event: Line) -> tuple[Level, str, float]:
    """Level, text and time in ms."""
    match event:
        case runtime.ConsoleApiCalled():
            return _LEVELS.get(event.type, "log"), said(event), event.timestamp
        case runtime.ExceptionThrown():
            return "error", thrown_text(event.exception_details), event.timestamp
        case log.EntryAdded(entry):
            text = f"{entry.text} ({entry.url})" if entry.url else entry.text
            return _LEVELS.get(entry.level, "log"), text, entry.timestamp


def _holds_objects(event: ConsoleEvent) -> bool:
    """Whether the browser keeps objects for those who hear of an event."""
    match event:
        case runtime.ConsoleApiCalled(args=args):
            return any(one.object_id is not None for one in args)
        case runtime.ExceptionThrown():
            return True
        case _:
            return False


def thrown_text(details: runtime.ExceptionDetails) -> str:
    """An uncaught exception: what was thrown, its stack or else its place."""
    thrown = details.exception
    told = printed(thrown) if thrown else ""
    text = f"{details.text} {told}".strip()
    if "\n" not in text and details.url:
        text += f" ({details.url}:{details.line_number + 1}:{details.column_number + 1})"
    return text
