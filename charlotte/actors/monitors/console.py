"""The console monitor: an actor per tab that records what the page and the browser log."""

import json
import math
import re
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NoReturn, get_args

import attrs
import trio

from charlotte.actors.monitors.frame_monitors import SessionMonitor, monitoring
from charlotte.actors.state.logs import ConsoleLevel, ConsoleLog, ConsoleMessage
from charlotte.browser.event_throttle import ENTRIES, LONGEST_DEAF, Backoff, LinePace, throttle
from charlotte.log import from_seconds, now
from charlotte.protocol import runtime
from charlotte.protocol.connection import Connection, Pending, Session, Subscription, open_session
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.wire import Nothing

ConsoleLine = runtime.ConsoleApiCalled | runtime.ExceptionThrown | runtime.EntryAdded
ConsoleEvent = ConsoleLine | runtime.ExecutionContextsCleared
"""A line, or the end of the document that logged the lines before."""

_RETRY = 0.1
_NEVER_REPEATED = runtime.EntryAdded, runtime.ExecutionContextsCleared

ENABLE = (runtime.EnableRuntime(), runtime.EnableLog())
FOLLOWED: tuple[type[ConsoleEvent], ...] = get_args(ConsoleEvent)
_TEXT_LIMIT = 2000
_MOST_HELD = 100
"""Messages with objects after which the objects are released."""

_OBJECT_GROUP = "console"
"""The browser's name for the group of logged objects."""

MISSED = (
    "[Charlotte] The page logged thousands of lines a second: some earlier lines are not recorded."
)
_PAUSED = (
    "The page logs thousands of lines a second: its present lines can be read in {:.0f} s, if they "
    "are still available then."
)
_LEVELS: dict[str, ConsoleLevel] = {
    "warning": "warn", "error": "error", "assert": "error", "info": "info",
    "debug": "debug", "verbose": "debug", "trace": "debug",
}  # fmt: skip

_SPECIFIER = re.compile(r"%([sdifoOc%])")
_NAME = re.compile(r"[\w$]+")
_MORE = "…"
_COLLECTIONS = {"map", "set", "weakmap", "weakset", "iterator"}
_DESCRIBED = {"error", "node", "regexp", "date", "proxy"}
"""Types of objects whose description is more informative than their properties."""

_PROBE_FRAME = "", "apply"
"""URL and function of a stack frame that the probe adds."""


@attrs.define(eq=False)
class ConsoleLines:
    """The lines of a session, each once, in order, with pauses while the page logs a flood.

    Thousands of lines per second fill the connection that all tabs share. During a pause, no line
    is reported; afterwards the browser repeats the last 1,000 lines.
    """

    _session: Session
    _events: Subscription[ConsoleEvent]
    _pace: LinePace = attrs.field(factory=LinePace, init=False)
    _backoff: Backoff = attrs.field(factory=lambda: Backoff(LONGEST_DEAF), init=False)
    _disabled: Pending[Nothing] | None = None
    _resumes: float = math.inf
    _newest: float = 0.0
    _known: float = -math.inf
    _is_repeating: bool = False
    _missed: bool = False

    @property
    def pause(self) -> float | None:
        """Seconds until the end of the present pause, None if there is no pause."""
        return self._resumes - trio.current_time() if self._resumes < math.inf else None

    def take_missed(self) -> bool:
        """Return whether lines before the last line were missed."""
        missed, self._missed = self._missed, False
        return missed

    async def next(self) -> ConsoleEvent:
        """Wait for the next line; raises `SessionGone` once the session is detached."""
        while True:
            with trio.CancelScope(deadline=self._resumes):
                event = await self._events.next()
                if isinstance(event, _NEVER_REPEATED) or await self._is_new(event):
                    return event
                continue
            await self._resume()

    async def _is_new(self, event: runtime.ConsoleApiCalled | runtime.ExceptionThrown) -> bool:
        if event.timestamp <= self._known:
            self._is_repeating = False
            return False
        self._missed |= self._is_repeating
        self._known, self._is_repeating = -math.inf, False
        self._newest = event.timestamp
        if self._pace.is_exceeded(event) and self._disabled is None:
            self._resumes = trio.current_time() + self._backoff.begin()
            self._disabled = await self._session.begin(runtime.DisableRuntime())
        return True

    async def _resume(self) -> None:
        """Enable the reports again: no line was missed if the first repeated line is known."""
        if self._disabled and (self._events.waiting or not self._disabled.settled.is_set()):
            self._resumes = trio.current_time() + _RETRY  # events sent before are still arriving
            return
        self._resumes, self._disabled, self._pace = math.inf, None, LinePace()
        self._known, self._is_repeating = self._newest, True
        self._backoff.end()
        await self._session.begin(runtime.EnableRuntime())


