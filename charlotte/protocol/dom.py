"""CDP DOM, CSS and Accessibility domains."""

import attrs

from charlotte.protocol.runtime import RemoteObject
from charlotte.protocol.wire import CdpEvent, Command, Nothing, bare_command

EnableDom = bare_command("DOM.enable")  # the CSS domain requires it
EnableCss = bare_command("CSS.enable")  # returns when all present style sheets are reported
StartRuleUsageTracking = bare_command("CSS.startRuleUsageTracking")  # of the rules in use
EnableAccessibility = bare_command(
    "Accessibility.enable"
)  # computed roles and names are cheap while it is enabled


@attrs.frozen
class DomNode:
    """A DOM node; ``frame_id`` is set for frame owners, ``shadow_roots`` for shadow hosts.

    ``attributes`` are names and values by turns.
    """

    backend_node_id: int
    frame_id: str | None = None
    shadow_root_type: str | None = None
    shadow_roots: list["DomNode"] = attrs.field(factory=list["DomNode"])
    attributes: list[str] = attrs.field(factory=list[str])


class DescribeNode(Command[DomNode], method="DOM.describeNode", result="node"):
    """Describe a node, given by its id or by a remote object."""

    object_id: str | None = None
    backend_node_id: int | None = None


class ResolveNode(Command[RemoteObject], method="DOM.resolveNode", result="object"):
    """Resolve a node to a remote object in one world, by default the page's main world."""

    backend_node_id: int
    execution_context_id: int | None = None
    object_group: str | None = None


class SetFileInputFiles(Command[Nothing], method="DOM.setFileInputFiles"):
    """Set the files of a file input, as a user would choose them."""

    files: list[str]
    backend_node_id: int


@attrs.frozen
class StyleSheet:
    """A style sheet; ``length`` in characters, ``origin`` is ``regular`` or ``injected``."""

    style_sheet_id: str
    sourceURL: str = ""  # noqa: N815 - other names of CDP end in Url
    origin: str = "regular"
    length: float = 0


class StyleSheetAdded(CdpEvent, method="CSS.styleSheetAdded"):
    """A style sheet was added."""

    header: StyleSheet


@attrs.frozen
class RuleUsage:
    """Whether the rule between two offsets is used."""

    style_sheet_id: str
    start_offset: float
    end_offset: float
    used: bool


class StopRuleUsageTracking(
    Command[list[RuleUsage]], method="CSS.stopRuleUsageTracking", result="ruleUsage"
):
    """Stop tracking and return the rule usage."""


class GetRootAXNode(Command[Nothing], method="Accessibility.getRootAXNode"):
    """Get the root of a frame's accessibility tree, which keeps the tree up to date from now on."""

    frame_id: str | None = None
