"""Tools that point: at coordinates, over an element, from one element to another."""

from typing import Annotated

from charlotte.actors.tab import Tab
from charlotte.browser.drag import Point
from charlotte.browser.drag import drag as carry
from charlotte.browser.input import click, move
from charlotte.page.dom_book import Place
from charlotte.tools.aiming import ACTION_DEADLINE, ATTEMPTS, aimed, fleeing, point_of
from charlotte.tools.answer import Answer
from charlotte.tools.coordinates import UnlistedCoordinates, WaitAfter, check_point, deed_at
from charlotte.tools.pages import page_answer
from charlotte.tools.parameters import Click, Detail, ElementId, Modifiers
from charlotte.tools.results import Page
from charlotte.tools.tool import tool

_BEYOND = 0.25
"""How far past the middle of its target a drag ends, as a part of the target's size."""


@tool(group="interaction", deadline=ACTION_DEADLINE, check=check_point)
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
    """Click a point of the viewport, such as one seen on a screenshot; return what changed."""
    deed = await deed_at(tab, "click", x, y, coordinates)

    async def act() -> None:
        at = deed.at
        async with tab.page.answering():
            await click(tab.page.session, at.x, at.y, kind=click_type, modifiers=modifiers)
        await deed.done(wait_after_action)

    look = await tab.act(act)
    return page_answer(tab, look, detail, extras=deed.envelope())


@tool(group="interaction", deadline=ACTION_DEADLINE)
async def hover(tab: Tab, element_id: ElementId, *, detail: Detail = "delta") -> Answer[Page]:
    """Move the mouse over an element and return what changed, such as a menu that opened."""

    async def act() -> None:
        x, y = await point_of(tab, element_id, "hover")
        async with tab.page.answering():
            await move(tab.page.session, x, y)

    return page_answer(tab, await tab.act(act, element_id), detail)


@tool(group="interaction", deadline=ACTION_DEADLINE)
async def drag(
    tab: Tab, source_id: ElementId, target_id: ElementId, *, detail: Detail = "delta"
) -> Answer[Page]:
    """Drag one element onto another (or onto a landmark or heading) and return what changed."""
    await tab.references.place(target_id)  # before anything is touched
    look = await tab.act(lambda: _drag(tab, source_id, target_id), source_id)
    return page_answer(tab, look, detail)


async def _drag(tab: Tab, source_id: str, target_id: str) -> None:
    """Take hold of the source, of nothing else if it moves meanwhile, and carry it."""
    html5 = (await tab.on_element(source_id, "draggable")).get("draggable", False)
    for _ in range(ATTEMPTS):
        place, answer = await tab.locate(source_id, "target", {"need": "visible", "press": True})
        start = aimed(tab, place, answer, source_id)

        async def find_end(place: Place = place, start: Point = start) -> Point | None:
            is_held = await tab.outcome(place) == "met"
            return await _drop_point(tab, target_id, start) if is_held else None

        if way := await carry(tab.page.session, start, find_end, html5=html5):
            if html5 and way == "mouse":
                tab.references.note(f"No drag of {source_id} began: only the mouse moved.")
            return
    raise fleeing(source_id)


async def _drop_point(tab: Tab, target_id: str, start: tuple[float, float]) -> tuple[float, float]:
    """Past the middle of the target as seen from the start: there, sortable lists make room."""
    x, y = await point_of(tab, target_id, "visible")
    box = (await tab.on_element(target_id, "box"))["box"] or [x, y, 0, 0]
    return x + _past(x - start[0], box[2]), y + _past(y - start[1], box[3])


def _past(way: float, size: float) -> float:
    """At most ``_BEYOND`` of the target's size, and not further than one has come."""
    room = min(size * _BEYOND, abs(way) / 2)
    return room if way > 0 else -room
