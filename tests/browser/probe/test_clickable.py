"""Clickable things without semantics."""

import pytest

from tests.browser.probe.rows import named, only, rows_in, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

SHOWN = "src=data:, style='display:inline-block;width:9px;height:9px'"
STYLE = "<style>.p{cursor:pointer} #area div{cursor:pointer}</style>"


async def test_things_that_answer_a_click_are_listed(page: RawPage) -> None:
    for html, name in [
        ("<div onclick=f()>Go</div>", "Go"),
        ("<div class=p>Styled</div>", "Styled"),
        ("<span style=cursor:pointer title=Tip></span>x", "Tip"),
        ("<div class=p><b>Inner</b> <i>text</i></div>", "Inner text"),
        ("<div id=area>x<div>By place</div></div>", "By place"),
        ("<table><tr class=p><td>a<td>b</table>", "a b"),
        ("<svg width=30><circle class=p r=9 cx=9 cy=9><title>Dot</title></circle></svg>", "Dot"),
        ("<label class=p><input style=display:none>Custom</label>", "Custom"),
        ("<label class=p><input type=radio style=display:none inert>Left</label>", "Left"),
        ("<a class=p>No address</a>", "No address"),
        ("<div class=p style=pointer-events:none><i style=pointer-events:auto>In</i></div>", "In"),
        ("<pre><span onclick=f()>line 1</span></pre>", "line 1"),
        (f"<img onclick=f() alt=Zoom {SHOWN}>", "Zoom"),
        (f"<img onclick=f() alt=Zoom title=Tip {SHOWN}>", "Zoom"),
        (f"<img onclick=f() alt='' title=Tip {SHOWN}>", "Tip"),
        (f"<div onclick=f()><img alt=Cart {SHOWN}></div>", "Cart"),
        (f"<div class=p><img alt=Big {SHOWN}><img alt=cart {SHOWN}></div>", "Big cart"),
        (f"<div onclick=f()><img alt=Gone style=display:none><img alt=Cart {SHOWN}></div>", "Cart"),
        (f"<div onclick=f()><img alt=Cart {SHOWN}> Your cart</div>", "Your cart"),
        (f"<div onclick=f() title=Tip><img alt=Cart {SHOWN}></div>", "Tip"),
        (f"<div onclick=f()><i role=img aria-label=Star {SHOWN}></i></div>", "Star"),
        (f"<div onclick=f()><svg aria-label=Close {SHOWN}></svg></div>", "Close"),
    ]:
        row = await only(page, STYLE + html)
        assert (row.kind, row.role, row.name) == ("c", "clickable", name), html


@pytest.mark.req("C-FIND-02")
async def test_their_role_is_what_their_author_said(page: RawPage) -> None:
    for html, role in [
        ("<div role=grid><div role=row><i role=gridcell tabindex=-1 onclick=f()>", "gridcell"),
        ("<div role=grid><div role=row><i role=columnheader class=p>", "columnheader"),
        ("<div role=list><i role='unknown listitem' onclick=f()>", "listitem"),
        ("<i role=none onclick=f()>", "clickable"),
        ("<i role=presentation onclick=f()>", "clickable"),
        ("<i role=unknown onclick=f()>", "clickable"),
    ]:
        row = await only(page, f"{STYLE}{html}Go</i>", "c")
        assert row.role == role, html
        assert (await page.ask("describe", row.nid))["role"] == role, html


_HOST = """<x-b><template shadowrootmode=open><style>:host {{ cursor: pointer }}</style>
  {}</template></x-b>"""


async def test_a_host_is_listed_if_there_is_no_control_in_its_shadow_root(page: RawPage) -> None:
    for inside, listed in [
        ("<button>Save</button>", ("i", "Save")),
        ("<b>Save</b>", ("c", "Save")),
    ]:
        await page.load("")
        await page.run(f"document.body.setHTMLUnsafe({_HOST.format(inside)!r})")
        found = rows_of(await page.ask("capture", {"text": False}))
        assert [(row.kind, row.name) for row in found] == [listed], inside


async def test_what_is_a_control_or_holds_one_is_not(page: RawPage) -> None:
    for html in [
        "<button><span class=p>a</span></button>",
        "<div class=p><a href=/x>a</a></div>",
        "<div onclick=f()><div tabindex=0>a</div></div>",
        "<div role=button class=p>a</div>",
        "<label class=p><input type=checkbox>a</label>",
        "<label onclick=f() for=b>a</label><input id=b>",
        "<label onclick=f() id=b>a</label><p role=button aria-labelledby=b>&nbsp;",
        "<body onclick=f()>a",
        "<div class=p style=visibility:hidden>a</div>",
        "<div class=p hidden>a</div>",
        "<div class=p style=pointer-events:none>a <i>b</i></div>",
        "<div aria-hidden=true><div onclick=f()>a</div></div>",
        "<div>a</div>",
    ]:
        assert [row for row in await rows_in(page, STYLE + html) if row.kind == "c"] == [], html


