"""pdf: the page as a file in the output directory."""

import re
from pathlib import Path
from typing import Any

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


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


def test_pdf_refuses_paths_outside_the_output_directory(tab: Tab) -> None:
    for path in ["/etc/page.pdf", "../../../../../etc/page.pdf", "page.txt"]:
        with case(path):
            error = tab.refused("pdf", path=path)
            assert error["code"] == "INVALID_ARGUMENT"
            assert "Nothing was written" in error["message"]
