"""CDP Runtime and Log domains: scripts, execution contexts, console."""

from typing import Any

import attrs

from charlotte.protocol.wire import CdpEvent, Command, Nothing, bare_command

EnableRuntime = bare_command("Runtime.enable")
DisableRuntime = bare_command("Runtime.disable")  # enabling again repeats the last 1,000 calls
TerminateExecution = bare_command("Runtime.terminateExecution")
RunIfWaitingForDebugger = bare_command("Runtime.runIfWaitingForDebugger")
EnableLog = bare_command("Log.enable")  # also of earlier entries
DisableLog = bare_command("Log.disable")
ClearLog = bare_command("Log.clear")
EnablePerformance = bare_command("Performance.enable")  # collects metrics of the page


@attrs.frozen
class PropertyPreview:
    """A property in a console preview; ``value`` is text, "" for an accessor."""

    name: str
    type: str
    subtype: str | None = None
    value: str = ""


@attrs.frozen
class ObjectPreview:
    """The first properties of an object; ``overflow`` if there are more."""

    overflow: bool = False
    properties: list[PropertyPreview] = attrs.field(factory=list[PropertyPreview])


@attrs.frozen
class RemoteObject:
    """A JavaScript value: by value if requested and possible, with a preview if logged."""

    type: str
    subtype: str | None = None
    class_name: str | None = None
    value: Any = None
    unserializable_value: str | None = None
    description: str | None = None
    object_id: str | None = None
    preview: ObjectPreview | None = None


@attrs.frozen
class CallFrame:
    """A position in a script; lines and columns count from 0."""

    url: str
    line_number: int
    column_number: int


@attrs.frozen
class StackTrace:
    """A stack trace, innermost frame first."""

    call_frames: list[CallFrame]


@attrs.frozen
class ExceptionDetails:
    """A thrown value and its position."""

    text: str
    line_number: int
    column_number: int
    url: str | None = None
    exception: RemoteObject | None = None
    stack_trace: StackTrace | None = None
    execution_context_id: int = 0


@attrs.frozen
class Evaluated:
    """The result of an evaluation, or the exception."""

    result: RemoteObject
    exception_details: ExceptionDetails | None = None


class Evaluate(Command[Evaluated], method="Runtime.evaluate"):
    """Run a program in a context; ``timeout`` in ms ends a synchronous loop."""

    expression: str
    unique_context_id: str | None = None
    return_by_value: bool = False
    await_promise: bool = False
    repl_mode: bool = False
    user_gesture: bool = False
    timeout: float | None = None
    object_group: str | None = None
    include_command_line_api: bool = False


@attrs.frozen
class CallArgument:
    """An argument of a function: a remote object, or a JSON value."""

    object_id: str | None = None
    value: Any = None


class CallFunctionOn(Command[Evaluated], method="Runtime.callFunctionOn"):
    """Call a function with an object as ``this``."""

    function_declaration: str
    object_id: str
    arguments: list[CallArgument] | None = None
    return_by_value: bool = False
    await_promise: bool = False


class AwaitPromise(Command[Evaluated], method="Runtime.awaitPromise"):
    """Wait until a promise is settled."""

    promise_object_id: str


class AddBinding(Command[Nothing], method="Runtime.addBinding"):
    """Install a function, in all worlds of a name, whose calls arrive as `BindingCalled`."""

    name: str
    execution_context_name: str | None = None


class ReleaseObjectGroup(Command[Nothing], method="Runtime.releaseObjectGroup"):
    """Release the remote objects of a group."""

    object_group: str


@attrs.frozen
class ExecutionContext:
    """An execution context; ``aux_data`` has frameId, type and isDefault."""

    id: int
    unique_id: str
    name: str
    origin: str
    aux_data: dict[str, Any] = attrs.field(factory=dict[str, Any])


class ExecutionContextCreated(CdpEvent, method="Runtime.executionContextCreated"):
    """An execution context was created."""

    context: ExecutionContext


class ExecutionContextDestroyed(CdpEvent, method="Runtime.executionContextDestroyed"):
    """An execution context was destroyed with its document."""

    execution_context_unique_id: str


class ExecutionContextsCleared(CdpEvent, method="Runtime.executionContextsCleared"):
    """All execution contexts were destroyed."""


class BindingCalled(CdpEvent, method="Runtime.bindingCalled"):
    """A function installed by `AddBinding` was called with a string."""

    name: str
    payload: str


class ConsoleApiCalled(CdpEvent, method="Runtime.consoleAPICalled"):
    """A call of a ``console`` method; ``timestamp`` in ms since the epoch."""

    type: str
    args: list[RemoteObject]
    timestamp: float
    execution_context_id: int = 0


class Logged(CdpEvent, method="Runtime.consoleAPICalled"):
    """A console call reduced to its time in ms, for subscribers that only count."""

    timestamp: float


class Thrown(Logged, method="Runtime.exceptionThrown"):
    """An uncaught exception reduced to its time in ms."""


class ExceptionThrown(CdpEvent, method="Runtime.exceptionThrown"):
    """An uncaught exception."""

    timestamp: float
    exception_details: ExceptionDetails


@attrs.frozen
class LogEntry:
    """A log entry of the browser itself; ``timestamp`` in ms since the epoch."""

    source: str
    level: str
    text: str
    timestamp: float
    url: str | None = None


class EntryAdded(CdpEvent, method="Log.entryAdded"):
    """The browser added a log entry."""

    entry: LogEntry

    @property
    def timestamp(self) -> float:
        """Time of the entry, in ms since the epoch."""
        return self.entry.timestamp


@attrs.frozen
class Metric:
    """A metric; times are in seconds, sizes in bytes."""

    name: str
    value: float


class GetMetrics(Command[list[Metric]], method="Performance.getMetrics", result="metrics"):
    """Return the metrics of a page; a page whose script runs answers too."""


@attrs.frozen
class ProcessInfo:
    """A process of the browser; ``id`` is that of the operating system, times are in seconds."""

    type: str
    id: int
    cpu_time: float


class GetProcessInfo(
    Command[list[ProcessInfo]], method="SystemInfo.getProcessInfo", result="processInfo"
):
    """List the processes of the browser."""
