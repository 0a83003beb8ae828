"""Lists that a button or a combobox opens: chosen from, and closed if they lack what is wanted."""

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
"""Seconds for which a list that may still be filled is waited for."""

BY_ESCAPE = "if (key === 'Escape') show(false)"


@pytest.mark.req("C-SEL-01")
def test_a_form_takes_a_button_that_opens_a_list(tab: Tab) -> None:
    tab.open(OPENER.format(on_key=BY_ESCAPE))

    tab.call("fill_form", fields=[{"element_id": tab.find("Country"), "value": "Peru"}])

    assert tab.js("[box.textContent, list.hidden]") == ["Peru", True]


def test_a_button_that_opens_a_menu_is_no_field(tab: Tab) -> None:
    tab.open("<button aria-haspopup=menu>File</button>")
    fields = [{"element_id": tab.find("File"), "value": "Save"}]

    assert "takes no value" in tab.refused("fill_form", fields=fields)["message"]


@pytest.mark.parametrize("on_key", [BY_ESCAPE, ""], ids=["by Escape", "by its button"])
def test_a_list_that_lacks_the_option_is_closed_again(tab: Tab, on_key: str) -> None:
    tab.open(OPENER.format(on_key=on_key))

    error = tab.refused("select", element_id=tab.find("Country"), value="Chile")

    assert "'Norway', 'Peru'" in error["message"]
    assert tab.js("[list.hidden, keys.join()]") == [True, "Escape"]


def test_a_list_that_was_open_already_stays_open(tab: Tab) -> None:
    tab.open(OPENER.format(on_key=BY_ESCAPE))
    tab.click("Country")

    tab.refused("select", element_id=tab.find("Country"), value="Chile")

    assert tab.js("[list.hidden, keys.length]") == [False, 0]


def test_a_list_is_closed_in_which_the_option_is_chosen_already(tab: Tab) -> None:
    tab.open(OPENER.format(on_key=BY_ESCAPE))
    tab.call("select", element_id=tab.find("Country"), value="Peru")

    tab.call("select", element_id=tab.find("Country"), value="Peru")

    assert tab.js("[box.textContent, list.hidden]") == ["Peru", True]


def test_several_options_are_chosen_in_a_list_that_stays_open(tab: Tab) -> None:
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
def test_an_option_that_is_chosen_at_the_press_is_chosen_without_a_word(
    tab: Tab, script: str
) -> None:
    tab.open(SUGGESTIONS.format(script=script))
    option = tab.call("find", role="option", text="Lima")[0]["id"]

    answer = tab.call("click", element_id=option)

    assert tab.js("city.value") == "Lima"
    assert "note" not in answer


@pytest.mark.parametrize("tool", ["click", "select"])
def test_an_option_that_the_press_itself_hides_is_said_not_to_be_clicked(
    tab: Tab, tool: str
) -> None:
    tab.open(SUGGESTIONS.format(script="list.onclick = choose; city.onblur = hide"))
    option = tab.call("find", role="option", text="Lima")[0]["id"]
    arguments = {"click": {"element_id": option},
                 "select": {"element_id": tab.find("City"), "value": "Lima"}}  # fmt: skip

    answer = tab.call(tool, **arguments[tool])

    assert tab.js("city.value") == ""
    assert "hid it before the release" in answer["note"]


def test_a_button_that_is_made_anew_at_the_press_is_said_to_have_slipped(tab: Tab) -> None:
    tab.open("""<div id=at><button>Save</button></div><script>
      at.onmousedown = () => { at.innerHTML = at.innerHTML };
      at.onclick = ({ target }) => { if (target !== at) document.title = 'saved' }</script>""")

    answer = tab.click("Save")

    assert "the release met something else" in answer["note"]
    assert answer["title"] != "saved"


def test_what_closes_at_the_press_is_closed_without_a_word(tab: Tab) -> None:
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


def test_a_list_that_is_still_closing_is_opened_once_it_is_closed(tab: Tab) -> None:
    tab.open(CLOSES_SLOWLY)
    tab.click("City")

    tab.js("void document.querySelector('city-select').close()")
    tab.call("select", element_id=tab.find("City"), value="Oslo")

    assert tab.js("document.querySelector('city-select').shadowRoot.children[0].textContent") == (
        "Oslo"
    )


def test_an_option_is_missing_as_soon_as_the_list_stands_still(tab: Tab) -> None:
    tab.open(CLOSES_SLOWLY)
    city = tab.find("City")

    reply = tab.reply("select", element_id=city, value="Lima")

    assert "It offers 'Rome', 'Oslo'." in reply.error["message"]
    assert reply.seconds < OPEN_WAIT


def test_an_option_that_comes_late_into_a_list_is_waited_for(tab: Tab) -> None:
    tab.open("""<button id=b aria-haspopup=listbox aria-expanded=false>Choose</button>
      <ul role=listbox id=l hidden><li role=option>Rome</ul><p id=said></p><script>
      b.onclick = () => { l.hidden = false; b.ariaExpanded = 'true';
        setTimeout(() => { l.innerHTML += '<li role=option>Oslo' }, 400) };
      l.onclick = ({target}) => { said.textContent = target.textContent; l.hidden = true;
        b.ariaExpanded = 'false' };</script>""")

    tab.call("select", element_id=tab.find("Choose"), value="Oslo")

    assert tab.js("said.textContent") == "Oslo"
