"""type: the entered text and the events that the page receives."""

import pytest

from tests.whole.answers import changes
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

FIELD = '<input id="i" aria-label="Name" value="Ada">'
LOGS = """<input id="i" aria-label="Name"><script>
  globalThis.log = [];
  for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'keyup', 'change'])
    i.addEventListener(type, (e) => log.push(`${type} ${e.key ?? e.data ?? ''}`.trim()));
</script>"""


def value(tab: Tab) -> str:
    text: str = tab.js("document.querySelector('input, textarea').value")
    return text


@pytest.mark.req("C-TYP-01", "C-TYP-02", "C-PR-18")
def test_typed_text_replaces_the_old_value_and_appears_in_the_delta(tab: Tab) -> None:
    tab.open(FIELD)

    answer = tab.type("Name", "Grace")

    assert value(tab) == "Grace"
    [change] = changes(answer, property="value")
    assert (change["from"], change["to"]) == ("Ada", "Grace")
    assert tab.element("Name")["value"] == "Grace"


@pytest.mark.req("C-TYP-02")
def test_text_is_appended_without_clear_first(tab: Tab) -> None:
    tab.open(FIELD)

    tab.type("Name", " Lovelace", clear_first=False)

    assert value(tab) == "Ada Lovelace"


@pytest.mark.req("C-TYP-01", "C-TYP-03")
def test_every_typed_character_fires_key_events(tab: Tab) -> None:
    tab.open(LOGS)

    tab.type("Name", "a?")

    assert tab.js("log") == [
        "keydown a", "keypress a", "beforeinput a", "input a", "keyup a",
        "keydown ?", "keypress ?", "beforeinput ?", "input ?", "keyup ?",
    ]  # fmt: skip


@pytest.mark.req("C-TYP-03")
def test_press_enter_submits_the_form(tab: Tab) -> None:
    tab.open("/index.html")

    answer = tab.type("Search the shelves", "salt", press_enter=True)

    assert answer["url"].endswith("view=books&q=salt")
    assert answer["structure"]["headings"][0]["text"] == "Books matching “salt”"


def test_characters_without_a_key_are_typed(tab: Tab) -> None:
    text = "Grüße 寿司 \N{GRINNING FACE} e\N{COMBINING ACUTE ACCENT}"
    tab.open(FIELD)

    for slowly in [False, True]:
        with case(slowly):
            tab.type("Name", text, slowly=slowly)
            assert value(tab) == text


def test_a_changed_password_is_reported_without_its_value(tab: Tab) -> None:
    tab.open('<input type="password" aria-label="Password" value="first">')
    tab.click("Password")

    [change] = changes(tab.type("Password", "second"), property="value")

    assert (change["from"], change["to"]) == ("••••", "••••")
    assert change["detail"] == "another value, which is not shown"
    assert not changes(tab.type("Password", "second"), property="value")


def test_fields_of_other_types_accept_text(tab: Tab) -> None:
    texts = {
        "email": "a@b.example", "number": "42", "search": "tea", "tel": "+45 1",
        "url": "http://b.example",
    }  # fmt: skip
    tab.open("".join(f'<input type="{kind}" aria-label="Field {kind}">' for kind in texts))

    for kind, text in texts.items():
        tab.type(f"Field {kind}", text)

    typed = tab.js("[...document.querySelectorAll('input')].map((i) => i.value)")
    assert typed == [*texts.values()]


@pytest.mark.req("C-ERR-03")
def test_the_error_for_a_field_without_text_input_has_a_reason(tab: Tab) -> None:
    tab.open("""<button>Button</button><input aria-label="Disabled" disabled>
      <input aria-label="Readonly" readonly><table role=grid><tr role=row><td role=gridcell>38""")
    reasons = {"Button": "takes no text", "Disabled": "disabled", "Readonly": "read-only"}

    for label, reason in reasons.items():
        error = tab.refused("type", element_id=tab.find(label), text="x")
        assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
        assert reason in error["message"]
    error = tab.refused("type", element_id=tab.call("find", role="gridcell")[0]["id"], text="x")
    assert "Double-click it, then type without element_id" in error["suggestion"]


def test_a_field_cleared_by_the_page_after_enter_is_reported(tab: Tab) -> None:
    tab.open("""<form onsubmit="event.preventDefault(); said.push(m.value); m.value = ''">
      <input id=m aria-label=Message></form><script>const said = []</script>""")

    for clear in (True, False):
        answer = tab.type("Message", "hello", press_enter=True, clear_first=clear)
        assert answer["delta"]["changes"] == []
        assert "is empty: " in answer["note"]
    assert tab.js("said") == ["hello", "hello"]
    assert "note" not in tab.type("Message", "on its way")


