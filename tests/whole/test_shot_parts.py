"""screenshot: regions of the viewport, zoom, and images that have not changed."""

from datetime import datetime
from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.client import Reply
from tests.whole.images import blocks, image_of, pixels_of, size_of
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

BLUE, BLACK, WHITE = (0, 0, 255), (0, 0, 0), (255, 255, 255)

SQUARE = """<body style="margin: 0; background: red; height: 3000px">
  <div style="position: absolute; left: 50px; top: 900px; width: 20px; height: 10px;
  background: blue"></div>"""
HAIRLINES = """<body style="margin: 0"><svg width="40" height="20" shape-rendering="crispEdges">
  <path d="M 0.125 0 V 20 M 0.625 0 V 20 M 1.125 0 V 20" stroke-width="0.25" stroke="black"/></svg>
"""


def region(x: float, y: float, width: float, height: float) -> dict[str, float]:
    return {"x": x, "y": y, "width": width, "height": height}


def sizes(tab: Tab, **arguments: Any) -> tuple[int, int]:
    _, width, height = size_of(image_of(tab.reply("screenshot", **arguments))[1])
    return width, height


def test_a_region_is_a_part_of_the_viewport(tab: Tab) -> None:
    tab.open(SQUARE)
    tab.js("scrollTo(0, 800)")

    rows = pixels_of(image_of(tab.reply("screenshot", region=region(40, 95, 60, 20)))[1])

    blue = [(x, y) for y, row in enumerate(rows) for x, one in enumerate(row) if one == BLUE]
    assert (len(rows[0]), len(rows)) == (60, 20)
    assert (blue[0], blue[-1], len(blue)) == ((10, 5), (29, 14), 200)


def test_a_region_outside_the_viewport_is_an_error(tab: Tab) -> None:
    for outside in (region(1270, 0, 20, 20), region(0, 700, 20, 21), region(5000, 5000, 1, 1)):
        with case(outside):
            error = tab.refused("screenshot", region=outside)
            assert error["code"] == "INVALID_COORDINATES"
            assert "inside the viewport of 1280x720" in error["message"]


def test_zoom_scales_the_viewport_a_region_and_an_element(tab: Tab) -> None:
    tab.open(SQUARE)

    assert sizes(tab, zoom=0.5) == (640, 360)
    assert sizes(tab, zoom=4, region=region(10, 10, 100, 50)) == (400, 200)
    assert sizes(tab, zoom=3, selector="div") == (60, 30)
    assert sizes(tab, zoom=0.1, full_page=True) == (128, 300)
    assert sizes(tab, zoom=2, max_width=400) == (400, 225)


def test_zoom_renders_details_smaller_than_a_css_pixel(tab: Tab) -> None:
    tab.open(HAIRLINES)

    for scale in [1, 2]:
        with case(scale):
            tab.call("viewport", scale=scale)
            reply = tab.reply("screenshot", zoom=4, region=region(0, 0, 10, 10))
            tab.call("viewport", scale=1)
            [row, *_] = pixels_of(image_of(reply)[1])
            assert row[:6] == [BLACK, WHITE, BLACK, WHITE, BLACK, WHITE]


def test_an_image_with_too_many_pixels_is_refused(tab: Tab) -> None:
    tab.open("<body style='margin: 0; height: 9000px'>")

    error = tab.refused("screenshot", zoom=4, full_page=True)

    assert error["code"] == "INVALID_ARGUMENT"
    assert "smaller zoom" in error["suggestion"]


def has_image(reply: Reply) -> bool:
    return any(block["type"] == "image" for block in blocks(reply))


def test_an_unchanged_picture_is_not_sent_again(tab: Tab) -> None:
    tab.open(SQUARE)
    first = tab.reply("screenshot", if_changed=True)

    second = tab.reply("screenshot", if_changed=True)
    third = tab.reply("screenshot", if_changed=True)
    tab.js("document.body.style.background = 'green'")
    changed = tab.reply("screenshot", if_changed=True)

    assert [has_image(one) for one in (first, second, third, changed)] == [True, False, False, True]
    assert "unchanged_since" not in changed.json["data"]
    since = second.json["data"]["unchanged_since"]
    assert since == third.json["data"]["unchanged_since"]
    answered = second.json["metadata"]["timestamp"]
    assert datetime.fromisoformat(since) <= datetime.fromisoformat(answered)


def test_a_blinking_caret_is_no_change_of_a_picture(tab: Tab) -> None:
    tab.open("<input aria-label=Name autofocus>")
    tab.call("screenshot", if_changed=True)

    for _ in range(4):
        tab.call("wait_for", time=300)  # the caret changes every 500 ms
        assert not has_image(tab.reply("screenshot", if_changed=True))
    assert tab.js("document.adoptedStyleSheets.length") == 0


def test_pictures_of_other_parts_and_tabs_do_not_count_as_unchanged(tab: Tab) -> None:
    tab.open(SQUARE)
    tab.call("screenshot")
    other = tab.beside()
    other.open(SQUARE)

    assert has_image(other.reply("screenshot", if_changed=True))
    for part in (
        {"region": region(0, 0, 1280, 720)},
        {"zoom": 2},
        {"marks": True},
        {"format": "webp"},
        {"selector": "body"},
    ):
        assert has_image(tab.reply("screenshot", if_changed=True, **part))
    assert not has_image(tab.reply("screenshot", if_changed=True))
