"""Giving an agent's own JavaScript an element: as `element`, in the world of the page's scripts."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import trio

from charlotte.actors.tab.actor import Tab
from charlotte.browser.frame_worlds import FrameWorld
from charlotte.browser.remote_nodes import nodes_of
from charlotte.errors import EvaluationFailed
from charlotte.protocol.dom import ResolveNode
from charlotte.protocol.runtime import CallFunctionOn, ReleaseObjectGroup, RemoteObject

_GROUP = "charlotte-bound"
_UNBIND_WAIT = 1.0
_BIND = """function () {
  const had = Object.hasOwn(globalThis, 'element');
  const before = globalThis.element;
  globalThis.element = this;
  return () => {
    if (had) globalThis.element = before;
    else delete globalThis.element;
  };
}"""


@asynccontextmanager
async def bound(tab: Tab, reference: str) -> AsyncGenerator[FrameWorld]:
    """Have a global `element` while the block runs; gives the world it is in."""
    world, node = await _found(tab, reference)
    unbind = await _bind(world, node)
    try:
        yield world
    finally:
        # only sent: a page that loops would not answer
        with trio.move_on_after(_UNBIND_WAIT, shield=True):
            undo = CallFunctionOn(function_declaration="function () { this() }", object_id=unbind)
            await world.session.begin(undo)
            await world.session.begin(ReleaseObjectGroup(object_group=_GROUP))


async def _found(tab: Tab, reference: str) -> tuple[FrameWorld, int]:
    """The world of its page's scripts, and what the browser calls the node."""
    await tab.on_element(reference, "box")  # looks again for what is gone
    place = await tab.references.place(reference)
    if home := tab.home(place):
        probe, nid = home
        (node,) = await nodes_of(probe.session, probe.context, [nid])
        world = tab.page.frames.own(probe.frame_id)
        if node and world:
            return world, node.backend_node_id
    raise tab.references.missing(reference)


async def _bind(world: FrameWorld, node: int) -> str:
    resolve = ResolveNode(
        backend_node_id=node, execution_context_id=world.number, object_group=_GROUP
    )
    found: RemoteObject = (await world.session.call(resolve)).object
    done = await world.session.call(
        CallFunctionOn(function_declaration=_BIND, object_id=found.object_id or "")
    )
    if done.exception_details or done.result.object_id is None:
        raise EvaluationFailed(
            "The page does not let a global `element` be set.",
            "Leave element_id out and find the element with document.querySelector.",
        )
    return done.result.object_id
