"""type: what reaches the field, and what the page notices of it."""

import pytest

from tests.whole.answers import changes
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


@pytest.mark.req("C-TYP-01", "C-PR-18")
def test_text_replaces_what_was_there_and_the_delta_shows_it(tab: Tab) -> None:
    tab.open(FIELD)

    answer = tab.type("Name", "Grace")

    assert value(tab) == "Grace"
    [change] = changes(answer, property="value")
    assert (change["from"], change["to"]) == ("Ada", "Grace")
    assert tab.element("Name")["value"] == "Grace"


@pytest.mark.req("C-TYP-02")
def test_without_clearing_text_is_added_at_the_end(tab: Tab) -> None:
    tab.open(FIELD)

    tab.type("Name", " Lovelace", clear_first=False)

    assert value(tab) == "Ada Lovelace"


def test_no_text_empties_the_field(tab: Tab) -> None:
    tab.open(FIELD)

    tab.type("Name", "")

    assert value(tab) == ""


@pytest.mark.req("C-TYP-01")
def test_every_character_is_a_key_that_the_page_hears(tab: Tab) -> None:
    tab.open(LOGS)

    tab.type("Name", "a?")

    assert tab.js("log") == [
        "keydown a", "keypress a", "beforeinput a", "input a", "keyup a",
        "keydown ?", "keypress ?", "beforeinput ?", "input ?", "keyup ?",
    ]  # fmt: skip


@pytest.mark.req("C-TYP-03")
def test_enter_at_the_end_sends_the_form(tab: Tab) -> None:
    tab.open("/index.html")

    answer = tab.type("Search the shelves", "salt", press_enter=True)

    assert answer["url"].endswith("view=books&q=salt")
    assert answer["structure"]["headings"][0]["text"] == "Books matching “salt”"


@pytest.mark.parametrize("slowly", [False, True])
def test_characters_that_no_key_types_arrive_too(tab: Tab, slowly: bool) -> None:  # noqa: FBT001
    text = "Grüße 寿司 \N{GRINNING FACE} e\N{COMBINING ACUTE ACCENT}"
    tab.open(FIELD)

    tab.type("Name", text, slowly=slowly)

    assert value(tab) == text


def test_slowly_pauses_between_the_characters_and_ends_when_all_are_in(tab: Tab) -> None:
    tab.open("""<input id="i" aria-label="Name"><script>
      globalThis.times = []; i.oninput = () => times.push(performance.now());</script>""")

    tab.type("Name", "a dozen keys", slowly=True)

    assert value(tab) == "a dozen keys"
    assert tab.js("times.at(-1) - times[0]") > 11 * 40


def test_lines_are_broken_in_a_text_area(tab: Tab) -> None:
    tab.open('<textarea aria-label="Note"></textarea>')

    tab.type("Note", "one\ntwo\n\nthree")

    assert value(tab) == "one\ntwo\n\nthree"


def test_text_goes_into_editable_content(tab: Tab) -> None:
    tab.open('<div role="textbox" aria-label="Note" contenteditable>Old <b>text</b></div>')

    tab.type("Note", "New")

    assert tab.js("document.querySelector('div').textContent") == "New"


def test_a_password_that_replaces_another_is_told_without_being_shown(tab: Tab) -> None:
    tab.open('<input type="password" aria-label="Password" value="first">')
    tab.click("Password")

    [change] = changes(tab.type("Password", "second"), property="value")

    assert (change["from"], change["to"]) == ("••••", "••••")
    assert change["detail"] == "another value, which is not shown"
    assert not changes(tab.type("Password", "second"), property="value")


def test_a_password_is_typed_and_never_shown(tab: Tab) -> None:
    tab.open('<input type="password" aria-label="Password">')

    reply = tab.reply("type", element_id=tab.find("Password"), text="hunter2")

    assert value(tab) == "hunter2"
    assert "hunter2" not in reply.text
    assert tab.element("Password")["value"] == "••••"


def test_fields_of_other_types_take_text(tab: Tab) -> None:
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
def test_what_takes_no_text_says_why(tab: Tab) -> None:
    tab.open("""<button>Button</button><input aria-label="Disabled" disabled>
      <input aria-label="Readonly" readonly>""")
    reasons = {"Button": "takes no text", "Disabled": "disabled", "Readonly": "read-only"}

    for label, reason in reasons.items():
        error = tab.refused("type", element_id=tab.find(label), text="x")
        assert error["code"] == "ELEMENT_NOT_INTERACTIVE"
        assert reason in error["message"]


@pytest.mark.req("C-ERR-03")
def test_of_a_field_that_is_read_only_it_says_what_to_try(tab: Tab) -> None:
    tab.open("<input aria-label=Date readonly>")

    error = tab.refused("type", element_id=tab.find("Date"), text="2030-03-17")

    assert error["suggestion"] == "It may be set in another way: click it and see what opens."


@pytest.mark.req("C-ERR-03")
def test_a_heading_takes_no_text(tab: Tab) -> None:
    heading = tab.open("<h1>Title</h1>")["structure"]["headings"][0]["id"]

    assert tab.refused("type", element_id=heading, text="x")["code"] == "ELEMENT_NOT_INTERACTIVE"


