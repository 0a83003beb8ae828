"""type, select_text and observe in code editors that draw a part of their text only."""

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
def test_the_whole_text_is_compared_though_a_part_is_drawn(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind)
    long = "\n".join(f"row {number} {{" for number in range(50))

    answer = tab.call("type", element_id=editor, text=long)

    assert text(tab) == long
    assert f"{editor} shows the text typed." in answer["note"]


@KINDS
def test_a_line_that_differs_outside_the_drawn_part_is_named(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind)
    tab.js("input.addEventListener('paste', () => { text = text.replace('row 3', 'ROW 3') })")
    long = "\n".join(f"row {number}" for number in range(50))

    note = tab.call("type", element_id=editor, text=long)["note"]

    assert "line 4 is 'ROW 3'" in note


@KINDS
def test_text_typed_slowly_is_compared_with_what_the_editor_made_of_it(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind)

    note = tab.call("type", element_id=editor, text="f(\n  b\n)", slowly=True)["note"]

    assert text(tab) != "f(\n  b\n)"
    assert "is not the text that was typed: line" in note


@KINDS
def test_content_of_an_editor_is_its_whole_text(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind, lines=60)
    tab.js("document.body.insertAdjacentHTML('beforeend', '<button id=other>Other</button>')")
    tab.js("anchor = caret = text.indexOf('line 30'); render(); other.focus()")

    content = tab.reply("observe", mode="content", selector=editor).text

    assert all(f"line {number} {{x}}" in content for number in range(1, 61))
    assert tab.js("[caret, anchor]") == [tab.js("text.indexOf('line 30')")] * 2
    assert tab.js("document.activeElement.id") == "other"


def test_reading_an_editor_leaves_the_caret_at_the_start(tab: Tab) -> None:
    editor = open_editor(tab, "textarea", lines=30)

    tab.reply("observe", mode="content", selector=editor)

    assert tab.js("[caret, anchor]") == [0, 0]


def test_reading_an_editor_keeps_a_selection(tab: Tab) -> None:
    editor = open_editor(tab, "textarea", lines=30)
    tab.js("anchor = 3; caret = 7; render()")

    tab.reply("observe", mode="content", selector=editor)

    assert tab.js("range()") == [3, 7]


@KINDS
def test_text_far_outside_the_drawn_part_is_selected(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind, lines=120)

    answer = tab.call("select_text", element_id=editor, text="line 90 {")

    assert selected(tab) == "line 90 {"
    assert answer["note"].startswith('Selected "line 90 {" (9 characters).')


@KINDS
def test_typing_replaces_the_selection_of_an_editor(tab: Tab, kind: str) -> None:
    editor = open_editor(tab, kind, lines=40)

    tab.call("select_text", element_id=editor, text="line 33")
    tab.call("type", text="LINE")

    assert text(tab).split("\n")[32] == "LINE {x}"


def test_lines_of_an_editor_are_selected(tab: Tab) -> None:
    editor = open_editor(tab, "textarea", lines=40)

    tab.call("select_text", element_id=editor, lines="20-22")

    assert selected(tab) == "line 20 {x}\nline 21 {x}\nline 22 {x}"


def test_code_is_inserted_at_a_line(tab: Tab) -> None:
    editor = open_editor(tab, "textarea", lines=40)

    answer = tab.call("select_text", element_id=editor, lines=3, caret="before")
    tab.call("type", text="if (a) {\n  b\n}\n")

    assert "The caret is before" in answer["note"]
    assert text(tab).split("\n")[1:6] == ["line 2 {x}", "if (a) {", "  b", "}", "line 3 {x}"]


def test_a_second_selection_does_not_depend_on_the_first(tab: Tab) -> None:
    editor = open_editor(tab, "textarea", lines=40)

    for wanted in ("line 5 {x}\nline 6 {x}", "line 31"):
        tab.call("select_text", element_id=editor, text=wanted)
        assert selected(tab) == wanted


def test_text_is_selected_where_lines_are_wrapped(tab: Tab) -> None:
    editor = open_editor(tab, "textarea", lines=60, wrap=4)

    tab.call("select_text", element_id=editor, text="line 25 {x}", to="line 28")

    assert selected(tab) == "line 25 {x}\nline 26 {x}\nline 27 {x}\nline 28"


def test_a_text_that_an_editor_lacks_is_refused_with_the_nearest(tab: Tab) -> None:
    editor = open_editor(tab, "textarea", lines=40)

    error = tab.refused("select_text", element_id=editor, text="lime 33")

    assert '"lime 33" not found. The nearest text is "line 33".' in error["message"]


def test_an_editor_that_does_not_move_its_caret_is_reported(tab: Tab) -> None:
    editor = open_editor(tab, "textarea", lines=40)
    tab.js("delete moves.ArrowDown; delete moves.ArrowUp; moves.ArrowRight = () => caret")

    error = tab.refused("select_text", element_id=editor, text="line 33")

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert "did not move the caret" in error["message"]


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


def test_copies_of_rich_text_are_not_taken_for_its_text(tab: Tab) -> None:
    tab.open(SCROLLING.format(font="1em serif", lines=LINES))
    tab.js("""e.addEventListener('copy', (event) => { event.preventDefault();
      event.clipboardData.setData('text/plain', `${getSelection()} (from the site)`) })""")

    tab.call("select_text", element_id=tab.find("Text"), text="line 33")

    assert tab.js("getSelection().toString()") == "line 33"


def test_an_editable_code_editor_is_read_whole(tab: Tab) -> None:
    tab.open(SCROLLING.format(font="1em monospace", lines="<div>drawn</div>" * 40))
    tab.js("""e.addEventListener('copy', (event) => { event.preventDefault();
      const { anchorNode, focusNode } = getSelection();
      const isBefore = focusNode.compareDocumentPosition(anchorNode) & 4;
      event.clipboardData.setData('text/plain', isBefore ? 'first\\n' : 'second\\nthird') });
      e.focus(); getSelection().collapse(e.children[20].firstChild, 0)""")

    content = tab.reply("observe", mode="content", selector=tab.find("Text")).text

    assert "CODE [3 lines]" in content
