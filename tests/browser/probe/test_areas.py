"""Areas of image maps: what they are called, and where they are."""

import pytest

from tests.browser.probe.rows import only
from tests.browser.raw_cdp import RawPage

pytestmark = pytest.mark.chromium

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
