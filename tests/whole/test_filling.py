"""fill_form: fields of all kinds, checked before the first is changed."""

import json
from collections.abc import Mapping

import pytest

from tests.whole.answers import changes
from tests.whole.client import Message
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

FIELDS = """<form aria-label="All">
  <label>Text<input name=text value=old></label>
  <label>Number<input name=number type=number></label>
  <label>Area<textarea name=area></textarea></label>
  <label>Date<input name=date type=date></label>
  <label>Time<input name=time type=time></label>
  <label>Colour<input name=colour type=color></label>
  <label>Range<input name=range type=range min=0 max=10></label>
  <label>Tea<select name=tea><option>Green<option>Black</select></label>
  <label>Days<select name=days multiple><option>Mon<option>Tue<option>Wed</select></label>
  <label><input name=agree type=checkbox>Agree</label>
  <label><input name=kept type=checkbox checked>Kept</label>
  <label><input name=size type=radio value=s checked>Small</label>
  <label><input name=size type=radio value=l>Large</label>
</form>
<div role=switch aria-checked=false tabindex=0
  onclick="this.ariaChecked = this.ariaChecked !== 'true'">Dark</div>
<div role=textbox aria-label=Note contenteditable>Old <b>note</b></div>"""
VALUES: dict[str, object] = {
    "Text": "Ada", "Number": 42, "Area": "one\ntwo", "Date": "2026-05-01", "Time": "14:30",
    "Colour": "#ff8000", "Range": 7, "Tea": "Black", "Days": ["Mon", "Wed"], "Agree": "true",
    "Kept": True, "Large": True, "Dark": "true", "Note": "New",
}  # fmt: skip
SENT = """Object.fromEntries([...new Set(new FormData(document.forms[0]).keys())].map(
  (key) => [key, new FormData(document.forms[0]).getAll(key).join()]))"""


def ids(tab: Tab) -> dict[str, str]:
    found: list[Message] = tab.call("observe", detail="summary")["interactive"]
    return {row["label"]: row["id"] for row in found}


def fields(tab: Tab, values: Mapping[str, object]) -> list[Message]:
    by_label = ids(tab)
    return [{"element_id": by_label[label], "value": value} for label, value in values.items()]


def test_fill_form_fills_fields_of_every_kind_in_one_call(tab: Tab) -> None:
    tab.open(FIELDS)

    answer = tab.call("fill_form", fields=fields(tab, VALUES))

    assert tab.js(SENT) == {
        "text": "Ada", "number": "42", "area": "one\ntwo", "date": "2026-05-01",
        "time": "14:30", "colour": "#ff8000", "range": "7", "tea": "Black", "days": "Mon,Wed",
        "agree": "on", "kept": "on", "size": "l",
    }  # fmt: skip
    assert tab.js("document.querySelector('[role=switch]').ariaChecked") == "true"
    assert tab.js("document.querySelector('[contenteditable]').textContent") == "New"
    assert changes(answer, property="value", to="Ada")


def test_fill_form_leaves_checked_boxes_alone_and_unchecks_with_false(tab: Tab) -> None:
    tab.open("""<label><input type=checkbox checked>On</label>
      <label><input type=checkbox checked>Off</label>
      <script>globalThis.log = []; onclick = (e) => log.push(e.target.parentNode.innerText)
      </script>""")

    tab.call("fill_form", fields=fields(tab, {"On": True, "Off": "false"}))

    assert tab.js("[...document.querySelectorAll('input')].map((i) => i.checked)") == [True, False]
    assert "On" not in tab.js("log")


def test_fill_form_reports_every_problem_and_touches_no_field(tab: Tab) -> None:
    tab.open(FIELDS + """<button>Push</button><input type=file aria-label=File>
      <input aria-label=Locked readonly><input aria-label=Dead disabled>
      <input aria-label=Short maxlength=3>
      <script>globalThis.log = 0;
        for (const type of ['focusin', 'input', 'click', 'keydown'])
          addEventListener(type, () => log++, true);</script>""")  # fmt: skip
    wrong = {
        "Text": (True, "takes text"), "Number": ("many", "takes a number"),
        "Date": ("1 May", "YYYY-MM-DD"), "Tea": ("Red", "'Green', 'Black'"),
        "Agree": ("maybe", "takes true or false"), "Push": ("x", "takes no value"),
        "File": ("no.pdf", "'no.pdf' does not exist"), "Locked": ("x", "read-only"),
        "Dead": ("x", "disabled"),
        "Short": ("four", "3 characters"), "Small": (False, "radio"),
    }  # fmt: skip
    values = {label: value for label, (value, _) in wrong.items()}
    given = fields(tab, {"Area": "fine", **values})

    error = tab.refused("fill_form", fields=[*given, {"element_id": "inp-0000", "value": "x"}])

    assert error["code"] == "INVALID_ARGUMENT"
    problems = error["message"] + error["suggestion"]
    by_label = ids(tab)
    for label, (_, reason) in wrong.items():
        assert by_label[label] in problems, label
        assert reason in problems, label
    assert "inp-0000" in problems
    assert tab.js("log") == 0
    assert tab.js("document.querySelector('textarea').value") == ""


