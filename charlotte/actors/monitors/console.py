"""The console monitor: an actor per tab that records what the page and the browser log."""

import json
import re
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import NoReturn, get_args

import attrs
import trio

from charlotte.actors.monitors.frame_monitors import SessionMonitor, monitoring
from charlotte.actors.state.logs import CAPACITY, ConsoleLevel, ConsoleLog, ConsoleMessage
from charlotte.base.blocks import kept_in
from charlotte.base.errors import ellipsize
from charlotte.base.log import from_seconds, now
from charlotte.browser.world.event_throttle import ENTRIES, console_source, throttle
from charlotte.protocol import runtime
from charlotte.protocol.connection import CdpSession, Connection, Subscription, open_session
from charlotte.protocol.errors import SessionGone

ConsoleLine = runtime.ConsoleApiCalled | runtime.ExceptionThrown | runtime.EntryAdded
ConsoleEvent = ConsoleLine | runtime.ExecutionContextCreated | runtime.ExecutionContextsCleared
"""A line, a context of scripts, or the end of the document that logged the lines before."""

ENABLE = (runtime.EnableRuntime(), runtime.EnableLog())
FOLLOWED: tuple[type[ConsoleEvent], ...] = get_args(ConsoleEvent)
_MOST_HELD = 100
"""Messages after which the logged objects are released."""

_OBJECT_GROUP = "console"
"""The browser's name for the group of logged objects."""

MISSED = "[Charlotte] The page logged thousands of lines a second: some lines are not recorded."
_LEVELS: dict[str, ConsoleLevel] = {
    "warning": "warn", "error": "error", "assert": "error", "info": "info",
    "debug": "debug", "verbose": "debug", "trace": "debug",
}  # fmt: skip

_SPECIFIER = re.compile(r"%([sdifoOc%])")
_MORE = "…"
_DESCRIBED = {
    *("error", "node", "regexp", "date", "proxy"),
    *("map", "set", "weakmap", "weakset", "iterator"),
}
"""Types of objects whose description is more informative than their properties."""


@attrs.define(eq=False)
class Transcript:
    """The messages of one CDP session in order, redacted by ``hidden``.

    ``holders`` are the sessions in which the browser retains logged objects. ``document_ended`` is
    called when a document has ended. ``shows`` returns whether lines of an origin are kept. After
    a pause, the browser repeats its last lines. Lines
    with a recorded time are left out; times have microseconds.
    """

    _events: Subscription[ConsoleEvent]
    _hidden: Callable[[str], str]
    _holders: Sequence[CdpSession]
    _document_ended: Callable[[], None] = lambda: None
    _shows: Callable[[str], bool] = lambda _: True
    _hidden_contexts: set[int] = attrs.field(factory=set[int])
    """The contexts of scripts whose lines are not kept."""
    _held: int = 0
    _known: deque[float] = attrs.field(factory=lambda: deque[float](maxlen=CAPACITY))

    async def next(self) -> ConsoleMessage | None:
        """Wait for the next event; return its line, if any. Raises `SessionGone` at the end."""
        event = await self._events.next()
        self._held += 1
        if self._held == _MOST_HELD:
            self._held = 0
            for session in tuple(self._holders):
                with suppress(SessionGone):
                    await session.begin(runtime.ReleaseObjectGroup(object_group=_OBJECT_GROUP))
        match event:
            case runtime.ExecutionContextCreated(context):
                if not self._shows(context.origin):
                    self._hidden_contexts.add(context.id)
            case runtime.ExecutionContextsCleared():
                self._hidden_contexts.clear()
                self._document_ended()
            case line if self._is_kept(line):
                return message_of(line, self._hidden)
            case _:
                pass
        return None

    def _is_kept(self, line: ConsoleLine) -> bool:
        match line:
            case runtime.EntryAdded(entry):
                # the own session of a worker reports it
                return entry.source != "worker" and (entry.url is None or self._shows(entry.url))
            case runtime.ConsoleApiCalled():
                context, is_line = line.execution_context_id, line.type != "endGroup"
            case runtime.ExceptionThrown():
                context, is_line = line.exception_details.execution_context_id, True
        if not is_line or context in self._hidden_contexts or line.timestamp in self._known:
            return False
        self._known.append(line.timestamp)
        return True


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
        ellipsize(hidden(text), 2000),
        from_seconds(timestamp / 1000),
        failed_url=failed_url,
    )


@attrs.define(eq=False)
class ConsoleMonitor:
    """State of the console actor; the ends of documents in the session ``_main`` are noted."""

    _log: ConsoleLog
    _main: CdpSession | None = None

    async def read(
        self, level: ConsoleLevel | None, *, clear: bool
    ) -> tuple[list[ConsoleMessage], int]:
        """Return the messages of a level or all, oldest first, and the number of dropped ones."""
        messages = [one for one in self._log.messages if level in {None, one.level}]
        dropped = self._log.dropped
        if clear:
            self._log.clear()
        return messages, dropped

    async def throttle(self, session: CdpSession) -> None:
        """Pause lines and the browser's own log entries when they are too many."""

        def note_missed() -> None:
            self._log.add(ConsoleMessage("warn", MISSED, now()))

        async with trio.open_nursery() as nursery:
            for source in (console_source(), ENTRIES):
                nursery.start_soon(partial(throttle, session, source, note_missed, has_page=False))

    async def follow(self, session: CdpSession, events: Subscription[ConsoleEvent]) -> NoReturn:
        """Record events; raises `SessionGone` when the session is detached."""

        def end_document() -> None:
            if session is self._main:
                self._log.documents_end = self._log.numbers.last

        log = self._log
        transcript = Transcript(events, log.hidden, log.holders, end_document, log.shows)
        while True:
            message = await transcript.next()
            self._log.dropped += events.take_lost()
            if message is not None:
                self._log.add(message)


@asynccontextmanager
async def open_console(
    connection: Connection, target_id: str, console_log: ConsoleLog
) -> AsyncGenerator[ConsoleMonitor]:
    """Attach to the target and follow its console."""
    async with open_session(connection, target_id) as session:
        monitor = ConsoleMonitor(console_log, session)
        sessions = SessionMonitor(ENABLE, FOLLOWED, monitor.follow, monitor.throttle)
        with kept_in(console_log.holders, session):
            async with monitoring(connection, session, sessions):
                yield monitor


def call_text(call: runtime.ConsoleApiCalled) -> str:
    """Return the text of a call."""
    if call.type == "assert":
        return f"Assertion failed: {format_message(call.args)}"
    return "Console was cleared" if call.type == "clear" else format_message(call.args)


def exception_text(details: runtime.ExceptionDetails) -> str:
    """Return the text of an uncaught exception with its stack, or else with its position."""
    thrown = format_value(details.exception) if details.exception else ""
    text = f"{details.text} {thrown}".strip()
    if "\n" not in text and details.url:
        text += f" ({details.url}:{details.line_number + 1}:{details.column_number + 1})"
    return text


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
    members = [f"{member.name}: {_property_value(member)}" for member in preview.properties]
    body = f"{{{', '.join([*members, *more])}}}"
    return body if name == "Object" else f"{name} {body}"


def _property_value(member: runtime.PropertyPreview) -> str:
    match member.type:
        case "accessor":
            return "(...)"
        case "function":
            return "ƒ"
        case "string":
            return repr(member.value)
        case _:
            return f"{{{_MORE}}}" if member.value == "Object" else member.value
