"""Clickable things without semantics."""

import pytest

from tests.browser.probe.rows import named, only, rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

STYLE = "<style>.p{cursor:pointer} #area div{cursor:pointer}</style>"


@pytest.mark.parametrize(
    ("html", "name"),
    [
        ("<div onclick=f()>Go</div>", "Go"),
        ("<div class=p>Styled</div>", "Styled"),
        ("<span style=cursor:pointer title=Tip></span>x", "Tip"),
        ("<div class=p><b>Inner</b> <i>text</i></div>", "Inner text"),
        ("<div id=area>x<div>By place</div></div>", "By place"),
        ("<table><tr class=p><td>a<td>b</table>", "ab"),
        (
            "<svg width=30><circle class=p r=9 cx=9 cy=9><title>Dot</title></circle></svg>",
            "Dot",
        ),
        ("<label class=p><input type=checkbox style=display:none>Custom</label>", "Custom"),
        ("<a class=p>No address</a>", "No address"),
        ("<pre><span onclick=f()>line 1</span></pre>", "line 1"),
    ],
)
async def test_things_that_answer_a_click_are_listed(page: RawPage, html: str, name: str) -> None:
    row = await only(page, STYLE + html)
    assert (row.kind, row.role, row.name) == ("c", "clickable", name)


@pytest.mark.parametrize(
    "html",
    [
        "<button><span class=p>a</span></button>",
        "<div class=p><a href=/x>a</a></div>",
        "<div onclick=f()><div tabindex=0>a</div></div>",
        "<div role=button class=p>a</div>",
        "<label class=p><input type=checkbox>a</label>",
        "<body onclick=f()>a",
        "<div class=p style=visibility:hidden>a</div>",
        "<div class=p hidden>a</div>",
        "<div aria-hidden=true><div onclick=f()>a</div></div>",
        "<div>a</div>",
    ],
)
async def test_what_is_a_control_or_holds_one_is_not(page: RawPage, html: str) -> None:
    assert [row for row in await rows_in(page, STYLE + html) if row.kind == "c"] == []


async def test_an_anchor_without_address_is_not_taken_for_the_links_beside_it(
    page: RawPage,
) -> None:
    assert await named(page, "<p><a href=/x>link</a> <a name=here>anchor</a>", "ic") == [
        ("link", "link")
    ]


async def test_likeness_of_path_is_told_apart_by_ids(page: RawPage) -> None:
    html = f"{STYLE}<div id=query><div>no</div></div><div id=area><div>yes</div></div>"
    assert [row.name for row in await rows_in(page, html) if row.kind == "c"] == ["yes"]


async def test_an_inline_cursor_says_nothing_about_its_neighbours(page: RawPage) -> None:
    html = "<div style=cursor:pointer>yes</div><div>no</div><div style=cursor:pointer>also</div>"
    assert [row.name for row in await rows_in(page, html) if row.kind == "c"] == ["yes", "also"]


async def test_however_many_there_are_all_are_told(page: RawPage) -> None:
    rows = await rows_in(page, "<p onclick=f()>x" * 1000)
    assert len([row for row in rows if row.kind == "c"]) == 1000
