"""Finding the user's browser, and the answers of its user."""

import json
import os
import socket
from pathlib import Path
from typing import Any, NoReturn

import pytest
import structlog
import trio
from starlette.responses import HTMLResponse

from charlotte.base.errors import SessionProblem
from charlotte.browser.process import running_browser
from charlotte.browser.process.executables import System
from charlotte.browser.process.running_browser import NotAllowed, RunningBrowser
from charlotte.protocol import transport
from tests.browser.consent_front import ConsentFront, open_front
from tests.site.routes import always
from tests.site.server import open_site

FOUND = "9222\n/devtools/browser/6d3c7a1e-0b7e"


def write_port_file(directory: Path, text: str = FOUND) -> Path:
    directory.mkdir(parents=True, exist_ok=True)
    (directory / "DevToolsActivePort").write_text(text)
    return directory


async def problem_of(browser: RunningBrowser) -> SessionProblem:
    with trio.fail_after(60), pytest.raises(SessionProblem) as raised:
        async with browser.connect():
            pytest.fail("it connected")
    return raised.value


async def test_the_file_that_was_written_last_counts(tmp_path: Path) -> None:
    system = System("linux", {}, tmp_path)
    usual = write_port_file(tmp_path / ".config/chromium", FOUND)
    write_port_file(tmp_path / "snap/chromium/common/chromium", FOUND.replace("9222", "9333"))
    browser = RunningBrowser("chromium", system=system)
    for written, port in ((1, 9333), (4_000_000_000, 9222)):
        os.utime(usual / "DevToolsActivePort", (written, written))
        place = await browser.find()
        assert place.endpoint.startswith(f"ws://127.0.0.1:{port}/")


async def test_a_browser_that_was_never_started_is_named_with_its_directory(tmp_path: Path) -> None:
    problem = await problem_of(RunningBrowser("chrome-beta", system=System("linux", {}, tmp_path)))
    directory = tmp_path / ".config/google-chrome-beta"
    assert problem.message == (
        f"Chrome Beta was never started by this user: there is no directory {directory}."
    )
    assert "chrome://inspect/#remote-debugging" in (problem.suggestion or "")


async def test_a_browser_without_remote_debugging_has_no_port_file(tmp_path: Path) -> None:
    problem = await problem_of(RunningBrowser(str(tmp_path)))
    assert problem.message == (
        f"The browser of {tmp_path} is not running, or its remote debugging is off: there is no "
        f"{tmp_path}/DevToolsActivePort."
    )
    assert f"--remote-debugging-port=0 --user-data-dir={tmp_path}." in (problem.suggestion or "")


async def test_a_port_file_that_outlived_its_browser_is_not_believed(tmp_path: Path) -> None:
    with socket.socket() as taken:  # bound, so that no other process listens there
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        write_port_file(tmp_path, FOUND.replace("9222", str(port)))
        browser = RunningBrowser(str(tmp_path))
        problem = await problem_of(browser)
        with pytest.raises(SessionProblem) as raised:
            await browser.check()
    assert f"remote debugging is off: no program listens on port {port}, which" in problem.message
    assert raised.value.message == problem.message


async def test_another_program_on_the_port_is_not_the_browser(tmp_path: Path) -> None:
    async with open_site() as site:
        write_port_file(tmp_path, FOUND.replace("9222", str(site.port)))
        problem = await problem_of(RunningBrowser(str(tmp_path)))
    assert "does not answer as this browser: HTTP status 404." in problem.message


async def test_the_user_may_take_longer_than_any_other_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport, "_CONNECT_WAIT", 1.0)
    monkeypatch.setattr(transport, "_USUAL_WAIT", 1.1)
    logged, asked = list[object](), trio.Event()

    def note(_: object, __: str, entry: Any) -> NoReturn:
        logged.append(entry["event"])
        asked.set()
        raise structlog.DropEvent

    structlog.configure(processors=[note])
    async with open_front(tmp_path) as front, trio.open_nursery() as nursery:
        nursery.start_soon(problem_of, RunningBrowser(str(tmp_path)))
        with trio.fail_after(60):
            await asked.wait()
        assert (front.connections, front.upgrades) == (1, 1)
        front.answer("refuse")
    assert logged == ["the browser asks its user to allow the connection"]
    assert front.connections == 1


async def refused(front: ConsentFront, browser: RunningBrowser) -> None:
    front.answer("refuse")
    problem = await problem_of(browser)
    assert isinstance(problem, NotAllowed)
    assert (
        problem.message == f"The user of the browser of {front.directory} refused the connection."
    )
    assert problem.details == {"consent": "refused"}


async def test_a_refusal_is_remembered_until_the_browser_starts_again(tmp_path: Path) -> None:
    browser = RunningBrowser(str(tmp_path))
    async with open_front(tmp_path) as front:
        for _ in range(3):
            await refused(front, browser)
        assert (front.connections, front.upgrades) == (1, 1)
        front.write_port_file(2)
        await refused(front, browser)
        assert (front.connections, front.upgrades) == (2, 2)


async def test_an_answer_that_never_comes_ends_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(running_browser, "UPGRADE_WAIT", 0.2)
    async with open_front(tmp_path):
        problem = await problem_of(RunningBrowser(str(tmp_path)))
    assert "did not allow the connection within" in problem.message
    assert problem.details == {"consent": "expired"}


SECRET = ("Authorization", "Bearer 7f3a9")


@pytest.mark.parametrize("asks", [True, False])
async def test_headers_are_sent_with_both_requests_to_the_configured_origin(
    tmp_path: Path, *, asks: bool
) -> None:
    async with open_front(tmp_path) as front:
        version = json.dumps(
            {"webSocketDebuggerUrl": f"ws://127.0.0.1:{front.port}/devtools/browser/1"}
        )
        front.answer("refuse")
        front.version = version
        address = f"http://127.0.0.1:{front.port}"
        await problem_of(RunningBrowser(address, asks=asks, headers=[SECRET]))
    first, second = front.heads
    assert "GET /json/version" in first
    assert "GET /devtools/browser/1" in second
    for head in (first, second):
        assert "authorization: bearer 7f3a9" in head.lower()


async def test_headers_are_not_sent_to_the_origin_of_another_websocket(tmp_path: Path) -> None:
    async with open_front(tmp_path) as front:
        front.answer("refuse")
        endpoint = json.dumps(
            {"webSocketDebuggerUrl": f"ws://127.0.0.1:{front.port}/devtools/browser/1"}
        )
        handler = always(HTMLResponse(endpoint.encode()))
        async with open_site(routes={"/json/version": handler}) as site:
            await problem_of(RunningBrowser(site.url("/"), asks=False, headers=[SECRET]))
    [head] = front.heads
    assert "7f3a9" not in head
