"""Keys of a US keyboard by name and character."""

import string
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.base.errors import InvalidArgument
from charlotte.browser.input.input import NAMED, Key, chord, key_named


@pytest.mark.parametrize("character", string.ascii_letters + string.digits + string.punctuation)
def test_every_printable_ascii_character_has_a_key_that_types_it(character: str) -> None:
    key = key_named(character)

    assert (key.key, key.text) == (character, character)
    assert key.code
    assert key.virtual_key
    assert key.shift == (character in '~!@#$%^&*()_+{}|:"<>?' or character.isupper())


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Enter", "Enter"),
        ("enter", "Enter"),
        ("RETURN", "Enter"),
        ("Esc", "Escape"),
        ("Del", "Delete"),
        ("down", "ArrowDown"),
        ("PageUp", "PageUp"),
        ("pgdn", "PageDown"),
        ("f5", "F5"),
        ("Space", " "),
        (" ", " "),
        ("Ctrl", "Control"),
        ("cmd", "Meta"),
        ("option", "Alt"),
    ],
)
def test_a_key_is_found_by_its_dom_name_in_any_case_or_an_alias(name: str, expected: str) -> None:
    assert key_named(name).key == expected


def test_enter_types_a_line_end_and_navigation_keys_type_nothing() -> None:
    assert NAMED["Enter"].text == "\r"
    assert [NAMED[name].text for name in ("Tab", "ArrowUp", "F12", "Shift")] == [""] * 4


def test_a_character_of_another_keyboard_is_a_key_without_a_code() -> None:
    assert key_named("ß") == Key("ß", "", 0, "ß")
    assert key_named("😀").text == "😀"


@pytest.mark.parametrize("name", ["", "Entre", "hyper", "F13", "ab"])
def test_an_unknown_name_is_an_error_with_examples_of_names(name: str) -> None:
    with pytest.raises(InvalidArgument, match=r"Key .* not found") as raised:
        key_named(name)
    assert "DOM key name" in (raised.value.suggestion or "")


@pytest.mark.parametrize(
    ("text", "key", "held"),
    [
        ("a", "a", []),
        ("Control+a", "a", ["ctrl"]),
        ("ctrl+Shift+ArrowLeft", "ArrowLeft", ["ctrl", "shift"]),
        ("Meta+Enter", "Enter", ["meta"]),
        ("+", "+", []),
        ("Control++", "+", ["ctrl"]),
        ("Alt+Control++", "+", ["alt", "ctrl"]),
        ("Ctrl+Ctrl+x", "x", ["ctrl"]),
        ("Control+A", "a", ["ctrl"]),
        ("Control+Shift+A", "A", ["ctrl", "shift"]),
        ("Ctrl + a", "a", ["ctrl"]),
        ("super+a", "a", ["meta"]),
        ("A", "A", []),
        ("-", "-", []),
        ("KeyA", "a", []),
        ("Numpad5", "5", []),
        ("Shift+Digit3", "#", ["shift"]),
        ("ControlOrMeta+a", "a", ["ctrl"]),
        ("Control+Shift+~", "~", ["ctrl", "shift"]),
        ("controlleft+keyz", "z", ["ctrl"]),
    ],
)
def test_a_chord_is_parsed_into_key_and_modifiers(text: str, key: str, held: list[str]) -> None:
    read, modifiers = chord(text, [])

    assert (read.key, modifiers) == (key, held)


@pytest.mark.parametrize("text", ["a+b", "Enter+x", "Control+", "+a", "Ctrl+nokey", "Control+a+b"])
def test_an_invalid_chord_is_an_error(text: str) -> None:
    with pytest.raises(InvalidArgument):
        chord(text, [])


@given(st.text(max_size=12) | st.from_regex(r"(ctrl|alt|\+|a|Enter|\+\+){0,5}", fullmatch=True))
def test_every_text_is_a_key_or_an_error(text: str) -> None:
    answered: Any = None
    try:
        answered = chord(text, [])
    except InvalidArgument as error:
        answered = error.message
    assert answered
