"""dev_serve: a directory becomes a site whose pages follow its files."""

from collections.abc import Generator
from pathlib import Path

import attrs
import pytest

from tests.whole.answers import headings
from tests.whole.cases import case
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium


@attrs.frozen
class Site:
    """A served directory and the tab that shows it."""

    directory: Path
    tab: Tab
    url: str

    def write(self, name: str, text: str) -> None:
        (self.directory / name).write_text(text)


@pytest.fixture
def directory(shots: Path, request: pytest.FixtureRequest) -> Path:
    """A directory inside the roots of the shared server."""
    directory = shots / str(request.node.name)
    directory.mkdir(parents=True)
    (directory / "index.html").write_text("<title>Mine</title><h1>First</h1>")
    return directory


@pytest.fixture
def site(tab: Tab, directory: Path) -> Generator[Site]:
    served = tab.call("dev_serve", path=str(directory))
    yield Site(directory, tab, served["serving"]["url"])
    tab.server.call("dev_serve", path=str(directory), stop=True)


@pytest.mark.smoke
@pytest.mark.req("C-DEV-01", "C-DEV-02", "C-DEV-04")
def test_dev_serve_serves_and_shows_a_directory(tab: Tab, directory: Path) -> None:
    answer = tab.call("dev_serve", path=str(directory), watch=False, poll=True)

    assert headings(answer["page"]) == ["First"]
    assert answer["page"]["status"] == 200
    assert answer["serving"] == {
        "url": answer["page"]["url"],
        "path": str(directory),
        "watch": False,
        "poll": True,
    }
    stopped = tab.server.call("dev_serve", path=str(directory), stop=True).json
    assert stopped["stopped"]["url"] == answer["serving"]["url"]
    gone = tab.refused("navigate", url=answer["serving"]["url"])
    assert "ERR_CONNECTION_REFUSED" in gone["message"]


@pytest.mark.req("C-DEV-03", "C-DEV-05", "C-PR-31", "C-REND-04")
def test_an_edit_reloads_the_page_and_is_reported_once(site: Site) -> None:
    site.write("index.html", "<title>Mine</title><h1>Second</h1>")
    site.tab.call("wait_for", text="Second", detail="minimal")
    site.write("style.css", "h1 { color: red }")
    site.write("script.js", "0")
    reloaded: list[str] = []

    def has_all() -> bool:
        event = site.tab.call("observe", detail="minimal").get("reload_event")
        if event:
            assert event["trigger"] == "file_change"
            assert event["timestamp"].endswith("Z")
            reloaded.extend(event["files_changed"])
        return {"style.css", "script.js"} <= set(reloaded)

    eventually(has_all)
    assert "reload_event" not in site.tab.call("observe")


def test_only_directories_inside_the_roots_are_served(tab: Tab, directory: Path) -> None:
    for path in ["/etc", "../..", "no-such-directory", str(directory / "index.html")]:
        with case(path):
            error = tab.refused("dev_serve", path=path)
            assert error["code"] == "INVALID_ARGUMENT"
            assert "--root" in error["suggestion"]


def test_a_hidden_directory_is_not_served(tab: Tab, directory: Path) -> None:
    (directory / ".git").mkdir()
    (directory / "link").symlink_to(".git")
    for name in (".git", "link"):
        error = tab.refused("dev_serve", path=str(directory / name))
        assert error["code"] == "INVALID_ARGUMENT"
        assert "hidden" in error["message"]


def test_dev_serve_listens_only_on_the_loopback_interface(site: Site) -> None:
    port = int(site.url.rsplit(":", 1)[1].strip("/"))
    listening = [
        line.split()[1]
        for line in Path("/proc/net/tcp").read_text().splitlines()
        if line.split()[1].endswith(f":{port:04X}") and line.split()[3] == "0A"
    ]
    assert listening == [f"0100007F:{port:04X}"]
