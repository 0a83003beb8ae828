"""References in the text modes: their targets, options of list boxes, and their lifetime."""

import re

import pytest

from tests.whole.acme import ACME, ADS
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


@pytest.mark.req("V-REF-03", "B-REF-02")
def test_references_of_both_kinds_lead_to_their_elements(tab: Tab) -> None:
    tab.open(ACME + ADS)
    tree = tab.reply("observe", mode="tree").texts[0]
    refs = dict(re.findall(r'"(.*)".* \[ref=(e\d+)\]', tree))

    tab.call("type", element_id=refs["Email"], text="ada@example.com")
    tab.call("click", element_id=refs["Close"])
    assert tab.js("document.querySelector('iframe').contentDocument.body.innerText") == "1"

    tab.reply("observe", mode="interactive")
    tab.call("click", element_id="@ref:3")
    assert tab.js("[...document.querySelectorAll('input')].map((i) => i.value + i.checked)") == [
        "ada@example.comfalse",
        "ontrue",
    ]


def given_refs(tab: Tab, mode: str) -> dict[str, str]:
    if mode == "selector":
        found = [one["id"] for one in tab.call("find", selector="input, select, button")]
        return dict(zip(("Name", "Agree", "Size", "Go", "End"), found, strict=True))
    text = tab.reply("observe", mode=mode).texts[0]
    return dict(re.findall(r'"(\w+)".*?(@ref:\d+|(?<=ref=)e\d+)', text))


@pytest.mark.req("V-REF-03", "B-REF-02", "P-17")
def test_every_element_parameter_accepts_references(tab: Tab) -> None:
    for mode in ["tree", "interactive", "selector"]:
        with case(mode):
            tab.open("""<form onsubmit="return false"><input aria-label=Name><input aria-label=Agree
      type=checkbox><select aria-label=Size><option>S<option>L</select><button>Go</button></form>
      <div style="height: 3000px"></div><button onmouseover="this.title = 'over'">End</button>""")
            refs = given_refs(tab, mode)

            tab.call("scroll", element_id=refs["End"], block="end")
            tab.call("hover", element_id=refs["End"])
            tab.call("drag", source_id=refs["End"], target_id=refs["End"])
            tab.call("wait_for", element_id=refs["End"], state="visible")
            tab.call("toggle", element_id=refs["Agree"])
            tab.call("select", element_id=refs["Size"], value="L")
            tab.call("fill_form", fields=[{"element_id": refs["Name"], "value": "Ada"}])
            tab.call("key", element_id=refs["Name"], key="End")
            tab.call("submit", form_id=refs["Go"])

            assert tab.js("element.title", element_id=refs["End"]) == "over"
            values = "[...document.forms[0].elements].map((e) => e.checked || e.value)"
            assert tab.js(values) == ["Ada", True, "L", ""]
            assert tab.reply("screenshot", selector=refs["Go"]).json["success"]
            assert "Go" in tab.reply("observe", mode="content", selector=refs["Go"]).text
            assert {"Go", "Size"} <= {one["label"] for one in tab.call("find", near=refs["Name"])}
            assert tab.call("find", within=refs["Name"]) == []


@pytest.mark.req("V-STALE-05", "V-STALE-06")
def test_a_removed_element_is_described_only_until_the_next_snapshot(tab: Tab) -> None:
    for looks in [1, 2]:
        with case(looks):
            tab.open("<button>Submit</button>")
            [ref] = re.findall(r"\[ref=(e\d+)\]", tab.reply("observe", mode="tree").texts[0])
            tab.js("document.querySelector('button').remove()")
            for _ in range(looks):
                tab.reply("observe", mode="interactive")
            refusal = tab.refused("click", element_id=ref)
            assert refusal["code"] == "ELEMENT_NOT_FOUND"
            assert ("Submit" in refusal["message"]) == (looks == 1)


@pytest.mark.req("V-STALE-03", "V-LOOK-03", "V-REF-05", "B-REF-03", "B-VREF-01", "B-VREF-02")
def test_a_reference_to_a_removed_element_describes_it(tab: Tab) -> None:
    tab.open("<button>Submit</button><button>Other</button>")
    tab.reply("observe", mode="interactive")
    tab.js("document.querySelector('button').remove()")

    refusal = tab.refused("click", element_id="@ref:0")
    assert refusal["message"] == "Element 'Submit button' (ref: @ref:0) no longer exists."
    assert refusal["suggestion"].startswith("Take a new snapshot to see current page state.")
    checked = tab.call("find", refs=["@ref:0", "@ref:1", "@ref:7"])
    assert (checked["valid"], checked["invalid"]) == (["@ref:1"], ["@ref:0", "@ref:7"])
    assert checked["reasons"]["@ref:0"] == "Element no longer attached to DOM"


@pytest.mark.req("B-REF-04", "B-REF-05", "V-REF-04", "B-ALL-01")
def test_references_expire_with_the_next_table_or_document(tab: Tab) -> None:
    tab.open(ACME)
    assert "\nALL: elements=11 refs=11\n" in tab.reply("observe", mode="all").texts[0]
    tab.reply("observe", mode="interactive")
    assert tab.refused("click", element_id="@ref:7")["code"] == "ELEMENT_NOT_FOUND"

    tab.open(ACME)
    refusal = tab.refused("click", element_id="@ref:0")
    assert (refusal["code"], "snapshot" in refusal["suggestion"]) == ("ELEMENT_NOT_FOUND", True)
    assert tab.refused("click", element_id="e999999")["code"] == "ELEMENT_NOT_FOUND"


@pytest.mark.req("B-VREF-01", "B-OPT-04", "B-OPT-06", "V-TIER-07", "V-REF-04")
def test_tools_accept_their_alternative_names_and_parameters(tab: Tab) -> None:
    tab.open(ACME)

    tree = tab.reply("browser_snapshot", allRefs=True).texts[0]
    assert tree.startswith("- document:\n  - banner [ref=e")
    lines = tab.reply("snapshot", grep={"pattern": "sign in", "ignoreCase": True}).texts[0]
    assert lines.endswith(' matches=1\n\nBUTTON "Sign In" @ref:4 /main/form/button')
    checked = tab.call("validateRefs", refs=["@ref:4", "@ref:5", "e999999"])
    assert (checked["valid"], checked["invalid"]) == (["@ref:4"], ["@ref:5", "e999999"])


LIST_BOXES = """<select multiple aria-label="Tags"><option>New<option selected>Old
  <optgroup label="More"><option disabled>Sold<option hidden>Never</optgroup></select>
  <select size="3" aria-label="Size"><option>Small<option>Large</select>
  <select aria-label="One"><option>First<option>Second</select>
  <div tabindex=0>Card</div><h2 tabindex=0>Zoo</h2><div tabindex=-1 role=note>Not</div>"""


def numbered(tree: str) -> str:
    """Return the tree with its e-refs numbered from 1."""
    refs = list(dict.fromkeys(re.findall(r"ref=e\d+", tree)))
    return re.sub(r"ref=e\d+", lambda found: f"ref=e{refs.index(found[0]) + 1}", tree)


@pytest.mark.req("V-TIER-02", "V-TIER-03")
def test_native_list_boxes_and_elements_in_the_tab_order_have_refs_in_the_tree(tab: Tab) -> None:
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
        '  - combobox "One" (value: "First") [ref=e8]\n'
        '  - generic "Card" [ref=e9]\n'
        '  - heading "Zoo" (level 2) [ref=e10]\n'
        "  - note\n"
        '    - text "Not"'
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
