"""pdf: the page as a file, where files may be written."""

from pathlib import Path

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


def test_a_page_is_printed_to_a_file_of_its_owner_alone(tab: Tab, shots: Path) -> None:
    tab.open("<h1>Printed</h1>")

    reply = tab.reply("pdf", path="out/page.pdf", landscape=True, scale=0.5)

    place = shots / "out" / "page.pdf"
    assert reply.json == {"path": str(place), "bytes": place.stat().st_size}
    assert place.read_bytes().startswith(b"%PDF")
    assert place.stat().st_mode & 0o777 == 0o600
    assert reply.result["content"][1]["uri"] == place.as_uri()


@pytest.mark.parametrize("path", ["/etc/page.pdf", "../../../../../etc/page.pdf", "page.txt"])
def test_it_is_not_written_elsewhere(tab: Tab, path: str) -> None:
    error = tab.refused("pdf", path=path)

    assert error["code"] == "INVALID_ARGUMENT"
    assert "Nothing was written" in error["message"]
