"""CDP WebMCP domain: tools that a page offers, and calls of them.

The browser accepts the commands even if its feature WebMCP is off, and reports no tools then.
"""

from typing import Any

import attrs
import trio

from charlotte.protocol.runtime import RemoteObject, StackTrace
from charlotte.protocol.wire import CdpEvent, Command, Nothing, bare_command

EnableWebMcp = bare_command("WebMCP.enable")  # reports present tools first
DisableWebMcp = bare_command("WebMCP.disable")


@attrs.frozen
class Annotations:
    """Claims of a page about its tool."""

    read_only: bool = False
    untrusted_content: bool = False
    consequential: bool = False
    debugging: bool = False


@attrs.frozen(kw_only=True)
class OfferedTool:
    """A tool of the document in a frame; ``backend_node_id`` is the form that declares it.

    Of a removed tool, only name and frame are known.
    """

    name: str
    frame_id: str
    description: str = ""
    input_schema: Any = None
    annotations: Annotations = attrs.field(factory=Annotations)
    backend_node_id: int | None = None
    stack_trace: StackTrace | None = None


class InvokeTool(Command[str], method="WebMCP.invokeTool", result="invocationId"):
    """Start a tool; returns the id of the call as soon as the tool has been started."""

    frame_id: str
    tool_name: str
    input: dict[str, Any]


class CancelInvocation(Command[Nothing], method="WebMCP.cancelInvocation"):
    """Abort the signal of a call, which then counts as canceled."""

    invocation_id: str


class ToolsAdded(CdpEvent, method="WebMCP.toolsAdded"):
    """A document has added tools, at a time of trio's clock."""

    tools: list[OfferedTool]
    timestamp: float = attrs.field(factory=trio.current_time)


class ToolsRemoved(CdpEvent, method="WebMCP.toolsRemoved"):
    """A document has removed tools; not reported if the document itself goes."""

    tools: list[OfferedTool]


class ToolInvoked(CdpEvent, method="WebMCP.toolInvoked"):
    """A client of the browser, or the page, has called a tool."""

    tool_name: str
    frame_id: str
    invocation_id: str


class ToolResponded(CdpEvent, method="WebMCP.toolResponded"):
    """A call has ended; ``status`` is ``Completed``, ``Canceled`` or ``Error``."""

    invocation_id: str
    status: str
    output: Any = None
    error_text: str = ""
    exception: RemoteObject | None = None


TOOL_EVENTS = (ToolsAdded, ToolsRemoved, ToolInvoked, ToolResponded)