def test_fill_form_refuses_the_same_field_twice(tab: Tab) -> None:
    tab.open("<input aria-label=One>")
    [one] = fields(tab, {"One": "x"})

    assert "twice" in tab.refused("fill_form", fields=[one, one])["message"]


def test_the_error_for_a_vanished_field_lists_the_fields_filled_before(tab: Tab) -> None:
    tab.open("""<input aria-label=One oninput="document.querySelector('[aria-label=Two]').remove()">
      <input aria-label=Two>""")
    given = fields(tab, {"One": "x", "Two": "y"})

    error = tab.refused("fill_form", fields=given)

    assert error["code"] == "ELEMENT_NOT_FOUND"
    assert f"Filled in before it: {given[0]['element_id']}." in error["message"]


def test_a_filtering_combobox_takes_the_option_or_the_plain_text(tab: Tab) -> None:
    tab.open("""<input role=combobox aria-label=City aria-controls=l>
      <ul role=listbox id=l></ul><input aria-label=Next><script>
      const input = document.querySelector('input'), cities = ['Cork', 'Copenhagen'];
      input.oninput = () => setTimeout(() => {
        l.innerHTML = cities.filter((c) => c.startsWith(input.value))
          .map((c) => `<li role=option>${c}</li>`).join('');
      }, 50);
      l.onclick = (e) => {
        [input.value, input.dataset.taken, l.innerHTML] = [e.target.innerText, 1, ''];
      };
    </script>""")
    taken = "[input.value, input.dataset.taken ?? '']"

    tab.call("fill_form", fields=fields(tab, {"City": "Cork", "Next": "x"}))
    assert tab.js(taken) == ["Cork", "1"]

    tab.js("delete input.dataset.taken")
    tab.call("fill_form", fields=fields(tab, {"City": "Atlantis", "Next": "y"}))
    assert tab.js(taken) == ["Atlantis", ""]


ASKED = """<form onsubmit="sent.push([city.value, city.dataset.taken ?? '']); return false">
  <label>City<input id=city role=combobox aria-controls=l autocomplete=off %s></label>
  <ul role=listbox id=l hidden></ul><button>Send</button></form><script>
  globalThis.sent = [];
  const all = ['Cork', 'Copenhagen'], option = (name, at) =>
    `<li role=option aria-selected=${at === 0}>${name}</li>`;
  const show = (names) => { l.innerHTML = names.map(option).join(''); l.hidden = false; };
  let due;
  city.oninput = () => { clearTimeout(due); due = setTimeout(() => fetch('/slow?ms=600&name=x')
    .then((reply) => reply.text()).then(() => show(all.filter((one) => one[0] === city.value[0]))),
    250); };
  l.onclick = ({ target }) => { city.value = target.innerText; city.dataset.taken = 1;
    l.hidden = true; };
</script>"""


def test_fill_form_waits_for_a_slow_combobox_before_submitting(tab: Tab) -> None:
    tab.open(ASKED % "")

    tab.call("fill_form", fields=fields(tab, {"City": "Cork"}), submit=True)

    assert tab.js("sent") == [["Cork", "1"]]


TAKEN_OVER = """<form onsubmit="sent.push(q.value); return false">
  <label>Name<input id=i></label><label>News<input id=k type=checkbox></label>
  <input type=hidden id=q value=none><button>Go</button></form>
<script>let due; const sent = [];
  const take = (value) => { clearTimeout(due); due = setTimeout(() => q.value = value(), 300); };
  i.oninput = () => take(() => i.value); k.onchange = () => take(() => k.checked);
</script>"""


@pytest.mark.parametrize(
    ("values", "sent"),
    [
        ({"Name": "Ada"}, "Ada"),
        ({"Name": "Ada", "News": True}, True),
        ({"News": True, "Name": "Bo"}, "Bo"),
    ],
)
def test_fill_form_submits_what_the_page_takes_over_after_a_pause(
    tab: Tab, values: Mapping[str, object], sent: object
) -> None:
    tab.open(TAKEN_OVER)

    tab.call("fill_form", fields=fields(tab, values), submit=True)

    assert tab.js("sent") == [str(sent) if isinstance(sent, str) else "true"]


