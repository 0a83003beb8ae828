"""From an element to a point that can be used, or to an error that says why there is none."""

from typing import Any, Literal

from charlotte.actors.tab import Tab
from charlotte.browser.input import click
from charlotte.errors import ElementNotInteractive
from charlotte.page.dom_book import Place

ACTION_DEADLINE = 90.0
"""Seconds; above what finding an element, acting and settling may take together."""

Need = Literal["visible", "enabled"]

_REASONS = {
    "hidden": "is not visible",
    "disabled": "is disabled",
    "no box": "has no size",
    "transparent": "lets the mouse through (pointer-events: none)",
    "moving": "does not stand still",
    "not editable": "takes no text",
    "not focusable": "cannot be focused",
    "readonly": "is read-only",
    "not checkable": "is no checkbox, radio button or switch",
    "no list": "offers no options",
    "no form": "belongs to no form",
    "not scrollable": "does not scroll that way",
}


async def point_of(tab: Tab, reference: str, need: Need = "enabled") -> tuple[float, float]:
    """Where to point at an element, in view and standing still; waits up to 2 s for that."""
    answer = checked(await tab.on_element(reference, "target", {"need": need}), reference)
    return answer["x"], answer["y"]


async def press_element(tab: Tab, reference: str) -> None:
    """Click an element as soon as it can be used."""
    await _press(tab, *await point_of(tab, reference))


async def press_node(tab: Tab, place: Place, name: str) -> bool:
    """Click a node that messages call ``name``; False when it is not there any more."""
    answer = await tab.on_place(place, "target", {"need": "enabled"})
    if answer is None:
        return False
    check(answer, name)
    await _press(tab, answer["x"], answer["y"])
    return True


async def _press(tab: Tab, x: float, y: float) -> None:
    async with tab.page.answering():
        await click(tab.page.session, x, y, kind="left")


def check(answer: dict[str, Any], reference: str) -> None:
    """Raise `ElementNotInteractive` with the probe's reason, if it gives one."""
    error = answer.get("error")
    if error is None:
        return
    if error == "covered":
        raise ElementNotInteractive(
            f"{reference} is covered by {answer.get('by', 'another element')}.",
            "Close or scroll away what covers it, then try again.",
        )
    raise ElementNotInteractive(
        f"{reference} {_REASONS.get(error, error)}.", "Observe the page to see its present state."
    )


def checked(answer: dict[str, Any], reference: str) -> dict[str, Any]:
    """The answer, when it is no error."""
    check(answer, reference)
    return answer
