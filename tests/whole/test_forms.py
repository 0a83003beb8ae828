"""submit: by the button or the form itself, validation messages; fields with formats."""

import pytest

from tests.whole.answers import changes, new_texts
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LOG = """<script>
  globalThis.log = [];
  addEventListener('submit', (e) => {
    e.preventDefault();
    log.push([...new FormData(e.target, e.submitter).keys()].join());
  });
</script>"""


def form(tab: Tab) -> str:
    [only] = tab.call("observe")["forms"]
    return str(only["id"])


@pytest.mark.req("C-SUB-01")
def test_a_form_is_submitted_by_its_real_submit_button(tab: Tab) -> None:
    tab.open(f"<form><input name=q><button type=button onclick='log.push(1)'>Submit</button>"
             f"<button name=go onclick='log.push(2)'>Search</button></form>{LOG}")  # fmt: skip

    tab.call("submit", form_id=form(tab))

    assert tab.js("log") == [2, "q,go"]


@pytest.mark.req("C-SUB-02")
def test_a_form_without_a_button_submits_itself(tab: Tab) -> None:
    tab.open("<form action=/index.html onsubmit=\"q.value = 'sent'\"><input name=q></form>")

    answer = tab.call("submit", form_id=form(tab))

    assert answer["url"] == tab.web.url("/index.html?q=sent")


def test_fields_that_fail_validation_are_reported(tab: Tab) -> None:
    tab.open(f"<form><label>Mail<input type=email required></label><button>Go</button></form>{LOG}")

    answer = tab.call("submit", form_id=form(tab))

    assert tab.js("log") == []
    [complaint] = answer["invalid"]
    assert complaint["id"] == tab.find("Mail")
    assert complaint["message"]


def test_an_error_shown_by_the_page_is_not_reported_as_validation(tab: Tab) -> None:
    # The page clears the password after the submission: validation did not stop the form
    tab.open(
        "<form><label>Password<input type=password required value=x></label><button>Go</button>"
        "<p role=alert></p></form><script>"
        "const say = () => {document.querySelector('p').textContent = 'Wrong password';"
        " document.querySelector('input').value = '';};"
        "document.forms[0].onsubmit = (e) => { e.preventDefault(); setTimeout(say, 50); };"
        "</script>"
    )
    sent = form(tab)

    refused = tab.call("submit", form_id=sent)
    assert "invalid" not in refused
    assert "Wrong password" in new_texts(refused)

    stopped = tab.call("submit", form_id=sent)
    assert [one["id"] for one in stopped["invalid"]] == [tab.find("Password")]


CUSTOM = """<script>customElements.define('x-field', class extends HTMLElement {
  static formAssociated = true;
  constructor() {
    super();
    const root = this.attachShadow({ mode: 'closed' }), internals = this.attachInternals();
    root.innerHTML = '<input aria-label=Code>';
    root.firstChild.oninput = ({ target }) => internals.setValidity(
      target.value.length < 3 ? { tooShort: true } : {}, 'Three at least', target);
  }
});</script><form id=f onsubmit="document.title = 'sent'; return false"><x-field></x-field>
<button>Send</button></form>"""


@pytest.mark.req("C-PR-27", "C-PR-28")
def test_a_custom_element_is_a_form_field_with_validation(tab: Tab) -> None:
    tab.open(CUSTOM)
    field = tab.element("Code")
    [only] = tab.call("observe")["forms"]
    assert only["fields"] == [field["id"]]

    [wrong] = changes(tab.type("Code", "ab"), property="state.invalid")
    assert (wrong["element"], wrong["to"]) == (field["id"], True)
    refused = tab.call("submit", form_id=only["id"])
    assert [complaint["id"] for complaint in refused["invalid"]] == [field["id"]]
    tab.type("Code", "abc")
    assert "invalid" not in tab.element("Code")["state"]
    assert tab.call("submit", form_id=only["id"])["title"] == "sent"


def test_submit_refuses_an_element_outside_a_form(tab: Tab) -> None:
    tab.open("<button>Alone</button>")

    error = tab.refused("submit", form_id=tab.find("Alone"))

    assert error["code"] == "ELEMENT_NOT_INTERACTIVE"


HIDDEN_REQUIRED = """<form onsubmit="document.title = 'sent'; return false">
  <label>Country <select name=country required aria-hidden=true tabindex=-1
    style="position: absolute; width: 1px; height: 1px; opacity: 0">
    <option></option><option>Peru</option></select></label>
  <div role=combobox tabindex=0 aria-label="Choose a country">None</div>
  <button>Save</button></form>"""


def test_an_invalid_hidden_control_is_reported_with_its_visible_replacement(tab: Tab) -> None:
    tab.open(HIDDEN_REQUIRED)

    answer = tab.click("Save")

    [complaint] = answer["invalid"]
    assert complaint["id"] is None
    assert "Country" in complaint["name"]
    assert complaint["use"] == tab.find("Choose a country")
    assert tab.js("document.title") != "sent"
