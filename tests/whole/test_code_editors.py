"""type and select_text in code editors that draw a part of their text only."""

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

KINDS = ("textarea", "context")
CODE = "function f(a) {\n  if (a) {\n    return [1];\n  }\n}"


def open_editor(tab: Tab, kind: str, lines: int = 2, **more: int) -> str:
    query = "".join(f"&{name}={value}" for name, value in more.items())
    tab.open(f"/code_editor.html?kind={kind}&lines={lines}{query}")
    return tab.find("Code")


def text(tab: Tab) -> str:
    found: str = tab.js("text")
    return found


def selected(tab: Tab) -> str:
    found: str = tab.js("text.slice(...range())")
    return found


def test_code_replaces_the_text_unchanged(tab: Tab) -> None:
    long = "\n".join(f"row {number} {{" for number in range(50))
    for kind in KINDS:
        with case(kind):
            editor = open_editor(tab, kind)
            for code in (CODE, "if (a) {", long):
                answer = tab.call("type", element_id=editor, text=code)
                assert text(tab) == code
                assert "is not the text" not in answer["note"]
            assert f"{editor} shows 10 of the 50 lines typed" in answer["note"]


def test_text_typed_slowly_is_compared_with_what_the_editor_made_of_it(tab: Tab) -> None:
    for kind in KINDS:
        with case(kind):
            editor = open_editor(tab, kind)
            note = tab.call("type", element_id=editor, text="f(\n  b\n)", slowly=True)["note"]
            assert text(tab) != "f(\n  b\n)"
            assert "is not the text that was typed" in note


def test_selecting_in_an_editor_that_draws_its_text_itself_is_refused(tab: Tab) -> None:
    for kind in KINDS:
        with case(kind):
            editor = open_editor(tab, kind, lines=120)
            tab.js("input.focus()")
            for place in ({}, {"element_id": editor}):
                error = tab.refused("select_text", **place, text="line 2")
                assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
                assert "does not return its text" in error["message"]
                assert selected(tab) == ""


TERMINAL = """<style>textarea { position: absolute; width: 2px; height: 2px }</style>
  <textarea id=e aria-label=Terminal></textarea><pre id=p style="height: 100px"></pre><script>
  const keys = [];
  e.addEventListener('keydown', (event) => {
    event.preventDefault();
    keys.push(event.key);
    if (event.key.length === 1) p.textContent += event.key.toUpperCase();
  })</script>"""


def test_no_keys_but_those_typed_reach_a_terminal(tab: Tab) -> None:
    tab.open(TERMINAL)
    terminal = tab.find("Terminal")

    error = tab.refused("select_text", element_id=terminal, text="a")

    assert "does not return its text" in error["message"]
    assert tab.js("keys") == []

    note = tab.call("type", element_id=terminal, text="ls -l")["note"]

    assert "is not the text that was typed" in note
    assert tab.js("keys") == ["Control", "a", *"ls -l"]


SCROLLING = """<div style="height: 100px; overflow: auto; font: {font}">
  <div id=e contenteditable spellcheck=false role=textbox aria-label=Text>{lines}</div></div>"""
LINES = "".join(f"<div>line {number}</div>" for number in range(40))


def test_text_is_selected_in_an_editor_that_draws_everything(tab: Tab) -> None:
    for font in ("1em serif", "1em monospace"):
        with case(font):
            tab.open(SCROLLING.format(font=font, lines=LINES))
            editor = tab.find("Text")
            tab.call("select_text", element_id=editor, text="line 33")
            tab.call("type", text="LINE")
            assert tab.js("e.children[33].textContent") == "LINE"

    error = tab.refused("select_text", element_id=editor, text="lime 99")

    assert '"lime 99" not found' in error["message"]
    assert "may draw a part of its text only" in error["message"]
