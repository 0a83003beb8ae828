"""Downloads: stored in the output directory under their own names, reported once."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import trio
from starlette.responses import Response, StreamingResponse

from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

BLOB = """<button onclick="
  const a = document.createElement('a');
  a.download = %s;
  a.href = window.URL.createObjectURL(new Blob(['hello']));
  a.click();">Save</button>"""


def only(answer: Message) -> Message:
    [download] = answer["downloads"]
    found: Message = download
    return found


def completed(tab: Tab, answer: Message) -> Message:
    """Return the record of a completed download; poll until it is complete."""
    rows = list[Message](answer.get("downloads", []))

    def is_complete() -> bool:
        if not rows or rows[-1]["state"] != "completed":
            rows.extend(tab.call("observe", detail="minimal").get("downloads", []))
        return bool(rows) and rows[-1]["state"] == "completed"

    eventually(is_complete)
    return rows[-1]


def test_a_click_that_downloads_returns_the_file(tab: Tab, shots: Path) -> None:
    cases = [
        "<a href='{url}'>Get</a>",
        "<a href='{url}' download>Get</a>",
        "<a href='{url}' target=_blank>Get</a>",
        """<button onclick="document.body.append(Object.assign(
          document.createElement('iframe'), {{src: '{url}'}}))">Get</button>""",
        "<form action='{url}' method=post><button>Get</button></form>",
    ]

    for link in cases:
        with case(link):
            url = tab.web.url("/download?name=sales.csv")
            before = tab.open(link.format(url=url))["url"]

            answer = tab.click("Get")
            download = completed(tab, answer)
            path = Path(download["path"])
            assert (download["state"], download["bytes"], download["url"]) == ("completed", 22, url)
            assert path.parent == shots
            assert path.name == download["name"]
            assert path.name.startswith("sales")
            assert path.suffix == ".csv"
            assert path.read_text() == "title,copies\nTides,12\n"
            assert path.stat().st_mode & 0o077 == 0
            assert tab.call("observe")["url"] == before


def test_downloads_of_the_same_name_get_different_names(tab: Tab, shots: Path) -> None:
    shots.mkdir(exist_ok=True)
    (shots / "mine.txt").write_text("mine")
    tab.open(BLOB % "'mine.txt'")

    names = [completed(tab, tab.click("Save"))["name"] for _ in range(2)]

    assert names == ["mine-2.txt", "mine-3.txt"]
    assert (shots / "mine.txt").read_text() == "mine"
    assert (shots / "mine-3.txt").read_text() == "hello"


def test_a_file_name_cannot_leave_the_output_directory(tab: Tab, shots: Path) -> None:
    for name in ["../../up.txt", "/etc/passwd", ".bashrc", "a\\b.txt", ""]:
        with case(name):
            tab.open(BLOB % repr(name).replace('"', "'"))
            path = Path(completed(tab, tab.click("Save"))["path"])
            assert path.parent == shots
            assert not path.name.startswith(".")


def test_navigating_to_a_file_downloads_it_and_keeps_the_page(tab: Tab, shots: Path) -> None:
    tab.open("<h1>Here</h1>")
    url = tab.web.url("/download?name=nav.csv")

    answer = tab.call("navigate", url=url)

    assert answer["download"] == url
    assert Path(only(answer)["path"]) == shots / "nav.csv"
    assert answer["structure"]["headings"][0]["text"] == "Here"


def test_a_slow_download_is_reported_at_its_start_and_end(tab: Tab) -> None:
    tab.open(f"<a href='{held_file(tab, 'slow')}'>Get</a>")

    begun = only(tab.click("Get"))
    assert begun["state"] == "in_progress"
    assert "path" not in begun
    tab.web.release("slow")

    assert Path(completed(tab, {})["path"]).read_text() == "firstlast"


def held_file(tab: Tab, gate: str) -> str:
    """Publish a file that ends when the gate is released; return its path."""

    async def trickle() -> AsyncGenerator[bytes]:
        yield b"first"
        await tab.web.gates[gate].wait()
        yield b"last"

    tab.web.gates[gate] = trio.Event()
    headers = {"Content-Disposition": 'attachment; filename="slow.txt"'}
    return tab.web.publish(StreamingResponse(trickle(), media_type="text/csv", headers=headers))


def file(tab: Tab) -> str:
    headers = {"Content-Disposition": 'attachment; filename="bill.pdf"'}
    return tab.web.publish(Response(b"%PDF", media_type="application/pdf", headers=headers))


def open_tabs(tab: Tab) -> set[str]:
    return {row["id"] for row in tab.server.call("tabs").json}


def test_a_tab_opened_for_a_download_is_closed(tab: Tab) -> None:
    cases = [
        "<a href='{path}?ms=300' target=_blank>Get</a>",
        "<a href='{path}' target=_blank rel=opener>Get</a>",
        "<button onclick=\"window.open('{path}?ms=300')\">Get</button>",
        "<form action='{path}' target=_blank method=post><button>Get</button></form>",
    ]

    for opener in cases:
        with case(opener):
            tab.open(opener.format(path=file(tab)))
            answer = tab.click("Get")
            assert Path(only(answer)["path"]).read_text() == "%PDF"
            assert "opened_tabs" not in answer
            assert open_tabs(tab) == {tab.id}
