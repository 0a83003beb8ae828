"""Actionability: the point at which an element can be used, or the reason why it cannot."""

from typing import Any, Literal

from charlotte.actors.tab.actor import TabActor
from charlotte.browser.input import Point
from charlotte.errors import ElementNotInteractive, InvalidCoordinates
from charlotte.page.identity.references import DocumentNode

Need = Literal["visible", "enabled", "hover"]
"""What an element must be; for ``hover``, it need not accept the mouse."""

GIVE_FILES = "Give it files with upload; tools{action: enable, group: interaction} lists that."

_INTO_FIELDS = (
    "Type into fields only: choose with select or toggle, press with click, move a slider with "
    "key (ArrowRight, Home, End), give files with upload."
)
_OBSERVE = "Observe the page to see its present state."
_REASONS = {
    "hidden": ("is not visible", _OBSERVE),
    "unseen file input": ("is a file input that is not visible", GIVE_FILES),
    "disabled": ("is disabled", _OBSERVE),
    "no box": ("has no size", _OBSERVE),
    "out of reach": ("lies outside the window, and scrolling does not bring it in", _OBSERVE),
    "transparent": (
        "lets the mouse through (pointer-events: none)",
        "Hover over it: some pages show or activate elements only then.",
    ),
    "moving": (
        "does not stand still",
        "Wait and retry; press what never stops moving with key{element_id, key: Enter}.",
    ),
    "not editable": (
        "takes no text",
        _INTO_FIELDS,
    ),
    "not focusable": ("cannot be focused", _OBSERVE),
    "readonly": ("is read-only", "It may be set in another way: click it and see what opens."),
    "not checkable": ("is no checkbox, radio button or switch", "Press it with click."),
    "no list": (
        "offers no options",
        "Click it and choose from what opens, type into it, or move a slider with key.",
    ),
    "no form": (
        "belongs to no form",
        "Fill it in without submit, and click the button that sends it.",
    ),
    "not scrollable": ("does not scroll that way", _OBSERVE),
}
"""By the probe's code for an element that cannot be used: the reason, and what to do."""

_MOST_COVERING = 5
"""Elements inside a covering element that an error lists."""


def check(answer: dict[str, Any], reference: str) -> dict[str, Any]:
    """Return the probe's answer; raises `ElementNotInteractive` if it has an error code."""
    error = answer.get("error")
    if error is None:
        return answer
    reason, advice = _REASONS.get(error, (error, _OBSERVE))
    raise ElementNotInteractive(f"{reference} {reason}.", advice)


async def find_point(tab: TabActor, reference: str, need: Need = "enabled") -> Point:
    """Return where to point at an element, in view and still; waits up to 2 s for that."""
    place, answer = await tab.locate(reference, "target", {"need": need})
    return read_point(tab, place, answer, reference)


def read_point(tab: TabActor, place: DocumentNode, answer: dict[str, Any], reference: str) -> Point:
    """Return the point in the probe's answer about a node; raises `ElementNotInteractive`."""
    if answer.get("error") == "covered":
        raise _covered(tab, place, answer, reference)
    check(answer, reference)
    return answer["x"], answer["y"]


def _covered(
    tab: TabActor, place: DocumentNode, answer: dict[str, Any], reference: str
) -> ElementNotInteractive:
    ids = {tab.record.ids.get_id(place.with_nid(nid).nid) for nid in answer.get("over", ())}
    view = tab.last_view
    covering = [element for element in view.interactive if element.id in ids] if view else []
    listed = ", ".join(f"{each.id} {each.label[:40]!r}" for each in covering[:_MOST_COVERING])
    return ElementNotInteractive(
        f"{reference} is covered by {answer.get('by', 'another element')}.",
        "Close or scroll away what covers it, then try again."
        + (f" In it: {listed}." if listed else ""),
    )


def build_lost_press_error(name: str) -> ElementNotInteractive:
    """Return the error for a press of which no event arrived in the page."""
    return ElementNotInteractive(
        f"No mouse event arrived at {name}.",
        "Observe the page, then try again; if it happens again, reload the page.",
    )


def build_moving_error(name: str) -> ElementNotInteractive:
    """Return the error for an element that was elsewhere each time a press arrived."""
    return ElementNotInteractive(
        f"{name} moved or was covered each time just before it was pressed: nothing was.",
        "Wait until the page has come to rest, then try again.",
    )


async def check_in_viewport(tab: TabActor, x: float, y: float) -> None:
    """Raise `InvalidCoordinates` for a point outside the viewport."""
    width, height = (await tab.view()).viewport
    if 0 <= x < width and 0 <= y < height:
        return
    raise InvalidCoordinates(
        f"({x}, {y}) is outside the viewport of {tab.record.id}, which is {width}x{height}.",
        f"x must be 0 to {width - 1}, y 0 to {height - 1}; scroll to what lies beyond.",
        {
            "x": {"min": 0, "max": width - 1},
            "y": {"min": 0, "max": height - 1},
            "viewport": {"width": width, "height": height},
        },
    )
