"""toggle and fill_form: elements that are no checkboxes by their role, but can be checked."""

from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

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
