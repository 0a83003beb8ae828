"""The size of answers, in characters."""

import json

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LINKS = "".join(f'<p><a href="/item/{n}">Item number {n}</a></p>' for n in range(230))
OUTLINE = 450
DELTA = 350
MOST_PER_PART = 90


def outline(tab: Tab, more: str) -> int:
    """Return the number of characters of the answer for a page of links."""
    url = tab.web.url(tab.web.write(f"<title>Items</title><h1>Items</h1>{more}{LINKS}"))
    return len(tab.reply("navigate", url=url, detail="minimal").text)


@pytest.mark.req("C-DET-08", "C-DET-03", "P-01")
def test_the_outline_of_many_links_stays_short(tab: Tab) -> None:
    assert outline(tab, "") <= OUTLINE


@pytest.mark.req("C-DET-08")
@pytest.mark.parametrize(
    "part",
    [
        "<h2>A heading of usual length</h2>",
        "<nav aria-label='Breadcrumb'></nav>",
        "<section aria-label='Recommended for you'></section>",
        "<footer></footer>",
    ],
)
def test_each_heading_and_landmark_adds_few_characters(tab: Tab, part: str) -> None:
    plain = outline(tab, "")
    assert outline(tab, part * 5) - plain <= 5 * MOST_PER_PART


@pytest.mark.req("C-DET-08", "C-PR-35")
def test_a_click_that_changes_one_text_has_a_short_answer(tab: Tab) -> None:
    tab.open(f"""<p id=said>Nothing yet</p><button onclick="said.textContent = 'Saved'">Save
      </button>{LINKS}""")
    assert len(tab.reply("click", element_id=tab.find("Save")).text) <= DELTA


@pytest.mark.req("C-DET-08")
@pytest.mark.parametrize(
    ("tool", "arguments"), [("key", {"key": "End"}), ("scroll", {"direction": "down"})]
)
def test_a_scroll_has_a_short_answer(tab: Tab, tool: str, arguments: dict[str, str]) -> None:
    tab.open(LINKS)
    reply = tab.reply(tool, **arguments)
    assert tab.js("scrollY") > 0
    assert len(reply.text) <= DELTA
    assert reply.json["delta"]["changes"] == []


@pytest.mark.fault
@pytest.mark.parametrize(
    "page",
    [
        "Array.from({length: 3000}, (_, n) => `<a href=/x/${n}>Link ${n}</a> `)",
        "Array.from({length: 3000}, (_, n) => `<p>${'word '.repeat(20)}${n}</p>`)",
        "[`<p>${'word '.repeat(50000)}`]",
        "['<select>', ...Array.from({length: 20000}, (_, n) => `<option>Choice ${n}`)]",
        (
            "Array.from({length: 600}, (_, n) => `<section aria-label='P ${n}'><h2>H ${n}</h2>"
            "<form action=/f/${n}><input aria-label='Field ${n}'></form></section>`)"
        ),
    ],
    ids=["links", "paragraphs", "one line", "options", "structure"],
)
@pytest.mark.parametrize("detail", ["minimal", "summary", "full"])
def test_an_answer_for_a_huge_page_stays_within_the_limit(tab: Tab, page: str, detail: str) -> None:
    tab.open("", detail="minimal")
    tab.js(f"document.body.innerHTML = {page}.join(''); document.body.offsetHeight")
    reply = tab.reply("observe", detail=detail)
    assert len(reply.text) <= 40_000
    assert reply.json["url"] == tab.js("location.href")


@pytest.mark.fault
@pytest.mark.parametrize("max_chars", [2_000, 40_000])
@pytest.mark.parametrize("mode", ["tree", "interactive", "outline", "content", "all"])
@pytest.mark.parametrize("refs", [False, True])
def test_text_modes_of_a_huge_page_stay_within_the_limit(
    tab: Tab,
    mode: str,
    max_chars: int,
    refs: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    tab.open("", detail="minimal")
    section = (
        "`<section aria-label='P ${n}'><h2>H ${n}</h2><a href=/x/${n}>Link ${n}</a></section>`"
    )
    tab.js(f"document.body.innerHTML = Array.from({{length: 1200}}, (_, n) => {section}).join('')")
    reply = tab.reply("observe", mode=mode, include_refs=refs, max_chars=max_chars)
    cut = json.loads(reply.texts[1])["truncation"]
    more = tab.reply("observe", cursor=cut["next_cursor"], max_chars=max_chars)
    assert sum(map(len, reply.texts)) <= max_chars
    assert sum(map(len, more.texts)) <= max_chars
    assert len(more.texts[0]) > max_chars // 2 or "truncation" not in json.loads(more.texts[1])


@pytest.mark.req("C-PR-19")
def test_find_searches_all_options_although_only_fifty_are_listed(tab: Tab) -> None:
    tab.open("<select aria-label=Many>"
             + "".join(f"<option>Choice {n}</option>" for n in range(20_000)))  # fmt: skip
    element = tab.element("Many")
    assert len(element["options"]) == 51
    assert element["options"][-1] == "… 19950 more"
    assert tab.element("Choice 19999")["id"] == element["id"]


@pytest.mark.fault
@pytest.mark.req("C-FIND-06")
@pytest.mark.extended
def test_elements_beyond_the_maximum_are_counted_and_found(tab: Tab) -> None:
    tab.open("", detail="minimal")
    button = "`<button onclick='document.title = ${n}'>Do ${n}</button>`"
    made = f"Array.from({{length: 20300}}, (_, n) => {button})"
    idle = "new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done(0))))"
    tab.js(f"document.body.innerHTML = {made}.join(''); {idle}", timeout=30_000)
    assert tab.call("observe", detail="minimal")["interactive_summary"]["total"] == 20_300
    cut = tab.call("observe")["truncation"]
    assert (cut["total"], cut["by_find_only"]) == (20_300, 300)
    tab.click("Do 20299")
    assert tab.js("document.title") == "20299"
    assert "by_find_only" not in tab.call("observe")["truncation"]
