"""type and key in editors that render themselves, and in masked fields."""

import pytest

from tests.whole.answers import mentions, new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

MODEL_EDITOR = """<div id=e role=textbox aria-label=Note contenteditable></div><script>
  let text = 'old';
  const render = () => {
    e.innerHTML = text.split('\\n').map((line) => `<p>${line || '<br>'}</p>`).join('');
    const range = document.createRange();
    range.selectNodeContents(e.lastChild);
    range.collapse(false);
    const selection = getSelection();
    selection.removeAllRanges();
    selection.addRange(range);
  };
  const isAll = () => getSelection().toString().replace(/\\n/g, '') === text.replace(/\\n/g, '');
  e.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    text = (isAll() && text ? '' : text) + '\\n';
    render();
  });
  e.addEventListener('beforeinput', (event) => {
    event.preventDefault();
    if (event.inputType.startsWith('delete')) text = isAll() ? '' : text.slice(0, -1);
    else text = (isAll() && text ? '' : text) + (event.data ?? '');
    render();
  });
  e.innerHTML = '<p>old</p>';
</script>"""


def text(tab: Tab) -> str:
    found: str = tab.js("text")
    return found


def test_a_self_rendering_editor_receives_typed_text(tab: Tab) -> None:
    tab.open(MODEL_EDITOR)

    tab.type("Note", " and new", clear_first=False)
    assert text(tab) == "old and new"

    answer = tab.type("Note", "Hello\nworld é \N{GRINNING FACE}")
    assert text(tab) == "Hello\nworld é \N{GRINNING FACE}"
    assert "world é \N{GRINNING FACE}" in new_texts(answer)

    tab.type("Note", "")
    assert text(tab) == ""


def test_the_text_of_an_editor_is_read_once_in_its_place(tab: Tab) -> None:
    text = "word " * 4000 + "end"
    tab.open(f"<p>Before</p><div contenteditable><p>{text}</p></div><p>After</p>")

    full = tab.call("observe", detail="full")["structure"]["full_content"]
    content = tab.reply("observe", mode="content", max_length=30_000).text

    for read in (full.replace("…\n…", ""), content):
        assert read.count(text) == 1
        assert read.index("Before") < read.index(text) < read.index("After")


def test_an_editor_that_handles_only_keydown_receives_every_key(tab: Tab) -> None:
    tab.open("""<div id=e tabindex=0 role=textbox aria-label=Shell contenteditable></div><script>
      let text = '';
      e.addEventListener('keydown', (event) => {
        event.preventDefault();
        if (event.key.length === 1) text += event.key;
        e.textContent = text;
      });</script>""")

    tab.type("Shell", "ls -l | Wc?")

    assert text(tab) == "ls -l | Wc?"


def test_a_masked_field_formats_typed_text(tab: Tab) -> None:
    for slowly in (False, True):
        with case(slowly):
            tab.open("""<input id=i aria-label=Phone value="(999) 9"><script>
      i.oninput = () => {
        const d = i.value.replace(/\\D/g, '').slice(0, 10);
        i.value = d.length > 6 ? `(${d.slice(0, 3)}) ${d.slice(3, 6)}-${d.slice(6)}`
          : d.length > 3 ? `(${d.slice(0, 3)}) ${d.slice(3)}` : d;
      };</script>""")
            tab.type("Phone", "4155550123", slowly=slowly)
            assert tab.js("i.value") == "(415) 555-0123"


def test_a_masked_field_refuses_only_the_keys_it_rejects(tab: Tab) -> None:
    tab.open("""<input id=i aria-label=Code><script>
      i.onkeydown = (e) => { if (e.key.length === 1 && !/\\d/.test(e.key)) e.preventDefault(); };
    </script>""")

    tab.type("Code", "1a2b3")

    assert tab.js("i.value") == "123"


def test_a_sequence_of_keys_and_chords_edits_the_given_element(tab: Tab) -> None:
    tab.open("""<input aria-label=One value=first autofocus><input aria-label=Two value=second>""")

    tab.call(
        "key",
        element_id=tab.find("Two"),
        keys=["End", "Shift+Home", "Delete", "a", "B", "ArrowLeft", "c", "Tab"],
    )

    assert tab.js("[...document.querySelectorAll('input')].map((i) => i.value)") == ["first", "acB"]
    assert tab.js("document.activeElement.tagName") == "BODY"


def test_key_refuses_an_element_that_cannot_be_focused(tab: Tab) -> None:
    heading = tab.open(
        "<h1>Title</h1><script>onkeydown = () => { document.title = 'heard' }</script>"
    )
    element_id = heading["structure"]["headings"][0]["id"]

    error = tab.refused("key", element_id=element_id, key="a")

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
    assert tab.js("document.title") != "heard"


KEY_CATCHER = """<style>
  #catch { position: relative; width: 3px; height: 0; overflow: hidden }
  #catch textarea { position: absolute; width: 1000px; height: 1em }
</style>
<div id=ed><div id=catch><textarea id=keys autocorrect=off></textarea></div>
<div id=shown style="height: 200px; width: 400px; white-space: pre"></div></div>
<script>
  let [text, isAll] = ['old text', false];
  const render = () => {
    shown.replaceChildren(...text.split('\\n').map((line, index) => {
      const row = document.createElement('div');
      row.innerHTML = `<div>${index + 1}</div><pre style="margin: 0"></pre>`;
      row.lastChild.textContent = line;
      return row;
    }));
  };
  let caret = 0;
  const insert = (typed) => {
    if (isAll) [text, caret, isAll] = ['', 0, false];
    text = text.slice(0, caret) + typed + text.slice(caret);
    caret += typed.length;
  };
  keys.onkeydown = (event) => {
    if (event.ctrlKey && event.key === 'a') { isAll = true; event.preventDefault(); }
    if (event.ctrlKey && event.key === 'End') { caret = text.length; event.preventDefault(); }
    if (event.key === 'Delete' && isAll) insert('');
    setTimeout(render);
  };
  keys.oninput = () => setTimeout(() => {
    insert(keys.value.slice(before.length));
    before = keys.value;
    text = CHANGED(text);
    render();
  }, 30);
  let before = '';
  render();
</script>"""
"""An editor like CodeMirror 5: it polls a hidden textarea that receives the typed text."""


