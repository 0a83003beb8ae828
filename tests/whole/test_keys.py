"""key: names, chords, sequences and targets."""

from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LOGS = """<input id="i" aria-label="Field" value="abc" autofocus><script>
  globalThis.log = [];
  const held = (e) => ['ctrl', 'shift', 'alt', 'meta'].filter((m) => e[`${m}Key`]).join('+');
  for (const type of ['keydown', 'keyup'])
    addEventListener(type, (e) => log.push([type, e.key, e.code, held(e), e.isTrusted]));
</script>"""


def downs(tab: Tab) -> list[tuple[str, str]]:
    return [(key, code) for kind, key, code, *_ in tab.js("log") if kind == "keydown"]


@pytest.mark.req("C-KEY-01", "S-REQ-05")
def test_a_key_event_has_the_right_key_and_code(tab: Tab) -> None:
    tab.open(LOGS)
    keys = [
        ("Escape", "Escape"), ("Tab", "Tab"), ("Enter", "Enter"), ("ArrowDown", "ArrowDown"),
        ("a", "KeyA"), ("?", "Slash"), ("é", ""), (" ", "Space"), ("Home", "Home"),
    ]  # fmt: skip

    for key, _ in keys:
        tab.call("key", key=key)

    assert [pair for pair in downs(tab) if pair[0] != "Shift"] == keys
    assert all(event[4] for event in tab.js("log"))


def test_shift_types_the_shifted_key_of_a_us_keyboard(tab: Tab) -> None:
    tab.open(LOGS)

    tab.call("key", keys=["Shift+a", "Shift+1", "Shift+/", "Control+Shift+z", "Shift+Tab"])

    assert [key for key, _ in downs(tab) if len(key) == 1] == ["A", "!", "?", "Z"]
    assert "A!?" in tab.js("i.value")


@pytest.mark.req("C-KEY-02", "S-MOD-01")
def test_modifiers_are_held_and_released(tab: Tab) -> None:
    cases: list[Any] = [
        {"key": "k", "modifiers": ["ctrl", "shift"]},
        {"key": "Control+Shift+k"},
        {"keys": ["k"], "modifiers": {"ctrl": True, "shift": "true", "alt": False}},
        {"key": "Shift+k", "modifiers": ["ctrl"]},
    ]

    for arguments in cases:
        with case(arguments):
            tab.open(LOGS)
            tab.call("key", **arguments)
            tab.call("key", key="x")
            events = tab.js("log")
            assert [e[3] for e in events if e[0] == "keydown" and e[2] == "KeyK"] == ["ctrl+shift"]
            assert [e[3] for e in events if e[0] == "keydown" and e[2] == "KeyX"] == [""]
            pressed, released = (
                {e[2] for e in events if e[0] == kind} for kind in ("keydown", "keyup")
            )
            assert pressed == released


@pytest.mark.req("S-REQ-05")
def test_an_invalid_key_is_refused_before_any_key_is_pressed(tab: Tab) -> None:
    tab.open(LOGS)
    wrong: list[tuple[dict[str, object], str]] = [
        ({"key": "NotAKey"}, "NotAKey"),
        ({"keys": ["a", "Enterr"]}, "Enterr"),
        ({"key": "Enter+a"}, "Enter"),
        ({"key": "a", "modifiers": ["hyper"]}, "hyper"),
    ]

    for arguments, expected in wrong:
        error = tab.refused("key", **arguments)
        assert error["code"] == "INVALID_ARGUMENT"
        assert expected in error["message"]

    assert downs(tab) == []
