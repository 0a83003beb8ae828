"""observe on pages with little content: blank, empty, or still loading."""

import json

import pytest
from starlette.responses import HTMLResponse

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

NOTE = "[Note: Page has no accessible content.]"


@pytest.mark.req("V-CAP-05", "V-CAP-06", "B-META-04", "B-META-07")
def test_the_tree_of_an_empty_page_is_the_document_and_a_note(tab: Tab) -> None:
    cases = [b"", b"<html></html>", b"<script>document.documentElement.remove()</script>"]

    for body in cases:
        with case(body):
            tab.open(tab.web.publish(HTMLResponse(body)))
            text, about = tab.reply("observe", mode="tree").texts
            assert text == f"- document:\n{NOTE}"
            metadata = json.loads(about)["metadata"]
            assert metadata["quality"] == "low"
            assert any("Page appears to be empty" in warning for warning in metadata["warnings"])


@pytest.mark.req("B-HEAD-03", "B-HEAD-05", "V-CAP-05")
def test_a_page_without_content_so_far_is_loading(tab: Tab) -> None:
    tab.open("<p>Before")
    tab.js("document.open(), document.write('<p>The beginning'), 0")

    lines = tab.reply("observe", mode="head").texts[0].split("\n")
    tree = tab.reply("observe", mode="tree").texts[0]
    tab.js("document.write('<button>Go</button>'), 0")
    assert "\nSTATUS: interactive\n" in tab.reply("observe", mode="head").texts[0]
    tab.js("document.close()")

    assert (lines[3], lines[5]) == ("STATUS: loading", "READY_STATE: loading")
    assert tree == '- document:\n  - paragraph "The beginning"'


@pytest.mark.req("C-OBS-02")
def test_an_unmatched_selector_is_an_error(tab: Tab) -> None:
    tab.open("<main><button>In</button></main><button>Out</button>")

    for detail in ["minimal", "summary", "full"]:
        with case(detail):
            error = tab.refused("observe", selector="aside", detail=detail)
            assert error["code"] == "ELEMENT_NOT_FOUND"
            assert "aside" in error["message"]


@pytest.mark.req("C-DET-03", "C-DET-04", "C-OBS-01", "C-PR-34")
def test_elements_and_forms_are_listed_except_with_minimal_detail(tab: Tab) -> None:
    tab.open("""<form aria-label=Join><input aria-label=Name><button>Go</button></form>
      <main><a href=/>Home</a></main><button>Outside</button>""")

    minimal, summary, full = (
        tab.call("observe", detail=detail) for detail in ("minimal", "summary", "full")
    )

    assert not {"interactive", "forms"} & minimal.keys()
    assert minimal["interactive_summary"] == {
        "total": len(summary["interactive"]),
        "by_landmark": {
            "form (Join)": {"text_input": 1, "button": 1},
            "main": {"link": 1},
            "(page root)": {"button": 1},
        },
    }
    assert "interactive_summary" not in summary
    assert full["structure"].keys() - summary["structure"].keys() == {"full_content"}
    ids = [[one["id"] for one in each["interactive"]] for each in (summary, full)]
    assert ids[0] == ids[1]
    assert full["forms"] == summary["forms"] != []
