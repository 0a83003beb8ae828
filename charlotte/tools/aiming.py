"""From an element to a point that can be used, or to an error that says why there is none."""

from typing import Any, Literal

from charlotte.actors.tab import Tab
from charlotte.errors import ElementNotInteractive

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
