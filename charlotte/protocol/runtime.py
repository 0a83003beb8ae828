"""CDP Runtime domain: what we use of it."""

from typing import Any, ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class PropertyPreview:
    """A property in a console preview; ``value`` is text, "" for an accessor.

    Only where it is a row of a table, ``value_preview`` has its cells.
    """

    name: str
    type: str
    subtype: str | None = None
    value: str = ""
    value_preview: "ObjectPreview | None" = None


@attrs.frozen
class ValuePreview:
    """A value of a collection in a console preview."""

    type: str
    subtype: str | None = None
    description: str = ""


@attrs.frozen
class EntryPreview:
    """An entry of a Map, or of a Set if it has no ``key``."""

    value: ValuePreview
    key: ValuePreview | None = None


@attrs.frozen
class ObjectPreview:
    """The first properties and entries of an object; ``overflow`` if there are more."""

    overflow: bool = False
    properties: list[PropertyPreview] = attrs.field(factory=list[PropertyPreview])
    entries: list[EntryPreview] = attrs.field(factory=list[EntryPreview])


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
    function_name: str = ""


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


@attrs.frozen
class Evaluated:
    """The result of an evaluation, or the exception."""

    result: RemoteObject
    exception_details: ExceptionDetails | None = None


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report contexts, console calls and exceptions."""

    method = "Runtime.enable"


@attrs.frozen(kw_only=True)
class Disable(Command[Nothing]):
    """Stop reporting; enabling again repeats the last 1,000 calls and exceptions."""

    method = "Runtime.disable"


@attrs.frozen(kw_only=True)
class Evaluate(Command[Evaluated]):
    """Run a program in a context; ``timeout`` in ms ends a synchronous loop."""

    method = "Runtime.evaluate"
    expression: str
    unique_context_id: str | None = None
    return_by_value: bool = False
    await_promise: bool = False
    repl_mode: bool = False
    user_gesture: bool = False
    timeout: float | None = None
    object_group: str | None = None
    include_command_line_api: bool = False


@attrs.frozen(kw_only=True)
class CallFunctionOn(Command[Evaluated]):
    """Call a function with an object as ``this``."""

    method = "Runtime.callFunctionOn"
    function_declaration: str
    object_id: str
    return_by_value: bool = False


@attrs.frozen(kw_only=True)
class AwaitPromise(Command[Evaluated]):
    """Wait until a promise is settled."""

    method = "Runtime.awaitPromise"
    promise_object_id: str


@attrs.frozen(kw_only=True)
class AddBinding(Command[Nothing]):
    """Install a function, in all worlds of a name, whose calls arrive as `BindingCalled`."""

    method = "Runtime.addBinding"
    name: str
    execution_context_name: str | None = None


@attrs.frozen(kw_only=True)
class ReleaseObjectGroup(Command[Nothing]):
    """Release the remote objects of a group."""

    method = "Runtime.releaseObjectGroup"
    object_group: str


@attrs.frozen(kw_only=True)
class TerminateExecution(Command[Nothing]):
    """Terminate the running script."""

    method = "Runtime.terminateExecution"


@attrs.frozen(kw_only=True)
class RunIfWaitingForDebugger(Command[Nothing]):
    """Let a target that waits for the debugger run."""

    method = "Runtime.runIfWaitingForDebugger"


@attrs.frozen
class ExecutionContext:
    """An execution context; ``aux_data`` has frameId, type and isDefault."""

    id: int
    unique_id: str
    name: str
    origin: str
    aux_data: dict[str, Any] = attrs.field(factory=dict[str, Any])


@attrs.frozen
class ExecutionContextCreated(Event):
    """An execution context was created."""

    method: ClassVar[str] = "Runtime.executionContextCreated"
    context: ExecutionContext


@attrs.frozen
class ExecutionContextDestroyed(Event):
    """An execution context was destroyed with its document."""

    method: ClassVar[str] = "Runtime.executionContextDestroyed"
    execution_context_unique_id: str


@attrs.frozen
class ExecutionContextsCleared(Event):
    """All execution contexts were destroyed."""

    method: ClassVar[str] = "Runtime.executionContextsCleared"


@attrs.frozen
class BindingCalled(Event):
    """A function installed by `AddBinding` was called with a string."""

    method: ClassVar[str] = "Runtime.bindingCalled"
    name: str
    payload: str


@attrs.frozen
class ConsoleApiCalled(Event):
    """A call of a ``console`` method; ``timestamp`` in ms since the epoch."""

    method: ClassVar[str] = "Runtime.consoleAPICalled"
    type: str
    args: list[RemoteObject]
    timestamp: float
    stack_trace: StackTrace | None = None


@attrs.frozen
class Logged(Event):
    """A console call reduced to its time in ms, for subscribers that only count."""

    method: ClassVar[str] = "Runtime.consoleAPICalled"
    timestamp: float


@attrs.frozen
class Thrown(Logged):
    """An uncaught exception reduced to its time in ms."""

    method: ClassVar[str] = "Runtime.exceptionThrown"


@attrs.frozen
class ExceptionThrown(Event):
    """An uncaught exception."""

    method: ClassVar[str] = "Runtime.exceptionThrown"
    timestamp: float
    exception_details: ExceptionDetails
