"""CDP DOM domain: what we use of it."""

import attrs

from charlotte.protocol.runtime import RemoteObject
from charlotte.protocol.wire import Command, Nothing


@attrs.frozen
class DomNode:
    """A node; ``frame_id`` of an element in which a frame lies, ``shadow_roots`` of a host.

    ``attributes`` are names and values by turns.
    """

    backend_node_id: int
    frame_id: str | None = None
    shadow_root_type: str | None = None
    shadow_roots: list["DomNode"] = attrs.field(factory=list["DomNode"])
    attributes: list[str] = attrs.field(factory=list[str])


@attrs.frozen
class Described:
    """The node."""

    node: DomNode


@attrs.frozen(kw_only=True)
class DescribeNode(Command[Described]):
    """What the browser knows of a node, or of the one that a script's object stands for."""

    method = "DOM.describeNode"
    object_id: str | None = None
    backend_node_id: int | None = None


@attrs.frozen
class Resolved:
    """The object that stands for a node."""

    object: RemoteObject


@attrs.frozen(kw_only=True)
class ResolveNode(Command[Resolved]):
    """Have a node as an object of one world, by default its page's own."""

    method = "DOM.resolveNode"
    backend_node_id: int
    execution_context_id: int | None = None
    object_group: str | None = None


@attrs.frozen(kw_only=True)
class SetFileInputFiles(Command[Nothing]):
    """Have a file input hold these files, as a person would choose them."""

    method = "DOM.setFileInputFiles"
    files: list[str]
    backend_node_id: int
