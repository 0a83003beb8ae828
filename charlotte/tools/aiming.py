"""From an element to a point that can be used, or to an error that says why there is none."""

from collections.abc import Collection
from typing import Any, Literal

from charlotte.actors.tab.actor import Tab
from charlotte.browser.input import ClickType, click
from charlotte.browser.keys import Modifier
from charlotte.errors import ElementNotInteractive
from charlotte.page.identity.dom_book import DocumentNode

ACTION_DEADLINE = 90.0
"""Seconds; above what finding an element, acting and settling may take together."""

Need = Literal["visible", "enabled", "hover"]
"""To hover over, not even to take the mouse."""

_PARTLY = {
    "strayed": "The second click met something else, for {} moved.",
    "slipped": "{} moved or was covered while it was pressed: the release met something else.",
    "hidden": "The press took the focus from what {} belongs to, which hid it before the release: "
    "it may not have been clicked. Choose it by keys.",
}

ATTEMPTS = 5
_TO_PRESS = {"need": "enabled", "press": True}

_REASONS = {
    "hidden": "is not visible",
    "unseen file input": "is a file input that is not visible",
    "disabled": "is disabled",
    "no box": "has no size",
    "out of reach": "lies outside the window, and scrolling does not bring it in",
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

GIVE_FILES = "Give it files with upload; tools{action: enable, group: interaction} lists that."

_ADVICE = {
    "unseen file input": GIVE_FILES,
    "readonly": "It may be set in another way: click it and see what opens.",
    "not editable": "Text goes into fields: choose with select or toggle, press with click, move a "
    "slider with key (ArrowRight, Home, End), give files with upload.",
    "not checkable": "Click it, if it is to be pressed.",
    "no list": "Click it and choose from what opens, type into it, or move a slider with key.",
    "moving": "Wait, then try again; what never stands still is pressed by key{element_id, key: "
    "Enter}.",
    "transparent": "Hover over it: some pages show things, and let them take the mouse, only then.",
    "no form": "Fill it in without submit, and click the button that sends it.",
}

_MOST_OVER = 5
"""Elements that are named of what covers another."""


async def point_of(tab: Tab, reference: str, need: Need = "enabled") -> tuple[float, float]:
    """Where to point at an element, in view and standing still; waits up to 2 s for that."""
    place, answer = await tab.locate(reference, "target", {"need": need})
    return aimed(tab, place, answer, reference)


async def press_element(
    tab: Tab, reference: str, kind: ClickType = "left", modifiers: Collection[Modifier] = ()
) -> None:
    """Click an element as soon as it can be used, and nothing else if it moves meanwhile."""
    for _ in range(ATTEMPTS):
        place, answer = await tab.locate(reference, "target", _TO_PRESS)
        async with tab.page.answering():
            x, y = aimed(tab, place, answer, reference)
            await click(tab.page.session, x, y, kind=kind, modifiers=modifiers)
        if await _is_met(tab, place, reference):
            return
    raise fleeing(reference)


async def press_point(
    tab: Tab, x: float, y: float, kind: ClickType = "left", modifiers: Collection[Modifier] = ()
) -> None:
    """Click a point of the viewport, whatever is there."""
    await tab.on_page("awaitPressAt", x, y)
    async with tab.page.answering():
        await click(tab.page.session, x, y, kind=kind, modifiers=modifiers)
    if await tab.outcome(tab.place(0)) == "lost":
        raise lost_press(f"({x:g}, {y:g})")


async def press_node(tab: Tab, place: DocumentNode, name: str) -> bool:
    """Click a node that messages call ``name``; False when it is not there any more."""
    for _ in range(ATTEMPTS):
        answer = await tab.on_place(place, "target", _TO_PRESS)
        if answer is None:
            return False
        x, y = aimed(tab, place, answer, name)
        async with tab.page.answering():
            await click(tab.page.session, x, y, kind="left")
        if await _is_met(tab, place, name):
            return True
    raise fleeing(name)


async def _is_met(tab: Tab, place: DocumentNode, name: str) -> bool:
    """Whether the press met the node, noting what else of it did not."""
    outcome = await tab.outcome(place)
    if outcome == "lost":
        raise lost_press(name)
    if outcome in _PARTLY:
        tab.references.note(_PARTLY[outcome].format(name))
    return outcome != "missed"


def aimed(
    tab: Tab, place: DocumentNode, answer: dict[str, Any], reference: str
) -> tuple[float, float]:
    """The point in an answer about a node; raises `ElementNotInteractive`."""
    if answer.get("error") == "covered":
        raise _covered(tab, place, answer, reference)
    check(answer, reference)
    return answer["x"], answer["y"]


def _covered(
    tab: Tab, place: DocumentNode, answer: dict[str, Any], reference: str
) -> ElementNotInteractive:
    ids = {tab.record.ids.of(place.with_nid(nid).nid) for nid in answer.get("over", ())}
    view = tab.last_view
    over = [one for one in view.interactive if one.id in ids] if view else []
    told = ", ".join(f"{one.id} {one.label[:40]!r}" for one in over[:_MOST_OVER])
    return ElementNotInteractive(
        f"{reference} is covered by {answer.get('by', 'another element')}.",
        "Close or scroll away what covers it, then try again."
        + (f" In it: {told}." if told else ""),
    )


def lost_press(name: str) -> ElementNotInteractive:
    """Return the error for a press of which no event arrived in the page."""
    return ElementNotInteractive(
        f"No mouse event arrived at {name}.",
        "Observe the page, then try again; if it happens again, reload the page.",
    )


def fleeing(reference: str) -> ElementNotInteractive:
    """What to say of an element that was elsewhere whenever a press arrived."""
    return ElementNotInteractive(
        f"{reference} moved or was covered each time just before it was pressed: nothing was.",
        "Wait until the page has come to rest, then try again.",
    )


def check(answer: dict[str, Any], reference: str) -> None:
    """Raise `ElementNotInteractive` with the probe's reason, if it gives one."""
    error = answer.get("error")
    if error is None:
        return
    raise ElementNotInteractive(
        f"{reference} {_REASONS.get(error, error)}.",
        _ADVICE.get(error, "Observe the page to see its present state."),
    )


def checked(answer: dict[str, Any], reference: str) -> dict[str, Any]:
    """The answer, when it is no error."""
    check(answer, reference)
    return answer