def test_a_combobox_without_the_option_prevents_the_submission(tab: Tab) -> None:
    tab.open(ASKED % "")

    answer = tab.call("fill_form", fields=fields(tab, {"City": "Cologne"}), submit=True)

    assert tab.js("[sent, city.value]") == [[], "Cologne"]
    assert "'Cologne'. So none is chosen. It offers 'Cork', 'Copenhagen'." in answer["note"]
    assert "Nothing was submitted" in answer["note"]


def test_a_search_field_is_submitted_without_an_option(tab: Tab) -> None:
    tab.open(ASKED % "type=search")

    answer = tab.call("fill_form", fields=fields(tab, {"City": "Cologne"}), submit=True)

    assert tab.js("sent") == [["Cologne", ""]]
    assert "note" not in answer


def test_fill_form_with_submit_reports_invalid_fields(tab: Tab) -> None:
    tab.open("""<form><input aria-label=Name><input type=email aria-label=Mail>
      <button>Go</button></form>""")
    given = fields(tab, {"Name": "Ada", "Mail": "incomplete"})

    answer = tab.call("fill_form", fields=given, submit=True)

    [refused] = answer["invalid"]
    assert refused["id"] == given[1]["element_id"]


def test_submit_without_a_form_touches_no_field(tab: Tab) -> None:
    tab.open("<input aria-label=Name>")

    error = tab.refused("fill_form", fields=fields(tab, {"Name": "Ada"}), submit=True)

    assert "no form" in error["message"]
    assert tab.js("document.querySelector('input').value") == ""


def test_fill_form_submits_the_form_of_any_of_its_fields(tab: Tab) -> None:
    tab.open("""<input aria-label=Note><form onsubmit="document.title = city.value; return false">
      <input id=city aria-label=City><button>Go</button></form>""")

    tab.call("fill_form", fields=fields(tab, {"Note": "x", "City": "Cork"}), submit=True)

    assert tab.js("document.title") == "Cork"


def test_fill_form_does_not_submit_one_of_several_forms(tab: Tab) -> None:
    tab.open("""<form><input aria-label=Name><button>Go</button></form>
      <form><input aria-label=Mail><button>Go</button></form>""")
    given = fields(tab, {"Name": "Ada", "Mail": "a@example.org"})

    error = tab.refused("fill_form", fields=given, submit=True)

    assert "different forms" in error["message"]
    assert tab.js("[...document.querySelectorAll('input')].map((each) => each.value)") == ["", ""]

    tab.call("fill_form", fields=given)

    assert tab.js("document.forms[1].elements[0].value") == "a@example.org"


def test_ten_fields_are_found_filled_and_sent_for_a_thousand_tokens(tab: Tab) -> None:
    tab.open("/form.html")
    values = {
        "Full name": "Ada Lovelace", "Email": "ada@example.org", "Phone": "+44 20 7946 0000",
        "Password": "difference", "First parcel": "2026-05-01", "Country": "Denmark",
        "Books a month": 3, "Hardback": True, "What do you like to read?": "Poetry and numbers.",
        "Send me the letter": True,
    }  # fmt: skip

    found = tab.reply("find", within=tab.call("observe")["forms"][0]["id"])
    by_label = {row["label"]: row["id"] for row in found.json}
    given = [{"element_id": by_label[label], "value": value} for label, value in values.items()]
    filled = tab.reply("fill_form", fields=given, submit=True)

    assert "Welcome, Ada Lovelace! 3 books a month, hard, with the letter." in filled.text
    assert (len(found.text) + len(filled.text)) / 4 <= 1000


def test_fill_form_fills_a_form_in_a_frame(tab: Tab) -> None:
    inner = "<label>Inner<input></label><label><input type=checkbox>Tick</label>"
    tab.open(f'<iframe srcdoc="{inner}"></iframe>')

    tab.call("fill_form", fields=fields(tab, {"Inner": "x", "Tick": True}))

    values = "[...frames[0].document.querySelectorAll('input')].map((i) => [i.value, i.checked])"
    assert json.loads(json.dumps(tab.js(values))) == [["x", False], ["on", True]]


def test_a_field_that_loses_its_text_is_reported(tab: Tab) -> None:
    tab.open("""<label>Name <input></label><label>Code <input id=code></label>
      <label>Note <textarea></textarea></label><script>
      code.oninput = () => { code.value = '' };</script>""")
    code = ids(tab)["Code"]
    note = f"{code} is empty: the page took the typed text, or refused it."

    given = fields(tab, {"Name": "Ada", "Code": "7", "Note": ""})
    assert tab.call("fill_form", fields=given)["note"] == note

    given = fields(tab, {"Name": "Ada", "Code": ""})
    assert "note" not in tab.call("fill_form", fields=given)


