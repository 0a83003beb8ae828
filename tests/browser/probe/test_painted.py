"""What a person sees beside plain text: marks, numbers of items, images, progress, players."""

import pytest

from tests.browser.probe.rows import captures_after, lines_in, named, only, rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

RESET = """<style>sup, sub {font-size: 75%; position: relative; vertical-align: baseline}
sup {top: -.5em} sub {bottom: -.25em}</style>"""
CENTS = "<style>.c {font-size: 60%; vertical-align: super}</style>"
PIXEL = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


async def test_raised_and_lowered_text_is_marked_where_it_continues_a_word(page: RawPage) -> None:
    for html, lines in [
        ("<p>$12<sup>99</sup>, 10<sup>-6</sup>, x<sup>2n+1</sup>", ["$12^99, 10^-6, x^(2n+1)"]),
        (f"{RESET}<p>H<sub>2</sub>O, <b>m<sup>2</sup></b>", ["H_2O, m^2"]),
        (f"{CENTS}<p><span>12</span><span class=c>99</span>", ["12^99"]),
        (f"{CENTS}<p><span>12</span><span><i class=c>99</i></span>", ["12^99"]),
        ("<p>12<i style='position:relative;top:-6px;font-size:11px'>99</i>", ["12^99"]),
        ("<p>12<i style='display:inline-block;transform:translateY(-6px)'>99</i>", ["12^99"]),
        ("<p>12<sup style='vertical-align:baseline;font-size:inherit'>99</sup>", ["1299"]),
        ("<p>12<b style='position:relative'>99</b>", ["1299"]),
        ("<p><sup>$</sup>12 <sup>new</sup>", ["$12 new"]),
        ("<p>a<sup>[1]</sup> b<sup><a href=#n>2</a></sup>", ["a[1] b2"]),
    ]:
        assert await lines_in(page, html) == lines, html


CROSSED = """<style>b {position: relative}
  b::after {content: ''; position: absolute; width: 100%; top: 50%; border-top: 1px solid}
  .y::after {top: 100%}</style>"""


async def test_struck_text_is_marked_by_the_line_that_is_drawn_through_it(page: RawPage) -> None:
    style = "<style>.old, :checked + span {text-decoration: line-through}</style>"
    for html, lines in [
        ("<p>Was <del>$49</del> <s>$39</s> now <ins>$29</ins>", ["Was ~~$49~~ ~~$39~~ now $29"]),
        ("<p>Was <b style='text-decoration: line-through'>$49</b>", ["Was ~~$49~~"]),
        (f"{style}<p class=old>a <b class=old>b</b></p><p>c", ["~~a b~~", "c"]),
        (f"{style}<div class=old><p>a</p><p>b</p></div>", ["~~a~~", "~~b~~"]),
        (f"{style}<label><input type=checkbox checked><span>a</span></label>", ["~~a~~"]),
        (f"{style}<label><input type=checkbox><span>a</span></label>", ["a"]),
        (f"{CROSSED}<p>a <b class=x>b</b> <b class=y>c</b>", ["a ~~b~~ c"]),
        ("<p><s style='text-decoration: none'>a</s>", ["a"]),
        ("<p><s style='text-decoration-color: transparent'>a</s>", ["a"]),
    ]:
        assert await lines_in(page, html) == lines, html


COUNTED = """<style>li {counter-increment: n; list-style: none}
  li::before {content: counter(n, thai) ') '}</style>"""


async def test_items_have_the_numbers_and_styles_of_their_markers(page: RawPage) -> None:
    for html, numbers in [
        ("<ol start=4><li>a<li>b</ol>", ["4 decimal", "5 decimal"]),
        ("<ol reversed><li>a<li>b</ol>", ["2 decimal", "1 decimal"]),
        ("<ol reversed type=A><li value=7>a<li>b</ol>", ["7 upper-alpha", "6 upper-alpha"]),
        ("<ol><li><p>a</p><p>b</p><ol type=i><li>c</ol></ol>", ["1 decimal", "1 lower-roman"]),
        ("<ol><li><ol><li>a</ol></ol>", ["1 decimal", "1 decimal"]),
        ("<ul style='list-style: decimal'><li>a</ul><ul><li>b</ul>", ["1 decimal"]),
        ("<ol><li hidden>a<li>b<li hidden>c<li>d</ol>", ["1 decimal", "2 decimal"]),
        (f"{COUNTED}<ol style='counter-reset: n 2'><li>a<li>b</ol>", ["3 thai", "4 thai"]),
        ("<ol style='list-style: none'><li>a</ol><ol><li style='display: flex'>b</ol>", []),
    ]:
        rows = await rows_in(page, html)
        assert [one for row in rows for one in row.extra.get("numbers", ())] == numbers, html


IMAGE = f"<img src={PIXEL} width=300 height=200"


