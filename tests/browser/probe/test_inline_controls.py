"""The controls in lines: which part of a line is the visible text of a control."""

import pytest

from tests.browser.probe.rows import captures_after, rows_of
from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium


def marked(capture: Json) -> list[str]:
    """Return the lines with the names of controls in brackets around their visible texts."""
    rows = rows_of(capture)
    names = {row.nid: row.name for row in rows}
    lines: list[str] = []
    for row in rows:
        if row.kind != "t":
            continue
        ends: list[tuple[int, int, int, str]] = []
        numbers = iter(row.extra.get("controls", ()))
        for order, (number, start, end) in enumerate(zip(numbers, numbers, numbers, strict=True)):
            ends.append((start, 1, order, f"<{names.get(number, 'image')}:"))
            ends.append((end, 1 if start == end else 0, order, ">"))
        text = row.name
        for place, _, _, mark in sorted(ends, reverse=True):
            text = text[:place] + mark + text[place:]
        lines.append(text)
    return lines


async def marked_lines(page: RawPage, html: str) -> list[str]:
    await page.load(html)
    return marked(await page.ask("capture"))


async def test_a_line_says_where_the_controls_in_it_are(page: RawPage) -> None:
    for html, lines in [
        ("<p>Read the <a href=/x>terms</a> and go", ["Read the <terms:terms> and go"]),
        ("<p>A cat: <a href=/x>A</a></p>", ["A cat: <A:A>"]),
        ("<p>some <a href=/x>jack</a>s<a href=/y>[2]</a>", ["some <jack:jack>s<[2]:[2]>"]),
        ("<p>  a   <b> <a href=/x> b\n c </a> </b>d", ["a <b c:b c> d"]),
        ("<button aria-label=Bo>AB</button><button>ES</button>", ["<Bo:AB> <ES:ES>"]),
        ("<p>Title <button aria-label=Close></button></p>", ["Title<Close:>"]),
        ("<label><input type=checkbox> Agree</label>", ["<Agree:>Agree"]),
        ("<label>Name <input></label><label>Mail <input></label>", ["Name<Name:> Mail<Mail:>"]),
        ("<p>Size <select aria-label=S><option>small</select> please", ["Size<S:> please"]),
        ("<p>🎉 <a href=/x>🎈 b</a> c", ["🎉 <🎈 b:🎈 b> c"]),
        ("<p>漢字\u3000<a href=/x>か\u00adな</a>。", ["漢字\u3000<かな:かな>。"]),
        ("<p style=text-transform:uppercase>see <a href=/x>this</a>", ["SEE <THIS:THIS>"]),
        ("<p><i hidden>no</i>a <a href=/x>b<i hidden>no</i></a>", ["a <b:b>"]),
        ("<p>a<script>var x</script> <a href=/x>b</a>", ["a <b:b>"]),
        ("<p>a <i aria-hidden=true>no</i><a href=/x>b</a>", ["a <b:b>"]),
        (
            "<p><img alt=p src=data:,> <a href=/x>b<svg><title>t</title></svg></a>",
            ['<image:[image "p"]> <b t:b>'],
        ),
        ("<table><tr><td>a<td>b <a href=/x>c</a></table>", ["a", "b <c:c>"]),
        ("<pre>if <a href=/x>a</a>:\n    <a href=/y>b</a></pre>", ["if <a:a>:", "    <b:b>"]),
        ("<h2>History <span>[<a href=/x>edit</a>]</span></h2>", ["History [<edit:edit>]"]),
        ("<input aria-label=A><p>b</p>c <input aria-label=D>", ["b", "c<D:>"]),
        ("a<p>b</p><input aria-label=C><p>d</p>e", ["a", "b", "d", "e"]),
        ("a<p>b</p><input aria-label=C> d", ["a", "b", "<C:>d"]),
        ("<p><b role=tab tabindex=0>a <a href=/x>b</a></b> c", ["<a b:a <b:b>> c"]),
    ]:
        assert await marked_lines(page, html) == lines, html


async def test_a_control_is_in_the_line_of_its_own_block(page: RawPage) -> None:
    for html, lines in [
        (
            "<div>a <a href=/x>b</a><p>c <a href=/y>d</a></p>e <a href=/z>f</a></div>",
            ["a <b:b>", "c <d:d>", "e <f:f>"],
        ),
        ("<p>a <a href=/x>b<br>c</a> d</p>", ["a <b c:b>", "<b c:c> d"]),
        ("<p>Title<br><button aria-label=Close></button><br>b</p>", ["Title<Close:>", "b"]),
        ("<p><input type=checkbox> a<br><input type=checkbox>&nbsp;b", ["<:>a", "<:>b"]),
        ("<p>a<br><input aria-label=Q><b>b</b><br>c <input aria-label=R>", ["a", "<Q:>b", "c<R:>"]),
        ("<div><p>a</p><input aria-label=C><br>b</div>", ["a", "<C:>b"]),
        (
            "<div style=display:grid><label><input type=radio>1</label><label><input type=radio>2",
            ["<1:>1", "<2:>2"],
        ),
        ("<div><button aria-label=More></button><p>a</p></div>", ["a"]),
        ("<a href=/x><h3>Card</h3>text</a>", ["Card", "text"]),
        ("<div role=button tabindex=0>Card</div>", ["Card"]),
        ("<div>x<section><a href=/x>a</a></section></div>", ["x", "<a:a>"]),
    ]:
        assert await marked_lines(page, html) == lines, html


async def test_controls_in_shadow_roots_and_slots_are_in_the_line_that_shows_them(
    page: RawPage,
) -> None:
    await page.load("<p>See <x-box id=host>the <a href=/x>terms</a></x-box>.</p>")
    await page.run(
        """host.attachShadow({mode: 'open'}).innerHTML = '<a href=/y>here</a> (<slot></slot>)'"""
    )
    assert marked(await page.ask("capture")) == ["See <here:here> (the <terms:terms>)."]


async def test_text_of_style_sheets_is_counted(page: RawPage) -> None:
    html = """<style>.b::before{content:'New: '}</style><p>x <b class=b>a</b>
        <a class=b href=/x>here</a></p>"""
    assert await marked_lines(page, html) == ["x New: a <New: here:New: here>"]


async def test_the_places_follow_changes_of_the_page(page: RawPage) -> None:
    for script in [
        "row.firstChild.data = 'See also '",
        "row.lastElementChild.firstChild.data = 'this one'",
        "row.lastElementChild.before('te'); row.lastElementChild.firstChild.data = 'rms'",
        "row.lastElementChild.ariaLabel = 'Terms'",
        "row.lastElementChild.removeAttribute('href')",
        "row.prepend(row.lastElementChild)",
        "row.firstElementChild.hidden = true",
    ]:
        await page.load(
            "<p>Intro</p><p id=row>See <b>all</b> the <a href=/x>terms</a></p><p>End</p>"
        )
        now, fresh = await captures_after(page, script)
        assert now.nodes == fresh.nodes, script


async def test_a_capture_without_text_has_no_places(page: RawPage) -> None:
    await page.load("<p>See <a href=/x>terms</a></p>")
    capture = await page.ask("capture", {"text": False})
    assert [row.kind for row in rows_of(capture)] == ["i"]
