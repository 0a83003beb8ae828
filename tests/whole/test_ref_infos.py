"""include_refs and include_styles: selectors, bounds and styles of elements."""

import json
from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

PAGE = """<style>body { margin: 0 } button { color: rgb(1, 2, 3); height: 40px }</style>
<button id=buy>Buy</button><ul><li><a href=x>One</a><li><a href=y data-testid="two">Two</a>
<li><a href=z>Three</a></ul><button style="position: absolute; top: 700px">Half</button>
<button style="position: absolute; top: 701px">Less</button>
<iframe title=Ads srcdoc="<body style='margin: 0'><button>Close</button>"
  style="position: absolute; left: 100px; top: 200px; border: 0"></iframe>"""


def refs_of(tab: Tab, mode: str, **arguments: Any) -> Message:
    about = json.loads(tab.reply("observe", mode=mode, include_refs=True, **arguments).texts[1])
    refs: Message = about["refs"]
    return refs


@pytest.mark.req("B-REFI-01", "S-VIS-01", "S-VIS-05", "B-API-01")
def test_a_reference_includes_a_selector_that_matches_it(tab: Tab) -> None:
    tab.open(PAGE)

    refs = refs_of(tab, "interactive")

    assert list(refs) == [f"@ref:{number}" for number in range(7)]
    buy, one, two, three, *_ = refs.values()
    assert buy | {"bbox": 0} == {
        "selector": "#buy", "role": "button", "name": "Buy", "bbox": 0, "inViewport": True,
    }  # fmt: skip
    assert buy["bbox"] == {
        "x": 0, "y": 0, "width": tab.js("Math.round(buy.getBoundingClientRect().width)"),
        "height": 40,
    }  # fmt: skip
    assert two["selector"] == '[data-testid="two"]'
    for ref in (one, two, three):
        name = tab.js(f"document.querySelector({json.dumps(ref['selector'])}).textContent")
        assert name == ref["name"]


@pytest.mark.req("S-VIS-01", "S-VIS-02", "S-VIS-03", "S-VIS-04", "S-FLOW-03")
def test_an_element_half_inside_the_viewport_counts_as_visible(tab: Tab) -> None:
    tab.open(
        PAGE
        + """<button style='width: 0; padding: 0; border: 0'>None</button>
        <button style='position: absolute; left: 1400px; top: 800px'>Away</button>"""
    )

    seen = {one["name"]: one["inViewport"] for one in refs_of(tab, "interactive").values()}

    expected = {"Half": True, "Less": False, "None": False, "Away": False}
    assert {name: seen[name] for name in expected} == expected
    rows = tab.call("observe", detail="full")["interactive"]
    assert {row["label"]: row["in_viewport"] for row in rows} == seen


def test_references_beyond_the_limit_are_counted(tab: Tab) -> None:
    tab.open("<ul>" + "".join(f"<li><a href=/{n}>Item {n}</a>" for n in range(500)))

    reply = tab.reply("observe", mode="all", include_refs=True, max_chars=10_000)

    about = json.loads(reply.texts[1])
    assert 0 < len(about["refs"]) < 1001
    assert "refs were left out for lack of room" in about["metadata"]["warnings"][-1]
    assert sum(map(len, reply.texts)) < 11_000


@pytest.mark.req("C-OBS-03")
def test_elements_include_their_styles_on_request(tab: Tab) -> None:
    tab.open(PAGE)

    plain = tab.call("observe")["interactive"]
    styled = tab.call("observe", include_styles=True)["interactive"]

    assert not any("styles" in one for one in plain)
    styles = styled[0]["styles"]
    assert (styles["color"], styles["display"]) == ("rgb(1, 2, 3)", "inline-block")
    assert len(styled) == len(plain)


@pytest.mark.req("C-OBS-02")
def test_a_truncated_part_of_a_page_continues_at_the_cut(tab: Tab) -> None:
    links = "".join(f"<a href=/{n}>Item {n}</a> " for n in range(100))
    tab.open(f"<a href=/>Home</a><div id=part>{links}</div>")

    first = tab.call("observe", selector="#part", max_chars=5_000)
    tab.js("document.body.textContent = ''")
    rest = tab.call("observe", cursor=first["truncation"]["next_cursor"])

    shown = [one["label"] for one in first["interactive"] + rest["interactive"]]
    assert shown == [f"Item {number}" for number in range(100)]
    assert first["snapshot_id"] > 0


def test_ignored_options_are_named_in_a_warning(tab: Tab) -> None:
    tab.open(PAGE)
    cases: list[Any] = [
        ({"grep": "x", "max_lines": 5}, ["max_lines"]),
        ({"mode": "head", "grep": "x", "include_refs": True}, ["grep", "include_refs"]),
        ({"mode": "structure", "all_refs": True, "detail": "full"}, ["detail", "all_refs"]),
        ({"mode": "content", "include_images": True}, ["include_images"]),
        ({"format": "html", "include_hidden": True}, ["include_hidden"]),
        ({"mode": "structure", "max_lines": 5, "grep": "x"}, []),
        ({"mode": "content", "format": "markdown", "include_links": False}, []),
    ]

    for arguments, names in cases:
        with case(arguments, names):
            reply = tab.reply("observe", **arguments)
            answer = json.loads(reply.texts[-1])
            warnings = answer.get("warnings") or answer.get("metadata", {}).get("warnings", [])
            assert [one.split(" ")[0] for one in warnings if "ignored" in one] == names