@attrs.define(eq=False)
class Transcript:
    """The messages of one CDP session in order, redacted by ``hidden``.

    ``holders`` are the sessions in which the browser retains logged objects. ``document_ended`` is
    called when a document has ended.
    """

    _session: Session
    _events: Subscription[ConsoleEvent]
    _hidden: Callable[[str], str]
    _holders: Sequence[Session]
    _document_ended: Callable[[], None] = lambda: None
    _lines: ConsoleLines = attrs.field(init=False)
    _held: int = 0

    def __attrs_post_init__(self) -> None:
        self._lines = ConsoleLines(self._session, self._events)

    @property
    def pause(self) -> float | None:
        """Seconds until a page that logs too much is followed again, None if it is followed."""
        return self._lines.pause

    async def next(self) -> list[ConsoleMessage]:
        """Wait for the next line; raises `SessionGone` when the session is detached."""
        event = await self._lines.next()
        messages = list(self._messages(event))
        self._held += _holds_objects(event)
        if self._held == _MOST_HELD:
            self._held = 0
            for session in tuple(self._holders):
                with suppress(SessionGone):
                    await session.begin(runtime.ReleaseObjectGroup(object_group=_OBJECT_GROUP))
        return messages

    def _messages(self, event: ConsoleEvent) -> Iterator[ConsoleMessage]:
        if self._lines.take_missed():
            yield ConsoleMessage("warn", MISSED, now())
        match event:
            case runtime.ExecutionContextsCleared():
                self._document_ended()
            case runtime.EntryAdded(runtime.LogEntry("worker")):
                pass  # the worker's own session reports it
            case runtime.ConsoleApiCalled("endGroup"):
                pass
            case _:
                yield message_of(event, self._hidden)


def message_of(event: ConsoleLine, hidden: Callable[[str], str] = str) -> ConsoleMessage:
    """Return the message of an event, redacted by ``hidden``."""
    level: ConsoleLevel
    failed_url = None
    match event:
        case runtime.ConsoleApiCalled():
            level, text = _LEVELS.get(event.type, "log"), call_text(event)
            timestamp = event.timestamp
        case runtime.ExceptionThrown(timestamp):
            level, text = "error", exception_text(event.exception_details)
        case runtime.EntryAdded(entry):
            level, timestamp = _LEVELS.get(entry.level, "log"), entry.timestamp
            text = f"{entry.text} ({entry.url})" if entry.url else entry.text
            if (entry.source, level) == ("network", "error") and entry.url is not None:
                failed_url = hidden(entry.url)
    return ConsoleMessage(
        level,
        hidden(text)[:_TEXT_LIMIT],
        from_seconds(timestamp / 1000),
        failed_url=failed_url,
    )


def _holds_objects(event: ConsoleEvent) -> bool:
    """Return whether the browser retains objects because of an event."""
    match event:
        case runtime.ConsoleApiCalled(args=args):
            return any(argument.object_id is not None for argument in args)
        case runtime.ExceptionThrown():
            return True
        case _:
            return False


@attrs.define(eq=False)
class ConsoleMonitor:
    """State of the console actor; the ends of documents in the session ``_main`` are counted."""

    _log: ConsoleLog
    _main: Session | None = None
    _transcripts: list[Transcript] = attrs.field(factory=list[Transcript])

    @property
    def note(self) -> str | None:
        """A note about lines that are not recorded yet, None if there are none."""
        pauses = [one.pause for one in self._transcripts if one.pause is not None]
        return _PAUSED.format(max(pauses)) if pauses else None

    async def read(
        self, level: ConsoleLevel | None, *, clear: bool
    ) -> tuple[list[ConsoleMessage], int]:
        """Return the messages of a level or all, oldest first, and the number of dropped ones."""
        messages = [one for one in self._log.messages if level in {None, one.level}]
        dropped = self._log.dropped
        if clear:
            self._log.clear()
        return messages, dropped

    async def report(
        self, level: ConsoleLevel | None, *, clear: bool
    ) -> tuple[list[ConsoleMessage], int, str | None]:
        """Return the same as `read`, with the `note`."""
        return (*await self.read(level, clear=clear), self.note)

    async def throttle(self, session: Session) -> None:
        """Pause the browser's own log entries when they are too many; their lines are lost."""

        def note_missed() -> None:
            self._log.add(ConsoleMessage("warn", MISSED, now()))

        await throttle(session, ENTRIES, note_missed, has_page=False)

    async def follow(self, session: Session, events: Subscription[ConsoleEvent]) -> NoReturn:
        """Record events; raises `SessionGone` when the session is detached."""

        def count_document() -> None:
            self._log.documents += session is self._main

        transcript = Transcript(
            session, events, self._log.hidden, self._log.holders, count_document
        )
        self._transcripts.append(transcript)
        try:
            while True:
                messages = await transcript.next()
                self._log.dropped += events.take_lost()
                for message in messages:
                    self._log.add(message)
        finally:
            self._transcripts.remove(transcript)


@asynccontextmanager
async def open_console(
    connection: Connection, target_id: str, console_log: ConsoleLog
) -> AsyncGenerator[ConsoleMonitor]:
    """Attach to the target and follow its console."""
    async with open_session(connection, target_id) as session:
        monitor = ConsoleMonitor(console_log, session)
        sessions = SessionMonitor(ENABLE, FOLLOWED, monitor.follow, monitor.throttle)
        with console_log.held_in(session):
            async with monitoring(connection, session, sessions):
                yield monitor


