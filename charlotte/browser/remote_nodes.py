"""What only the browser knows of elements that the probe has numbered: their frames and roots."""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from charlotte.protocol.dom import DescribeNode, DomNode, ResolveNode
from charlotte.protocol.errors import ContextGone, NodeGone, SessionGone
from charlotte.protocol.runtime import CallFunctionOn, Evaluate
from charlotte.protocol.session import Session
from charlotte.protocol.wire import Command

R = TypeVar("R")

GONE = (ContextGone, NodeGone, SessionGone)
"""Errors of commands for a document, node or process that no longer exists."""


async def nodes_of(session: Session, context: str, nids: Iterable[int]) -> list[DomNode | None]:
    """Return the nodes with these numbers in a document, None for removed ones: two round trips."""
    objects = await _all(
        session,
        [
            Evaluate(expression=f"charlotte.element({nid})", unique_context_id=context)
            for nid in nids
        ],
    )
    ids = [one and one.result.object_id for one in objects]
    described = await _all(session, [DescribeNode(object_id=one) if one else None for one in ids])
    return [None if one is None else one.node for one in described]


async def hand_over_closed(
    session: Session, context: str, context_number: int, nids: Sequence[int]
) -> bool:
    """Give the probe the closed shadow roots of elements; return whether there are any."""
    nodes = await nodes_of(session, context, nids)
    closed = [
        (nid, root.backend_node_id)
        for nid, node in zip(nids, nodes, strict=True)
        for root in (node.shadow_roots if node else [])
        if root.shadow_root_type == "closed"
    ]
    roots = await _all(
        session,
        [
            ResolveNode(backend_node_id=root, execution_context_id=context_number)
            for _, root in closed
        ],
    )
    given = [
        CallFunctionOn(
            object_id=root.object.object_id,
            function_declaration=f"function () {{ charlotte.adopt({nid}, this); }}",
        )
        for (nid, _), root in zip(closed, roots, strict=True)
        if root and root.object.object_id
    ]
    await _all(session, given)
    return bool(given)


async def _all(session: Session, commands: Sequence[Command[R] | None]) -> list[R | None]:
    """Run commands in one round trip; None for objects that no longer exist."""
    asked = [None if one is None else await session.begin(one) for one in commands]
    results: list[R | None] = []
    for one in asked:
        try:
            results.append(None if one is None else await one.result())
        except GONE:
            results.append(None)
    return results