DEPENDENT = """<form><label>Country <select id=k><option>Choose<option>Norway</select></label>
<label>City <select id=c disabled><option>Choose</select></label>
<label><input type=checkbox id=g> Company</label><label>VAT <input id=v disabled></label></form>
<script>
  k.onchange = () => setTimeout(() => { c.add(new Option('Bergen')); c.disabled = false }, 200);
  g.onchange = () => { v.disabled = !g.checked };
</script>"""
FILLED = "[k.value, c.value, g.checked, v.value]"


@pytest.mark.parametrize("off", [" disabled", ""])
def test_fields_that_exist_only_after_others_are_filled_in_order(tab: Tab, off: str) -> None:
    tab.open(DEPENDENT.replace("id=c disabled", f"id=c{off}"))
    values = {"Country": "Norway", "City": "Bergen", "Company": True, "VAT": "NO1"}

    fields = [{"element_id": tab.find(name), "value": value} for name, value in values.items()]
    tab.call("fill_form", fields=fields)

    assert tab.js(FILLED) == ["Norway", "Bergen", True, "NO1"]


def test_a_value_that_a_late_field_does_not_keep_is_reported(tab: Tab) -> None:
    tab.open(DEPENDENT.replace("id=v disabled", "id=v disabled oninput=\"value = 'NO'\""))
    filled = tab.call("fill_form", fields=fields(tab, {"Company": True, "VAT": "NO1"}))
    assert 'shows "NO", not "NO1".' in filled["note"]


def test_a_field_that_no_other_enables_is_an_error_that_lists_the_filled_ones(tab: Tab) -> None:
    tab.open(DEPENDENT)
    values = {"Country": "Norway", "City": "Bergen", "VAT": "NO1"}
    fields = [{"element_id": tab.find(name), "value": value} for name, value in values.items()]

    error = tab.refused("fill_form", fields=fields)

    assert "is disabled" in error["message"]
    before = ", ".join(field["element_id"] for field in fields[:2])
    assert f"Filled in before it: {before}." in f"{error['message']} {error['suggestion']}"
    assert tab.js(FILLED) == ["Norway", "Bergen", False, ""]


@pytest.mark.parametrize("event", ["focus", "mousedown", "click"])
@pytest.mark.parametrize("unlock", ["x.readOnly = false", "setTimeout(() => x.readOnly = false)"])
def test_a_field_that_is_readonly_until_a_person_uses_it_is_filled_in(
    tab: Tab, event: str, unlock: str
) -> None:
    on = f'readonly on{event}="const x = this; {unlock}" onblur="readOnly = true"'
    tab.open(f"<input aria-label=A {on}><input type=date aria-label=B {on}><input aria-label=C>")
    values = {"A": "Ada", "B": "2026-01-02", "C": "x"}

    filled = tab.call("fill_form", fields=fields(tab, values))
    shown = tab.js("[...document.querySelectorAll('input')].map((input) => input.value)")
    tab.type("A", "Eve")

    assert shown == list(values.values())
    assert tab.js("document.querySelector('input').value") == "Eve"
    assert "note" not in filled


@pytest.mark.parametrize("off", ["disabled", "readOnly", "hidden"])
def test_a_field_that_takes_text_a_little_later_is_awaited(tab: Tab, off: str) -> None:
    tab.open("<form><input aria-label=Name><select aria-label=Size></select></form>")
    name, size = tab.find("Name"), tab.find("Size")
    later = f"const [n, s] = document.forms[0]; n.{off} = true; s.length = 0; setTimeout(() => {{"
    later += f" n.{off} = false; s.innerHTML = '<option>S<option>L' }}, 300)"

    tab.js(later)
    tab.call("type", element_id=name, text="Ada")
    typed = tab.js("document.forms[0][0].value")
    tab.js(f"{{ {later} }}")
    fields = [{"element_id": name, "value": "Eve"}, {"element_id": size, "value": "L"}]
    tab.call("fill_form", fields=fields)

    assert [typed, *tab.js("[...document.forms[0]].map((e) => e.value)")] == ["Ada", "Eve", "L"]


@pytest.mark.parametrize("delay", [0, 150])
def test_a_field_that_is_rendered_again_without_its_text_is_filled_again(
    tab: Tab, delay: int
) -> None:
    later = f"setTimeout(render, {delay})"
    tab.open(f"""<input aria-label=Value id=old><p id=holder></p><input aria-label=Name
      oninput='{later}'><script>const render = () => {{
        holder.innerHTML = '<input aria-label=Value>'; window.old?.remove();
      }};</script>""")
    tab.call("fill_form", fields=[
        {"element_id": tab.find("Value"), "value": "Friday"},
        {"element_id": tab.find("Name"), "value": "due"},
    ])  # fmt: skip
    assert tab.js("[...document.querySelectorAll('input')].map((one) => one.value)") == [
        "Friday",
        "due",
    ]
