"""Tools that use the mouse, at elements and at points: click, hover, drag, scroll."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.actor import Look
from charlotte.actors.tab.verbs import dragging, pointer
from charlotte.actors.tab.verbs.pointer import Align, Axis, Distance
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import page_answer, success
from charlotte.base.errors import InvalidArgument
from charlotte.browser.input.input import ClickType, Modifier
from charlotte.tools.schema.arguments import (
    ChangesDetail,
    ElementId,
    Limits,
    Modifiers,
    Offset,
    Pixel,
    Rare,
    RareDetail,
    Unlisted,
)
from charlotte.tools.schema.tool import action_tool

_WaitMs = Annotated[int, Limits(minimum=0, maximum=10_000)]

WaitAfter = Annotated[_WaitMs, Rare, "Time to wait afterwards in ms; 0: until the page settles."]
UnlistedWait = Annotated[_WaitMs, Unlisted]

_PLACES = (
    "Pass an id from observe or find, or a point of the viewport, such as one in a screenshot."
)
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


_HoldMs = Annotated[int, Limits(minimum=0, maximum=10_000)]


@attrs.frozen
class Coordinates:
    """A point of the viewport in CSS px (S-COORD)."""

    x: int
    y: int


UnlistedCoordinates = Annotated[Coordinates | None, Unlisted]


def check_point(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless x and y, or coordinates, are given."""
    read_point(arguments["x"], arguments["y"], arguments["coordinates"])


def read_point(x: int | None, y: int | None, coordinates: Coordinates | None) -> tuple[int, int]:
    """Return the point that a call gives; raises `InvalidArgument`."""
    if coordinates is not None:
        return coordinates.x, coordinates.y
    if x is None or y is None:
        raise InvalidArgument(
            "x and y, or coordinates, are required.", 'Pass a point such as {"x": 100, "y": 40}.'
        )
    return x, y


def point_envelope(tab: TabHandle, action: str, at: tuple[int, int], look: Look) -> dict[str, Any]:
    """Return the envelope of a successful action at a point (S-ACT-01)."""
    used = {"coordinates_used": dict(zip("xy", at, strict=True)), "action_timestamp": look.acted_at}
    return success(tab, action, used)


def _press(kind: ClickType, modifiers: Sequence[Modifier], hold_ms: int) -> pointer.Press:
    return pointer.Press(kind=kind, modifiers=modifiers, hold=hold_ms / 1000)


