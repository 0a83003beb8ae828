"""The tool that scrolls: a page or a container, an element into view, the wheel at a point."""

from typing import Annotated, Any, Literal

import attrs

from charlotte.actors.tab import Tab
from charlotte.browser.input import wheel
from charlotte.errors import InvalidArgument
from charlotte.tools.aiming import ACTION_DEADLINE, checked
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.parameters import Detail, ElementId
from charlotte.tools.pointing import point
from charlotte.tools.results import Page
from charlotte.tools.tool import tool

_WAYS = {"up": ("y", -1), "down": ("y", 1), "left": ("x", -1), "right": ("x", 1)}
_PAGES = {"page": 1.0, "half": 0.5}
_FORMS = (
    "Give direction (with amount, and element_id for a container), or element_id with block or "
    "inline to bring it into view, or x, y and scroll_offset for the wheel."
)

Align = Literal["start", "center", "end", "nearest"]


@attrs.frozen
class Offset:
    """CSS px, positive to the right and down."""

    x: float = 0
    y: float = 0


@tool(group="interaction", deadline=ACTION_DEADLINE)
async def scroll(
    tab: Tab,
    *,
    direction: Literal["up", "down", "left", "right"] | None = None,
    amount: Annotated[str | float, "page, half, or a number of px"] = "page",
    element_id: Annotated[ElementId | None, "Container; alone: into view"] = None,
    block: Annotated[Align | None, "With element_id alone"] = None,
    inline: Align | None = None,
    x: Annotated[float | None, "With y: turn the wheel there"] = None,
    y: float | None = None,
    scroll_offset: Offset | None = None,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Scroll; returns what appeared, and `scroll`: the position and how far it goes.

    observe and find see outside the viewport: scroll for screenshots and for pages that load more.
    """
    position: dict[str, Any] = {}

    async def act() -> None:
        if x is not None or y is not None or scroll_offset is not None:
            at = await point(tab, x, y, None)
            turn = scroll_offset or Offset()
            async with tab.page.answering():
                await wheel(tab.page.session, at.x, at.y, turn.x, turn.y)
        elif direction is not None:
            position.update(await _by(tab, direction, amount, element_id))
        elif element_id is not None:
            how = (block or "start", inline or "nearest")
            position.update(checked(await tab.on_element(element_id, "reveal", *how), element_id))

    if direction is None and element_id is None and x is None and y is None:
        raise InvalidArgument("scroll needs to know what to scroll.", _FORMS)
    look = await tab.act(act)
    position = position or look.snapshot.view.scroll.as_json()
    return page_answer(tab, look, detail, extras={"scroll": position})


async def _by(
    tab: Tab, direction: str, amount: str | float, container: str | None
) -> dict[str, Any]:
    axis, sign = _WAYS[direction]
    distance = {name: sign * size for name, size in _distance(amount).items()}
    if container is not None:
        return checked(await tab.on_element(container, "scrollBy", axis, distance), container)
    return checked(await tab.on_page("scrollBy", 0, axis, distance), "The page")


def _distance(amount: str | float) -> dict[str, float]:
    if isinstance(amount, str) and amount in _PAGES:
        return {"pages": _PAGES[amount]}
    try:
        return {"px": float(amount)}
    except ValueError:
        raise InvalidArgument(
            f"amount is {amount!r}.", 'Give "page", "half" or a number of pixels.'
        ) from None
