"""Sight decides: what is hidden only from accessibility is there, invisible text is not."""

import pytest

from tests.browser.probe.rows import captures_after, lines_in, named, rows_in
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


WHOLE = """
width:0;height:0;overflow:hidden
max-height:0;overflow:clip
clip-path:inset(100%)
position:absolute;clip:rect(0,0,0,0)
filter:opacity(0)
display:grid;height:0;overflow:auto
"""
TEXT_ONLY = """
font-size:0
font-size:1px
color:transparent
color:white
color:#fefefe
background:#123;color:#123
color:red;background:linear-gradient(red,red)
text-indent:-9999px
position:fixed;top:-500px
position:absolute;left:-9999px
margin-left:-9999px;width:900px
transform:scale(0)
scale:0
opacity:.01
-webkit-text-fill-color:#0000
"""
SHOWN = """
font-size:2px
color:#ccc
margin-top:4000px
opacity:.5
height:0
overflow:hidden
background:linear-gradient(red,blue);background-clip:text;color:transparent
color:#fff;background:url(x)
color:#fff;-webkit-text-stroke-width:1px
width:1px;height:1px;overflow:hidden;position:absolute
position:absolute;width:1px;height:1px;clip:rect(0,0,0,0);overflow:hidden
clip-path:inset(10%)
position:absolute;left:-10000px;width:1px;height:1px;overflow:hidden
animation:1s o
position:relative;left:-20px
"""
FIXED = "<div style='position:fixed;inset:0;background:#111'></div>"
PICTURE = "<img src=data:, style='position:absolute;width:99px;height:99px'>"
BEFORE = "<style>p::before{content:'';position:absolute;inset:0;background:navy}</style>"
GROUNDS = [
    f"{FIXED}<p style=color:#fff;position:relative>a</p>",
    "<style>html{background:#111}</style><p style=color:white>a</p>",
    f"<div style=position:relative>{PICTURE}<p style=color:white>a</p></div>",
    f"{BEFORE}<p style=position:relative;color:white>a</p>",
    "<html style='color-scheme:dark'><p style=color:white>a</p>",
]


async def test_text_that_a_person_cannot_see_is_left_out(page: RawPage) -> None:
    for style in (WHOLE + TEXT_ONLY).split():
        by_class = f"<style>.x{{{style}}}</style><div class=x>a</div>"
        for html in [
            f"<div style='{style}'>a</div>",
            by_class,
            f"<p>b<span style='{style};display:block'>a</span></p>",
        ]:
            assert "a" not in await lines_in(page, f"<div>c</div>{html}"), html
    for style in ["opacity:0", "position:absolute;left:-999px"]:
        assert await lines_in(page, f"<p>Buy <i style={style}>not</i> now") == ["Buy now"], style


HIDING = r"""
DIV{?}
section{?}
:root .x{?}
section>:first-child{?}
.q,.x:not(.q:is(b, i)):nth-child(1){?}
:is(.q, .x){?}
.md\:x\(\){?}
.\31 x{?}
[title=")] .q, [a"]{?}
#d{?}
section{>div{?}}
.x{&:not(.q){?}}
.x{i{color:red}?}
@media all{@layer a{.x{?}}}
@import "data:text/css,.x{?}";
"""


async def test_rules_of_any_form_make_text_invisible(page: RawPage) -> None:
    text = "<div id=d class='x md:x() 1x' title=')] .q, [a'>a</div>"
    inner = [":host{?}", "::slotted(*){?}", "slot{?}"]
    for rule in [*HIDING.split("\n")[1:-1], *inner]:
        style = f"<style>{rule.replace('?', 'font-size:0')}</style>"
        part = f"<template shadowrootmode=open>{style}<slot></slot></template>"
        start = f"<section>{part}" if rule in inner else f"{style}<section>"
        assert await lines_in(page, f"<p>c{start}{text}</section>") == ["c"], rule


async def test_controls_in_a_box_of_no_size_are_left_out_and_transparent_ones_are_not(
    page: RawPage,
) -> None:
    for style in WHOLE.split():
        assert await named(page, f"<div style={style}><button>b</button></div>") == [], style
    for style in ["opacity:0", "font-size:0", "height:0", "position:absolute;left:-999px"]:
        assert len(await named(page, f"<div style={style}><button>b</button></div>")) == 1, style
    for style in ["clip:rect(0,0,0,0)", "clip-path:inset(50%)", "opacity:0"]:
        for control in ["<button", "<div role=button tabindex=0"]:
            empty = (
                f"{control} aria-label=b style='position:absolute;width:90px;height:20px;{style}'>"
            )
            assert len(await named(page, f"Fruit{empty}")) == 1, empty
    modal = "<div style=position:fixed;inset:0><button>b</button></div>"
    assert len(await named(page, f"<div style=height:0;overflow:hidden>{modal}</div>")) == 1


async def test_text_that_can_be_seen_stays(page: RawPage) -> None:
    keyframes = "<style>@keyframes o {from {opacity: 0} to {opacity: 1}}</style>"
    for html in [
        *(f"{keyframes}<div style='{style}'>a</div>" for style in SHOWN.split()),
        *GROUNDS,
    ]:
        assert await lines_in(page, html) == ["a"], html


async def test_transparent_text_is_marked_until_it_is_shown(page: RawPage) -> None:
    await page.write(
        "<div id=x style=opacity:0><p>One<p>Two <a href=/x>more</a><p><a href=/y>Only</a></div>"
    )
    first, _ = await captures_after(page, "0")
    marked = [node.name for node in first.nodes if node.kind == "t"]
    assert marked == ["[invisible] One", "[invisible] Two more", "Only"]
    assert [node.extra["controls"][0] for node in first.nodes if "Two" in node.name] == [(0, 0, 11)]
    for script in ["x.style.opacity = 1", "x.style = 'height:0;overflow:hidden'"]:
        now, again = await captures_after(page, script)
        assert now.nodes == again.nodes
        assert not any("[invisible]" in node.name for node in now.nodes)


async def test_text_appears_and_disappears_with_the_colours_of_style_attributes(
    page: RawPage,
) -> None:
    await page.write(
        "<p style=color:red>One<p id=x style=color:white>Two"
        "<div id=d style=background:#111><p id=y style=color:white><b>Three</b></div>"
    )
    for script, shown in [
        ("0", ["One", "Three"]),
        ("x.removeAttribute('style')", ["One", "Two", "Three"]),
        ("x.style.color = '#fff'", ["One", "Three"]),
        ("y.style.color = '#111'", ["One"]),
        ("d.style = ''", ["One", "Three"]),
        ("d.style.background = '#111'", ["One"]),
        ("y.style = 'background: white'", ["One", "Three"]),
    ]:
        now, again = await captures_after(page, script)
        assert now.nodes == again.nodes, script
        assert [node.name for node in now.nodes if node.kind == "t"] == shown, script
