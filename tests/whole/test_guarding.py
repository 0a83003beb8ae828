"""Blocked hosts and files, reached in any way."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.whole.cases import case
from tests.whole.client import Server, open_server
from tests.whole.processes import browser_of, descendants
from tests.whole.sockets import MESSAGES, listening, sockets_of
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

METADATA = "http://169.254.169.254/latest/"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("root")
    (root / "page.html").write_text("<title>From disk</title><h1>From disk</h1>")
    return root


@pytest.fixture(scope="module")
def guarded(web: Web, files: Path) -> Generator[Tab]:
    """A tab of a server with a blocked host and a file root."""
    flags = ("--block-host", "blocked.localhost", "--allow-file", "--root", str(files))
    with open_server(*flags) as server:
        yield Tab(server, web, server.call("tab_open").json["tab_id"])


def test_a_blocked_host_is_not_opened(guarded: Tab) -> None:
    url = guarded.web.url("/", host="blocked.localhost")

    for tool in ["navigate", "tab_open"]:
        with case(tool):
            error = guarded.server.call(tool, url=url).error
            assert error["code"] == "NAVIGATION_BLOCKED"
            assert "--block-host" in error["message"]
            assert len(guarded.server.call("tabs").json) == 1


def test_a_redirect_to_a_blocked_host_is_refused(guarded: Tab) -> None:
    cases = [
        "blocked.localhost",
        "a.blocked.localhost",
        "blocked.localhost.",
        "a.blocked.localhost.",
    ]

    for host in cases:
        with case(host):
            there = guarded.web.url("/counter.html", host=host)
            url = guarded.web.url(f"/redirect?to={there}")
            assert guarded.refused("navigate", url=url)["code"] == "NAVIGATION_BLOCKED"


def test_links_and_scripts_cannot_reach_a_blocked_host(guarded: Tab) -> None:
    for host in ["blocked.localhost", "blocked.localhost."]:
        with case(host):
            path = guarded.web.write("<h1>Blocked</h1>")
            there = guarded.web.url(path, host=host)
            guarded.open(f"<a href={there}>There</a>")
            assert (
                guarded.js(f"await fetch({there!r}, {{mode: 'no-cors'}}).catch(() => 'no')") == "no"
            )
            guarded.click("There")
            assert guarded.web.asked(path) == []


ROUNDABOUT = {
    "a frame": "document.body.append(Object.assign(document.createElement('iframe'), {src: URL}))",
    "a popup": "opened = open(URL)",
    "an image": "new Image().src = URL",
    "a worker": "new Worker(`data:text/javascript,fetch('${URL}', {mode: 'no-cors'})`)",
    "a socket": "new WebSocket(URL.replace('http', 'ws'))",
    "a beacon": "navigator.sendBeacon(URL)",
    "a form": """const form = document.createElement('form');
      Object.assign(form, {action: URL, target: '_blank'});
      document.body.append(form); form.submit()""",
}


def test_other_page_features_cannot_reach_a_blocked_host(guarded: Tab) -> None:
    for how in ROUNDABOUT.values():
        with case(how):
            path, fine = (guarded.web.write("<h1>Asked</h1>") for _ in range(2))
            guarded.open("<h1>Tries</h1>")
            for host, there in (("blocked.localhost", path), ("fine.localhost", fine)):
                url = guarded.web.url(there, host=host)
                guarded.js(f"{{ {how.replace('URL', repr(url))} }}; 1")
            guarded.web.wait_for_request(fine)
            assert guarded.web.asked(path) == []
            for row in guarded.server.call("tabs").json[1:]:
                guarded.server.call("tab_close", tab_id=row["id"])


def test_the_browser_listens_nowhere_and_only_its_main_process_has_its_messages(
    fresh_tab: Tab,
) -> None:
    fresh_tab.open("<h1>Has a renderer</h1>")
    browser = browser_of(fresh_tab.server.process.pid)
    sockets = {pid: sockets_of(pid) for pid in (browser, *descendants(browser))}
    messages = str(Path(f"/proc/{browser}/fd/{MESSAGES}").readlink())

    assert not listening() & set().union(*sockets.values())
    assert [pid for pid, held in sockets.items() if messages in held] == [browser]


def test_a_redirect_to_a_metadata_endpoint_is_refused(fresh_tab: Tab) -> None:
    url = fresh_tab.web.url(f"/redirect?to={METADATA}")
    assert fresh_tab.refused("navigate", url=METADATA)["code"] == "NAVIGATION_BLOCKED"
    assert fresh_tab.refused("navigate", url=url)["code"] == "NAVIGATION_BLOCKED"


def test_only_files_inside_the_roots_are_uploaded(guarded: Tab, files: Path, outside: Path) -> None:
    guarded.open("<input type=file id=i aria-label=File>")
    field = guarded.find("File")

    error = guarded.refused("upload", element_id=field, paths=[str(outside)])
    guarded.call("upload", element_id=field, paths=["page.html"])

    assert error["code"] == "INVALID_ARGUMENT"
    assert str(files) in error["suggestion"]
    assert guarded.js("i.files[0].name") == "page.html"


def test_files_inside_the_roots_can_be_opened(guarded: Tab, files: Path) -> None:
    shown = guarded.call("navigate", url=(files / "page.html").as_uri())
    assert shown["title"] == "From disk"
    error = guarded.refused("navigate", url="file:///etc/passwd")
    assert error["code"] == "NAVIGATION_BLOCKED"


@pytest.fixture(scope="module")
def outside(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("outside") / "secret.html"
    place.write_text("<h1>From outside</h1>")
    return place


def _shown(tab: Tab) -> str:
    return tab.reply("observe", mode="content").text


def test_a_page_inside_the_roots_cannot_show_a_file_outside(
    guarded: Tab, files: Path, outside: Path
) -> None:
    page, there = files / "around.html", outside.as_uri()

    for element in (
        f"<iframe src={there} title=There></iframe>",
        f"<object data={there}></object>",
        f"<embed src={there}>",
        f"<a href={there}>There</a>",
    ):
        with case(element):
            page.write_text("<h1>From disk</h1>" + element)
            guarded.call("navigate", url=page.as_uri())
            assert "From disk" in (shown := _shown(guarded))
            assert "From outside" not in shown
    assert "outside the roots" in json.dumps(guarded.click("There"))
    assert "From outside" not in _shown(guarded)


_REPORTING = """
    <script>
        shown = () => document.title += "shown";
        refused = () => document.title += "refused";
    </script>
"""


def test_a_page_inside_the_roots_cannot_load_resources_outside(
    guarded: Tab, files: Path, outside: Path
) -> None:
    page = files / "part.html"
    cases = [
        ("part.svg", "<img src={} onload=shown() onerror=refused()>"),
        ("part.css", "<link rel=stylesheet href={} onload=shown() onerror=refused()>"),
        ("part.js", "<script src={} onload=shown() onerror=refused()></script>"),
    ]

    for name, element in cases:
        with case(name, element):
            for directory, becomes in (files, "shown"), (outside.parent, "refused"):
                part = directory / name
                part.write_text("<svg xmlns='http://www.w3.org/2000/svg' width='8' height='8'/>")
                page.write_text(_REPORTING + element.format(part.as_uri()))
                assert guarded.call("navigate", url=page.as_uri())["title"] == becomes


def test_files_are_not_opened_without_permission(server: Server, files: Path) -> None:
    error = server.call("navigate", url=(files / "page.html").as_uri()).error
    assert error["code"] == "NAVIGATION_BLOCKED"
