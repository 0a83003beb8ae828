"""What is written on a console: the lines of one CDP session, worded as DevTools would."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

import attrs

from charlotte.actors.monitors.console_format import Groups, said
from charlotte.actors.monitors.console_throttle import ConsoleEvent, ConsoleLines, Line
from charlotte.actors.monitors.console_values import printed
from charlotte.clock import from_seconds, now
from charlotte.protocol import log, runtime
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.session import Session, Subscription

Level = Literal["log", "info", "warn", "error", "debug"]

ENABLE = (runtime.Enable(), log.Enable())
"""What a session is told whose lines are wanted."""

FOLLOWED: tuple[type[ConsoleEvent], ...] = (
    runtime.ConsoleApiCalled,
    runtime.ExceptionThrown,
    runtime.ExecutionContextsCleared,
    log.EntryAdded,
)
_TEXT_LIMIT = 2000
_MOST_HELD = 100
"""Messages with objects after which these are let go of."""

_PRINTED = "console"
"""What the browser calls the group of objects that were printed."""

MISSED = (
    "[Charlotte] The page logged thousands of lines a second: some before this were not recorded."
)

_LEVELS: dict[str, Level] = {
    "warning": "warn", "error": "error", "assert": "error", "info": "info",
    "debug": "debug", "verbose": "debug", "trace": "debug",
}  # fmt: skip


@attrs.frozen
class ConsoleMessage:
    """One line of the console (C-CON-03), its tab's ``number``th.

    ``timestamp`` is ISO 8601 in UTC. ``document`` is how many documents the tab had left before.
    ``failed_url`` is the address of the request whose failure the browser logged, if it is that.
    """

    level: Level
    text: str
    timestamp: str
    number: int = attrs.field(default=0, eq=False)
    document: int = attrs.field(default=0, eq=False)
    failed_url: str | None = attrs.field(default=None, eq=False)


@attrs.define(eq=False)
class Transcript:
    """The messages of one session, in order, without what is to be ``hidden``.

    ``holders`` are the sessions in which the browser keeps what was printed. ``document_ended`` is
    called when a document has ended.
    """

    _session: Session
    _events: Subscription[ConsoleEvent]
    _hidden: Callable[[str], str]
    _holders: Sequence[Session]
    _document_ended: Callable[[], None] = lambda: None
    _lines: ConsoleLines = attrs.field(init=False)
    _groups: Groups = attrs.field(factory=Groups, init=False)
    _held: int = 0

    def __attrs_post_init__(self) -> None:
        self._lines = ConsoleLines(self._session, self._events)

    @property
    def rest(self) -> float | None:
        """Seconds for which a page that logs too much is not heard."""
        return self._lines.rest

    async def next(self) -> list[ConsoleMessage]:
        """Wait for the next line; raises `SessionGone` when the session is detached."""
        event = await self._lines.next()
        told = self._told(event)
        self._held += _holds_objects(event)
        if self._held == _MOST_HELD:
            self._held = 0
            await self._let_go()
        return told

    def _told(self, event: ConsoleEvent) -> list[ConsoleMessage]:
        """The line in the group that is open; the end of a group is none."""
        told: list[ConsoleMessage] = []
        if self._lines.take_missed():
            told.append(ConsoleMessage("warn", MISSED, now()))
            self._groups.close()
        match event:
            case runtime.ExecutionContextsCleared():
                self._groups.close()
                self._document_ended()
            case log.EntryAdded(log.Entry("worker")):
                pass  # which tells it itself
            case runtime.ConsoleApiCalled():
                if event.type != "endGroup":
                    told.append(message_of(event, self._hidden, self._groups.indent))
                self._groups.note(event)
            case _:
                told.append(message_of(event, self._hidden))
        return told

    async def _let_go(self) -> None:
        """Have the browser keep nothing for us of what was printed so far."""
        for session in tuple(self._holders):
            with suppress(SessionGone):
                await session.begin(runtime.ReleaseObjectGroup(object_group=_PRINTED))


def message_of(event: Line, hidden: Callable[[str], str] = str, indent: str = "") -> ConsoleMessage:
    """What one event says, as DevTools would print it, but for what is to be ``hidden``."""
    level, text, timestamp = _told(event)
    text = "\n".join(f"{indent}{line}" for line in text.split("\n")) if indent else text
    return ConsoleMessage(
        level,
        hidden(text)[:_TEXT_LIMIT],
        from_seconds(timestamp / 1000),
        failed_url=_failed_url(event, hidden),
    )


def _failed_url(event: Line, hidden: Callable[[str], str]) -> str | None:
    match event:
        case log.EntryAdded(log.Entry(source="network", level="error", url=str(url))):
            return hidden(url)
        case _:
            return None


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
