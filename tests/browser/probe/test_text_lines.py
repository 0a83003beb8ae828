"""Text lines: what is read, where lines end, what is left out."""

import pytest

from tests.browser.probe.rows import lines_in, rows_in, rows_of
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


@pytest.mark.req("C-PR-07")
async def test_a_line_is_a_run_between_block_boundaries(page: RawPage) -> None:
    for html, lines in [
        ("<p>One <a href=/x>two</a> <b>three</b> <code>four</code>.</p>", ["One two three four."]),
        ("<p>  a \n  lot  of\tspace </p>", ["a lot of space"]),
        ("<div>a<p>b</p>c</div>", ["a", "b", "c"]),
        ("<div>a <b>b</b><div>c</div>d <i>e</i></div>", ["a b", "c", "d e"]),
        ("<h1>Title</h1><p>Text</p>", ["Title", "Text"]),
        ("<ul><li>a<li>b<ul><li>c</ul></ul>", ["a", "b", "c"]),
        ("<table><tr><td>a<td>b<tr><td>c</table>", ["a", "b", "c"]),
        ("<dl><dt>a<dd>b</dl>", ["a", "b"]),
        ("<pre>def f():\n    return 1  \n\nx</pre>", ["def f():", "    return 1", "x"]),
        ("<pre><b>a\n  b</b>\n<i aria-hidden=true>#</i>  c</pre>", ["a", "  b", "   c"]),
        ("<a href=/x><h3>Card</h3>text</a>", ["Card", "text"]),
        ("<span>inline only</span>", ["inline only"]),
        ("bare text", ["bare text"]),
        ("<p>a</p><noscript><img src=/x> b</noscript>c", ["a", "c"]),
    ]:
        assert await lines_in(page, html) == lines, html


async def test_the_style_decides_where_lines_end(page: RawPage) -> None:
    for html, lines in [
        (
            "<div><span style=display:block>a</span><span style=display:block>b</span></div>",
            ["a", "b"],
        ),
        ("<div style=display:flex><span>a</span><span>b</span></div>", ["a", "b"]),
        ("<div>x<p>y</p><span style=display:block>a</span>b</div>", ["x", "y", "a", "b"]),
        ("<div>x<p>y</p><span style=display:contents><b>a</b></span>b</div>", ["x", "y", "ab"]),
        ("<p>x<b style=display:none>y</b>z</p>", ["xz"]),
        ("<p>x<b style=visibility:hidden>y</b></p>", ["x"]),
        ("<div>x<p>y</p><b style=display:none>z</b></div>", ["x", "y"]),
        ("<p style=text-transform:uppercase>loud</p>", ["LOUD"]),
    ]:
        assert await lines_in(page, html) == lines, html


async def test_labels_and_buttons_are_read_and_values_are_not(page: RawPage) -> None:
    for html, lines in [
        (
            "<p><label><input type=checkbox> I agree to the terms</label></p>",
            ["I agree to the terms"],
        ),
        ("<label>Name<input></label><label>Mail<input></label>", ["Name Mail"]),
        ("<p>Send <button>now</button> or later</p>", ["Send now or later"]),
        ("<p><button>Save</button><button>Cancel</button></p>", ["Save Cancel"]),
        ("<p>Size <select><option>small<option>large</select> please</p>", ["Size please"]),
        ("<p><input value=secret><textarea>secret</textarea></p>", []),
    ]:
        assert await lines_in(page, html) == lines, html


SKIPPED = "style='display:inline-block;content-visibility:hidden'"
BOXLESS = "style=display:contents"


async def test_what_the_browser_skips_is_read_neither_as_lines_nor_in_a_survey(
    page: RawPage,
) -> None:
    for html, texts in [
        ("<details><summary>a</summary>b<p>c</p><b>d</b></details>", ["a"]),
        (f"<details><summary>a</summary><i {BOXLESS}>b</i></details>", ["a"]),
        (f"<details><summary {BOXLESS}>a</summary>b</details>", ["a"]),
        ("<details open><summary>a</summary>b</details>", ["a", "b"]),
        ("<details>a<details open><summary>b</summary>c</details></details>", []),
        (f"<p>a <i {SKIPPED}>b <b>c</b></i></p>", ["a"]),
        (f"<div {SKIPPED}>a<p>b</p><b>c</b></div>", []),
        (f"<div {SKIPPED}><i {BOXLESS}>a<p>b</p></i></div>", []),
        ("<div hidden=until-found>a<p>b</p></div>", []),
    ]:
        assert await lines_in(page, html) == texts, html
        assert await surveyed_texts(page) == texts, html


