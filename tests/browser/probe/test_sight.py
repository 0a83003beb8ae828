"""Sight decides: what is hidden only from accessibility is there, invisible text is not."""

import pytest

from tests.browser.probe.rows import rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

PARTS = "<h1>Orders</h1><p>You have 3.</p><label>Filter <input></label><a href=/x>Help</a>"
ORDERS = [("heading", "Orders"), ("textbox", "Filter"), ("link", "Help")]
MARK = ("aria-hidden", "")
MODAL = "<div {}><button>OK</button></div><main aria-hidden=true><button>Behind</button></main>"
HIDDEN = "aria-hidden=true"


async def test_parts_that_can_be_used_are_there_although_they_are_hidden_from_accessibility(
    page: RawPage,
) -> None:
    for html, listed in [
        (f"<div {HIDDEN}>{PARTS}</div>", [MARK, *ORDERS]),
        (f"<body {HIDDEN}><div {HIDDEN}>{PARTS}</div>", [MARK, *ORDERS]),
        (f"<main {HIDDEN}>{PARTS}<i {HIDDEN}>menu</i></main>", [MARK, *ORDERS]),
        (f"<p style=height:3000px><div {HIDDEN}><a href=/x>Low</a></div>", [MARK, ("link", "Low")]),
        (
            f"<h2>Set up</h2><a href=# {HIDDEN}>&times;</a>",
            [("heading", "Set up"), ("link", "\u00d7")],
        ),
        (f"<i onclick=f() {HIDDEN}>x</i>", [("clickable", "x")]),
        (f"<i style=cursor:pointer {HIDDEN}>x</i>", [("clickable", "x")]),
    ]:
        rows = [row for row in await rows_in(page, html) if row.kind not in "ts"]
        assert [(row.role, row.name) for row in rows] == listed, html
        assert any("aria_hidden" in row.extra for row in rows), html


async def test_decoration_and_parts_out_of_reach_are_left_out_if_hidden_from_accessibility(
    page: RawPage,
) -> None:
    for html in [
        f"<i {HIDDEN}>menu</i><svg {HIDDEN}><circle r=9 /></svg><p {HIDDEN}>12.99</p>",
        f"<div style=position:absolute;left:-500px {HIDDEN}><a href=/x>Menu</a></div>",
        f"<div style=opacity:0 {HIDDEN}><a href=/x>Menu</a></div>",
        f"<input style=width:1px;height:1px;padding:0;border:0 {HIDDEN}>",
        f"<div style=pointer-events:none {HIDDEN}><button>x</button></div>",
    ]:
        assert await rows_in(page, html) == [], html
    for html in [
        MODAL.format("style=position:fixed;inset:0"),
        MODAL.format("role=dialog"),
        f"<a href=/x>OK</a><a href=/x {HIDDEN}><img alt=Behind src=data:,></a>",
        f"<h2><a href=/x>OK</a><a href=#a {HIDDEN}>#</a></h2>",
        f"<button>OK<i onclick=f() {HIDDEN}>Behind</i></button>",
    ]:
        rows = [row for row in await rows_in(page, html) if row.kind in "ic"]
        assert [row.name for row in rows] == ["OK"], html