LATE = ["setTimeout({}, 0)", "requestAnimationFrame({})", "setTimeout(() => setTimeout({}, 0), 0)"]


def test_enter_is_pressed_after_the_page_processed_the_text(tab: Tab) -> None:
    for later in LATE:
        with case(later):
            tab.open(f"""<input id=e aria-label=Name><script>
      let kept = '';
      e.oninput = () => {{ const {{ value }} = e; {later.format("() => { kept = value }")} }};
      e.onkeydown = ({{ key }}) => {{ if (key === 'Enter') document.title = kept }};</script>""")
            tab.type("Name", "Ann", press_enter=True)
            assert tab.js("document.title") == "Ann"


PREPARES = """<input aria-label=Day><input aria-label=Month><script>
  let field = null;
  addEventListener('focusin', ({{ target }}) => {{ field = null; {later} }});
  addEventListener('keydown', (event) => {{ if (event.target !== field) event.preventDefault() }});
</script>"""
"""A page that rejects keys until it has prepared the focused field."""


def test_keys_are_pressed_after_the_page_processed_the_focus(tab: Tab) -> None:
    for later in LATE[:2]:
        with case(later):
            tab.open(PREPARES.format(later=later.format("() => { field = target }")))
            day, month = tab.find("Day"), tab.find("Month")

            tab.call("type", element_id=month, text="11")
            tab.call("fill_form", fields=[{"element_id": day, "value": "24"},
                                          {"element_id": month, "value": "12"}])  # fmt: skip

            typed = tab.js("[...document.querySelectorAll('input')].map((i) => i.value)")
            assert typed == ["24", "12"]


LONG = "".join(f"Line {number} of a text.\n" for number in range(20))
HEARS = """<script>const heard = [];
  for (const type of ['keydown', 'beforeinput', 'input', 'paste']) {
    e.addEventListener(type, ({ inputType, key }) => heard.push(inputType ?? key ?? type)) }
  </script>"""
TYPED = ["insertText", "insertText"]
PASTED = ["paste", "insertFromPaste", "insertFromPaste"]


@pytest.mark.req("S-PERF-03")
def test_a_long_text_is_pasted_between_its_first_and_last_key(tab: Tab) -> None:
    cases = [
        "<textarea id=e aria-label=Text></textarea>",
        "<div id=e contenteditable role=textbox aria-label=Text></div>",
    ]

    for field in cases:
        with case(field):
            tab.open(field + HEARS)
            tab.type("Text", LONG + "The end.")
            assert tab.js("e.value ?? e.innerText") == LONG + "The end."
            assert tab.js("heard") == ["L", *TYPED, *PASTED, ".", *TYPED]


def test_an_editor_that_handles_paste_receives_a_long_text_once(tab: Tab) -> None:
    tab.open("""<textarea id=e aria-label=Code></textarea><script>
      e.onpaste = (event) => { event.preventDefault();
        e.value += event.clipboardData.getData('text/plain').toUpperCase() }</script>""")

    tab.type("Code", LONG + ".")

    assert tab.js("e.value") == "L" + LONG[1:].upper() + "."


def test_typing_into_a_range_fires_a_key_event_for_commits(tab: Tab) -> None:
    tab.open("""<input type=range id=r aria-label=Size value=10><script>
      let value, committed;
      r.oninput = () => { value = r.value };
      r.onkeyup = r.onpointerup = () => { committed = value };</script>""")

    for value in ("35", "0", "100"):
        tab.type("Size", value)
        assert tab.js("[value, committed]") == [value, value]


def test_a_range_that_blocks_keys_is_reported_with_its_value(tab: Tab) -> None:
    tab.open("<input type=range id=r aria-label=Size onkeydown='event.preventDefault()'>")

    answer = tab.type("Size", "35")

    assert tab.js("r.value") == "34"
    assert 'shows "34", not "35".' in answer["note"]


def test_text_is_typed_where_the_focus_and_the_caret_are(tab: Tab) -> None:
    tab.open('<textarea aria-label="Note">one three</textarea>')
    tab.call("select_text", element_id=tab.find("Note"), text="three", caret="before")

    answer = tab.call("type", text="two ")

    assert value(tab) == "one two three"
    assert [change["to"] for change in changes(answer, property="value")] == ["one two three"]