async def surveyed_texts(page: RawPage) -> list[str]:
    cells = (await page.ask("survey", 0))["cells"]
    texts = [said.strip() for said, nid in zip(cells[1::4], cells[2::4], strict=True) if nid == 0]
    return [text for text in texts if text]


@pytest.mark.req("C-PR-07")
async def test_what_can_be_edited_is_read_where_it_stands(page: RawPage) -> None:
    for html, lines in [
        ("<div contenteditable>some <b>text</b></div>after", ["some text", "after"]),
        ("<p>before <span contenteditable>some</span> after</p>", ["before some after"]),
        ("a<div contenteditable>b<p>c</p>d</div>e", ["a", "b", "c", "d", "e"]),
        ("<div contenteditable><p>a</p><ul><li>b</ul></div>", ["a", "b"]),
        ("<div contenteditable><textarea>value</textarea>text</div>", ["text"]),
    ]:
        assert await lines_in(page, html) == lines, html


async def test_what_is_not_text_for_a_reader_is_left_out(page: RawPage) -> None:
    for html, lines in [
        ("<p>Title <a href=#x aria-hidden=true>¶</a></p>", ["Title"]),
        (
            "<p>See <a href=/x>the page<i aria-hidden=true>open_in_new</i></a> there</p>",
            ["See the page there"],
        ),
        ("<p>a<span inert>b</span></p>", ["a"]),
        ("<div aria-hidden=true>a<p>b</p></div>c", ["c"]),
        ("<script>a</script><style>b{}</style><template>c</template>e", ["e"]),
        ("<noscript>d</noscript><svg><title>t</title><desc>d</desc><text y=9>a</text>", ["a"]),
        ("<video>no video</video><canvas>no</canvas><p>a</p>", ["[canvas 300×150]", "a"]),
        ("<p>a<img alt='' src=data:,></p>", ["a"]),
        ("<div hidden><label for=i>a</label><input id=i> <small>c</small></div><p>b</p>", ["b"]),
        ("<div hidden><b>a</b><div>c</div></div><p>b</p>", ["b"]),
        ("<style>p::before{content:'\\f101 »'}</style><p>a</p>", ["a"]),
        ("<style>p::before{content:'x';display:none}</style><p>a</p>", ["a"]),
        ("<style>i::before{content:'★'}</style><ul><li><i></i><li>a<i></i>", ["★", "a"]),
        ("<style>p::after{content:attr(title);opacity:0}</style><p title=tip>a</p>", ["a"]),
    ]:
        assert await lines_in(page, html) == lines, html


@pytest.mark.req("C-PR-07")
async def test_all_text_that_can_be_seen_or_heard_is_read_once(page: RawPage) -> None:
    for html, lines in [
        ("<fieldset><legend>Kind</legend>Which?</fieldset>", ["Kind", "Which?"]),
        ("<label><input type=radio>A</label><label><input type=radio>B</label>", ["A B"]),
        (
            "<p>Load <progress value=.5>a</progress> <meter>low</meter> <output>42</output></p>",
            ["Load", "[progress 50%]", "[meter 0%]", "42"],
        ),
        ("<p>Do&shy;nau<wbr>dampf&#8203;er</p>x<b>&shy;y</b>", ["Donaudampfer", "xy"]),
        ("<p>a&nbsp;&nbsp;b</p>", ["a b"]),
        (
            (
                "<p>Price<span style='position:absolute;width:1px;height:1px;overflow:hidden;"
                "clip-path:inset(50%)'>was</span></p>"
            ),
            ["Price", "was"],
        ),
        ("<p>a<br>b</p>c<br><br>d", ["a", "b", "c", "d"]),
        ("<div style=columns:3>one two<p>three</p></div>", ["one two", "three"]),
        ("<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> x</p>", ["漢(kan) x"]),
        (
            (
                "<div style=height:5000px></div>"
                "<div style=content-visibility:auto><p>far <i>off</i></p>run <b>on</b></div>"
            ),
            ["far off", "run on"],
        ),
        (
            "<div style=overflow:hidden;height:9px><p>a</p><p style=margin-top:99px>b</p></div>",
            ["a", "b"],
        ),
        (
            (
                "<svg width=99 height=30><text y=9>sv<tspan>g</tspan></text>"
                "<foreignObject width=50 height=20><div>html</div></foreignObject></svg>"
            ),
            ["svg", "html"],
        ),
    ]:
        assert await lines_in(page, html) == lines, html


