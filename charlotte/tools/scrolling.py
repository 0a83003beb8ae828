"""The tool that scrolls: a page or a container, an element into view, the wheel at a point."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from charlotte.actors.tab.actor import Look, Tab
from charlotte.actors.tab.scrollers import position_after, scrollers_at
from charlotte.browser.input import wheel
from charlotte.errors import InvalidArgument
from charlotte.tools.aiming import ACTION_DEADLINE, checked
from charlotte.tools.answer import Answer
from charlotte.tools.coordinates import (
    Deed,
    Offset,
    UnlistedCoordinates,
    UnlistedWait,
    check_point,
    deed_at,
)
from charlotte.tools.envelope import Stopwatch, success
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.parameters import Detail, ElementId
from charlotte.tools.schema.tool import tool

_WAYS = {"up": ("y", -1), "down": ("y", 1), "left": ("x", -1), "right": ("x", 1)}
_PAGES = {"page": 1.0, "half": 0.5}
_FORMS = (
    "Give direction (with amount, and element_id for a container), or element_id with block or "
    "inline to bring it into view, or x, y and direction or scroll_offset for the wheel."
)

Align = Literal["start", "center", "end", "nearest"]


_POINT = ("x", "y", "coordinates", "scroll_offset")


def _check_form(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless the arguments are one of the three forms."""
    _distance(arguments["amount"])
    is_wheel = any(arguments[name] is not None for name in _POINT)
    if is_wheel:
        check_point(arguments)
    if arguments["direction"] is not None or arguments["scroll_offset"] is not None:
        return
    if is_wheel:
        raise InvalidArgument("scroll at a point needs direction or scroll_offset.", _FORMS)
    if arguments["element_id"] is None:
        raise InvalidArgument("scroll needs direction, element_id, or x and y.", _FORMS)


@tool(group="interaction", position=380, deadline=ACTION_DEADLINE, check=_check_form)
async def scroll(
    tab: Tab,
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
    if scroll_offset is not None or coordinates is not None or x is not None or y is not None:
        deed = await deed_at(tab, "scroll", x, y, coordinates)
        turn = scroll_offset or await _turn(tab, direction or "down", amount)
        return await _turn_wheel(tab, deed, turn, wait_after_action, detail)
    if direction is not None:
        return await _by(tab, direction, amount, element_id, detail)
    assert element_id is not None  # noqa: S101 - checked in `_check_form`
    return await _into_view(tab, element_id, block or "start", inline or "nearest", detail)


async def _turn(tab: Tab, direction: str, amount: str | float) -> Offset:
    """How far the wheel is turned; a page is what the window shows."""
    axis, sign = _WAYS[direction]
    distance = _distance(amount)
    if "pages" in distance:
        shown = (tab.last_view or await tab.view()).viewport["xy".index(axis)]
        distance["px"] = distance["pages"] * shown
    return Offset(**{axis: round(sign * distance["px"])})


async def _turn_wheel(
    tab: Tab, deed: Deed, turn: Offset, wait_ms: int, detail: Detail
) -> Answer[Page]:
    async def act() -> None:
        async with tab.page.answering():
            await wheel(tab.page.session, deed.at.x, deed.at.y, turn.x, turn.y)
        await deed.done(wait_ms)

    scrollers = await scrollers_at(tab, deed.at.x, deed.at.y)
    look = await tab.act(act)
    position = None
    if _is_still_there(tab, look):
        position = await position_after(tab, scrollers, "y" if turn.y else "x")
    return _scrolled(tab, look, detail, position, **deed.envelope())


async def _into_view(
    tab: Tab, element_id: str, block: Align, inline: Align, detail: Detail
) -> Answer[Page]:
    """Say whether it had to be moved into view, and where the page is now (S-DOM-04)."""
    watch = Stopwatch(tab.record.id)
    before = (await tab.view()).scroll
    answer: dict[str, Any] = {}

    async def act() -> None:
        answer.update(
            checked(await tab.on_element(element_id, "reveal", block, inline), element_id)
        )

    look = await tab.act(act)
    at = look.snapshot.view.scroll
    data = {
        "node_id": element_id,
        "scrolled": answer["moved"] or at != before,
        "new_viewport_position": {"scroll_x": at.x, "scroll_y": at.y},
    }
    return _scrolled(tab, look, detail, **success("scroll", data, watch))


def _scrolled(
    tab: Tab, look: Look, detail: Detail, position: dict[str, Any] | None = None, **more: Any
) -> Answer[Page]:
    at = position or look.snapshot.view.scroll.as_json()
    return page_answer(tab, look, detail, extras={"scroll": at, **more})


async def _by(
    tab: Tab, direction: str, amount: str | float, container: str | None, detail: Detail
) -> Answer[Page]:
    axis, sign = _WAYS[direction]
    distance = {name: sign * size for name, size in _distance(amount).items()}
    position: dict[str, Any] = {}
    scroller = tab.place(0)

    async def act() -> None:
        nonlocal scroller
        if container is None:
            moved = checked(await tab.on_page("scrollBy", 0, axis, distance), "The page")
        else:
            scroller, answer = await tab.locate(container, "scrollBy", axis, distance)
            moved = checked(answer, container)
        scroller = scroller.with_nid(moved.pop("scroller"))
        if around := moved.pop("around", None):
            tab.references.note(f"{container} does not scroll itself: {around} around it was.")
        position.update(moved)

    look = await tab.act(act)
    now = await tab.on_place(scroller, "scroll") if _is_still_there(tab, look) else None
    return _scrolled(tab, look, detail, now or position)


def _is_still_there(tab: Tab, look: Look) -> bool:
    """Whether the document that was scrolled can be asked where it is now."""
    return look.delta is not None and tab.record.dialog is None


def _distance(amount: str | float) -> dict[str, float]:
    if isinstance(amount, str) and amount in _PAGES:
        return {"pages": _PAGES[amount]}
    try:
        return {"px": float(amount)}
    except ValueError:
        raise InvalidArgument(
            f"amount is {amount!r}.", 'Give "page", "half" or a number of pixels.'
        ) from None