MENU = """<script>const item = document.querySelector('#a');
  for (const type of {}) item.addEventListener(type, () => {{}})</script>"""


async def test_what_listens_for_the_context_menu_alone_is_listed_and_a_delegate_is_not(
    page: RawPage,
) -> None:
    for types, listed in [
        (["click"], [("Item", None)]),
        (["contextmenu"], [("Item", "right")]),
        (["contextmenu", "click"], [("Item", None)]),
        (["click", "mousedown", "keydown", "contextmenu"], []),
    ]:
        await page.load(f"<p>Before<div id=a>Item</div>{MENU.format(types)}")
        rows = rows_of(await page.ask("capture"))
        assert [(row.name, row.extra.get("click")) for row in rows if row.kind == "c"] == listed, (
            types
        )


async def test_an_attribute_for_the_context_menu_is_an_answer_too(page: RawPage) -> None:
    row = await only(page, "<p>Before<div oncontextmenu=f()>Item</div>", "c")
    assert (row.name, row.extra["click"]) == ("Item", "right")


ROW = "<tr{}><td>Ada<td>5<td><button>Delete</button>"


async def test_rows_and_cards_that_answer_beside_their_buttons_are_listed(page: RawPage) -> None:
    for html, names in [
        (f"<table>{ROW.format(' onclick=f()')}</table>", ["Ada 5"]),
        (f"<table>{ROW.format(' class=p')}</table>", ["Ada 5"]),
        ("<p>Ada</p><div onclick=f()>Open <button>x</button></div>", ["Open"]),
        ("<p>Ada</p><div class=p>Open <span role=button tabindex=0>x</span></div>", ["Open"]),
        (
            "<div class=p>Ann <button>x</button></div><div class=p>Bo <button>x</button></div>",
            ["Ann", "Bo"],
        ),
        (
            "<ul><li class=p><input type=checkbox> Ann<li class=p><input type=checkbox> Bo</ul>",
            ["Ann", "Bo"],
        ),
        (2 * "<p class=p><input type=checkbox id=x><label for=x>Ann</label>", []),
        (2 * "<div class=p><a href=/x>Ann</a></div>", []),
    ]:
        rows = await rows_in(page, STYLE + html)
        assert [row.name for row in rows if row.kind == "c"] == names, html


async def test_rows_that_listen_are_listed_beside_their_buttons(page: RawPage) -> None:
    cells = "".join(f"<td><i>cell</i> {at}" for at in range(8))
    link = "<tr><td>1<td><a href=/x>a</a>"
    await page.load(f"<table><tr>{cells}<td><button>x</button>{link}</table>")
    await page.run("for (const row of document.querySelectorAll('tr')) row.onclick = () => {}")
    rows = [row for row in rows_of(await page.ask("capture")) if row.kind == "c"]
    assert [row.name.split()[0] for row in rows] == ["cell", "1"]


async def test_what_can_be_focused_to_be_read_hides_nothing_that_answers_a_click(
    page: RawPage,
) -> None:
    for role in ["tabpanel", "dialog", "region", "menu", "tree", "document", "none"]:
        rows = await rows_in(
            page, f"<div role={role} tabindex=0><a onclick=f()>Delete</a> this</div>"
        )
        assert [row.name for row in rows if row.kind == "c"] == ["Delete"], role


async def test_what_holds_a_page_or_a_field_is_no_row(page: RawPage) -> None:
    for html in [
        "<div id=app onclick=f()>Shop <button>Buy</button></div>",
        "<div id=app class=p><div>Shop <button>Buy</button></div></div><script></script>",
        "<p>x<div onclick=f()><h1>Shop</h1> News <button>Buy</button></div>",
        "<p>x<div onclick=f()>Name <input></div>",
        "<p>x<div onclick=f()>Items <ul><li>One <button>x</button></ul></div>",
        "<p>x<div class=p>Read <a href=/x>more</a></div>",
        f"<p>x<div onclick=f()>{'<i>much</i> ' * 40}<button>x</button></div>",
        "<p onclick=f()><button>One</button></p><p onclick=f()><button>Two</button></p>",
    ]:
        assert [row for row in await rows_in(page, STYLE + html) if row.kind == "c"] == [], html


