"""Options of lists that open, and items of trees with a checkbox: selection and remarks."""

from typing import Any

import pytest

from tests.whole.cases import case
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

BY_ESCAPE = "if (key === 'Escape') show(false)"


@pytest.mark.req("C-SEL-01")
def test_fill_form_chooses_from_a_list_opened_by_a_button(tab: Tab) -> None:
    tab.open(OPENER.format(on_key=BY_ESCAPE))

    tab.call("fill_form", fields=[{"element_id": tab.find("Country"), "value": "Peru"}])

    assert tab.js("[box.textContent, list.hidden]") == ["Peru", True]


def test_select_closes_a_list_without_the_option(tab: Tab) -> None:
    for on_key in [BY_ESCAPE, ""]:
        with case(on_key):
            tab.open(OPENER.format(on_key=on_key))
            error = tab.refused("select", element_id=tab.find("Country"), value="Chile")
            assert "'Norway', 'Peru'" in error["message"]
            assert tab.js("[list.hidden, keys.join()]") == [True, "Escape"]


def test_select_chooses_several_options_in_a_list_that_stays_open(tab: Tab) -> None:
    tab.open("""<button id=box aria-haspopup=listbox aria-expanded=false aria-controls=list
        onclick="list.hidden = !list.hidden; ariaExpanded = !list.hidden">Days</button>
      <div id=list role=listbox aria-multiselectable=true hidden
        onclick="event.target.ariaSelected = 'true'"><div role=option>Mon</div>
        <div role=option>Tue</div><div role=option>Wed</div></div>""")

    tab.call("select", element_id=tab.find("Days"), value=["Mon", "Wed"])

    chosen = "[...document.querySelectorAll('[aria-selected=true]')].map((one) => one.textContent)"
    assert tab.js(chosen) == ["Mon", "Wed"]


DIALOG = """<button id=box aria-haspopup=dialog aria-expanded=false aria-label=Fruit
  onclick="show(true)">None</button><p>Tea <input type=radio aria-label=Plums></p>
<div id=dialog role=dialog aria-modal=true aria-label="A fruit" hidden {attributes}
  style="position: fixed; inset: 90px 0 0; background: #fff">{content}</div><script>
  globalThis.taken = '';
  const show = (open) => {{ dialog.hidden = !open; box.ariaExpanded = open }};
  onkeydown = ({{ key }}) => {{ if (key === 'Escape') show(false) }};
  const take = () => {{ taken = [...dialog.querySelectorAll('input:checked')].map((one) =>
    one.parentNode.textContent.trim()).join() }};</script>"""
OK = "<button onclick='take(); show(false)'>OK</button>"


def choices(kind: str) -> str:
    fruits = ("Apples", "Figs", "Plums")
    return "".join(f"<label><input type={kind} name=f> {fruit}</label>" for fruit in fruits)


@pytest.mark.parametrize(("kind", "then", "button", "value"), [
    ("radio", "take(); show(false)", "", ["Plums"]),
    ("radio", "take()", "", ["Figs"]),
    ("checkbox", "take()", "", ["Apples", "Plums"]),
    ("radio", "", OK, ["Plums"]),
    ("checkbox", "", OK, ["Apples", "Plums"]),
])  # fmt: skip
def test_select_chooses_in_a_dialog_and_reports_one_that_wants_a_confirmation(
    tab: Tab, kind: str, then: str, button: str, value: list[str]
) -> None:
    modal = DIALOG.format(content=choices(kind) + button, attributes=f'onchange="{then}"')
    popover = modal.replace("aria-modal=true ", "").replace(
        "<button", "<button aria-controls=dialog"
    )
    for markup in (modal, popover):
        with case(markup):
            tab.open(markup)
            chosen = value if kind == "checkbox" else value[0]
            answer = tab.call("select", element_id=tab.find("Fruit"), value=chosen)
            if button:
                assert "which is open: confirm the choice" in answer["note"]
                assert tab.js("taken") == ""
                tab.click("OK")
            assert ("note" in answer) == bool(button)
            assert tab.js("taken") == ",".join(value)
            assert tab.js("document.querySelector('p input').checked") is False


def test_a_choice_that_a_dialog_lacks_is_refused_and_the_dialog_closed(tab: Tab) -> None:
    dialog = 'It opens dialog#dialog "A fruit".'
    for content, message in [(OK, dialog), (choices("radio") + OK, "'Apples', 'Figs', 'Plums'")]:
        for value in ("Cherries", ["Cherries"]):
            with case(content, value):
                tab.open(DIALOG.format(content=content, attributes=""))
                error = tab.refused("select", element_id=tab.find("Fruit"), value=value)
                assert message in error["message"]
                assert tab.js("[dialog.hidden, taken]") == [True, ""]


