"""CDP DOM domain: what we use of it."""

import attrs

from charlotte.protocol.wire import Command


@attrs.frozen
class DomNode:
    """A node; ``frame_id`` of an element in which a frame lies."""

    backend_node_id: int
    frame_id: str | None = None


@attrs.frozen
class Described:
    """The node."""

    node: DomNode


@attrs.frozen(kw_only=True)
class DescribeNode(Command[Described]):
    """What the browser knows of the node that a script's object stands for."""

    method = "DOM.describeNode"
    object_id: str
