"""Names of elements and of areas of image maps, and the text near elements of one name."""

import pytest

from tests.browser.probe.rows import only, rows_in
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium


async def test_what_can_be_dragged_is_part_of_a_name(page: RawPage) -> None:
    for html, name in [
        ("<button><span draggable=false>Paste</span> <kbd>Ctrl+V</kbd></button>", "Paste Ctrl+V"),
        ("<a href=1><div draggable=true>Card</div> 3</a>", "Card 3"),
        ("<label><b draggable=false>Mail</b> <input></label>", "Mail"),
        ("<button aria-label=Go><i draggable=false>Much text</i></button>", "Go"),
    ]:
        assert (await only(page, html, "i")).name == name, html


async def test_a_large_box_that_takes_the_focus_is_not_named_by_its_text(page: RawPage) -> None:
    for width, attributes, name in [
        (500, "", ""),
        (500, "aria-label=Map", "Map"),
        (500, "title=Map", "Map"),
        (200, "", "Depot +"),
    ]:
        box = f"style='width: {width}px; height: 400px' {attributes}"
        rows = await rows_in(
            page, f"<div tabindex=0 {box}>Depot <i class='icon-pin'></i><button>+</button></div>"
        )

        (found,) = [row for row in rows if row.role == "generic"]
        assert (found.name, "icon" in found.extra) == (name, False), width


async def test_only_controls_that_may_have_labels_are_asked_for_them(page: RawPage) -> None:
    await page.load("<input><button>Go</button><label>Size <select></select></label>")
    await page.run_beside("""globalThis.asked = []; for (const kind of
        [HTMLInputElement, HTMLButtonElement, HTMLSelectElement]) {
        const { get } = Object.getOwnPropertyDescriptor(kind.prototype, 'labels');
        const note = function () { asked.push(this.localName); return get.call(this) };
        Object.defineProperty(kind.prototype, 'labels', { get: note }); } 0""")
    await page.ask("capture")
    assert await page.run_beside("[...new Set(asked)]") == ["select"]


async def test_an_only_one_has_no_text_near_it(page: RawPage) -> None:
    (button,) = [
        row
        for row in await rows_in(page, "<h3>Tea</h3><button>Buy</button>")
        if row.role == "button"
    ]
    assert "near" not in button.extra


IMAGE = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'/>"


@pytest.mark.req("C-PR-14")
async def test_an_area_has_its_name_whether_its_image_is_there_or_not(page: RawPage) -> None:
    for named, name in [
        ("alt=Here", "Here"),
        ("alt=Here aria-label=Map", "Map"),
        ("title=Tip", "Tip"),
        ("", ""),
    ]:
        for src in ("data:,", IMAGE):
            html = f"""<img usemap=#m width=90 height=80 src="{src}">
              <map name=m><area href=/a {named}></map>"""
            assert (await only(page, html, "i")).name == name, (named, src)


async def test_an_area_of_an_image_map_is_a_link_where_its_shape_is(page: RawPage) -> None:
    for shape, box in [
        ("shape=rect coords=10,20,40,50", [10, 20, 30, 30]),
        ("shape=circle coords=30,30,10", [20, 20, 20, 20]),
        ("shape=poly coords=0,0,50,10,20,60", [0, 0, 50, 60]),
        ("shape=default", [0, 0, 90, 80]),
    ]:
        html = f"""<body style=margin:0><img usemap=#m width=90 height=80
      src="{IMAGE}">
      <map name=m><area href=/a alt=Here {shape}></map>"""
        row = await only(page, html)
        assert (row.role, row.name, row.box) == ("link", "Here", box), shape
        assert "x" in await page.ask("target", row.nid), shape
