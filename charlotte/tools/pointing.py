"""Tools that point: at coordinates, over an element, from one element to another."""

from typing import Annotated

import attrs

from charlotte.actors.tab.actor import Tab
from charlotte.browser.drag import Point
from charlotte.browser.drag import drag as carry
from charlotte.browser.input import move
from charlotte.errors import ElementNotInteractive
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.tools.aiming import (
    ACTION_DEADLINE,
    ATTEMPTS,
    aimed,
    fleeing,
    lost_press,
    point_of,
    press_point,
)
from charlotte.tools.answer import Answer
from charlotte.tools.coordinates import UnlistedCoordinates, WaitAfter, check_point, deed_at
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.parameters import Click, Detail, ElementId, Modifiers
from charlotte.tools.schema.tool import tool

_BEYOND = 0.25
"""How far past the middle of its target a drag ends, as a part of the target's size."""


@tool(group="interaction", position=310, deadline=ACTION_DEADLINE, check=check_point)
async def click_at(
    tab: Tab,
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
    deed = await deed_at(tab, "click", x, y, coordinates)

    async def act() -> None:
        await press_point(tab, deed.at.x, deed.at.y, click_type, modifiers)
        await deed.done(wait_after_action)

    look = await tab.act(act)
    return page_answer(tab, look, detail, extras=deed.envelope())


@tool(group="interaction", position=390, deadline=ACTION_DEADLINE)
async def hover(tab: Tab, element_id: ElementId, *, detail: Detail = "delta") -> Answer[Page]:
    """Move the mouse over an element and return what changed, such as a menu that opened."""

    async def act() -> None:
        x, y = await point_of(tab, element_id, "hover")
        async with tab.page.answering():
            await move(tab.page.session, x, y)

    return page_answer(tab, await tab.act(act, element_id), detail)


@tool(group="interaction", position=400, deadline=ACTION_DEADLINE)
async def drag(
    tab: Tab, source_id: ElementId, target_id: ElementId, *, detail: Detail = "delta"
) -> Answer[Page]:
    """Drag one element onto another (or onto a landmark or heading) and return what changed."""
    await tab.references.place(target_id)  # before anything is touched
    look = await tab.act(lambda: _drag(tab, source_id, target_id), source_id)
    return page_answer(tab, look, detail)


async def _drag(tab: Tab, source_id: str, target_id: str) -> None:
    """Take hold of the source, of nothing else if it moves meanwhile, and carry it."""
    for _ in range(ATTEMPTS):
        place, answer = await tab.locate(source_id, "target", {"need": "visible", "press": True})
        grip = _Grip(tab, source_id, target_id, place, aimed(tab, place, answer, source_id))
        way = await carry(tab.page.session, grip.start, grip)
        if way == "html5" and not await tab.was_dropped(place):
            raise ElementNotInteractive(
                f"{source_id} was not dropped: nothing at {target_id} takes it. The drag was "
                "cancelled.",
                "Drag to an element that takes drops, or choose what the page offers instead.",
            )
        if way == "mouse" and grip.is_draggable:
            tab.references.note(f"No drag of {source_id} began: only the mouse moved.")
        if way is not None:
            return
    raise fleeing(source_id)


@attrs.define
class _Grip:
    """The source of a drag, pressed at ``start``; see `charlotte.browser.drag.Grip`."""

    tab: Tab
    source_id: str
    target_id: str
    place: DocumentNode
    start: Point
    is_draggable: bool = False

    async def find_end(self) -> Point | None:
        """Find the point to release at; None if the press met something else."""
        outcome = await self.tab.outcome(self.place)
        if outcome == "lost":
            raise lost_press(self.source_id)
        return await _drop_point(self.tab, self.target_id, self.start) if outcome == "met" else None

    async def has_begun(self) -> bool:
        """Return whether the page has begun an HTML5 drag since the press."""
        answer = await self.tab.on_place(self.place, "dragged") or {}
        self.is_draggable = answer.get("draggable", False)
        return bool(answer.get("began", False))


async def _drop_point(tab: Tab, target_id: str, start: tuple[float, float]) -> tuple[float, float]:
    """Past the middle of the target as seen from the start: there, sortable lists make room."""
    x, y = await point_of(tab, target_id, "visible")
    box = (await tab.on_element(target_id, "box"))["box"] or [x, y, 0, 0]
    return x + _past(x - start[0], box[2]), y + _past(y - start[1], box[3])


def _past(way: float, size: float) -> float:
    """At most ``_BEYOND`` of the target's size, and not further than one has come."""
    room = min(size * _BEYOND, abs(way) / 2)
    return room if way > 0 else -room