@pytest.mark.req("C-PR-07")
async def test_text_of_style_sheets_is_read_once_where_it_stands(page: RawPage) -> None:
    for html, lines in [
        ("<p class=b>a</p>", ["New: a"]),
        ("<p>x <b class=b>a</b> y</p>", ["x New: a y"]),
        ("<p class=a>x<br>y</p>", ["x", "y (end)"]),
        ("<div class='a b'>x<p>y</p>z</div>", ["New: x", "y", "z (end)"]),
        ("<p><span class=b></span>5</p>", ["New: 5"]),
        ("<div class=b></div>", ["New:"]),
        ("<div class=t title=Said>x</div>", ["xSaid"]),
        ("<button class=b>a</button>", ["New: a"]),
        ("<h2 class=b><i>a</i></h2>", ["New: a"]),
    ]:
        style = """<style>.b::before{content:'New: '} @media all {.a:after{content:' (end)'}}
      .t{&::after{content:attr(title)}} .b::before{@media all{color:red}}</style>"""
        assert await lines_in(page, style + html) == lines, html


async def test_text_of_style_sheets_is_read_in_shadow_roots(page: RawPage) -> None:
    await page.load("<div id=host></div>")
    await page.run("""host.attachShadow({mode: 'open'}).innerHTML =
        '<style>p::before{content: "New: "}</style><p>a</p>'""")
    assert [row.name for row in rows_of(await page.ask("capture"))] == ["New: a"]


async def test_empty_text_nodes_do_no_harm(page: RawPage) -> None:
    await page.load("<p id=p></p>")
    await page.run(
        """p.append('', document.createElement('input'), '', document.createElement('button'), 'a');
        p.lastElementChild.append('b')"""
    )
    capture = await page.ask("capture")
    assert "skipped" not in capture
    assert [row.name for row in rows_of(capture) if row.kind == "t"] == ["b a"]


async def test_slotted_text_is_read_where_it_is_shown(page: RawPage) -> None:
    await page.load("<p>It was <x-ago id=host>long <b>ago</b></x-ago>.</p>")
    await page.run("host.attachShadow({mode: 'open'}).innerHTML = '(<slot></slot>)'")
    lines = [row.name for row in rows_of(await page.ask("capture")) if row.kind == "t"]
    assert lines == ["It was (long ago)."]


async def test_the_fallback_of_an_empty_slot_is_read(page: RawPage) -> None:
    await page.load("<div id=host></div>")
    await page.run(
        "host.attachShadow({mode: 'open'}).innerHTML = '<p>a</p><slot>fall<i>back</i></slot>'"
    )
    lines = [row.name for row in rows_of(await page.ask("capture")) if row.kind == "t"]
    assert lines == ["a", "fallback"]


async def test_a_line_stands_before_the_controls_in_it_and_after_those_above(page: RawPage) -> None:
    html = "<p><a href=/1>a</a> b</p>c <a href=/2>d</a><h2>e</h2>f"
    rows = [(row.kind, row.name) for row in await rows_in(page, html)]
    assert rows == [
        ("t", "a b"),
        ("i", "a"),
        ("t", "c d"),
        ("i", "d"),
        ("h", "e"),
        ("t", "e"),
        ("t", "f"),
    ]


async def test_a_capture_without_text_has_the_same_other_rows(page: RawPage) -> None:
    await page.load("<main><p>a <a href=/x>b</a></p><button>c</button></main>")
    full = [row for row in rows_of(await page.ask("capture")) if row.kind != "t"]
    assert rows_of(await page.ask("capture", {"text": False})) == full
