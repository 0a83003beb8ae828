"""Events of a person's browser become trusted input of the page, or are refused."""

from typing import Any

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.browser.input.live_input import read_input
from charlotte.protocol.input import DispatchKeyEvent, DispatchMouseEvent, InsertText
from charlotte.protocol.page import HandleJavaScriptDialog


def command(**event: Any) -> Any:
    [read] = read_input([event])[0]
    return read


def test_a_click_is_a_press_and_a_release_of_the_button() -> None:
    at = {"x": 10.5, "y": 20, "button": 0, "clicks": 2, "modifiers": 8}
    down = command(type="down", buttons=1, **at)
    up = command(type="up", **at)
    same: dict[str, Any] = {"x": 10.5, "y": 20, "button": "left", "click_count": 2, "modifiers": 8}
    assert DispatchMouseEvent(type="mousePressed", buttons=1, **same) == down
    assert DispatchMouseEvent(type="mouseReleased", **same) == up


@pytest.mark.parametrize(
    ("key", "code", "text", "number"),
    [
        ("a", "KeyA", "a", 65),
        ("A", "KeyA", "A", 65),
        ("é", "", "é", 0),
        ("Enter", "Enter", "\r", 13),
    ],
)
def test_a_key_types_its_text(key: str, code: str, text: str, number: int) -> None:
    pressed = command(type="keydown", key=key)
    assert ("keyDown", text, number) == (
        pressed.type,
        pressed.text,
        pressed.windows_virtual_key_code,
    )
    assert code == pressed.code
    released = command(type="keyup", key=key)
    assert ("keyUp", "") == (released.type, released.text)


@pytest.mark.parametrize(
    ("event", "text", "commands"),
    [
        ({"key": "a", "code": "KeyA", "modifiers": 2}, "", ["selectAll"]),
        ({"key": "c", "code": "KeyC", "modifiers": 2}, "", []),
        ({"key": "v", "code": "KeyV", "modifiers": 4}, "", []),
        ({"key": "@", "code": "KeyQ", "modifiers": 3}, "@", []),
        ({"key": "Shift"}, "", []),
        ({"key": "Dead", "code": "Quote"}, "", []),
    ],
)
def test_shortcuts_type_nothing_but_the_third_level_of_a_keyboard_does(
    event: dict[str, Any], text: str, commands: list[str]
) -> None:
    pressed: DispatchKeyEvent = command(type="keydown", **event)
    assert (text, commands) == (pressed.text, pressed.commands)
    assert ("keyDown" if text else "rawKeyDown") == pressed.type


def test_a_pasted_text_is_inserted_and_a_dialog_answered() -> None:
    assert InsertText(text="two\nlines") == command(type="text", text="two\nlines")
    answer = HandleJavaScriptDialog(accept=True, prompt_text="Ada")
    assert answer == command(type="dialog", accept=True, text="Ada")


@pytest.mark.parametrize(
    ("event", "submits"),
    [
        ({"type": "down", "x": 1, "y": 1}, True),
        ({"type": "keydown", "key": "Enter"}, True),
        ({"type": "keydown", "key": "Tab"}, True),
        ({"type": "keydown", "key": "a"}, False),
        ({"type": "keyup", "key": "Enter"}, False),
        ({"type": "move", "x": 1, "y": 1}, False),
    ],
)
def test_input_that_may_submit_a_form_or_leave_a_field_is_recognized(
    event: dict[str, Any], *, submits: bool
) -> None:
    assert submits == read_input([{"type": "text", "text": "x"}, event])[1]


@pytest.mark.parametrize(
    "events",
    [
        None,
        {},
        [1],
        [{}],
        [{"type": "boom"}],
        [{"type": "move"}],
        [{"type": "move", "x": "here", "y": 1}],
        [{"type": "keydown", "key": "a", "commands": ["paste"]}],
        [{"type": "text", "text": 5}],
        [{"type": "dialog", "accept": "yes", "text": None}],
        [{"type": ["move"], "x": 1, "y": 1}],
        [{"type": "text", "text": ""}] * 201,
    ],
)
def test_other_events_are_refused(events: object) -> None:
    with pytest.raises(InvalidArgument):
        read_input(events)
