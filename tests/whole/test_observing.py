"""observe: detail levels, their content, size and truncation."""

import json
from typing import Any

import pytest

from tests.whole.answers import messages
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

    assert without_time(tab.call("observe")) == without_time(tab.call("observe", detail="summary"))


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


@pytest.mark.parametrize("drawn", ["<main><canvas></canvas></main>", "<img src=/image.png>"])
def test_a_page_without_text_suggests_a_screenshot(tab: Tab, drawn: str) -> None:
    assert "screenshot" in tab.open(drawn)["note"]
    assert "screenshot" in tab.call("observe")["note"]
    assert "note" not in tab.open(f"{drawn}<p>Text</p>")


@pytest.mark.req("C-PIPE-05", "C-DET-01", "C-DET-02", "C-DET-05", "C-DET-06", "C-PR-06", "C-PR-07")
def test_detail_levels_differ_in_their_text(tab: Tab) -> None:
    tab.open(LANDMARKS)

    minimal, summary, full = (
        tab.call("observe", detail=detail)["structure"] for detail in ("minimal", "summary", "full")
    )

    assert [each["id"] for each in minimal["landmarks"]] == [
        each["id"] for each in summary["landmarks"]
    ]
    assert minimal["headings"] == summary["headings"] == full["headings"]
    assert "bounds" not in minimal["landmarks"][0]
    assert not minimal.get("content_summary")
    assert summary["content_summary"] == full["content_summary"]
    assert 'region "Deals": 1 button' in summary["content_summary"]
    assert "full_content" not in minimal
    assert "full_content" not in summary
    assert full["full_content"].split("\n") == [
        "Top", "A", "Title", "Part", "Piece", "Words", "Buy", "Aside", "End", "Outside",
    ]  # fmt: skip


@pytest.mark.req("C-PR-08", "C-PR-09")
def test_landmarks_have_their_aria_role_and_label(tab: Tab) -> None:
    tab.open(LANDMARKS)

    landmarks = tab.call("observe")["structure"]["landmarks"]

    assert [(each["role"], each["label"]) for each in landmarks] == [
        ("banner", "banner"),
        ("navigation", "Main"),
        ("main", "main"),
        ("form", "Sign"),
        ("region", "Deals"),
        ("search", "search"),
        ("complementary", "complementary"),
        ("contentinfo", "contentinfo"),
    ]


@pytest.mark.req("C-PR-10")
def test_headings_have_level_text_and_id(tab: Tab) -> None:
    tab.open("<h1>1</h1><h2>2</h2><h3>3</h3><h4>4</h4><h5>5</h5><h6>6</h6>"
             "<p role=heading aria-level=3>3 again</p>")  # fmt: skip

    headings = tab.call("observe")["structure"]["headings"]

    levels = [(each["level"], each["text"]) for each in headings]
    assert levels == [(n, str(n)) for n in range(1, 7)] + [(3, "3 again")]
    assert all(each["id"].startswith("hdg-") for each in headings)


@pytest.mark.req("C-PR-34")
def test_minimal_detail_counts_elements_by_landmark(tab: Tab) -> None:
    tab.open(LANDMARKS)

    summary = tab.call("observe", detail="minimal")["interactive_summary"]

    places = summary["by_landmark"]
    assert places["navigation (Main)"] == {"link": 1}
    assert places["(page root)"] == {"button": 1}
    assert places["search"] == {"text_input": 1}
    assert sum(sum(place.values()) for place in places.values()) == summary["total"] == 5


@pytest.mark.req("C-DET-08")
@pytest.mark.parametrize(
    ("page", "minimal", "summary"),
    [("/counter.html", 800, 2_400), ("/index.html", 1_600, 8_000), ("/form.html", 1_100, 5_200)],
)
def test_answers_for_usual_pages_are_small(tab: Tab, page: str, minimal: int, summary: int) -> None:
    tab.open(page)

    assert len(tab.reply("observe", detail="minimal").text) < minimal
    assert len(tab.reply("observe", detail="summary").text) < summary


@pytest.mark.parametrize("page", ["/links.html", "/library.html", "/table.html?rows=300"])
def test_the_outline_of_a_huge_page_stays_small(tab: Tab, page: str) -> None:
    tab.open(page, detail="minimal")

    text = tab.reply("observe", detail="minimal").text

    assert len(text) < 40_000 if "library" in page else len(text) < 4_000


def test_detail_auto_reports_the_chosen_detail(tab: Tab) -> None:
    tab.open("/counter.html")
    assert tab.call("observe", detail="auto")["detail"] == "summary"

    tab.open("/links.html")
    assert tab.call("observe", detail="auto")["detail"] == "minimal"


def test_a_truncated_list_continues_without_gap_or_repetition(tab: Tab) -> None:
    tab.open("/links.html", detail="minimal")
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