def key_catcher(change: str = "(text) => text") -> str:
    return KEY_CATCHER.replace("CHANGED", f"({change})")


def editor_of(tab: Tab) -> str:
    elements = tab.call("observe")["interactive"]
    return str(next(one["id"] for one in elements if one["type"] == "textarea"))


def test_type_replaces_the_text_of_an_editor_around_a_small_textarea(tab: Tab) -> None:
    for typed, note in [
        ("new", "shows the text typed."),
        ("a\n2\nb", "shows the text typed."),  # line numbers are no difference
        ("", "is empty."),
    ]:
        with case(typed):
            tab.open(key_catcher())
            editor = editor_of(tab)
            answer = tab.call("type", element_id=editor, text=typed)
            assert text(tab) == typed
            assert answer["note"] == f"{editor} {note}"
            assert not mentions(answer["delta"], "value")


def test_type_appends_at_the_end_of_an_editor_around_a_small_textarea(tab: Tab) -> None:
    tab.open(key_catcher())
    tab.js("keys.value = 'a selection that was replaced'; keys.select()")

    [element] = tab.call("observe")["interactive"]
    tab.call("type", element_id=element["id"], text="!", clear_first=False)

    assert "value" not in element
    assert text(tab) == "old text!"


def test_an_editor_that_keeps_the_old_text_is_reported(tab: Tab) -> None:
    tab.open(key_catcher("(text) => text.includes('old') ? text : `${text} old text`"))

    note = tab.call("type", element_id=editor_of(tab), text="new")["note"]

    assert '"new old text"' in note


CLOSING = """<div id=e role=textbox aria-label=Code contenteditable></div><script>
  let text = '';
  e.onkeydown = (event) => {
    event.preventDefault();
    if (event.ctrlKey) return;
    if (event.key.length === 1) text += event.key + (event.key === '{' ? '}' : '');
    else if (event.key === 'Enter') text += '\\n';
    e.innerHTML = text.split('\\n').map((line) => `<div>${line}</div>`).join('');
  };
</script>"""


def test_a_bracket_closed_by_an_editor_is_reported(tab: Tab) -> None:
    tab.open(CLOSING)

    assert "note" not in tab.type("Code", "one\ntwo")
    tab.open(CLOSING)
    note = tab.type("Code", "if (a) {\nb\n}")["note"]

    assert "is not the text that was typed" in note
    assert '"if (a) {}\\nb\\n}"' in note


PASTABLE = CLOSING.replace(
    "contenteditable", "contenteditable spellcheck=false style='white-space: pre'"
).replace(
    "  e.onkeydown",
    """  e.onpaste = (event) => {
      event.preventDefault();
      text = e.textContent = event.clipboardData.getData('text/plain');
    };
  e.onkeydown""",
)


def test_several_lines_reach_a_code_editor_unchanged_unless_typed_slowly(tab: Tab) -> None:
    tab.open(PASTABLE)

    answer = tab.type("Code", "{\n  if (a) {\n    b\n  }\n}")

    assert text(tab) == "{\n  if (a) {\n    b\n  }\n}"
    assert "note" not in answer

    tab.js("text = ''")
    tab.type("Code", "{\nb", slowly=True)

    assert text(tab) == "{}\nb"


def test_an_editor_is_compared_before_enter_sends_its_text(tab: Tab) -> None:
    tab.open(CLOSING.replace("text += '\\n'", "[text, document.title] = ['', text]"))

    answer = tab.type("Code", "Hello", press_enter=True)

    assert tab.js("document.title") == "Hello"
    assert not mentions(answer.get("note"), "not the text")


def test_an_editor_at_a_point_is_compared_with_the_typed_text(tab: Tab) -> None:
    tab.open(CLOSING.replace("<div id=e", "<div id=e style='height: 100px'"))

    note = tab.call("type", x=50, y=50, text="{", clear_first=True)["note"]

    assert '"{}"' in note


DESIGNED = "<p>Dear reader</p><script>document.designMode = 'on'</script>"
TOGGLED = """<button onclick="f.contentDocument.designMode = 'on'">Edit</button>
  <iframe id=f srcdoc='<p>Dear reader'></iframe>"""


@pytest.mark.parametrize("page", [DESIGNED, f'<iframe id=f srcdoc="{DESIGNED}"></iframe>', TOGGLED])
def test_a_document_in_design_mode_is_a_field(tab: Tab, page: str) -> None:
    tab.open(page)
    if page == TOGGLED:
        tab.click("Edit")
    [field] = tab.call("find", type="textarea")
    text = "(self.f?.contentDocument ?? document).body.innerText"

    tab.call("select_text", element_id=field["id"], text="reader")
    tab.call("key", keys=["A", "d", "a"])
    assert tab.js(text) == "Dear Ada"
    tab.call("type", element_id=field["id"], text="One")
    assert tab.js(text) == "One"
    tab.call("fill_form", fields=[{"element_id": field["id"], "value": "Two"}])
    assert tab.js(text) == "Two"
