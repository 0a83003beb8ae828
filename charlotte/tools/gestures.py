"""Tools that use the mouse: click, hover, drag, scroll."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import pointer
from charlotte.actors.tab.pointer import Align, Axis, Distance
from charlotte.browser.input import ClickType
from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Answer, Page
from charlotte.tools.pages import page_answer, success
from charlotte.tools.points import (
    UnlistedCoordinates,
    UnlistedWait,
    WaitAfter,
    check_point,
    point_envelope,
    read_point,
)
from charlotte.tools.schema.arguments import (
    ACTION_DEADLINE,
    ChangesDetail,
    ElementId,
    Modifiers,
    Offset,
    Pixel,
    Rare,
    RareDetail,
)
from charlotte.tools.schema.tool import tool

_BY_POINT = "only click_at takes x and y; pass element_id to click"
_DIRECTIONS: Mapping[str, tuple[Axis, int]] = {
    "up": ("y", -1),
    "down": ("y", 1),
    "left": ("x", -1),
    "right": ("x", 1),
}
_WINDOW_SIZES = {"page": 1.0, "half": 0.5}
_SCROLL_FORMS = (
    "Pass direction (with amount, and element_id for a container), or element_id with block or "
    "inline to scroll it into view, or x, y and direction or scroll_offset for the wheel."
)


@tool(
    group="interaction",
    title="Click an element",
    destructive=True,
    position=300,
    deadline=ACTION_DEADLINE,
    hints={"x": _BY_POINT, "y": _BY_POINT},
)
async def click(
    tab: TabHandle,
    element_id: ElementId,
    *,
    click_type: Annotated[ClickType, "Mouse button; double: two left clicks."] = "left",
    modifiers: Modifiers = (),
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Click an element and return what changed, or the new page after a navigation.

    Fails, with the reason, if the element is covered, hidden or disabled.
    """
    look = await tab.do(pointer.click, element_id, click_type, modifiers)
    return page_answer(tab.record, look, detail)


@tool(
    group="interaction",
    title="Click at a point",
    destructive=True,
    position=310,
    deadline=ACTION_DEADLINE,
    check=check_point,
)
async def click_at(
    tab: TabHandle,
    x: Annotated[Pixel | None, "CSS px from the left of the viewport; required."] = None,
    y: Annotated[Pixel | None, "CSS px from the top of the viewport; required."] = None,
    *,
    coordinates: UnlistedCoordinates = None,
    click_type: Annotated[ClickType, "Mouse button; double: two left clicks."] = "left",
    modifiers: Modifiers = (),
    wait_after_action: WaitAfter = 0,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Click a point of the viewport, such as one in a screenshot, and return what changed."""
    at = read_point(x, y, coordinates)
    look = await tab.do(pointer.click_at, at, click_type, modifiers, wait_after_action)
    return page_answer(tab.record, look, detail, extras=point_envelope(tab, "click", at, look))


@tool(group="interaction", title="Hover over an element", position=390, deadline=ACTION_DEADLINE)
async def hover(
    tab: TabHandle, element_id: ElementId, *, detail: RareDetail = "delta"
) -> Answer[Page]:
    """Move the mouse over an element and return what changed, such as a menu that opened."""
    return page_answer(tab.record, await tab.do(pointer.hover, element_id), detail)


@tool(
    group="interaction",
    title="Drag and drop",
    destructive=True,
    position=400,
    deadline=ACTION_DEADLINE,
)
async def drag(
    tab: TabHandle,
    source_id: Annotated[ElementId, "Id of the element to drag."],
    target_id: Annotated[ElementId, "Id of the element, landmark or heading to drop it on."],
    *,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Drag one element onto another (or onto a landmark or heading) and return what changed."""
    return page_answer(tab.record, await tab.do(pointer.drag, source_id, target_id), detail)


def _check_form(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless the arguments are one of the three forms."""
    _distance("down", arguments["amount"])
    points = ("x", "y", "coordinates", "scroll_offset")
    is_wheel = any(arguments[name] is not None for name in points)
    if is_wheel:
        check_point(arguments)
    if arguments["direction"] is not None or arguments["scroll_offset"] is not None:
        return
    if is_wheel:
        raise InvalidArgument("direction or scroll_offset is required at a point.", _SCROLL_FORMS)
    if arguments["element_id"] is None:
        raise InvalidArgument("direction, element_id, or x and y are required.", _SCROLL_FORMS)


@tool(
    group="interaction", title="Scroll", position=380, deadline=ACTION_DEADLINE, check=_check_form
)
async def scroll(
    tab: TabHandle,
    *,
    direction: Annotated[
        Literal["up", "down", "left", "right"] | None,
        "Required without element_id and scroll_offset.",
    ] = None,
    amount: Annotated[
        str | float, "Distance: page (one window), half (half a window) or a number of CSS px."
    ] = "page",
    element_id: Annotated[
        ElementId | None,
        "Container to scroll; without direction, element to scroll into view.",
    ] = None,
    block: Annotated[
        Align | None, Rare, "Vertical position after scrolling into view. Default: start."
    ] = None,
    inline: Annotated[Align | None, Rare, "Horizontal position likewise. Default: nearest."] = None,
    x: Annotated[Pixel | None, "With y: point at which to turn the wheel, in CSS px."] = None,
    y: Annotated[Pixel | None, "CSS px from the top; goes with x."] = None,
    coordinates: UnlistedCoordinates = None,
    scroll_offset: Annotated[
        Offset | None, Rare, "At a point: distance, instead of direction and amount."
    ] = None,
    wait_after_action: UnlistedWait = 0,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Scroll; return what appeared, and the new position and extent.

    observe and find also see outside the viewport: scroll for screenshots and lazy loading.
    """
    if scroll_offset is not None or coordinates is not None or x is not None or y is not None:
        at = read_point(x, y, coordinates)
        turn = (
            (scroll_offset.x, scroll_offset.y)
            if scroll_offset
            else _distance(direction or "down", amount)
        )
        look = await tab.do(pointer.turn_wheel, at, turn, wait_after_action)
        envelope = point_envelope(tab, "scroll", at, look)
    elif direction is not None:
        look = await tab.do(pointer.scroll_by, _distance(direction, amount), element_id)
        envelope = {}
    else:
        assert element_id is not None  # noqa: S101 - checked in `_check_form`
        look, moved = await tab.do(
            pointer.scroll_into_view, element_id, block or "start", inline or "nearest"
        )
        offset = look.snapshot.view.scroll
        data = {
            "node_id": element_id,
            "scrolled": moved,
            "new_viewport_position": {"scroll_x": offset.x, "scroll_y": offset.y},
        }
        envelope = success(tab, "scroll", data)
    return page_answer(tab.record, look, detail, extras=envelope)


def _distance(direction: str, amount: str | float) -> Distance:
    axis, sign = _DIRECTIONS[direction]
    if isinstance(amount, str) and amount in _WINDOW_SIZES:
        return Distance(axis, sign * _WINDOW_SIZES[amount], "pages")
    try:
        return Distance(axis, sign * float(amount), "px")
    except ValueError:
        raise InvalidArgument(
            f'amount must be "page", "half" or a number of px, got {amount!r}.', "Pass one of them."
        ) from None
