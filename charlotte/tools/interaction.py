"""Tools that act on a page as a person would."""

from collections.abc import Mapping
from typing import Annotated, Any

import trio

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_queries import ask_frame
from charlotte.browser.input import press
from charlotte.browser.keys import NAMED, chord
from charlotte.errors import InvalidArgument
from charlotte.tools.aiming import ACTION_DEADLINE, check, press_element, press_point
from charlotte.tools.answer import Answer
from charlotte.tools.checking import (
    focused_field,
    note_difference_in_focus,
    saying_if_lost,
    saying_if_taken,
    saying_if_unchanged,
)
from charlotte.tools.coordinates import (
    Deed,
    UnlistedCoordinates,
    UnlistedWait,
    check_point,
    deed_at,
)
from charlotte.tools.entering import PER_CHARACTER, enter, write
from charlotte.tools.forms import complaints_at, watch_sending
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Click, Detail, ElementId, Modifiers
from charlotte.tools.schema.tool import tool

_BY_POINT = "only click_at takes x and y; give click the id of an element"
_LONGEST_TEXT = 100_000
_LONGEST_AT_POINT = 10_000
_MOST_KEYS = 100
_LONGEST_DELAY_MS = 5000
KEYS_DEADLINE = ACTION_DEADLINE + _MOST_KEYS * _LONGEST_DELAY_MS / 1000
_SLOW_PAUSE = 0.05


@tool(
    group="interaction",
    position=300,
    deadline=ACTION_DEADLINE,
    hints={"x": _BY_POINT, "y": _BY_POINT},
)
async def click(
    tab: Tab,
    element_id: ElementId,
    *,
    click_type: Click = "left",
    modifiers: Modifiers = (),
    detail: Detail = "delta",
) -> Answer[Page]:
    """Click an element, wait until the page settles, and return what changed.

    Scrolls to it first. After a navigation, returns the new page instead. Fails, with the reason,
    if the element is covered, hidden or disabled.
    """
    sender = await watch_sending(tab, element_id)
    look = await tab.act(lambda: press_element(tab, element_id, click_type, modifiers), element_id)
    extras: dict[str, object] = {}
    if click_type == "left":
        look = saying_if_unchanged(tab, look, element_id)
        if sender is not None and look.delta is not None and tab.record.dialog is None:
            extras = await complaints_at(tab, sender)
    return page_answer(tab, look, detail, extras=extras)


def _check_place(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless there is one place to type into, and room for the text."""
    by_point = any(arguments[name] is not None for name in ("x", "y", "coordinates"))
    if (arguments["element_id"] is None) is not by_point:
        raise InvalidArgument(
            "type needs either element_id, or x and y.",
            "Take the field's id from observe or find; a point only where there is no such id.",
        )
    if not by_point:
        return
    check_point(arguments)
    if (length := len(arguments["text"])) > _LONGEST_AT_POINT:
        raise InvalidArgument(
            f"At a point, type takes {_LONGEST_AT_POINT} characters at most, not {length}.",
            "Type into an element by its id.",
        )


@tool(
    group="interaction",
    position=320,
    deadline=ACTION_DEADLINE + PER_CHARACTER * _LONGEST_TEXT,
    check=_check_place,
)
async def type_(
    tab: Tab,
    text: Annotated[str, Limits(max_length=_LONGEST_TEXT)],
    *,
    element_id: ElementId | None = None,
    x: Annotated[int | None, "With y, instead of element_id: click there first"] = None,
    y: int | None = None,
    coordinates: UnlistedCoordinates = None,
    clear_first: Annotated[bool | None, "Replace the text; default with element_id"] = None,
    press_enter: Annotated[bool, "Press Enter at the end"] = False,
    slowly: Annotated[bool, "Pause between keys"] = False,
    wait_after_action: UnlistedWait = 0,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Type text into a field with keys (long text is pasted) and return what changed.

    Date, time, color and range fields take a value such as 2026-05-01, 14:30, #ff0000 or 7.
    """
    pause = _SLOW_PAUSE if slowly else 0.0
    typed = tab.record.session.settings.secrets.spelled(text)

    async def act() -> None:
        if element_id is not None:
            await enter(tab, element_id, typed, clear=clear_first is not False, pause=pause)
        elif deed is not None:
            await _type_at(tab, deed, typed, clear=clear_first is True, pause=pause)
        if press_enter:
            _, frame = await focused_field(tab)
            await ask_frame(tab.page, frame or tab.frames.main, "beat")
            async with tab.page.answering():
                await press(tab.page.session, NAMED["Enter"])
        if deed is not None:
            await deed.done(wait_after_action)

    deed = await deed_at(tab, "type", x, y, coordinates) if element_id is None else None
    look = await tab.act(act, element_id)
    if deed is not None:
        return page_answer(tab, saying_if_lost(look, deed), detail, extras=deed.envelope())
    if element_id is not None and text and press_enter:
        look = saying_if_taken(tab, look, element_id)
    return page_answer(tab, look, detail)


async def _type_at(tab: Tab, deed: Deed, text: str, *, clear: bool, pause: float) -> None:
    """Click there and type, noting whether there was a field."""
    await press_point(tab, deed.at.x, deed.at.y)
    if clear:
        async with tab.page.answering():
            await press(tab.page.session, *chord("Control+a", ()))
    is_field, frame = await focused_field(tab)
    deed.is_lost = not is_field
    if frame is not None:
        await ask_frame(tab.page, frame, "beat")
    await write(tab, text, clear=clear, pause=pause, frame=frame)
    if frame is not None:
        await note_difference_in_focus(tab, frame, text, replaced=clear)


def _check_keys(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless one of key and keys is given, with known names."""
    name, names = arguments["key"], arguments["keys"]
    if name is not None and names is not None:
        raise InvalidArgument(
            "key takes either key or keys, not both.", "Give all keys in keys, in their order."
        )
    if not name and not names:
        raise InvalidArgument("key needs key or keys.", 'For example key{"key": "Enter"}.')
    for each in names or [name or ""]:
        chord(each, arguments["modifiers"])


Keys = Annotated[list[str], Limits(max_length=_MOST_KEYS)]


@tool(group="interaction", position=410, deadline=KEYS_DEADLINE, check=_check_keys)
async def key(
    tab: Tab,
    key: str | None = None,
    *,
    keys: Annotated[Keys | None, "Several keys, in order"] = None,
    modifiers: Modifiers = (),
    element_id: Annotated[ElementId | None, "Focus it first"] = None,
    delay: Annotated[int, Limits(minimum=0, maximum=_LONGEST_DELAY_MS), "ms between keys"] = 0,
    wait_after_action: UnlistedWait = 0,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Press keys (Enter, Escape, Tab, ArrowDown, a, Control+a …) and return what changed.

    To enter text, use type.
    """
    strokes = [chord(name, modifiers) for name in keys or [key or ""]]

    async def act() -> None:
        if element_id is not None:
            check(await tab.on_element(element_id, "focus"), element_id)
        for number, (stroke, held) in enumerate(strokes):
            if number and delay:
                await trio.sleep(delay / 1000)
            async with tab.page.answering():
                await press(tab.page.session, stroke, held)
        await trio.sleep(wait_after_action / 1000)

    return page_answer(tab, await tab.act(act, element_id), detail)
