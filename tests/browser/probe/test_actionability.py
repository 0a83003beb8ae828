"""From a number to a point that can be clicked."""

import pytest

from tests.browser.raw_cdp import Json, RawPage

pytestmark = pytest.mark.chromium

BODY = "<body style='margin:0;height:3000px'>"
SOON = {"wait": 100}


def placed(style: str) -> str:
    return f"style='position:absolute;left:100px;top:100px;width:100px;height:40px;{style}'"


async def aim(page: RawPage, html: str, css: str, **options: object) -> Json:
    """Show a document and ask for a point on its first element that matches."""
    await page.load(BODY + html)
    answer = await page.ask("target", await page.nid(css), options)
    assert answer.pop("waited", 0.1) == 0.1
    return answer


async def hit(page: RawPage, point: Json) -> str:
    found: str = await page.run(f"document.elementFromPoint({point['x']}, {point['y']})?.id")
    return found


async def test_the_point_is_the_middle(page: RawPage) -> None:
    assert await aim(page, f"<button {placed('')}>x</button>", "button") == {"x": 150, "y": 120}


async def test_what_is_out_of_view_is_scrolled_into_it(page: RawPage) -> None:
    answer = await aim(page, f"<button id=b {placed('top:2000px')}>x</button>", "button")
    assert answer["scrolled"] == 1
    assert await hit(page, answer) == "b"


async def test_what_is_in_view_is_not_scrolled(page: RawPage) -> None:
    await aim(page, f"<button {placed('top:650px')}>x</button>", "button")
    assert (await page.ask("scroll"))["y"] == 0


async def test_smooth_scrolling_of_the_page_does_not_delay_it(page: RawPage) -> None:
    html = f"<style>html{{scroll-behavior:smooth}}</style><button id=b {placed('top:2500px')}>x"
    answer = await aim(page, html, "button", wait=0)
    assert await hit(page, answer | {"x": 150, "y": 360}) == "b"


async def test_a_wrapped_link_is_aimed_at_on_its_largest_line(page: RawPage) -> None:
    html = """<p style='width:300px;font:20px/30px monospace;margin:0'>
      aaaaaaaaaaaaaaaaaaaaa <a id=l href=/x>link that is wrapped</a></p>"""
    answer = await aim(page, html, "a")
    assert await hit(page, answer) == "l"
    assert answer["y"] > 30


async def test_a_covered_button_is_reported_with_what_covers_it(page: RawPage) -> None:
    cover = "<div id=cover style='position:fixed;inset:0'>Cookie banner</div>"
    for inside in ("x", "x<svg width=9><path d='' /></svg>"):
        html = f"<button {placed('')}>{inside}</button>{cover}"
        answer = await aim(page, html, "button", **SOON)
        assert answer == {"error": "covered", "by": 'div#cover "Cookie banner"'}
    assert (await page.ask("scroll"))["y"] == 0


async def test_it_waits_for_a_cover_to_go_away(page: RawPage) -> None:
    html = f"""<button id=b {placed("")}>x</button><div id=c style='position:fixed;inset:0'></div>
      <script>setTimeout(() => c.remove(), 150)</script>"""
    assert await hit(page, await aim(page, html, "button")) == "b"


async def test_a_child_or_a_label_in_front_is_as_good(page: RawPage) -> None:
    html = f"""<button {placed("")}><i style='position:absolute;inset:0'></i></button>
      <label {placed("top:200px")}><input type=checkbox style='opacity:0;position:absolute'>
      <span style='position:absolute;inset:0'></span></label>"""
    assert "x" in await aim(page, html, "button")
    assert "x" in await page.ask("target", await page.nid("input"))


async def test_a_button_that_moves_is_awaited_until_it_stands_still(page: RawPage) -> None:
    html = f"""<style>@keyframes go {{ from {{ left: 600px }} }}</style>
      <button id=b {placed("animation:go .3s linear")}>x</button>"""
    assert await aim(page, html, "button") == {"x": 150, "y": 120}


async def test_a_button_that_never_stands_still_is_reported(page: RawPage) -> None:
    html = f"""<style>@keyframes go {{ to {{ left: 900px }} }}</style>
      <button {placed("animation:go 9s linear infinite")}>x</button>"""
    assert await aim(page, html, "button", **SOON) == {"error": "moving"}


