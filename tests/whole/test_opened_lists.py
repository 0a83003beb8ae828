"""Lists that open from a button or a combobox: selection, closing and missing options."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

OPENER = """<button id=box aria-haspopup=listbox aria-expanded=false aria-controls=list
  aria-label=Country onclick="show(list.hidden)">Choose</button>
<div id=list role=listbox hidden><div role=option aria-selected=false>Norway</div>
  <div role=option aria-selected=false>Peru</div></div><script>
  const show = (open) => {{ list.hidden = !open; box.ariaExpanded = open }};
  list.onclick = ({{ target }}) => {{
    for (const one of list.children) one.ariaSelected = one === target;
    box.textContent = target.textContent; show(false) }};
  globalThis.keys = [];
  onkeydown = ({{ key }}) => {{ keys.push(key); {on_key} }};</script>"""
OPEN_WAIT = 1.5
"""The seconds that select waits for a list that may still be filled."""

BY_ESCAPE = "if (key === 'Escape') show(false)"


@pytest.mark.req("C-SEL-01")
def test_fill_form_chooses_from_a_list_opened_by_a_button(tab: Tab) -> None:
    tab.open(OPENER.format(on_key=BY_ESCAPE))

    tab.call("fill_form", fields=[{"element_id": tab.find("Country"), "value": "Peru"}])

    assert tab.js("[box.textContent, list.hidden]") == ["Peru", True]


def test_fill_form_refuses_a_button_that_opens_a_menu(tab: Tab) -> None:
    tab.open("<button aria-haspopup=menu>File</button>")
    fields = [{"element_id": tab.find("File"), "value": "Save"}]

    assert "takes no value" in tab.refused("fill_form", fields=fields)["message"]


@pytest.mark.parametrize("on_key", [BY_ESCAPE, ""], ids=["by Escape", "by its button"])
def test_select_closes_a_list_without_the_option(tab: Tab, on_key: str) -> None:
    tab.open(OPENER.format(on_key=on_key))

    error = tab.refused("select", element_id=tab.find("Country"), value="Chile")

    assert "'Norway', 'Peru'" in error["message"]
    assert tab.js("[list.hidden, keys.join()]") == [True, "Escape"]


def test_select_leaves_an_already_open_list_open(tab: Tab) -> None:
    tab.open(OPENER.format(on_key=BY_ESCAPE))
    tab.click("Country")

    tab.refused("select", element_id=tab.find("Country"), value="Chile")

    assert tab.js("[list.hidden, keys.length]") == [False, 0]


def test_select_closes_a_list_whose_option_is_already_chosen(tab: Tab) -> None:
    tab.open(OPENER.format(on_key=BY_ESCAPE))
    tab.call("select", element_id=tab.find("Country"), value="Peru")

    tab.call("select", element_id=tab.find("Country"), value="Peru")

    assert tab.js("[box.textContent, list.hidden]") == ["Peru", True]


def test_select_chooses_several_options_in_a_list_that_stays_open(tab: Tab) -> None:
    tab.open("""<button id=box aria-haspopup=listbox aria-expanded=false aria-controls=list
        onclick="list.hidden = !list.hidden; ariaExpanded = !list.hidden">Days</button>
      <div id=list role=listbox aria-multiselectable=true hidden
        onclick="event.target.ariaSelected = 'true'"><div role=option>Mon</div>
        <div role=option>Tue</div><div role=option>Wed</div></div>""")

    tab.call("select", element_id=tab.find("Days"), value=["Mon", "Wed"])

    chosen = "[...document.querySelectorAll('[aria-selected=true]')].map((one) => one.textContent)"
    assert tab.js(chosen) == ["Mon", "Wed"]


SUGGESTIONS = """<input id=city role=combobox aria-label=City aria-controls=list aria-expanded=true>
  <div id=list role=listbox><div role=option>Cork</div><div role=option>Lima</div></div>
  <p>Below</p><script>city.focus(); const hide = () => {{ list.hidden = true }};
  const choose = ({{ target }}) => {{ city.value = target.textContent; hide() }};
  {script}</script>"""


@pytest.mark.parametrize(
    "script",
    [
        "list.onmousedown = choose",
        "list.onmousedown = (event) => { event.preventDefault(); choose(event) }",
        "list.onpointerdown = choose; city.onblur = hide",
    ],
)
def test_an_option_chosen_on_mousedown_causes_no_note(tab: Tab, script: str) -> None:
    tab.open(SUGGESTIONS.format(script=script))
    option = tab.call("find", role="option", text="Lima")[0]["id"]

    answer = tab.call("click", element_id=option)

    assert tab.js("city.value") == "Lima"
    assert "note" not in answer


@pytest.mark.parametrize("tool", ["click", "select"])
def test_an_option_hidden_before_the_release_is_reported(tab: Tab, tool: str) -> None:
    tab.open(SUGGESTIONS.format(script="list.onclick = choose; city.onblur = hide"))
    option = tab.call("find", role="option", text="Lima")[0]["id"]
    arguments = {"click": {"element_id": option},
                 "select": {"element_id": tab.find("City"), "value": "Lima"}}  # fmt: skip

    answer = tab.call(tool, **arguments[tool])

    assert tab.js("city.value") == ""
    assert "hid it before the release" in answer["note"]


def test_a_button_recreated_on_mousedown_is_reported(tab: Tab) -> None:
    tab.open("""<div id=at><button>Save</button></div><script>
      at.onmousedown = () => { at.innerHTML = at.innerHTML };
      at.onclick = ({ target }) => { if (target !== at) document.title = 'saved' }</script>""")

    answer = tab.click("Save")

    assert "the release met something else" in answer["note"]
    assert answer["title"] != "saved"


def test_an_element_that_closes_on_mousedown_causes_no_note(tab: Tab) -> None:
    tab.open("""<div id=note>News <button onmousedown="note.remove()">Close</button></div>
      <button>Other</button>""")

    assert "note" not in tab.click("Close")


CLOSES_SLOWLY = """<city-select></city-select><script>
  customElements.define('city-select', class extends HTMLElement {
    connectedCallback() {
      const root = this.attachShadow({mode: 'open'});
      root.innerHTML = `<div role=combobox aria-label=City aria-expanded=false tabindex=0
        aria-controls=list>Choose</div>
        <ul role=listbox id=list hidden><li role=option>Rome<li role=option>Oslo</ul>`;
      const [box, list] = root.children;
      const open = () => { if (!list.inert) { box.ariaExpanded = 'true'; list.hidden = false } };
      this.close = async () => {
        box.ariaExpanded = 'false';
        list.inert = true;
        await list.animate([{opacity: 1}, {opacity: 0}], 300).finished;
        list.hidden = true;
        list.inert = false };
      box.onclick = () => box.ariaExpanded === 'true' ? this.close() : open();
      list.onclick = ({target}) => { box.textContent = target.textContent; this.close() };
    } });
  </script>"""


def test_select_reopens_a_list_after_its_closing_animation(tab: Tab) -> None:
    tab.open(CLOSES_SLOWLY)
    tab.click("City")

    tab.js("void document.querySelector('city-select').close()")
    tab.call("select", element_id=tab.find("City"), value="Oslo")

    assert tab.js("document.querySelector('city-select').shadowRoot.children[0].textContent") == (
        "Oslo"
    )


def test_select_reports_a_missing_option_as_soon_as_the_list_is_stable(tab: Tab) -> None:
    tab.open(CLOSES_SLOWLY)
    city = tab.find("City")

    reply = tab.reply("select", element_id=city, value="Lima")

    assert "It offers 'Rome', 'Oslo'." in reply.error["message"]
    assert reply.seconds < OPEN_WAIT


def test_select_waits_for_an_option_added_late(tab: Tab) -> None:
    tab.open("""<button id=b aria-haspopup=listbox aria-expanded=false>Choose</button>
      <ul role=listbox id=l hidden><li role=option>Rome</ul><p id=said></p><script>
      b.onclick = () => { l.hidden = false; b.ariaExpanded = 'true';
        setTimeout(() => { l.innerHTML += '<li role=option>Oslo' }, 400) };
      l.onclick = ({target}) => { said.textContent = target.textContent; l.hidden = true;
        b.ariaExpanded = 'false' };</script>""")

    tab.call("select", element_id=tab.find("Choose"), value="Oslo")

    assert tab.js("said.textContent") == "Oslo"
