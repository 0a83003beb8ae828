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


INTERNALS = """<script>for (const silent of [false, true]) {
  customElements.define(silent ? 'x-silent' : 'x-part', class extends HTMLElement {
    constructor() {
      super();
      const stop = (event) => event.stopImmediatePropagation();
      if (silent) this.addEventListener('charlotte:states', stop); // as if before the probe
      this.states = this.attachInternals();
    }
    connectedCallback() {
      this.tabIndex = 0;
      Object.assign(this.states, JSON.parse(this.dataset.states));
      this.onclick = () => {
        for (const name of ['ariaChecked', 'ariaExpanded'])
          if (this.states[name]) this.states[name] = this.states[name] !== 'true';
      };
      this.onkeydown = ({ key }) => {
        this.states.ariaValueNow -= { ArrowRight: -1, ArrowLeft: 1 }[key] ?? 0;
      };
    }
  });
}</script>
<x-part data-states='{"role": "checkbox", "ariaChecked": "true"}'>News</x-part>
<x-silent data-states='{"role": "checkbox", "ariaChecked": "true"}'>Silent</x-silent>
<x-part data-states='{"role": "button", "ariaExpanded": "false"}'>Details</x-part>
<x-part data-states='{"role": "button", "ariaDisabled": "true"}'>Locked</x-part>
<x-part data-states='{"role": "tab", "ariaSelected": "true"}'>First</x-part>
<x-part data-states='{"role": "slider", "ariaLabel": "Volume", "ariaValueNow": "10"}'
  style="display: inline-block; width: 100px; height: 20px"></x-part>"""


def test_states_in_the_internals_of_custom_elements_are_known_and_set(tab: Tab) -> None:
    tab.open(INTERNALS)
    names = ("News", "Details", "Locked", "First")
    assert [tab.element(name)["state"] for name in names] == [
        {"checked": True}, {"expanded": False}, {"enabled": False}, {"selected": True}
    ]  # fmt: skip

    for name, value in (("News", True), ("News", False), ("Volume", "13")):
        tab.call("fill_form", fields=[{"element_id": tab.find(name), "value": value}])
    tab.click("Details")

    assert tab.element("News")["state"] == {"checked": False}
    assert tab.element("Details")["state"]["expanded"] is True
    assert tab.element("Volume")["value"] == "13"


def test_a_state_that_cannot_be_read_is_not_set(tab: Tab) -> None:
    tab.open(INTERNALS)
    field = {"element_id": tab.find("Silent"), "value": True}

    error = tab.refused("fill_form", fields=[field])

    assert "cannot be read" in error["message"]
    assert tab.js("document.querySelector('x-silent').states.ariaChecked") == "true"


def test_a_field_in_a_closed_root_has_the_label_of_its_element(tab: Tab) -> None:
    tab.open("<label for=c>Code</label>" + CUSTOM.replace(" aria-label=Code", "").replace(
        "<x-field>", "<x-field id=c>"))  # fmt: skip

    assert tab.element("Code")["type"] == "text_input"


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
