"""type and select_text in code editors that draw a part of their text only."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

KINDS = pytest.mark.parametrize("kind", ["textarea", "context"])
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


@KINDS
def test_code_of_several_lines_replaces_the_text_unchanged(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind)

    answer = tab.call("type", element_id=editor, text=CODE)

    assert text(tab) == CODE
    assert "is not the text" not in answer["note"]


@KINDS
def test_an_unclosed_bracket_is_not_closed(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind)

    tab.call("type", element_id=editor, text="if (a) {")

    assert text(tab) == "if (a) {"


@KINDS
def test_an_editor_that_draws_a_part_of_the_text_is_reported(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind)
    long = "\n".join(f"row {number} {{" for number in range(50))

    answer = tab.call("type", element_id=editor, text=long)

    assert text(tab) == long
    assert f"{editor} shows 10 of the 50 lines typed" in answer["note"]


@KINDS
def test_text_typed_slowly_is_compared_with_what_the_editor_made_of_it(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind)

    note = tab.call("type", element_id=editor, text="f(\n  b\n)", slowly=True)["note"]

    assert text(tab) != "f(\n  b\n)"
    assert "is not the text that was typed" in note


@KINDS
@pytest.mark.parametrize("focused", [False, True])
def test_selecting_in_an_editor_that_draws_its_text_itself_is_refused(
    tab: Tab, kind: str, *, focused: bool
) -> None:
    editor = open_editor(tab, kind, lines=120)
    tab.js("input.focus()")

    place = {} if focused else {"element_id": editor}
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

    note = tab.call("type", element_id=tab.find("Terminal"), text="ls -l")["note"]

    assert "is not the text that was typed" in note
    assert tab.js("keys") == ["Control", "a", *"ls -l"]


def test_selecting_in_a_control_that_copies_nothing_is_refused(tab: Tab) -> None:
    tab.open(TERMINAL)

    error = tab.refused("select_text", element_id=tab.find("Terminal"), text="a")

    assert "does not return its text" in error["message"]
    assert tab.js("keys") == []


SCROLLING = """<div style="height: 100px; overflow: auto; font: {font}">
  <div id=e contenteditable spellcheck=false role=textbox aria-label=Text>{lines}</div></div>"""
LINES = "".join(f"<div>line {number}</div>" for number in range(40))


@pytest.mark.parametrize("font", ["1em serif", "1em monospace"])
def test_text_is_selected_in_an_editor_that_draws_everything(tab: Tab, font: str) -> None:
    tab.open(SCROLLING.format(font=font, lines=LINES))

    tab.call("select_text", element_id=tab.find("Text"), text="line 33")
    tab.call("type", text="LINE")

    assert tab.js("e.children[33].textContent") == "LINE"


def test_a_text_that_an_editor_does_not_draw_is_refused_with_the_reason(tab: Tab) -> None:
    tab.open(SCROLLING.format(font="1em monospace", lines=LINES))

    error = tab.refused("select_text", element_id=tab.find("Text"), text="lime 99")

    assert '"lime 99" not found' in error["message"]
    assert "may draw a part of its text only" in error["message"]
