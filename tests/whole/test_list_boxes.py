"""Native list boxes in the tree: refs of the boxes and their options."""

import re

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LIST_BOXES = """<select multiple aria-label="Tags"><option>New<option selected>Old
  <optgroup label="More"><option disabled>Sold<option hidden>Never</optgroup></select>
  <select size="3" aria-label="Size"><option>Small<option>Large</select>
  <select aria-label="One"><option>First<option>Second</select>"""


def numbered(tree: str) -> str:
    """Return the tree with its e-refs numbered from 1."""
    refs = list(dict.fromkeys(re.findall(r"ref=e\d+", tree)))
    return re.sub(r"ref=e\d+", lambda found: f"ref=e{refs.index(found[0]) + 1}", tree)


@pytest.mark.req("V-TIER-02", "V-TIER-03")
def test_native_list_boxes_and_their_options_have_refs_in_the_tree(tab: Tab) -> None:
    tab.open(LIST_BOXES)

    assert numbered(tab.reply("observe", mode="tree").texts[0]) == (
        "- document:\n"
        '  - listbox "Tags" (value: "Old") [ref=e1]\n'
        '    - option "New" [ref=e2]\n'
        '    - option "Old" (selected) [ref=e3]\n'
        '    - group "More"\n'
        '      - option "Sold" (disabled) [ref=e4]\n'
        '  - listbox "Size" [ref=e5]\n'
        '    - option "Small" [ref=e6]\n'
        '    - option "Large" [ref=e7]\n'
        '  - combobox "One" (value: "First") [ref=e8]'
    )


def test_an_option_of_a_native_list_box_is_clicked_by_its_ref(tab: Tab) -> None:
    tab.open(LIST_BOXES)
    tree = tab.reply("observe", mode="tree").texts[0]
    [large] = re.findall(r'option "Large" \[ref=(e\d+)\]', tree)
    [tags] = re.findall(r'listbox "Tags".* \[ref=(e\d+)\]', tree)

    tab.call("click", element_id=large)
    tab.call("select", element_id=tags, value=["New"])

    chosen = "[...document.querySelectorAll('option:checked')].map((one) => one.label).join()"
    assert tab.js(chosen) == "New,Large,First"
