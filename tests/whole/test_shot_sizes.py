"""screenshot: images in CSS pixels, for every scroll position and device."""

import json
import re
from pathlib import Path

import pytest

from tests.whole.cases import case
from tests.whole.client import Message, open_server
from tests.whole.images import blocks, image_of, size_of
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

TALL = """<body style="margin: 0; height: 3000px; width: 2000px;
  background: linear-gradient(red, blue)"><div style="height: 100px; overflow: auto">
  <div style="height: 900px"></div><b id=inner style="display: block; width: 50px; height: 20px">
  </b></div><p class=far role=region aria-label=Far
  style="position: absolute; top: 2000px; width: 300px; height: 40px">Far"""


def data_of(tab: Tab, **arguments: object) -> Message:
    data: Message = tab.call("screenshot", **arguments)["data"]
    return data


@pytest.mark.req("S-SHOT-01", "S-VAL-07", "S-VB-01", "S-PERF-06")
def test_a_screenshot_has_css_pixels_on_every_device(tab: Tab) -> None:
    tab.open(TALL)

    for scale in [0.5, 2, 3]:
        with case(scale):
            tab.call("viewport", width=640, height=400, scale=scale)
            assert tab.js("devicePixelRatio") == scale

            sizes = [
                size_of(image_of(tab.reply("screenshot", **how))[1])[1:]
                for how in ({}, {"selector": ".far"}, {"full_page": True, "format": "jpeg"})
            ]
            bounds = data_of(tab)["viewport_bounds"]
            tab.call("viewport", width=1280, height=720, scale=1)

            assert sizes == [(640, 400), (300, 40), (2000, 3000)]
            assert (bounds["width"], bounds["height"]) == (640, 400)


def test_a_wide_screenshot_is_scaled_to_the_maximum_width(tab: Tab) -> None:
    tab.open(TALL)

    reply = tab.reply("screenshot", max_width=320)

    assert size_of(image_of(reply)[1]) == ("png", 320, 180)
    assert reply.json["data"]["scale"] == 0.25
    assert "scale" not in data_of(tab, max_width=1280)


@pytest.mark.req("C-SHOT-01")
def test_a_screenshot_by_selector_scrolls_nested_containers(tab: Tab) -> None:
    tab.open(TALL)

    landmark = tab.call("observe")["structure"]["landmarks"][0]["id"]
    sizes = [
        size_of(image_of(tab.reply("screenshot", selector=selector))[1])[1:]
        for selector in ("#inner", ".far", tab.call("find", selector="#inner")[0]["id"], landmark)
    ]

    assert sizes == [(50, 20), (300, 40)] * 2
    assert tab.js("document.querySelector('div').scrollTop") > 0
    assert tab.refused("screenshot", selector=".none")["code"] == "ELEMENT_NOT_FOUND"


@pytest.mark.req(
    "S-VAL-01", "S-REQ-06", "S-SCR-01", "S-SCR-02", "S-SCR-03", "S-SCR-04", "S-SCR-05", "S-VB-02"
)
def test_screenshot_scrolls_the_page_first_within_its_limits(tab: Tab) -> None:
    tab.open(TALL)
    at_top = image_of(tab.reply("screenshot"))[1]

    offsets = ({"y": 300}, {"y": 300}, {"x": 200, "y": -100}, {"x": -500}, {"y": 99_999})
    replies = [tab.reply("screenshot", scroll_offset=offset) for offset in offsets]

    bounds = [reply.json["data"]["viewport_bounds"] for reply in replies]
    positions = [(one["scroll_x"], one["scroll_y"]) for one in bounds]
    end = tab.js("document.documentElement.scrollHeight - innerHeight")
    assert positions == [(0, 300), (0, 600), (200, 500), (0, 500), (0, end)]
    assert image_of(replies[-1])[1] == image_of(tab.reply("screenshot"))[1] != at_top
    error = tab.refused("screenshot", scroll_offset={"x": 1.5, "y": 1.5})
    assert all(f"scroll_offset.{axis}" in error["message"] for axis in "xy")


@pytest.mark.req("S-STO-01")
def test_concurrent_screenshots_each_show_their_own_tab(tab: Tab) -> None:
    tabs = [tab, tab.beside()]
    for one, colour in zip(tabs, ("red", "blue"), strict=True):
        one.open(f"<body style='background: {colour}'>")
    alone = [image_of(one.reply("screenshot"))[1] for one in tabs]

    taken = [one.start("screenshot") for _ in range(3) for one in tabs]

    assert [image_of(one.reply())[1] for one in taken] == alone * 3
    assert alone[0] != alone[1]


@pytest.mark.req("S-STO-04", "S-ERR-06", "S-RESP-04", "S-ERR-01")
def test_an_image_of_more_than_ten_megabytes_is_refused(tab: Tab) -> None:
    tab.open("<body style='margin: 0'><canvas id=c width=3000 height=1500></canvas>")
    tab.js("""const context = c.getContext('2d'), noise = context.createImageData(3000, 1500);
        for (let n = 0; n < noise.data.length; n += 65536)
          crypto.getRandomValues(noise.data.subarray(n, n + 65536));
        for (let n = 3; n < noise.data.length; n += 4) noise.data[n] = 255;
        context.putImageData(noise, 0, 0), 0""")

    answer = json.loads(tab.reply("screenshot", full_page=True).text)

    assert answer["error"]["code"] == "FILE_STORAGE_ERROR"
    assert re.search(r"has \d{8} bytes, more than 10485760", answer["error"]["message"])
    assert (answer["success"], answer["action"]) == (False, "screenshot")
    assert "data" not in answer
    assert data_of(tab, full_page=True, format="jpeg", quality=20)["format"] == "jpeg"


@pytest.mark.req("C-CFG-03")
def test_images_are_saved_in_the_configured_directory(tab: Tab, shots: Path) -> None:
    tab.open(TALL)
    place = shots / "of today"
    settings = tab.server.call("configure", screenshot_dir=str(place)).json
    try:
        reply = tab.reply("screenshot", save=True)
    finally:
        tab.server.call("configure", screenshot_dir=str(shots))

    assert settings["screenshot_dir"] == str(place)
    [file] = place.iterdir()
    [link] = [block for block in blocks(reply) if block["type"] == "resource_link"]
    assert link["uri"] == file.as_uri()
    outside = tab.server.call("configure", screenshot_dir="/etc/shots").error
    assert outside["code"] == "INVALID_ARGUMENT"
    assert str(shots) in outside["suggestion"]


@pytest.mark.req(
    "S-LIFE-01", "S-LIFE-02", "S-LIFE-05", "S-LIFE-06", "S-LIFE-07", "S-LIFE-08",
    "S-STO-01", "S-STO-02", "S-STO-03", "S-FLOW-01",
)  # fmt: skip
def test_an_image_passes_through_its_states_and_leaves_no_file(tmp_path: Path) -> None:
    with open_server("--log-level", "debug", "--output-dir", str(tmp_path / "out")) as server:
        answers = [server.call("screenshot").json for _ in range(3)]
        server.call("tabs")  # answered after the last image was written
        rows = [json.loads(line) for line in server.log().splitlines() if line.startswith("{")]
        assert not (tmp_path / "out").exists()

    states = [row["state"] for row in rows if row["event"] == "screenshot"]
    assert states == ["capturing", "stored", "uploading", "uploaded", "deleted"] * 3
    assert {answer["data"]["image_file_id"] for answer in answers} == {"screenshot_cache"}
