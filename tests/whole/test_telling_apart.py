"""Elements with equal or empty names: group, nearby text and section."""

from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


def test_a_radio_button_names_its_group(tab: Tab) -> None:
    tab.open("""<fieldset><legend>Tea?</legend><label><input type=radio name=a> Yes</label>
      <label><input type=checkbox> Green</label></fieldset>
      <label><input type=radio name=sugar> Yes</label><label><input type=checkbox> Now</label>""")

    groups = [each.get("group") for each in tab.call("observe")["interactive"]]

    assert groups == ["Tea?", "Tea?", "sugar", None]


def test_an_element_without_a_name_has_the_text_near_it(tab: Tab) -> None:
    tab.open("""<table><tr><td>Tea<td><button><svg width=9 height=9></svg></button></table>
      <ul><li>Milk <i style="cursor: pointer; display: inline-block; width: 9px; height: 9px"></i>
      </ul><p>Note: <span><input></span></p><button>Save</button>""")

    named = [(each["label"], each.get("near")) for each in tab.call("observe")["interactive"]]

    assert named == [("", "Tea"), ("", "Milk"), ("", "Note:"), ("Save", None)]


BOXED = "<div><div><div><div><div><input type=range></div></div></div></div></div>"
HIDDEN = "<select id=%d aria-hidden=true style='position: absolute; width: 1px'></select>"
FIELD = "<span style='display: inline-block'><span role=combobox tabindex=0>-</span></span>"
LABELLED = "".join(f"<label for={n}>Label {n}</label>{HIDDEN % n}{FIELD}" for n in range(4))
"""Labels of Select2 fields belong to a hidden select."""


def test_a_field_has_the_text_just_before_it_or_beside_its_boxes_as_near(tab: Tab) -> None:
    cases: dict[str, list[str | None]] = {
        f"<div><p>Volume</p>{BOXED}</div><div><p>Any</p>{BOXED}{BOXED}</div>": [
            *("Volume", "Any", None)
        ],
        f"<div>All of them {'<p><input type=range>' * 7}</div>": ["All of them", *[None] * 6],
        f"{LABELLED}<label for=own>Own</label><input id=own>{FIELD * 3}": [
            *("Label 0", "Label 1", "Label 2", "Label 3"),
            *[None] * 4,
        ],
    }
    for page, near in cases.items():
        with case(page):
            tab.open(page)
            assert [each.get("near") for each in tab.call("observe")["interactive"]] == near


SHOP = """<nav><a href="/">Home</a></nav><main><div id=list></div><p><button>Save</button></main>
<footer>Shop Ltd <a href="/">Home</a></footer>
<script>const goods = ['Tea', 'Milk', 'Salt'], draw = () => { list.innerHTML = goods.map((one) =>
  `<div><h3>${one}</h3><b>${one.length} &euro;</b><button>Buy</button></div>`).join('') }
  list.onclick = (event) => { document.title = event.target.parentNode.textContent; draw() }
  draw()</script>"""


def test_elements_with_equal_names_have_the_text_near_them(tab: Tab) -> None:
    tab.open(SHOP)

    named = [(each["label"], each.get("near")) for each in tab.call("observe")["interactive"]]

    assert named == [
        ("Home", None),
        *[("Buy", "Tea 3 €"), ("Buy", "Milk 4 €"), ("Buy", "Salt 4 €")],
        *[("Save", None), ("Home", None)],
    ]


SECTIONS = """<main><h1>Guide</h1><p>Start</p><h2 id=b>Tea</h2><p>Boil water</p>
<a href=/t>Leaves</a>
<h3>Green</h3><p>Less hot</p><div><h2 id=c>Coffee</h2></div><p>Grind</p><a href=/c>Beans</a>
<section><h2 id=d>Milk</h2><p>Pour</p></section><p>The end</p></main>"""


def test_a_heading_id_as_selector_returns_its_section(tab: Tab) -> None:
    tab.open(SECTIONS)
    ids = {each["text"]: each["id"] for each in tab.call("observe")["structure"]["headings"]}
    cases: list[Any] = [
        ("Tea\nBoil water\nLeaves\nGreen\nLess hot", ["Leaves"]),
        ("Coffee\nGrind\nBeans", ["Beans"]),
        ("Milk\nPour", []),
    ]

    for text, links in cases:
        with case(text, links):
            part = tab.call("observe", selector=ids[text.partition("\n")[0]], detail="full")
            assert part["structure"]["full_content"] == text
            assert [each["label"] for each in part["interactive"]] == links


def test_a_css_selector_returns_only_the_matched_element(tab: Tab) -> None:
    tab.open(SECTIONS)

    for selector in ["h1", "#b", "#c"]:
        with case(selector):
            text = tab.js(f"document.querySelector('{selector}').textContent")
            part = tab.call("observe", selector=selector, detail="full")
            assert part["structure"]["full_content"] == text
            assert part["interactive"] == []
            assert "warnings" not in part


def test_a_selector_with_several_matches_causes_a_warning(tab: Tab) -> None:
    tab.open(SECTIONS)

    part = tab.call("observe", selector="h2")
    _, second = tab.reply("observe", selector="h2", mode="tree").texts

    assert "matches 3 elements; this is the first" in part["warnings"][0]
    assert "matches 3 elements; this is the first" in second