@action_tool(title="Click an element", position=300)
async def click(
    tab: TabHandle,
    element_id: ElementId,
    *,
    click_type: Annotated[ClickType, "Mouse button; double, triple: left clicks."] = "left",
    modifiers: Modifiers = (),
    hold: Annotated[_HoldMs, "Time to hold the button down in ms."] = 0,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Click an element and return what changed, or the new page after a navigation.

    Fails, with the reason, if the element is covered, hidden or disabled.
    """
    look = await tab.do(pointer.click, element_id, _press(click_type, modifiers, hold))
    return page_answer(tab.record, look, detail)


@action_tool(title="Click at a point", position=310, check=check_point)
async def click_at(
    tab: TabHandle,
    x: Annotated[Pixel | None, "CSS px from the left of the viewport; required."] = None,
    y: Annotated[Pixel | None, "CSS px from the top of the viewport; required."] = None,
    *,
    coordinates: UnlistedCoordinates = None,
    click_type: Annotated[ClickType, "Mouse button; double, triple: left clicks."] = "left",
    modifiers: Modifiers = (),
    hold: Annotated[_HoldMs, Rare, "Time to hold the button down in ms."] = 0,
    press: Annotated[
        Literal["click", "down", "up"],
        Rare,
        "Only press (down) or release (up) the left button; hover moves it meanwhile.",
    ] = "click",
    wait_after_action: WaitAfter = 0,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Click a point of the viewport, such as one in a screenshot, and return what changed."""
    at = read_point(x, y, coordinates)
    if press == "click":
        how = _press(click_type, modifiers, hold)
        look = await tab.do(pointer.click_at, at, how, wait_after_action)
    else:
        look = await tab.do(pointer.hold_button, at, modifiers, is_down=press == "down")
    return page_answer(tab.record, look, detail, extras=point_envelope(tab, "click", at, look))


def _check_one_place(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless there is an element, or a point, and not both."""
    by_point = arguments["x"] is not None or arguments["y"] is not None
    if (arguments["element_id"] is None) is not by_point:
        raise InvalidArgument("hover needs either element_id, or x and y.", _PLACES)
    if by_point:
        read_point(arguments["x"], arguments["y"], None)


@action_tool(title="Hover over an element", position=390, check=_check_one_place, destructive=False)
async def hover(
    tab: TabHandle,
    element_id: ElementId | None = None,
    *,
    x: Annotated[Pixel | None, "With y, instead of element_id: a point, in CSS px."] = None,
    y: Annotated[Pixel | None, "CSS px from the top."] = None,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Move the mouse over an element or to a point; return what changed, such as an opened menu."""
    place = element_id or read_point(x, y, None)
    return page_answer(tab.record, await tab.do(pointer.hover, place), detail)


def _check_drag(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless a drag has one start and one end."""
    given = {name for name in ("source_id", "x", "y", "target_id", "to_x", "to_y", "by")
             if arguments[name] is not None}  # fmt: skip
    if given & {"source_id", "x", "y"} not in ({"source_id"}, {"x", "y"}):
        raise InvalidArgument("drag needs either source_id, or x and y, to start.", _PLACES)
    if given - {"source_id", "x", "y"} not in ({"target_id"}, {"to_x", "to_y"}, {"by"}):
        raise InvalidArgument("drag needs one end: target_id, or to_x and to_y, or by.", _PLACES)


@attrs.frozen
class Spot:
    """A point of the viewport."""

    x: Annotated[Pixel, "CSS px from the left."]
    y: Annotated[Pixel, "CSS px from the top."]


@action_tool(title="Drag and drop", position=400, check=_check_drag)
async def drag(
    tab: TabHandle,
    source_id: Annotated[ElementId | None, "Id of the element to drag."] = None,
    target_id: Annotated[
        ElementId | None, "Id of the element, landmark or heading to drop it on."
    ] = None,
    *,
    x: Annotated[Pixel | None, "With y, instead of source_id: start, in CSS px."] = None,
    y: Annotated[Pixel | None, "CSS px from the top."] = None,
    to_x: Annotated[Pixel | None, "With to_y, instead of target_id: end."] = None,
    to_y: Annotated[Pixel | None, "CSS px from the top."] = None,
    by: Annotated[Offset | None, "Instead of target_id: distance to drag."] = None,
    via: Annotated[
        Sequence[Spot], Limits(max_length=200), "Points on the way, such as of a drawing."
    ] = (),
    modifiers: Modifiers = (),
    hold: Annotated[_HoldMs, Rare, "Time to hold the button before moving, in ms."] = 0,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Drag from an element or point to another, or by a distance, and return what changed.

    Also draws, selects areas, and moves sliders, splitters and maps.
    """
    wanted = dragging.Drag(
        source=source_id or read_point(x, y, None),
        end=target_id or (dragging.Shift(by.x, by.y) if by else read_point(to_x, to_y, None)),
        via=[(spot.x, spot.y) for spot in via],
        modifiers=modifiers,
        hold=hold / 1000,
    )
    return page_answer(tab.record, await tab.do(dragging.drag, wanted), detail)


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


@action_tool(title="Scroll", position=380, check=_check_form, destructive=False)
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
        ElementId | None, "Container to scroll; without direction, element to scroll into view."
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
    modifiers: Annotated[Modifiers, Rare, "Keys to hold down at a point."] = (),
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
        look = await tab.do(pointer.turn_wheel, at, turn, modifiers, wait_after_action)
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