SUGGESTIONS = """<input id=city role=combobox aria-label=City aria-controls=list aria-expanded=true>
  <div id=list role=listbox><div role=option>Cork</div><div role=option>Lima</div></div>
  <p>Below</p><script>city.focus(); const hide = () => {{ list.hidden = true }};
  const choose = ({{ target }}) => {{ city.value = target.textContent; hide() }};
  {script}</script>"""


def test_an_option_chosen_on_mousedown_causes_no_note(tab: Tab) -> None:
    cases = [
        "list.onmousedown = choose",
        "list.onmousedown = (event) => { event.preventDefault(); choose(event) }",
        "list.onpointerdown = choose; city.onblur = hide",
    ]

    for script in cases:
        with case(script):
            tab.open(SUGGESTIONS.format(script=script))
            option = tab.call("find", role="option", text="Lima")[0]["id"]
            answer = tab.call("click", element_id=option)
            assert tab.js("city.value") == "Lima"
            assert "note" not in answer


def test_an_option_hidden_before_the_release_is_reported(tab: Tab) -> None:
    for tool in ["click", "select"]:
        with case(tool):
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


def test_select_waits_for_an_option_added_late(tab: Tab) -> None:
    tab.open("""<button id=b aria-haspopup=listbox aria-expanded=false>Choose</button>
      <ul role=listbox id=l hidden><li role=option>Rome</ul><p id=said></p><script>
      b.onclick = () => { l.hidden = false; b.ariaExpanded = 'true';
        setTimeout(() => { l.innerHTML += '<li role=option>Oslo' }, 400) };
      l.onclick = ({target}) => { said.textContent = target.textContent; l.hidden = true;
        b.ariaExpanded = 'false' };</script>""")

    tab.call("select", element_id=tab.find("Choose"), value="Oslo")

    assert tab.js("said.textContent") == "Oslo"


TREE = """<style>[role=treeitem] input { opacity: 0; position: absolute; margin: 0 }
  b { display: inline-block; width: 20px; height: 20px; border: 1px solid }</style>
<ul role=tree aria-label=Fruit id=tree></ul>
<script>
  globalThis.log = [];
  const add = (name, into) => {
    const item = document.createElement('li');
    item.role = 'treeitem';
    item.tabIndex = 0;
    item.setAttribute('STATE', 'false');
    item.innerHTML = `<span aria-hidden=true><input type=checkbox tabindex=-1><b></b></span>
      <span>${name}</span><ul role=group></ul>`;
    item.querySelector('span').onclick = (event) => {
      event.stopPropagation();
      item.setAttribute('STATE', String(item.getAttribute('STATE') !== 'true'));
    };
    item.onclick = (event) => { event.stopPropagation(); log.push(name); };
    into.append(item);
    return item.lastChild;
  };
  add('Lime', add('Citrus', tree));
</script>"""

BY_CLICK = """<div role=tree><div role=treeitem tabindex=0 aria-checked=false
  onclick="ariaChecked = ariaChecked !== 'true'">Lime</div></div>"""
BY_SPACE = """<div role=tree><div role=treeitem tabindex=0 aria-checked=false
  onkeydown="if (event.key === ' ') ariaChecked = ariaChecked !== 'true'">Lime</div></div>"""
UNCHECKED = "<div role=tree><div role=treeitem tabindex=0 aria-checked=false>Lime</div></div>"


def test_the_checkbox_in_a_tree_item_is_pressed(tab: Tab) -> None:
    for state in ["aria-checked", "aria-selected"]:
        for tool in ["toggle", "fill_form"]:
            with case(state, tool):
                tab.open(TREE.replace("STATE", state))
                item = tab.find("Lime")
                name = state.removeprefix("aria-")
                assert tab.element("Lime")["state"][name] is False
                set_checked(tab, tool, item)
                assert tab.element("Lime")["state"][name] is True
                assert tab.js(f"tree.firstChild.getAttribute('{state}')") == "false"
                assert tab.js("log") == []


def test_an_item_without_checkbox_is_checked_by_a_click(tab: Tab) -> None:
    for tool in ["toggle", "fill_form"]:
        with case(tool):
            tab.open(BY_CLICK)
            set_checked(tab, tool, tab.find("Lime"))
            assert tab.element("Lime")["state"]["checked"] is True


def test_an_item_that_stays_unchecked_is_reported(tab: Tab) -> None:
    for tool in ["toggle", "fill_form"]:
        for markup in [BY_SPACE, UNCHECKED]:
            with case(tool, markup):
                tab.open(markup)
                answer = set_checked(tab, tool, tab.find("Lime"))
                assert "is still unchecked" in answer["note"]


def set_checked(tab: Tab, tool: str, item: str) -> Any:
    if tool == "toggle":
        return tab.call("toggle", element_id=item)
    return tab.call("fill_form", fields=[{"element_id": item, "value": True}])
