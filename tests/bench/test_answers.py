"""The pages and the parts of the benchmark of answers."""

import json

import pytest

from bench.answer_forms import DEFAULT, FULL, SNAPSHOT, VISIBLE, PageForms, find_cursors
from bench.answers import PAGES, Result, limits
from charlotte import Config, open_charlotte
from charlotte.answers.text.outline import build_outline
from charlotte.answers.text.page import render_page, write_header
from charlotte.page.model import PageView
from tests.site.server import Site, open_site

COUNT = 30
TEXT = 'tab-1 "Shop"\n# Boots\nbtn-1ff8 "Buy now" [disabled] lnk-2c11-2 "Size guide"\nabtn-0000 x'


def forms(**sizes: int) -> PageForms:
    texts = {FULL: "x" * sizes["full"], DEFAULT: "x" * sizes["default"], SNAPSHOT: "x" * 1000}
    return PageForms({**texts, VISIBLE: "x" * 400}, frozenset(), frozenset())


def result(page: str, **sizes: int) -> Result:
    return Result(page, forms(**sizes), {})


async def load_views(site: Site, paths: list[str]) -> dict[str, PageView]:
    views: dict[str, PageView] = {}
    config = Config(log_level="error")
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        for path in paths:
            answer = await session.call("navigate", {"url": site.url(path)})
            views[path] = answer.value.view
    return views


def write_text(view: PageView) -> str:
    """Return the whole page as text, as an answer about a document that was just loaded has it."""
    header, outline = write_header("tab-1", view, None), build_outline(view)
    return render_page(outline, "full", header, (), keep=lambda _: "1", max_chars=10**7).text


def lost_controls(view: PageView) -> list[str]:
    """Return the controls that the text lacks; a link may be left out beside its twin."""
    shown = PageForms({FULL: write_text(view)}, frozenset(), frozenset()).ids_in_text
    twins = {one.href for one in view.interactive if one.id in shown and one.href}
    lost = [one for one in view.interactive if one.id not in shown and one.href not in twins]
    return [f"{one.id} {one.label}" for one in lost]


def test_cursors_are_found_in_both_formats() -> None:
    text = 'tab-1\nsay observe{cursor: "x"}\n! 9 lines: find{text} or observe{cursor: "1-rest:0"}'
    cut = [{"part": "interactive", "next_cursor": "a"}, {"part": "forms", "next_cursor": "b"}]

    assert ["1-rest:0"] == find_cursors([text])
    assert ["2"] == find_cursors(["| a | b", '… 9 more lines: observe{cursor: "2"}'])
    assert ["a", "b"] == find_cursors([json.dumps({"truncation": cut})])
    assert ["a"] == find_cursors([json.dumps({"truncation": cut[0]})])
    assert [] == find_cursors(["{}"])


def test_ids_and_words_that_the_text_form_lacks_are_found() -> None:
    words = frozenset({"Boots", "now", "only", "here"})
    page = PageForms({FULL: TEXT}, words, frozenset({"btn-1ff8"}))

    assert {"btn-1ff8", "lnk-2c11-2"} == page.ids_in_text
    assert {"here", "only"} == page.missing_words


def test_bounds_are_on_medians_and_on_the_worst_page() -> None:
    results = [
        result("login", full=500, default=100),
        result("tree", full=100, default=500),
        result("wiki", full=600, default=200),
    ]
    values = {limit.name.partition(", ")[2]: (limit.value, limit.met) for limit in limits(results)}
    worst, text = values["worst"], values["worst text page"]

    assert [0.5, 0.2] == [limit.value for limit in limits(results)[:2]]
    assert ((0.5, False), (1.5, False)) == (worst, text)
    assert all(limit.met for limit in limits(results[:1]))


@pytest.mark.chromium
@pytest.mark.extended
async def test_the_text_form_has_all_controls_of_the_pages() -> None:
    names = sorted(file.name for file in PAGES.glob("*.html"))
    async with open_site(PAGES) as site:
        views = await load_views(site, [f"/{name}" for name in names])
    links = [one for one in views["/directory.html"].interactive if one.type == "link"]

    assert COUNT == len(names)
    assert all(view.title and view.lines and view.interactive for view in views.values())
    assert (230, True) == (len(links), len(views["/table-2500.html"].interactive) > 5000)
    assert {} == {path: lost for path, view in views.items() if (lost := lost_controls(view))}
