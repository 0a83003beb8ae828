"""Tools that use the keyboard: type, key."""

from collections.abc import Mapping
from typing import Annotated, Any

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.verbs import keyboard
from charlotte.actors.tab.verbs.keyboard import PER_CHARACTER
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import page_answer
from charlotte.base.errors import InvalidArgument
from charlotte.browser.input.input import PLAIN_BY_CODE, chord
from charlotte.tools.gestures import (
    UnlistedCoordinates,
    UnlistedWait,
    check_point,
    point_envelope,
    read_point,
)
from charlotte.tools.schema.arguments import (
    ChangesDetail,
    ElementId,
    Limits,
    Modifiers,
    Pixel,
    Private,
    Rare,
    RareDetail,
)
from charlotte.tools.schema.tool import ACTION_DEADLINE, action_tool

_LONGEST_TEXT = 100_000
_LONGEST_AT_POINT = 10_000
_MOST_KEYS = 100
_MOST_STROKES = 1000
_LONGEST_PRESSING = 500
"""Seconds that the keys of a call may be held and waited for."""
KEYS_DEADLINE = ACTION_DEADLINE + _LONGEST_PRESSING


def _check_place(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` if there are two places to type into, or no room for the text."""
    by_point = any(arguments[name] is not None for name in ("x", "y", "coordinates"))
    if arguments["element_id"] is not None:
        if by_point:
            raise InvalidArgument(
                "type needs either element_id, or x and y.",
                "Pass a field's id from observe or find, or a point if the field has no id.",
            )
        return
    if by_point:
        check_point(arguments)
    if (length := len(arguments["text"])) > _LONGEST_AT_POINT:
        raise InvalidArgument(
            f"text must have at most {_LONGEST_AT_POINT} characters without element_id, "
            f"got {length}.",
            "Pass element_id.",
        )


@action_tool(
    title="Type text",
    position=320,
    deadline=ACTION_DEADLINE + PER_CHARACTER * _LONGEST_TEXT,
    check=_check_place,
    words=("element_id", "text"),
)
async def type_(
    tab: TabHandle,
    text: Annotated[
        str, Limits(max_length=_LONGEST_TEXT), Private(), "Text, or the name of a secret."
    ],
    *,
    element_id: Annotated[
        ElementId | None, "Id of the field. Default: where the focus and caret are."
    ] = None,
    x: Annotated[Pixel | None, "With y, instead of element_id: point to click, in CSS px."] = None,
    y: Annotated[Pixel | None, "CSS px from the top."] = None,
    coordinates: UnlistedCoordinates = None,
    clear_first: Annotated[bool | None, "Replace the text. Default: true with element_id."] = None,
    press_enter: Annotated[bool, "Press Enter at the end."] = False,
    slowly: Annotated[bool, Rare, "Pause 50 ms between keys."] = False,
    wait_after_action: UnlistedWait = 0,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Type text into a field with keys (long text is pasted) and return what changed.

    Date and time fields, color fields and sliders take 2026-05-01, 14:30, #ff0000 or 7.
    """
    typed = tab.record.session.settings.secrets.spelled(text)
    pause = 0.05 if slowly else 0.0
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
    by_point = x is not None or y is not None or coordinates is not None
    at = read_point(x, y, coordinates) if by_point else None
    look = await tab.do(
        keyboard.type_at,
        at,
        typed,
        clear=clear_first is True,
        pause=pause,
        press_enter=press_enter,
        wait_ms=wait_after_action,
    )
    extras = point_envelope(tab, "type", at, look) if at else None
    return page_answer(tab.record, look, detail, extras=extras)


def _is_named(key: str) -> bool:
    """Return whether a key types no character, so that the audit log may have it."""
    return len(key) > 1 and key.lower() not in PLAIN_BY_CODE


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
    given = names or [name or ""]
    for each in given:
        chord(each, arguments["modifiers"])
    strokes = len(given) * arguments["repeat"]
    if strokes > _MOST_STROKES:
        raise InvalidArgument(
            f"A call presses at most {_MOST_STROKES} keys, not {strokes}.", "Pass a lower repeat."
        )
    seconds = strokes * (arguments["hold"] + arguments["delay"]) / 1000
    if seconds > _LONGEST_PRESSING:
        raise InvalidArgument(
            f"hold and delay make {seconds:g} s; a call may take {_LONGEST_PRESSING} s.",
            "Pass fewer keys, or a shorter hold or delay.",
        )


@action_tool(title="Press keys", position=410, deadline=KEYS_DEADLINE, check=_check_keys)
async def key(
    tab: TabHandle,
    key: Annotated[
        str | None, Private(_is_named), "Key to press, such as Enter, a or Control+a."
    ] = None,
    *,
    keys: Annotated[
        list[str] | None,
        Limits(max_length=_MOST_KEYS),
        Private(_is_named),
        "Several keys, in order.",
    ] = None,
    modifiers: Modifiers = (),
    element_id: Annotated[ElementId | None, "Id of an element to focus first."] = None,
    repeat: Annotated[
        int, Limits(minimum=1, maximum=_MOST_STROKES), "How many times to press the keys."
    ] = 1,
    hold: Annotated[
        int,
        Limits(minimum=0, maximum=30_000),
        Rare,
        "Time to hold each key down in ms; it repeats, as on a keyboard.",
    ] = 0,
    together: Annotated[bool, Rare, "Hold all keys down at the same time."] = False,
    delay: Annotated[
        int, Limits(minimum=0, maximum=5000), Rare, "Pause between two keys in ms."
    ] = 0,
    wait_after_action: UnlistedWait = 0,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Press keys (Enter, Escape, Tab, ArrowDown, a, Control+a …) and return what changed.

    To enter text, use type.
    """
    strokes = [chord(name, modifiers) for name in keys or [key or ""]] * repeat
    look = await tab.do(
        keyboard.press_keys,
        strokes,
        element_id,
        hold_ms=hold,
        delay_ms=delay,
        wait_ms=wait_after_action,
        together=together,
    )
    return page_answer(tab.record, look, detail)