async def test_a_button_is_seen_to_stand_still_however_long_the_page_was_held_up(
    page: RawPage,
) -> None:
    html = f"""<style>@keyframes go {{ to {{ left: 900px }} }}</style>
      <p {placed("top:400px;animation:go 9s linear infinite")}>x</p>
      <button {placed("")}>x</button>"""
    assert await aim(page, html, "button", wait=0) == {"x": 150, "y": 120}


async def test_what_cannot_be_clicked_is_reported_with_the_reason(page: RawPage) -> None:
    for html, error in [
        ("<button disabled>x</button>", "disabled"),
        ("<fieldset disabled><button>x</button></fieldset>", "disabled"),
        ("<button aria-disabled=true>x</button>", "disabled"),
        ("<button style=display:none>x</button>", "hidden"),
        ("<button style=visibility:hidden>x</button>", "hidden"),
        ("<div hidden><button>x</button></div>", "hidden"),
        ("<button style='width:0;height:0;padding:0;border:0'></button>", "no box"),
        ("<button style='position:fixed;bottom:-60px'>x</button>", "out of reach"),
    ]:
        assert await aim(page, html, "button", **SOON) == {"error": error}, html


async def test_a_disabled_button_may_still_be_pointed_at(page: RawPage) -> None:
    assert "x" in await aim(page, "<button disabled>x</button>", "button", need="visible")


async def test_an_element_that_goes_while_we_wait_is_gone(page: RawPage) -> None:
    await page.load("<button disabled id=b>x</button>")
    number = await page.nid("button")
    await page.run("setTimeout(() => b.remove(), 100); 0")
    assert await page.ask("target", number) == {"error": "gone"}


async def test_elements_in_shadow_roots_are_hit(page: RawPage) -> None:
    await page.load(BODY + "<div id=host><b id=slotted>label</b></div>")
    await page.run("host.attachShadow({mode: 'open'}).innerHTML = '<button><slot></slot></button>'")
    assert "x" in await page.ask("target", await page.nid("button"))
    assert "x" in await page.ask("target", await page.nid("#slotted"))


@pytest.mark.parametrize(
    ("inset", "reached"), [("30%", "card"), ("2px 0 6px 6px", "card"), ("0", "control")]
)
async def test_a_card_is_clicked_beside_its_controls_unless_one_fills_it(
    page: RawPage, inset: str, reached: str
) -> None:
    inner = f"<button id=control style='position:absolute;inset:{inset}'>Delete</button>"
    answer = await aim(page, f"<div id=card tabindex=0 {placed('')}>{inner}</div>", "#card")
    assert await hit(page, answer) == reached


async def test_an_element_that_ignores_the_mouse_is_an_error(page: RawPage) -> None:
    html = f"<button {placed('pointer-events:none')}>x</button>"
    assert await aim(page, html, "button", **SOON) == {"error": "transparent"}


async def test_every_box_that_scrolls_around_it_is_scrolled(page: RawPage) -> None:
    box = "style='height:150px;width:300px;overflow:auto'"
    html = f"""<div style=height:1500px></div><div {box}><div style=height:600px></div>
      <div {box}><div style=height:700px></div><button id=b>x</button></div></div>"""
    answer = await aim(page, html, "button")
    assert answer["scrolled"] == 1
    assert await hit(page, answer) == "b"


@pytest.mark.parametrize(("height", "held"), [(300, True), (200, True), (120, False)])
async def test_what_no_hand_can_scroll_is_scrolled_only_if_nothing_else_helps(
    page: RawPage,
    height: int,
    held: bool,  # noqa: FBT001
) -> None:
    html = f"""<div id=r style='height:{height}px;overflow:hidden'>
      <div style='height:180px;overflow:auto'><p style=height:900px></p><button id=b>x</button>
      </div>
      <p style=height:900px></p></div>"""
    assert await hit(page, await aim(page, html, "button")) == "b"
    assert await page.run("r.scrollTop === 0") is held


async def test_a_cover_inside_of_a_shadow_root_is_reported(page: RawPage) -> None:
    await page.load(BODY + "<div id=host></div>")
    await page.run(
        f"""host.attachShadow({{mode: 'open'}}).innerHTML = `<button {placed("")}>x</button>
        <div id=veil style='position:fixed;inset:0'></div>`"""
    )
    answer = await page.ask("target", await page.nid("button"), SOON)
    assert answer == {"error": "covered", "by": "div#veil", "waited": 0.1}