def test_keys_without_a_focused_field_reach_the_page(tab: Tab) -> None:
    tab.open("""<p id=p></p><script>
      onkeydown = (event) => { p.textContent += event.key }</script>""")

    answer = tab.call("type", text="ab", press_enter=True)

    assert tab.js("p.textContent") == "abEnter"
    assert "note" not in answer


def test_an_editor_that_opens_at_the_first_key_receives_the_whole_text(tab: Tab) -> None:
    tab.open("""<div id=cell tabindex=0>Cell</div><script>
      let isOpening = false;
      cell.focus();
      cell.addEventListener('keydown', ({ key }) => {
        if (isOpening) return;
        isOpening = true;
        requestAnimationFrame(() => {
          const editor = document.createElement('input');
          editor.id = 'editor';
          editor.value = key;
          cell.replaceWith(editor);
          editor.focus();
        });
      });</script>""")

    tab.call("type", text="Bob Hill")

    assert tab.js("editor.value") == "Bob Hill"


def test_text_that_nothing_takes_is_reported(tab: Tab) -> None:
    tab.open("<p>Text</p>")

    assert "No field has the focus" in tab.call("type", text="ab")["note"]


def test_text_is_typed_where_the_focus_is_in_a_frame_of_another_process(tab: Tab) -> None:
    inner = tab.web.write("<input aria-label=Inside value=a>")
    tab.open(f'<iframe title=Other src="{tab.web.url(inner, host="other.localhost")}"></iframe>')
    tab.click("Inside")
    tab.call("key", key="End")

    tab.call("type", text="bc")

    assert tab.element("Inside")["value"] == "abc"


SENDS = """<script>let sent = 0;
  e.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey) { event.preventDefault(); sent += 1; }
  });</script>"""


@pytest.mark.parametrize("how", ["type", "slowly", "fill_form"])
@pytest.mark.parametrize(
    "field", ["<textarea id=e aria-label=Message></textarea>",
              "<div id=e contenteditable role=textbox aria-label=Message></div>"],
)  # fmt: skip
def test_a_line_break_in_a_text_does_not_press_enter(tab: Tab, field: str, how: str) -> None:
    tab.open(field + SENDS)

    text = "Hello Ada,\nsee you at nine.\n"
    if how == "fill_form":
        tab.call(how, fields=[{"element_id": tab.find("Message"), "value": text}])
    else:
        tab.type("Message", text, slowly=how == "slowly")

    assert tab.js("(e.value ?? e.innerText).trimEnd()") == "Hello Ada,\nsee you at nine."
    assert tab.js("sent") == 0


def test_a_line_break_is_refused_where_it_would_be_enter(tab: Tab) -> None:
    terminal = "<textarea id=e aria-label='Terminal input' style='width: 0; height: 0'></textarea>"
    tab.open("<form><input id=i aria-label=Name></form>" + terminal)

    for name, reason in (("Name", "has one line"), ("Terminal input", "runs each line")):
        assert reason in tab.refused("type", element_id=tab.find(name), text="a\nb")["message"]
    tab.js("i.focus()")
    assert "has one line" in tab.refused("type", text="a\nb")["message"]
    field = {"element_id": tab.find("Name"), "value": "a\nb"}
    assert "one line" in tab.refused("fill_form", fields=[field])["message"]
    assert tab.js("i.value + e.value") == ""


def test_a_text_that_is_no_key_is_composed(tab: Tab) -> None:
    tab.open(LOGS)

    tab.type("Name", "\N{CJK UNIFIED IDEOGRAPH-4F60}")

    assert tab.js("log") == [
        "keydown Process", "beforeinput \u4f60", "input \u4f60", "keyup Process"
    ]  # fmt: skip


REFUSES = """onpaste="event.preventDefault()"
  onbeforeinput="if (event.inputType === 'insertFromPaste') event.preventDefault()\""""
DRAWS_LATER = """onpaste="event.preventDefault();
  const text = event.clipboardData.getData('text/plain');
  setTimeout(() => document.execCommand('insertText', false, text), 200)\""""


@pytest.mark.parametrize(
    "field",
    [
        f"<textarea id=e aria-label=Text {REFUSES}></textarea>",
        f"<div id=e contenteditable role=textbox aria-label=Text {REFUSES}></div>",
        f"<div id=e contenteditable role=textbox aria-label=Text {DRAWS_LATER}></div>",
    ],
)
def test_a_long_text_is_typed_once_if_a_field_refuses_the_paste(tab: Tab, field: str) -> None:
    tab.open(field)
    text = " ".join(["Typed, not pasted."] * 20)

    tab.type("Text", text)

    assert tab.js("e.value ?? e.innerText").replace("\xa0", " ") == text