async def test_large_images_have_a_line_unless_they_are_decorative(page: RawPage) -> None:
    drawing = "<svg width=200 height=100><rect width=9 height=9 /></svg>"
    for html, lines in [
        (f"<img src={PIXEL} width=120 height=40>", ["[image 120×40]"]),
        (f"<p>a {IMAGE} alt='\"May\"'> b", ["a", '[image "\\"May\\"" 300×200]', "b"]),
        (drawing, ["[image 200×100]"]),
        (drawing.replace("><rect", "><title>Map</title><rect"), ['[image "Map" 200×100]']),
        ("<p role=img aria-label=Pie style='width:200px;height:99px'>", ['[image "Pie" 200×99]']),
        (f"<video poster={PIXEL} width=200 height=100></video>", ["[video 200×100]"]),
        (f"{IMAGE} alt=''>{IMAGE} role=none>{IMAGE} aria-hidden=true>", []),
        (f"<img src={PIXEL} width=48 height=48>", []),
        (f"<p>{IMAGE} alt=Lamp>Lamp, red <a href=/x>{IMAGE} alt=Sofa></a>", ["Lamp, red"]),
        ("<svg width=200 height=100><text y=9>a</text></svg>", ["a"]),
    ]:
        assert await lines_in(page, html) == lines, html


async def test_small_images_are_in_their_line_unless_the_text_has_their_name(page: RawPage) -> None:
    icon, drawing = "<i role=img style='padding: 4px'", "<svg width=9><title>No</title></svg>"
    for html, lines in [
        (f"<ul><li>{icon} aria-label='Not on'></i> a", ['[image "Not on"] a']),
        (f"<td>No b<td>{drawing}<td>a<img alt=I>", ["No b", '[image "No"]', 'a [image "I"]']),
        (f"<p>{drawing}No,</p><h2>a{drawing}</h2>", ["No,", "a"]),
        (f"<a href=/x>{drawing}</a><p aria-hidden=true>{drawing}<p>{icon}>", []),
    ]:
        assert await lines_in(page, f"<table><tr>{html}" if "<td" in html else html) == lines, html


async def test_progress_has_a_line_with_its_name_and_value(page: RawPage) -> None:
    for html, lines in [
        ("<progress value=3 max=7 aria-label=Steps></progress>", ['[progress "Steps" 3 of 7]']),
        ("<progress></progress>", ["[progress]"]),
        ("<meter min=35 max=42 value=36.5></meter>", ["[meter 36.5 of 35 to 42]"]),
        ("<p role=progressbar aria-label=Load aria-valuenow=5>5%", ['[progress "Load" 5%]']),
        ("<div role=meter aria-valuenow=2 aria-valuemax=8>Low</div>", ["[meter 2 of 8 Low]"]),
        ("<p role=progressbar aria-valuetext='9 files'>.", ["[progress 9 files .]"]),
        ("<div role=progressbar><button>Stop</button></div>", ["Stop"]),
    ]:
        assert await lines_in(page, html) == lines, html


async def test_changes_of_what_is_seen_are_noticed(page: RawPage) -> None:
    await page.write(f"""<p>12<sup id=a>99</sup> <s id=c>x</s><ol><li>one<li id=d>two</ol>
      <div role=progressbar id=e aria-valuenow=5>.</div>
      <img id=f src={PIXEL} width=120 height=40><p>Now <img id=g src={PIXEL} alt=Down>""")
    for script in [
        "a.style.verticalAlign = 'baseline'",
        "a.style.verticalAlign = 'sub'",
        "c.style.textDecoration = 'none'",
        "d.value = 7",
        "e.setAttribute('aria-valuenow', 80)",
        "f.width = 130",
        "g.alt = 'Up'",
    ]:
        now, fresh = await captures_after(page, script)
        assert now.nodes == fresh.nodes, script


async def test_controls_in_fallbacks_and_with_other_roles_are_listed(page: RawPage) -> None:
    html = "<object>No plug-in <a href=/d>Download</a><button>Retry</button></object>"
    assert await named(page, html, "i") == [("link", "Download"), ("button", "Retry")]
    html = "<input type=number role=alert><textarea role=note></textarea><button role=status>"
    roles = [role for role, _ in await named(page, html, "i")]
    assert roles == ["spinbutton", "textbox", "button"]


async def test_a_player_has_a_row_with_its_state(page: RawPage) -> None:
    row = await only(page, "<audio controls aria-label='Lesson one'></audio><video></video>")
    assert (row.role, row.name, row.extra["player"]) == ("player", "Lesson one", "paused 0:00")
    captures = await captures_after(page, "document.querySelector('audio').play().catch(() => 0)")
    states = [node.extra.get("player") for capture in captures for node in capture.nodes]
    assert states == ["playing", "playing"]
