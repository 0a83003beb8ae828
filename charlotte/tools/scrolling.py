"""The tool that scrolls: a page or a container, an element into view, the wheel at a point."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import scrolling
from charlotte.actors.tab.scrolling import Align, Axis, Distance
from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Answer
from charlotte.tools.coordinates import (
    Offset,
    UnlistedCoordinates,
    UnlistedWait,
    check_point,
    point_envelope,
    read_point,
)
from charlotte.tools.envelope import Stopwatch, success
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.parameters import ACTION_DEADLINE, Detail, ElementId
from charlotte.tools.schema.tool import tool

_WAYS: Mapping[str, tuple[Axis, int]] = {
    "up": ("y", -1),
    "down": ("y", 1),
    "left": ("x", -1),
    "right": ("x", 1),
}
_PAGES = {"page": 1.0, "half": 0.5}
_FORMS = (
    "Pass direction (with amount, and element_id for a container), or element_id with block or "
    "inline to scroll it into view, or x, y and direction or scroll_offset for the wheel."
)

_POINT = ("x", "y", "coordinates", "scroll_offset")


def _check_form(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless the arguments are one of the three forms."""
    _distance("down", arguments["amount"])
    is_wheel = any(arguments[name] is not None for name in _POINT)
    if is_wheel:
        check_point(arguments)
    if arguments["direction"] is not None or arguments["scroll_offset"] is not None:
        return
    if is_wheel:
        raise InvalidArgument("direction or scroll_offset is required at a point.", _FORMS)
    if arguments["element_id"] is None:
        raise InvalidArgument("direction, element_id, or x and y are required.", _FORMS)


@tool(group="interaction", position=380, deadline=ACTION_DEADLINE, check=_check_form)
async def scroll(
    tab: TabHandle,
    *,
    direction: Literal["up", "down", "left", "right"] | None = None,
    amount: Annotated[str | float, "page, half or px"] = "page",
    element_id: Annotated[
        ElementId | None, "Container; without direction: scrolled into view"
    ] = None,
    block: Annotated[Align | None, "For scrolling into view"] = None,
    inline: Align | None = None,
    x: Annotated[int | None, "With y: point to turn the wheel at"] = None,
    y: int | None = None,
    coordinates: UnlistedCoordinates = None,
    scroll_offset: Offset | None = None,
    wait_after_action: UnlistedWait = 0,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Scroll; return what appeared, and in `scroll` the position and extent.

    observe and find also see outside the viewport: scroll for screenshots and lazy loading.
    """
    watch = Stopwatch(tab.record.id)
    if scroll_offset is not None or coordinates is not None or x is not None or y is not None:
        at = read_point(x, y, coordinates)
        turn = (
            (scroll_offset.x, scroll_offset.y)
            if scroll_offset
            else _distance(direction or "down", amount)
        )
        done = await tab.do(scrolling.turn_wheel, (at.x, at.y), turn, wait_after_action)
        envelope = point_envelope("scroll", at, done.timestamp, watch)
    elif direction is not None:
        done = await tab.do(scrolling.scroll_by, _distance(direction, amount), element_id)
        envelope = {}
    else:
        assert element_id is not None  # noqa: S101 - checked in `_check_form`
        done = await tab.do(
            scrolling.scroll_into_view, element_id, block or "start", inline or "nearest"
        )
        offset = done.look.snapshot.view.scroll
        data = {
            "node_id": element_id,
            "scrolled": done.moved,
            "new_viewport_position": {"scroll_x": offset.x, "scroll_y": offset.y},
        }
        envelope = success("scroll", data, watch)
    position = done.position or done.look.snapshot.view.scroll.as_json()
    return page_answer(tab.record, done.look, detail, extras={"scroll": position, **envelope})


def _distance(direction: str, amount: str | float) -> Distance:
    axis, sign = _WAYS[direction]
    if isinstance(amount, str) and amount in _PAGES:
        return Distance(axis=axis, pages=sign * _PAGES[amount])
    try:
        return Distance(axis=axis, px=sign * float(amount))
    except ValueError:
        raise InvalidArgument(
            f'amount must be "page", "half" or a number of px, got {amount!r}.',
            "Pass one of them.",
        ) from None
