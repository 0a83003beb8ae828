"""Tools that point: at coordinates, over an element, from one element to another."""

from typing import Annotated

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import pointer
from charlotte.tools.answer import Answer
from charlotte.tools.coordinates import (
    UnlistedCoordinates,
    WaitAfter,
    check_point,
    point_envelope,
    read_point,
)
from charlotte.tools.envelope import Stopwatch
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.parameters import (
    ACTION_DEADLINE,
    Click,
    Detail,
    ElementId,
    Modifiers,
)
from charlotte.tools.schema.tool import tool


@tool(group="interaction", position=310, deadline=ACTION_DEADLINE, check=check_point)
async def click_at(
    tab: TabHandle,
    x: Annotated[int | None, "CSS px in the viewport"] = None,
    y: int | None = None,
    *,
    coordinates: UnlistedCoordinates = None,
    click_type: Click = "left",
    modifiers: Modifiers = (),
    wait_after_action: WaitAfter = 0,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Click a point of the viewport, such as one in a screenshot, and return what changed."""
    watch, at = Stopwatch(tab.record.id), read_point(x, y, coordinates)
    done = await tab.do(pointer.click_at, (at.x, at.y), click_type, modifiers, wait_after_action)
    extras = point_envelope("click", at, done.timestamp, watch)
    return page_answer(tab.record, done.look, detail, extras=extras)


@tool(group="interaction", position=390, deadline=ACTION_DEADLINE)
async def hover(tab: TabHandle, element_id: ElementId, *, detail: Detail = "delta") -> Answer[Page]:
    """Move the mouse over an element and return what changed, such as a menu that opened."""
    return page_answer(tab.record, await tab.do(pointer.hover, element_id), detail)


@tool(group="interaction", position=400, deadline=ACTION_DEADLINE)
async def drag(
    tab: TabHandle, source_id: ElementId, target_id: ElementId, *, detail: Detail = "delta"
) -> Answer[Page]:
    """Drag one element onto another (or onto a landmark or heading) and return what changed."""
    look = await tab.do(pointer.drag, source_id, target_id)
    return page_answer(tab.record, look, detail)
