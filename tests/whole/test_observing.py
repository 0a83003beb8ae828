"""observe: detail levels, their content, size and truncation; the part in view."""

import json
from typing import Any

import pytest
from starlette.responses import HTMLResponse

from tests.whole.cases import case
from tests.whole.client import open_server
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

SHOP = "/index.html"
LANDMARKS = """
<header>Top</header><nav aria-label="Main"><a href="/a">A</a></nav>
<main><h1>Title</h1><h2>Part</h2><div role="heading" aria-level="3">Piece</div><p>Words</p>
<form aria-label="Sign"><input aria-label="Name"></form>
<section aria-label="Deals"><button>Buy</button></section>
<div role="search"><input type="search" aria-label="Find"></div></main>
<aside>Aside</aside><footer>End</footer><button>Outside</button>
"""


def without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in answer.items() if k not in {"snapshot_id", "timestamp"}}


@pytest.mark.req("C-OBS-01", "C-REND-01")
def test_observe_returns_a_summary_by_default(tab: Tab) -> None:
    tab.open(SHOP)

    summary = tab.call("observe", detail="summary", include_styles=False)
    assert without_time(tab.call("observe")) == without_time(summary)
    assert summary["structure"]["landmarks"][0]["role"] == "banner"


@pytest.mark.req("C-PR-01", "C-PR-05", "C-DET-03", "C-DET-04")
def test_a_summary_of_an_empty_page_has_every_key(tab: Tab) -> None:
    tab.open("")

    answer = tab.call("observe")

    assert list(answer) == [
        "url", "title", "viewport", "snapshot_id", "timestamp", "structure", "interactive",
        "forms", "errors", "tab_id",
    ]  # fmt: skip
    assert answer["structure"] == {"landmarks": [], "headings": [], "content_summary": ""}
    assert answer["errors"] == {"console": [], "network": []}


def test_a_page_without_text_suggests_a_screenshot(tab: Tab) -> None:
    for drawn in ["<main><canvas></canvas></main>", "<img src=/image.png>"]:
        with case(drawn):
            assert "screenshot" in tab.open(drawn)["note"]
            assert "screenshot" in tab.call("observe")["note"]
            assert "note" not in tab.open(f"{drawn}<p>Text</p>")


@pytest.mark.req("C-PIPE-05", "C-DET-01", "C-DET-02", "C-DET-05", "C-DET-06", "C-PR-06", "C-PR-07")
def test_detail_levels_differ_in_their_text(tab: Tab) -> None:
    tab.open(LANDMARKS)

    minimal, summary, full = (
        tab.call("observe", detail=detail)["structure"] for detail in ("minimal", "summary", "full")
    )

    ids = [[each["id"] for each in part["landmarks"]] for part in (minimal, summary, full)]
    assert ids[0] == ids[1] == ids[2] != []
    assert minimal["headings"] == summary["headings"] == full["headings"] != []
    assert "bounds" not in minimal["landmarks"][0]
    assert not minimal.get("content_summary")
    assert summary["content_summary"] == full["content_summary"]
    assert 'region "Deals": 1 button' in summary["content_summary"]
    assert "full_content" not in {*minimal, *summary}
    assert full["full_content"].split("\n") == [
        "Top", "A", "Title", "Part", "Piece", "Words", "Buy", "Aside", "End", "Outside",
    ]  # fmt: skip


@pytest.mark.req("P-01")
def test_a_truncated_list_continues_without_gap_or_repetition(tab: Tab) -> None:
    assert "interactive" not in tab.open("/counter.html", detail="minimal")
    assert "interactive" in tab.open("/links.html", detail="summary")
    first = tab.reply("observe", max_chars=8_000)
    assert len(first.text) <= 8_000
    answer = first.json
    labels = [each["label"] for each in answer["interactive"]]
    [cut] = [row for row in rows(answer["truncation"]) if row["part"] == "interactive"]
    assert (cut["total"], cut["returned"]) == (230, len(labels))
    tab.js("document.body.textContent = 'gone'")  # a cursor goes on in the snapshot it came from

    while cut is not None:
        reply = tab.reply("observe", cursor=cut["next_cursor"], max_chars=8_000)
        assert len(reply.text) <= 8_000
        assert reply.json["snapshot_id"] == answer["snapshot_id"]
        labels += [each["label"] for each in reply.json["interactive"]]
        cut = reply.json.get("truncation")

    assert len(labels) == len(set(labels)) == 230


def rows(truncation: Any) -> list[dict[str, Any]]:
    several: list[dict[str, Any]] = [truncation] if "part" in truncation else truncation
    return several


def test_an_invalid_cursor_is_refused(tab: Tab) -> None:
    tab.open("/counter.html")
    cases = ["", "1", "1.interactive", "1.everything.0", "a.interactive.3"]

    for cursor in cases:
        with case(cursor):
            assert tab.refused("observe", cursor=cursor)["code"] in {
                "INVALID_ARGUMENT",
                "SNAPSHOT_EXPIRED",
            }


