"""screenshot and pdf: content, size, format and file."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.images import blocks, image_of, size_of
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

TALL = """<body style="margin: 0">
  <div id="box" style="width: 321px; height: 123px; background: red"></div>
  <div style="width: 1500px; height: 2345px"></div>
  <button style="width: 200px; height: 50px">Below</button>"""


@pytest.mark.smoke
@pytest.mark.req("C-SHOT-02", "C-SHOT-04", "S-SHOT-01", "S-SHOT-02", "S-VB-01", "S-RESP-01")
def test_a_screenshot_is_a_png_of_the_viewport(tab: Tab) -> None:
    tab.open("/index.html")

    reply = tab.reply("screenshot")

    kind, data = image_of(reply)
    assert kind == "image/png"
    assert size_of(data) == ("png", 1280, 720)
    answer = reply.json
    assert (answer["success"], answer["action"]) == (True, "screenshot")
    assert answer["data"] == {
        "image_file_id": "screenshot_cache",
        "width": 1280,
        "height": 720,
        "format": "png",
        "viewport_bounds": {"width": 1280, "height": 720, "scroll_x": 0, "scroll_y": 0},
    }


@pytest.mark.req("C-SHOT-02")
def test_a_screenshot_has_the_requested_format(tab: Tab) -> None:
    tab.open("/index.html")

    for kind in ["png", "jpeg", "webp"]:
        with case(kind):
            mime_type, data = image_of(tab.reply("screenshot", format=kind))
            assert mime_type == f"image/{kind}"
            assert size_of(data) == (kind, 1280, 720)


@pytest.mark.req("C-SHOT-03")
def test_an_image_of_low_quality_has_fewer_bytes(tab: Tab) -> None:
    tab.open("/index.html")

    for kind in ["jpeg", "webp"]:
        with case(kind):
            low, high = (
                image_of(tab.reply("screenshot", format=kind, quality=quality))[1]
                for quality in (1, 100)
            )
            assert len(low) < len(high)


def test_a_screenshot_of_a_huge_page_is_truncated_with_a_note(tab: Tab) -> None:
    tab.open('<body style="margin: 0"><div style="height: 20000px"></div>')

    reply = tab.reply("screenshot", full_page=True, format="jpeg", quality=10)

    data = reply.json["data"]
    assert size_of(image_of(reply)[1]) == ("jpeg", data["width"], data["height"])
    assert data["height"] == 16_384
    assert "larger than one image" in data["note"]


@pytest.mark.req("P-02", "S-STO-02")
def test_a_screenshot_shows_changes_of_the_page(tab: Tab) -> None:
    tab.open(TALL)
    before = image_of(tab.reply("screenshot"))[1]
    tab.js("document.body.style.background = 'black'")

    assert image_of(tab.reply("screenshot"))[1] != before


def files_in(directory: Path) -> set[Path]:
    return set(directory.iterdir()) if directory.exists() else set()


@pytest.mark.req("S-LIFE-07", "S-PERF-05")
def test_an_image_is_saved_only_on_request(tab: Tab, shots: Path) -> None:
    tab.open("/counter.html")
    before = files_in(shots)
    tab.call("screenshot")
    assert files_in(shots) == before

    reply = tab.reply("screenshot", save=True)

    [file] = files_in(shots) - before
    [link] = [block for block in blocks(reply) if block["type"] == "resource_link"]
    assert reply.json["data"]["path"] == str(file)
    assert (link["uri"], link["name"], link["mimeType"]) == (file.as_uri(), file.name, "image/png")
    assert file.read_bytes() == image_of(reply)[1]
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.req("S-ERR-06")
def test_an_unwritable_output_directory_is_an_error(tab: Tab, shots: Path, tmp_path: Path) -> None:
    tab.open("/counter.html")
    if shots.exists():
        shots.rename(tmp_path / "kept")
    shots.write_text("no directory any more")

    error = tab.refused("screenshot", save=True)
    shots.unlink()

    assert error["code"] == "FILE_STORAGE_ERROR"
    assert str(shots) in error["message"]


BARRED = """<body style="margin: 0"><style>
  .bar { position: fixed; left: 0; right: 0; background: blue }
  </style><div class="bar" style="top: 0; height: 60px"></div>
  <div class="bar" style="bottom: 0; height: 80px"></div>
  <div style="height: 1500px"></div><div class="seen" style="height: 40px; background: red"></div>
  <div style="height: 2000px"></div>"""


@pytest.mark.req("C-SHOT-01")
def test_a_screenshot_of_an_element_avoids_fixed_bars(tab: Tab) -> None:
    tab.open('<body style="margin: 0"><div class="seen" style="height: 40px; background: red">')
    _, alone = image_of(tab.reply("screenshot", selector=".seen"))
    tab.open(BARRED)

    for at in [0, 1480, 3000]:
        with case(at):
            tab.js(f"scrollTo(0, {at})")
            reply = tab.reply("screenshot", selector=".seen")
            assert image_of(reply)[1] == alone
            assert "note" not in reply.json["data"]


def test_a_screenshot_reports_a_cover_over_its_element(tab: Tab) -> None:
    tab.open(BARRED + '<div class="bar" id="veil" style="top: 0; bottom: 0">Accept all?</div>')

    answer = tab.call("screenshot", selector=".seen")

    assert answer["data"]["note"] == 'div#veil "Accept all?" covers at least a part of .seen.'


def test_pdf_prints_a_page_to_a_private_file(tab: Tab, shots: Path) -> None:
    tab.open("<h1>Printed</h1>")

    reply = tab.reply("pdf", path="out/page.pdf", landscape=True, scale=0.5)

    place = shots / "out" / "page.pdf"
    assert reply.json == {"path": str(place), "bytes": place.stat().st_size}
    assert place.read_bytes().startswith(b"%PDF")
    assert place.stat().st_mode & 0o777 == 0o600
    assert reply.result["content"][1]["uri"] == place.as_uri()


def test_pdf_uses_the_given_orientation_and_scale(tab: Tab, shots: Path) -> None:
    tab.open("<p style='margin: 0; height: 1300px'>Long</p>")
    cases: list[Any] = [({}, False, 2), ({"landscape": True}, True, 2), ({"scale": 0.5}, False, 1)]

    for wanted, is_wide, pages in cases:
        with case(wanted, is_wide, pages):
            tab.call("pdf", path="paper.pdf", **wanted)
            printed = (shots / "paper.pdf").read_bytes()
            boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", printed)
            assert len(boxes) == pages
            assert all((float(width) > float(height)) is is_wide for width, height in boxes)