def test_headings_and_text_can_be_continued(tab: Tab) -> None:
    tab.open("".join(f"<h2>Chapter {n}</h2><p>Text {n} {'word ' * 20}</p>" for n in range(100)))

    answer = tab.call("observe", detail="full", max_chars=4_000)

    cuts = {row["part"]: row["next_cursor"] for row in rows(answer["truncation"])}
    assert set(cuts) >= {"headings", "full_content"}
    more = tab.call("observe", cursor=cuts["headings"])["structure"]["headings"]
    seen = answer["structure"]["headings"]
    assert more[0]["text"] == f"Chapter {len(seen)}"
    assert more[-1]["text"] == "Chapter 99"


@pytest.mark.parametrize("cursor", ["", "1", "1.interactive", "1.everything.0", "a.interactive.3"])
def test_an_invalid_cursor_is_refused(tab: Tab, cursor: str) -> None:
    tab.open("/counter.html")

    assert tab.refused("observe", cursor=cursor)["code"] in {"INVALID_ARGUMENT", "SNAPSHOT_EXPIRED"}


def test_a_cursor_of_an_evicted_snapshot_is_refused_with_the_tab(tab: Tab) -> None:
    tab.open("/links.html")

    error = tab.refused("observe", cursor="999999.interactive.10")

    assert error["code"] == "SNAPSHOT_EXPIRED"
    assert tab.id in error["message"]


@pytest.mark.req("C-SNAP-03", "C-SNAP-06", "C-REND-03")
def test_snapshot_ids_increase(tab: Tab) -> None:
    first = tab.open("/counter.html")["snapshot_id"]
    second = tab.call("observe")["snapshot_id"]
    delta = tab.click("Clicked")

    assert first < second < delta["snapshot_id"]
    assert delta["delta"]["to_snapshot"] == delta["snapshot_id"]
    assert delta["delta"]["from_snapshot"] < delta["delta"]["to_snapshot"]


@pytest.mark.req("C-REND-02", "C-PR-30", "C-ERR-05", "C-ERR-06", "C-DET-07")
@pytest.mark.parametrize("detail", ["minimal", "summary", "full"])
def test_page_errors_are_reported_at_every_detail(tab: Tab, detail: str) -> None:
    tab.open("/console.html")

    errors = tab.call("observe", detail=detail)["errors"]

    texts = [(row["level"], row["text"]) for row in errors["console"]]
    assert ("error", "The till does not answer") in texts
    assert any("The kettle is empty" in text for _, text in texts)
    assert not any(level in {"log", "info", "warn"} for level, _ in texts)
    [failure] = errors["network"]
    assert failure["url"].endswith("/missing.json")
    assert failure["status"] == 404
    console = tab.call("console")["messages"]
    assert all({"level": lv, "text": tx} in [pick(m) for m in console] for lv, tx in texts)


def pick(message: dict[str, str]) -> dict[str, str]:
    return {"level": message["level"], "text": message["text"]}


@pytest.mark.req("C-ERR-07")
def test_errors_are_reported_until_they_are_cleared(tab: Tab) -> None:
    tab.open("<script>console.error('from before')</script>")
    assert messages(tab.call("observe")) == ["from before"]

    tab.call("console", clear=True)
    assert tab.call("observe")["errors"]["console"] == []


def test_only_the_last_ten_errors_are_returned_with_the_page(tab: Tab) -> None:
    tab.open("<script>for (let n = 0; n < 25; n++) console.error(`wrong ${n}`)</script>")

    errors = tab.call("observe")["errors"]

    assert [row["text"] for row in errors["console"]] == [f"wrong {n}" for n in range(15, 25)]
    assert errors["totals"]["console"] == 25


@pytest.mark.req("C-ID-07")
def test_ids_survive_changes_around_their_elements(tab: Tab) -> None:
    tab.open("/form.html")
    before = {each["label"]: each["id"] for each in tab.call("observe")["interactive"]}
    tab.js("document.querySelector('#club').prepend(document.createElement('button'))")
    tab.js("document.querySelector('[name=name]').setAttribute('aria-label', 'Called')")

    after = {each["label"]: each["id"] for each in tab.call("observe")["interactive"]}

    assert after.pop("Called") == before.pop("Full name")
    assert {label: after[label] for label in before} == before


@pytest.mark.req("C-ID-01", "C-ID-05", "C-ID-06")
def test_an_id_is_a_prefix_and_a_short_hash(tab: Tab) -> None:
    tab.open("<div><button>Same</button></div>" * 3)

    ids = [each["id"] for each in tab.call("observe")["interactive"]]

    assert ids == [ids[0], f"{ids[0]}-2", f"{ids[0]}-3"]
    assert ids[0][:4] == "btn-"
    assert int(ids[0][4:], 16) < 16**4


def test_the_answer_is_one_compact_json_block(tab: Tab) -> None:
    tab.open("/counter.html")

    reply = tab.reply("observe")

    [block] = reply.result["content"]
    assert block["type"] == "text"
    assert block["text"] == json.dumps(reply.json, ensure_ascii=False, separators=(",", ":"))
