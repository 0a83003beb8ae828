"""Tools that act on a page as a person would."""

from collections.abc import Mapping
from typing import Annotated, Any

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import keyboard, pointer
from charlotte.actors.tab.keyboard import PER_CHARACTER
from charlotte.browser.input import chord
from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Answer
from charlotte.tools.coordinates import (
    UnlistedCoordinates,
    UnlistedWait,
    check_point,
    point_envelope,
    read_point,
)
from charlotte.tools.envelope import Stopwatch
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import (
    ACTION_DEADLINE,
    Click,
    Detail,
    ElementId,
    Modifiers,
)
from charlotte.tools.schema.tool import tool

_BY_POINT = "only click_at takes x and y; pass element_id to click"
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
    tab: TabHandle,
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
    look = await tab.do(pointer.click, element_id, click_type, modifiers)
    return page_answer(tab.record, look, detail)


def _check_place(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless there is one place to type into, and room for the text."""
    by_point = any(arguments[name] is not None for name in ("x", "y", "coordinates"))
    if (arguments["element_id"] is None) is not by_point:
        raise InvalidArgument(
            "type needs either element_id, or x and y.",
            "Pass a field's id from observe or find, or a point if the field has no id.",
        )
    if not by_point:
        return
    check_point(arguments)
    if (length := len(arguments["text"])) > _LONGEST_AT_POINT:
        raise InvalidArgument(
            f"text must have at most {_LONGEST_AT_POINT} characters at a point, got {length}.",
            "Pass element_id instead of x and y.",
        )


@tool(
    group="interaction",
    position=320,
    deadline=ACTION_DEADLINE + PER_CHARACTER * _LONGEST_TEXT,
    check=_check_place,
)
async def type_(
    tab: TabHandle,
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
    typed = tab.record.session.settings.secrets.spelled(text)
    pause = _SLOW_PAUSE if slowly else 0.0
    if element_id is not None:
        look = await tab.do(
            keyboard.type_into,
            element_id,
            typed,
            clear=clear_first is not False,
            pause=pause,
            press_enter=press_enter,
        )
        return page_answer(tab.record, look, detail)
    watch, at = Stopwatch(tab.record.id), read_point(x, y, coordinates)
    done = await tab.do(
        keyboard.type_at,
        (at.x, at.y),
        typed,
        clear=clear_first is True,
        pause=pause,
        press_enter=press_enter,
        wait_ms=wait_after_action,
    )
    extras = point_envelope("type", at, done.timestamp, watch)
    return page_answer(tab.record, done.look, detail, extras=extras)


def _check_keys(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless one of key and keys is given, with known names."""
    name, names = arguments["key"], arguments["keys"]
    if name is not None and names is not None:
        raise InvalidArgument(
            "key and keys must not both be given.", "Pass all keys in keys, in order."
        )
    if not name and not names:
        raise InvalidArgument(
            "key or keys is required.", 'Pass a key, such as key{"key": "Enter"}.'
        )
    for each in names or [name or ""]:
        chord(each, arguments["modifiers"])


Keys = Annotated[list[str], Limits(max_length=_MOST_KEYS)]


@tool(group="interaction", position=410, deadline=KEYS_DEADLINE, check=_check_keys)
async def key(
    tab: TabHandle,
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
    look = await tab.do(
        keyboard.press_keys, strokes, element_id, delay_ms=delay, wait_ms=wait_after_action
    )
    return page_answer(tab.record, look, detail)