def test_a_long_text_goes_in_whole(tab: Tab) -> None:
    tab.open('<textarea aria-label="Note"></textarea>')
    text = "0123456789" * 100

    tab.type("Note", text)

    assert value(tab) == text


def test_a_field_that_is_filled_by_a_framework_on_input_keeps_what_was_typed(tab: Tab) -> None:
    tab.open("""<input id="i" aria-label="Name"><script>
      i.oninput = () => { i.value = i.value.toUpperCase(); };</script>""")

    tab.type("Name", "shout")

    assert value(tab) == "SHOUT"


def test_suggestions_that_a_key_brings_are_in_the_delta(tab: Tab) -> None:
    tab.open("""<input id="i" aria-label="City"><ul id="u"></ul><script>
      i.oninput = () => { u.innerHTML = `<li><a href="/c">${i.value}nhagen</a></li>`; };
    </script>""")

    answer = tab.type("City", "Cope")

    assert [change["to"]["label"] for change in changes(answer, type="added")] == ["Copenhagen"]


def test_a_field_that_is_empty_again_after_enter_is_told(tab: Tab) -> None:
    tab.open("""<form onsubmit="event.preventDefault(); said.push(m.value); m.value = ''">
      <input id=m aria-label=Message></form><script>const said = []</script>""")

    answer = tab.type("Message", "hello", press_enter=True)

    assert answer["delta"]["changes"] == []
    assert "is empty again" in answer["note"]
    assert tab.js("said") == ["hello"]
    assert "note" not in tab.type("Message", "on its way")


LATE = ["setTimeout({}, 0)", "requestAnimationFrame({})", "setTimeout(() => setTimeout({}, 0), 0)"]


@pytest.mark.parametrize("later", LATE)
def test_enter_comes_after_what_the_page_does_with_the_text(tab: Tab, later: str) -> None:
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
"""Takes no key before it has prepared the field that has the focus."""


@pytest.mark.parametrize("later", LATE[:2])
def test_keys_come_after_what_the_page_does_with_the_focus(tab: Tab, later: str) -> None:
    tab.open(PREPARES.format(later=later.format("() => { field = target }")))
    day, month = tab.find("Day"), tab.find("Month")

    tab.call("type", element_id=month, text="11")
    tab.call("fill_form", fields=[{"element_id": day, "value": "24"},
                                  {"element_id": month, "value": "12"}])  # fmt: skip

    assert tab.js("Array.from(document.querySelectorAll('input'), (one) => one.value)") == [
        "24",
        "12",
    ]


LONG = "".join(f"Line {number} of a text.\n" for number in range(20))
HEARS = """<script>const heard = [];
  for (const type of ['keydown', 'beforeinput', 'input', 'paste']) {
    e.addEventListener(type, ({ inputType, key }) => heard.push(inputType ?? key ?? type)) }
  </script>"""
TYPED = ["insertText", "insertText"]
PASTED = ["paste", "insertFromPaste", "insertFromPaste"]


@pytest.mark.parametrize("field", [
    "<textarea id=e aria-label=Text></textarea>",
    "<div id=e contenteditable role=textbox aria-label=Text></div>",
])  # fmt: skip
def test_a_long_text_is_pasted_between_its_first_and_its_last_key(tab: Tab, field: str) -> None:
    tab.open(field + HEARS)

    tab.type("Text", LONG + "The end.")

    assert tab.js("e.value ?? e.innerText") == LONG + "The end."
    assert tab.js("heard") == ["L", *TYPED, *PASTED, ".", *TYPED]


def test_an_editor_that_takes_what_is_pasted_has_a_long_text_once(tab: Tab) -> None:
    tab.open("""<textarea id=e aria-label=Code></textarea><script>
      e.onpaste = (event) => { event.preventDefault();
        e.value += event.clipboardData.getData('text/plain').toUpperCase() }</script>""")

    tab.type("Code", LONG + ".")

    assert tab.js("e.value") == "L" + LONG[1:].upper() + "."


def test_a_range_ends_with_a_key_that_pages_commit_on(tab: Tab) -> None:
    tab.open("""<input type=range id=r aria-label=Size value=10><script>
      let value, committed;
      r.oninput = () => { value = r.value };
      r.onkeyup = r.onpointerup = () => { committed = value };</script>""")

    for value in ("35", "0", "100"):
        tab.type("Size", value)
        assert tab.js("[value, committed]") == [value, value]


@pytest.mark.parametrize(("event", "step"), [
    ("mouseup", "1"), ("pointerup", "1"), ("mouseup", "any"), ("pointerup", "any"),
])  # fmt: skip
def test_a_range_ends_with_the_events_that_end_a_drag(tab: Tab, event: str, step: str) -> None:
    tab.open(f"""<input type=range id=r aria-label=Size value=10 step={step}><script>
      let committed;
      document.addEventListener("{event}", ({{ target }}) => {{ committed = target.value }});
      </script>""")

    tab.type("Size", "35")

    assert tab.js("[r.value, committed]") == ["35", "35"]


def test_a_range_is_set_where_the_page_keeps_keys_from_it(tab: Tab) -> None:
    tab.open("<input type=range id=r aria-label=Size onkeydown='event.preventDefault()'>")

    tab.type("Size", "35")

    assert tab.js("r.value") == "35"
