"""Tools that act on a page as a person would."""

from typing import Annotated, Any

import trio

from charlotte.actors.tab import Tab
from charlotte.browser.input import click as press_mouse
from charlotte.browser.input import press, type_text
from charlotte.browser.keys import NAMED, chord
from charlotte.errors import ElementNotInteractive, InvalidArgument
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.parameters import Click, Detail, ElementId, Modifiers
from charlotte.tools.schema import Limits
from charlotte.tools.tool import tool

_BY_POINT = "only click_at takes x and y; give click the id of an element"
_DEADLINE = 90.0
"""Seconds; above what finding an element, acting and settling may take together."""
_PER_CHARACTER = 0.1
_LONGEST_TEXT = 100_000
_MOST_KEYS = 100
_LONGEST_DELAY_MS = 5000
_KEYS_DEADLINE = _DEADLINE + _MOST_KEYS * _LONGEST_DELAY_MS / 1000
_SLOW_PAUSE = 0.05


@tool(group="interaction", deadline=_DEADLINE, hints={"x": _BY_POINT, "y": _BY_POINT})
async def click(
    tab: Tab,
    *,
    element_id: ElementId,
    click_type: Click = "left",
    modifiers: Modifiers = (),
    detail: Detail = "delta",
) -> Answer:
    """Click an element, wait until the page has answered, and return what changed.

    Scrolls to it first. `delta` lists the changes; after a navigation the new page comes instead.
    An element that is covered, hidden or disabled is an error that says so.
    """

    async def act() -> None:
        x, y = await _point(tab, element_id)
        async with tab.page.answering():
            await press_mouse(tab.page.session, x, y, kind=click_type, modifiers=modifiers)

    return page_answer(tab, await tab.act(act, element_id), detail)


@tool(group="interaction", deadline=_DEADLINE + _PER_CHARACTER * _LONGEST_TEXT)
async def type_(
    tab: Tab,
    *,
    element_id: ElementId,
    text: Annotated[str, Limits(max_length=_LONGEST_TEXT)],
    clear_first: Annotated[bool, "Replace what is there"] = True,
    press_enter: Annotated[bool, "Enter at the end"] = False,
    slowly: Annotated[bool, "Pause between keys"] = False,
    detail: Detail = "delta",
) -> Answer:
    """Type text into a field with real key events and return what changed once it is all in."""

    async def act() -> None:
        await _focus(tab, element_id, clear=clear_first)
        async with tab.page.answering(30.0 + _PER_CHARACTER * len(text)):
            if clear_first and not text:
                await press(tab.page.session, NAMED["Delete"])
            await type_text(tab.page.session, text, pause=_SLOW_PAUSE if slowly else 0.0)
            if press_enter:
                await press(tab.page.session, NAMED["Enter"])

    return page_answer(tab, await tab.act(act, element_id), detail)


Keys = Annotated[list[str], Limits(max_length=_MOST_KEYS)]


@tool(group="interaction", deadline=_KEYS_DEADLINE)
async def key(
    tab: Tab,
    *,
    key: Annotated[str | None, "A DOM key name or character; Control+a holds keys"] = None,
    keys: Annotated[Keys | None, "Several, one after the other"] = None,
    modifiers: Modifiers = (),
    element_id: Annotated[ElementId | None, "Focused first"] = None,
    delay: Annotated[int, Limits(minimum=0, maximum=_LONGEST_DELAY_MS), "ms between keys"] = 0,
    detail: Detail = "delta",
) -> Answer:
    """Press keys (Enter, Escape, Tab, ArrowDown, a, Control+a …) and return what changed."""
    strokes = [chord(name, modifiers) for name in ([key] if key else []) + (keys or [])]
    if not strokes:
        raise InvalidArgument("key needs key or keys.", 'For example key{"key": "Enter"}.')

    async def act() -> None:
        if element_id is not None:
            _check(await tab.on_element(element_id, "focus"), element_id)
        for number, (stroke, held) in enumerate(strokes):
            if number and delay:
                await trio.sleep(delay / 1000)
            async with tab.page.answering():
                await press(tab.page.session, stroke, held)

    return page_answer(tab, await tab.act(act, element_id), detail)


async def _point(tab: Tab, element_id: str) -> tuple[float, float]:
    """Where to click an element, once it can be clicked."""
    answer = await tab.on_element(element_id, "target", {"need": "enabled"})
    _check(answer, element_id)
    return answer["x"], answer["y"]


async def _focus(tab: Tab, element_id: str, *, clear: bool) -> None:
    _check(await tab.on_element(element_id, "focusText", clear), element_id)


_REASONS = {
    "hidden": "is not visible",
    "disabled": "is disabled",
    "no box": "has no size",
    "moving": "does not stand still",
    "not editable": "takes no text",
    "not focusable": "cannot be focused",
    "readonly": "is read-only",
}


def _check(answer: dict[str, Any], element_id: str) -> None:
    """Raise `ElementNotInteractive` with the probe's reason."""
    error = answer.get("error")
    if error is None:
        return
    if error == "covered":
        raise ElementNotInteractive(
            f"{element_id} is covered by {answer.get('by', 'another element')}.",
            "Close or scroll away what covers it, then try again.",
        )
    raise ElementNotInteractive(
        f"{element_id} {_REASONS.get(error, error)}.", "Observe the page to see its present state."
    )