@pytest.mark.req("C-SNAP-06", "C-REND-03")
def test_snapshot_ids_increase(tab: Tab) -> None:
    first = tab.open("/counter.html")["snapshot_id"]
    second = tab.call("observe")["snapshot_id"]
    delta = tab.click("Clicked")

    assert first < second < delta["snapshot_id"]


@pytest.mark.req("C-SNAP-03")
def test_snapshot_ids_start_at_one_and_are_never_reused() -> None:
    with open_server() as server:
        first = server.call("tab_open", url="data:text/html,A").json
        server.call("configure", snapshot_depth=5)
        later = [server.call("navigate", url=f"data:text/html,{n}").json for n in range(6)]
        server.call("tab_close", tab_id=first["tab_id"])
        last = server.call("tab_open", url="data:text/html,C").json

    ids = [each["snapshot_id"] for each in (first, *later, last)]
    assert ids[0] == 1
    assert ids == sorted(set(ids))


@pytest.mark.req("C-REND-02", "C-PR-30", "C-ERR-05", "C-ERR-06", "C-DET-07")
def test_page_errors_are_reported_at_every_detail(tab: Tab) -> None:
    tab.open("/console.html")

    for detail in ["minimal", "summary", "full"]:
        with case(detail):
            errors = tab.call("observe", detail=detail)["errors"]

            texts = [(row["level"], row["text"]) for row in errors["console"]]
            assert ("error", "The till does not answer") in texts
            assert any("The kettle is empty" in text for _, text in texts)
            assert {level for level, _ in texts} <= {"error", "warn"}
            [failure] = errors["network"]
            assert failure["url"].endswith("/missing.json")
            assert (failure["status"], {*failure}) == (404, {"url", "status", "statusText"})
            assert failure.items() <= tab.call("requests", failed=True)["requests"][0].items()
            console = tab.call("console")["messages"]
            assert all({"level": lv, "text": tx} in [pick(m) for m in console] for lv, tx in texts)


def pick(message: dict[str, str]) -> dict[str, str]:
    return {"level": message["level"], "text": message["text"]}


TALL = """<header style="position: sticky; top: 0"><button>Menu</button></header>
<p>First paragraph with <a href="#a">a link</a>.</p>
<table><tr><td>near</td><td><button>Delete</button></td></tr></table>
<div style="height: 3000px"></div>
<p>Last paragraph with <a href="#b">another link</a>.</p>
<table><tr><td>far</td><td><button>Delete</button></td></tr></table>
<button>Below</button>"""


def seen(tab: Tab, **options: object) -> str:
    text = tab.reply("observe", answers="text", in_view=True, **options).text
    return text.partition("\n")[2]


def test_what_lies_below_the_viewport_is_left_out(tab: Tab) -> None:
    tab.open(TALL)

    text = seen(tab)

    assert "First paragraph" in text
    assert '"a link"' in text
    assert text.count("Delete") == 1
    for absent in ("Last", "another", "far", "Below"):
        assert absent not in text


def test_after_scrolling_the_end_and_sticky_elements_are_shown(tab: Tab) -> None:
    tab.open(TALL)
    tab.js("scrollTo(0, 5000)")

    text = seen(tab)

    assert '"Menu"' in text
    assert "Last paragraph" in text
    assert "far" in text
    assert "First" not in text
    assert "near" not in text


def test_a_part_of_a_page_has_its_marked_text_and_images(tab: Tab) -> None:
    pixel = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"
    image = f"<img src={pixel} width=99 height=99"
    tab.open(f"<p id=a>$12<sup>99</sup>, was <s>$20</s> {image} ></p>{image} alt=Big id=b>")
    for selector, lines in [
        ("#a", ["$12^99, was ~~$20~~", "[image 99×99]"]),
        ("p > img", ["[image 99×99]"]),
    ]:
        text = tab.reply("observe", answers="text", selector=selector).text
        assert text.splitlines()[1:] == lines


def test_the_tree_has_only_what_is_in_view(tab: Tab) -> None:
    tab.open(TALL)

    tree = tab.reply("observe", mode="tree", in_view=True).texts[0]

    assert 'link "a link"' in tree
    assert "another link" not in tree


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


def test_a_selected_part_begins_with_its_first_line_whatever_styles_add(tab: Tab) -> None:
    style = "<style>.n::before{content:'!'} .m::after{content:'*'}</style>"
    for first in [
        "<q>send</q>",
        "<b class=n>send</b>",
        "<i class=m>send</i>",
        "<q><q>send</q></q>",
    ]:
        with case(first):
            tab.open(
                f"{style}<p>Form</p><section><p>Press {first} now</p><button>Go</button></section>"
            )
            lines = tab.reply("observe", selector="section", answers="text").texts[0].splitlines()
            assert lines[1:-1] == ["Press send now"]
