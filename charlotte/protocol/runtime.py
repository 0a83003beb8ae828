"""CDP Runtime domain: what we use of it."""

from typing import Any, ClassVar

import attrs

from charlotte.protocol.wire import Command, Event, Nothing


@attrs.frozen
class PropertyPreview:
    """A property of an object that was printed; ``value`` is written out, "" of an accessor.

    Only where it is a row of a table, ``value_preview`` has its cells.
    """

    name: str
    type: str
    subtype: str | None = None
    value: str = ""
    value_preview: "ObjectPreview | None" = None


@attrs.frozen
class ValuePreview:
    """A value in a collection that was printed."""

    type: str
    subtype: str | None = None
    description: str = ""


@attrs.frozen
class EntryPreview:
    """An entry of a Map, or without ``key`` of a Set."""

    value: ValuePreview
    key: ValuePreview | None = None


@attrs.frozen
class ObjectPreview:
    """The first properties and entries of an object; ``overflow`` says that there are more."""

    overflow: bool = False
    properties: list[PropertyPreview] = attrs.field(factory=list[PropertyPreview])
    entries: list[EntryPreview] = attrs.field(factory=list[EntryPreview])


@attrs.frozen
class RemoteObject:
    """A JavaScript value; by value when asked for and possible, with a preview when printed."""

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
    """A place in a script; lines and columns count from 0."""

    url: str
    line_number: int
    column_number: int
    function_name: str = ""


@attrs.frozen
class StackTrace:
    """Innermost frame first."""

    call_frames: list[CallFrame]


@attrs.frozen
class ExceptionDetails:
    """What was thrown, and where."""

    text: str
    line_number: int
    column_number: int
    url: str | None = None
    exception: RemoteObject | None = None
    stack_trace: StackTrace | None = None


@attrs.frozen
class Evaluated:
    """A value, or what was thrown instead."""

    result: RemoteObject
    exception_details: ExceptionDetails | None = None


@attrs.frozen(kw_only=True)
class Enable(Command[Nothing]):
    """Report contexts, console calls and exceptions."""

    method = "Runtime.enable"


@attrs.frozen(kw_only=True)
class Disable(Command[Nothing]):
    """Report them no more; once enabled again, the last 1,000 calls and exceptions are repeated."""

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
    """Lend the worlds of that name a function whose calls come as events, whenever they begin."""

    method = "Runtime.addBinding"
    name: str
    execution_context_name: str | None = None


@attrs.frozen(kw_only=True)
class ReleaseObjectGroup(Command[Nothing]):
    """Let go of the objects that evaluations in this group have returned."""

    method = "Runtime.releaseObjectGroup"
    object_group: str


@attrs.frozen(kw_only=True)
class TerminateExecution(Command[Nothing]):
    """End the script that runs now."""

    method = "Runtime.terminateExecution"


@attrs.frozen(kw_only=True)
class RunIfWaitingForDebugger(Command[Nothing]):
    """Let a held target run."""

    method = "Runtime.runIfWaitingForDebugger"


@attrs.frozen
class ExecutionContext:
    """A world of a frame; ``aux_data`` has frameId, type and isDefault."""

    id: int
    unique_id: str
    name: str
    origin: str
    aux_data: dict[str, Any] = attrs.field(factory=dict[str, Any])


@attrs.frozen
class ExecutionContextCreated(Event):
    """A document got a world."""

    method: ClassVar[str] = "Runtime.executionContextCreated"
    context: ExecutionContext


@attrs.frozen
class ExecutionContextDestroyed(Event):
    """A world is gone with its document."""

    method: ClassVar[str] = "Runtime.executionContextDestroyed"
    execution_context_unique_id: str


@attrs.frozen
class ExecutionContextsCleared(Event):
    """All worlds are gone."""

    method: ClassVar[str] = "Runtime.executionContextsCleared"


@attrs.frozen
class BindingCalled(Event):
    """A function lent by ``AddBinding`` was called with a string."""

    method: ClassVar[str] = "Runtime.bindingCalled"
    name: str
    payload: str


@attrs.frozen
class ConsoleApiCalled(Event):
    """``console.log`` and its kin; ``timestamp`` in ms since the epoch."""

    method: ClassVar[str] = "Runtime.consoleAPICalled"
    type: str
    args: list[RemoteObject]
    timestamp: float
    stack_trace: StackTrace | None = None


@attrs.frozen
class Logged(Event):
    """The moment of a line of the console in ms, for those who only count."""

    method: ClassVar[str] = "Runtime.consoleAPICalled"
    timestamp: float


@attrs.frozen
class Thrown(Logged):
    """The moment of an exception that the page did not catch in ms."""

    method: ClassVar[str] = "Runtime.exceptionThrown"


@attrs.frozen
class ExceptionThrown(Event):
    """An exception nobody caught."""

    method: ClassVar[str] = "Runtime.exceptionThrown"
    timestamp: float
    exception_details: ExceptionDetails