async def test_labels_are_what_can_be_read_with_blocks_apart(page: RawPage) -> None:
    for html, name in [
        ("<div class=p style=display:flex><b>Ada</b><i>Invoice #5</i></div>", "Ada Invoice #5"),
        ("<div class=p><b style=display:block>Ada</b><i>Invoice</i></div>", "Ada Invoice"),
        ("<div class=p><b>Inv</b><i>oice</i></div>", "Invoice"),
        ("<div class=p><b style=display:inline-block>Ada</b><i>Invoice</i></div>", "Ada Invoice"),
        ("<div class=p>Ada<i hidden>secret</i><i style=visibility:hidden>x</i></div>", "Ada"),
        ("<div class=p>Ada<i aria-hidden=true>delete</i></div>", "Ada"),
        ("<table><tr class=p><td>Ada<td>Invoice</table>", "Ada Invoice"),
        ("<div class=p><i aria-hidden=true>close</i></div>", "close"),
    ]:
        assert (await only(page, STYLE + html)).name == name, html


LISTENING = [
    "x.addEventListener('click', () => {})",
    "x.addEventListener('mousedown', () => {}, {passive: true})",
    "x.onclick = () => {}",
    "const it = x; it.remove(); it.onclick = () => {}; document.body.append(it)",
    "x.replaceWith(Object.assign(document.createElement('i'), {onclick() {}, textContent: 'Go'}))",
]


async def test_what_listens_for_a_click_is_clickable(page: RawPage) -> None:
    for html in ["<div id=x>Go</div>", "<pre><span id=x>Go</span></pre>"]:
        for script in LISTENING:
            await page.load(html)
            await page.run(script)
            rows = [row for row in rows_of(await page.ask("capture")) if row.kind == "c"]
            assert [row.name for row in rows] == ["Go"], (script, html)


async def test_a_shape_that_listens_is_clickable(page: RawPage) -> None:
    await page.load("<svg width=30><rect id=x width=9 height=9><title>Bar</title></rect></svg>")
    await page.run("x.addEventListener('click', () => {})")
    assert [row.name for row in rows_of(await page.ask("capture"))] == ["Bar"]


async def test_who_listens_for_others_is_not(page: RawPage) -> None:
    for script in [
        "document.addEventListener('click', () => {})",
        "document.body.addEventListener('click', () => {})",
        "addEventListener('click', () => {})",
        "list.addEventListener('click', () => {})",
        "list.firstChild.addEventListener('keydown', () => {})",
        "list.firstChild.onclick = null",
        "button.addEventListener('click', () => {})",
        "around.addEventListener('click', () => {})",
    ]:
        items = "".join(f"<li>Item {number}</li>" for number in range(20))
        await page.load(
            f"<ul id=list>{items}</ul><div id=around><button id=button>b</button></div>"
        )
        await page.run(script)
        assert not [row for row in rows_of(await page.ask("capture")) if row.kind == "c"], script


async def test_a_page_notices_nothing_of_our_listening(page: RawPage) -> None:
    await page.load("<div id=x>Go</div>")
    await page.run("""heard = []; x.addEventListener('click', function (event) {
        heard.push(this === x, event.type) }, {once: true}); x.click(); x.click()""")
    assert await page.run("heard") == [True, "click"]
    assert "[native code]" in await page.run("x.addEventListener.toString()")
    assert await page.run("x.addEventListener.name") == "addEventListener"
    assert await page.run("Reflect.ownKeys(x).length") == 0


async def test_an_anchor_without_address_is_not_taken_for_the_links_beside_it(
    page: RawPage,
) -> None:
    assert await named(page, "<p><a href=/x>link</a> <a name=here>anchor</a>", "ic") == [
        ("link", "link")
    ]


async def test_elements_at_the_same_path_are_distinguished_by_ids(page: RawPage) -> None:
    html = f"{STYLE}<div id=query><div>no</div></div><div id=area><div>yes</div></div>"
    assert [row.name for row in await rows_in(page, html) if row.kind == "c"] == ["yes"]


async def test_an_inline_cursor_says_nothing_about_its_neighbours(page: RawPage) -> None:
    html = "<div style=cursor:pointer>yes</div><div>no</div><div style=cursor:pointer>also</div>"
    assert [row.name for row in await rows_in(page, html) if row.kind == "c"] == ["yes", "also"]


async def test_clickable_elements_are_all_listed(page: RawPage) -> None:
    rows = await rows_in(page, "<p onclick=f()>x" * 1000)
    assert len([row for row in rows if row.kind == "c"]) == 1000


async def test_a_label_follows_what_is_shown_without_a_change_of_the_document(
    page: RawPage,
) -> None:
    await page.load("""<style>input:checked + div i { display: none }</style><input type=checkbox>
      <div onclick=f() style=width:200px>Wide <i>open</i></div>""")
    await page.ask("capture")
    await page.run("document.querySelector('input').checked = true")
    assert [row.name for row in rows_of(await page.ask("capture")) if row.kind == "c"] == ["Wide"]


async def test_a_label_is_not_taken_for_a_name(page: RawPage) -> None:
    await page.load("<img onclick=f() alt=Cat width=20 height=20>")
    await page.ask("capture")
    assert "Cat" in str((await page.ask("survey", 0))["cells"])
