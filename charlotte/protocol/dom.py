"""CDP DOM domain: what we use of it."""

import attrs

from charlotte.protocol.runtime import RemoteObject
from charlotte.protocol.wire import Command, Nothing


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


@attrs.frozen
class Described:
    """The described node."""

    node: DomNode


@attrs.frozen(kw_only=True)
class DescribeNode(Command[Described]):
    """Describe a node, given by its id or by a remote object."""

    method = "DOM.describeNode"
    object_id: str | None = None
    backend_node_id: int | None = None


@attrs.frozen
class Resolved:
    """The remote object of a node."""

    object: RemoteObject


@attrs.frozen(kw_only=True)
class ResolveNode(Command[Resolved]):
    """Resolve a node to a remote object in one world, by default the page's main world."""

    method = "DOM.resolveNode"
    backend_node_id: int
    execution_context_id: int | None = None
    object_group: str | None = None


@attrs.frozen(kw_only=True)
class SetFileInputFiles(Command[Nothing]):
    """Set the files of a file input, as a user would choose them."""

    method = "DOM.setFileInputFiles"
    files: list[str]
    backend_node_id: int
