"""Evaluation of an agent's JavaScript in the world of the page's scripts."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import trio

from charlotte.actors.tab.actor import TabActor
from charlotte.base.errors import CharlotteError, EvaluationFailed
from charlotte.browser.evaluate import ScriptValue, evaluate_script, timed_out
from charlotte.browser.world.isolated_world import nodes_of
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.dom import ResolveNode
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.runtime import CallFunctionOn, Evaluate, ReleaseObjectGroup

GRACE = 0.5
_GROUP = "charlotte-bound"
_BIND = """function () {
  const had = Object.hasOwn(globalThis, 'element');
  const before = globalThis.element;
  globalThis.element = this;
  return () => {
    if (had) globalThis.element = before;
    else delete globalThis.element;
  };
}"""


async def evaluate(
    tab: TabActor,
    expression: str,
    *,
    timeout_ms: int,
    await_promise: bool = True,
    reference: str | None = None,
) -> ScriptValue:
    """Run JavaScript as the console does, with an element bound to `element` if one is given."""
    await tab.page.present()
    await tab.page.ping()
    value = None
    try:
        with trio.move_on_after(timeout_ms / 1000 + GRACE):
            async with _bound(tab, reference) as (session, context):
                value = await evaluate_script(
                    session,
                    expression,
                    timeout_ms=timeout_ms,
                    await_promise=await_promise,
                    context=context,
                )
    except trio.Cancelled:
        await abandon_script(tab)  # noqa: ASYNC102 - shields and bounds itself
        raise
    if value is None:
        await tab.page.end_script()
        raise timed_out(timeout_ms)
    if tab.record.session.settings.config.rules.decides_on_requests:
        # wait until a rule has refused the navigation that the script began, if it began one
        with trio.move_on_after(1.0), suppress(ProtocolError):
            # the browser reports a navigation before it answers this, or holds this back
            await tab.page.session.call(Evaluate(expression="0"))
            await tab.page.activity.until(lambda: tab.page.activity.navigating_to is None)
    return value


async def abandon_script(tab: TabActor) -> None:
    """End a script after its call was cancelled, unless it waits for a dialog."""
    if tab.record.crashed or tab.record.dialog is not None:
        return
    with trio.move_on_after(2 * GRACE, shield=True), suppress(CharlotteError, ProtocolError):
        with trio.move_on_after(GRACE) as asking:
            await tab.page.session.call(Evaluate(expression="0"))
        if asking.cancelled_caught:
            await tab.page.end_script()


@asynccontextmanager
async def _bound(
    tab: TabActor, reference: str | None
) -> AsyncGenerator[tuple[CdpSession, str | None]]:
    """Bind an element, if any, to a global `element`; provide the session and context to use."""
    if reference is None:
        yield tab.page.session, None
        return
    place, _ = await tab.locate(reference, "box")  # finds an element whose node was replaced
    found = tab.frames.find(place)
    node = found and (await nodes_of(found[0].world, [found[1]]))[0]
    world = found and tab.page.frames.main_world(found[0].world.frame_id)
    if not (node and world):
        raise tab.missing(reference)
    resolve = ResolveNode(
        backend_node_id=node.backend_node_id, execution_context_id=world.number, object_group=_GROUP
    )
    element = (await world.session.call(resolve)).object_id or ""
    bind = CallFunctionOn(function_declaration=_BIND, object_id=element)
    done = await world.session.call(bind)
    unbind = done.result.object_id
    if done.exception_details or unbind is None:
        raise EvaluationFailed(
            "The page does not let a global `element` be set.",
            "Leave element_id out and find the element with document.querySelector.",
        )
    try:
        yield world.session, world.context
    finally:
        # only sent: a page that loops would not answer
        with trio.move_on_after(1.0, shield=True):
            undo = CallFunctionOn(function_declaration="function () { this() }", object_id=unbind)
            await world.session.begin(undo)
            await world.session.begin(ReleaseObjectGroup(object_group=_GROUP))