def call_text(call: runtime.ConsoleApiCalled) -> str:
    """Return the text of a call; a table has a line for each row, a trace for each stack frame."""
    match call:
        case runtime.ConsoleApiCalled(
            "table", [runtime.RemoteObject(preview=runtime.ObjectPreview() as table), *_]
        ) if table.entries or table.properties:
            return "\n".join(_rows(table))
        case runtime.ConsoleApiCalled("assert"):
            return f"Assertion failed: {format_message(call.args)}"
        case runtime.ConsoleApiCalled("trace"):
            return "\n".join([format_message(call.args), *_frames(call.stack_trace)])
        case runtime.ConsoleApiCalled("clear"):
            return "Console was cleared"
        case _:
            return format_message(call.args)


def exception_text(details: runtime.ExceptionDetails) -> str:
    """Return the text of an uncaught exception with its stack, or else with its position."""
    thrown = format_value(details.exception) if details.exception else ""
    text = f"{details.text} {thrown}".strip()
    if "\n" not in text and details.url:
        text += f" ({details.url}:{details.line_number + 1}:{details.column_number + 1})"
    return text


def _rows(table: runtime.ObjectPreview) -> Iterator[str]:
    for index, entry in enumerate(table.entries):
        yield f"{index}: {_entry(entry)}"
    for row in [] if table.entries else table.properties:
        cells = row.value_preview
        value = _property_value(row) if cells is None else _braced(map(_property, cells.properties))
        yield f"{row.name}: {value}"
    if table.overflow:
        yield _MORE


def _frames(stack: runtime.StackTrace | None) -> Iterator[str]:
    frames = stack.call_frames if stack else []
    is_probe = bool(frames) and (frames[0].url, frames[0].function_name) == _PROBE_FRAME
    for frame in frames[is_probe:]:
        position = f"{frame.url}:{frame.line_number + 1}:{frame.column_number + 1}"
        name = frame.function_name
        yield f"    at {name} ({position})" if name else f"    at {position}"


def format_message(arguments: Sequence[runtime.RemoteObject]) -> str:
    """Return the text of arguments; specifiers such as ``%s`` in the first text are replaced."""
    match arguments:
        case [runtime.RemoteObject(type="string", value=str(template)), first, *others]:
            rest = [first, *others]
        case _:
            return " ".join(map(format_value, arguments))

    def replace(found: re.Match[str]) -> str:
        if found[1] == "%":
            return "%"
        if not rest:
            return found[0]
        value = format_value(rest.pop(0))
        return "" if found[1] == "c" else value

    return " ".join([_SPECIFIER.sub(replace, template), *map(format_value, rest)])


def format_value(value: runtime.RemoteObject) -> str:
    """Return the text of an argument; an object shows its preview."""
    if value.unserializable_value is not None:
        return value.unserializable_value
    if value.type == "string":
        return str(value.value)
    if value.type == "undefined":
        return value.description or "undefined"
    if value.type in {"boolean", "number"} or value.subtype == "null":
        return value.description or json.dumps(value.value)
    if value.type == "object" and value.preview and value.subtype not in _DESCRIBED:
        return _object(value, value.preview)
    return value.description or value.class_name or value.type


def _object(value: runtime.RemoteObject, preview: runtime.ObjectPreview) -> str:
    name = value.description or "Object"
    more = [_MORE] if preview.overflow else []
    if value.subtype in {"array", "typedarray"}:
        items = [_property_value(item) for item in preview.properties if item.name.isdecimal()]
        prefix = name.removeprefix("Array") if value.subtype == "array" else name
        return f"{prefix} [{', '.join([*items, *more])}]".removeprefix("(0) ")
    if value.subtype in _COLLECTIONS:
        return f"{name} {_braced([*map(_entry, preview.entries), *more])}"
    body = _braced([*map(_property, preview.properties), *more])
    return body if name == "Object" else f"{name} {body}"


def _braced(members: Iterable[str]) -> str:
    return f"{{{', '.join(members)}}}"


def _property(member: runtime.PropertyPreview) -> str:
    is_plain = _NAME.fullmatch(member.name) or member.name.startswith("[[")
    return f"{member.name if is_plain else _quoted(member.name)}: {_property_value(member)}"


def _property_value(member: runtime.PropertyPreview) -> str:
    match member.type:
        case "accessor":
            return "(...)"
        case "function":
            return "ƒ"
        case _:
            return _described(runtime.ValuePreview(member.type, member.subtype, member.value))


def _entry(entry: runtime.EntryPreview) -> str:
    value = _described(entry.value)
    return f"{_described(entry.key)} => {value}" if entry.key else value


def _described(value: runtime.ValuePreview) -> str:
    if value.type == "string":
        return _quoted(value.description)
    return f"{{{_MORE}}}" if value.description == "Object" else value.description


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"
