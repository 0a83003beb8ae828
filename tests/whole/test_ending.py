"""An ended server leaves no process and no profile of its browser after two seconds."""

import signal
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import attrs
import pytest

from charlotte.watchdog.process import PATIENCE, TICK
from tests.browser.processes import kill, running
from tests.whole.client import PROGRAM, Server, open_server
from tests.whole.processes import (
    MOST_WAIT,
    arguments,
    browser_of,
    descendants,
    gone,
    profile_of,
    within,
)
from tests.whole.tabs import eventually
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

CLIENT = """
import subprocess, sys
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE)
for line in sys.stdin.buffer:
    server.stdin.write(line)
    server.stdin.flush()
"""
"""A client process that holds the server's stdin and can be killed."""


@attrs.frozen
class Running:
    """A server with its processes and the profile of its browser."""

    server: Server
    pids: list[int]
    profile: Path

    def is_gone(self) -> bool:
        """Return whether processes and profile disappear within two seconds."""
        return within(MOST_WAIT, lambda: gone(self.pids, self.profile))


@contextmanager
def running_server(web: Web, *program: str) -> Generator[Running]:
    with open_server(program=program or PROGRAM) as server:
        server.call("navigate", url=web.url("/counter.html"))
        server.call("tab_open", url=web.url("/form.html"))
        yield as_it_runs(server)


def as_it_runs(server: Server) -> Running:
    pid = server.process.pid
    return Running(server, descendants(pid), profile_of(browser_of(pid)))


def can_be_seen(server: Server, tab_id: int) -> bool:
    return not server.call("observe", tab_id=tab_id).result.get("isError")


def close_stdin(server: Server) -> None:
    assert server.process.stdin is not None
    server.process.stdin.close()


@pytest.mark.req("S-LIFE-08")
@pytest.mark.parametrize("number", [None, signal.SIGTERM, signal.SIGKILL])
def test_an_ended_server_leaves_no_process_and_no_profile(web: Web, number: int | None) -> None:
    with running_server(web) as charlotte:
        assert len(charlotte.pids) > 3
        assert charlotte.profile.is_dir()

        if number is None:
            close_stdin(charlotte.server)
        else:
            charlotte.server.process.send_signal(number)

        assert charlotte.is_gone()
        assert within(MOST_WAIT, lambda: charlotte.server.process.poll() is not None)


def test_a_server_whose_client_is_killed_leaves_no_process(web: Web) -> None:
    with running_server(web, sys.executable, "-c", CLIENT, *PROGRAM) as charlotte:
        kill(charlotte.server.process.pid)

        assert charlotte.is_gone()


def test_busy_pages_do_not_keep_a_server_from_ending(web: Web) -> None:
    with running_server(web) as charlotte:
        server = charlotte.server
        server.call("evaluate", tab_id=1, expression="setTimeout(() => { while (true); }); 1")
        server.call("evaluate", tab_id=2, expression="alert('stay')")
        server.start("observe", tab_id=1)
        third = server.call("tab_open").json["tab_id"]
        server.start("navigate", url=web.url("/hang"))
        web.wait_for_request("/hang")
        server.call("tab_open")
        quick = server.start("evaluate", expression="6 * 7")

        close_stdin(server)

        assert third == "tab-3"
        assert quick.reply().json["value"] == 42
        assert charlotte.is_gone()


@pytest.mark.parametrize("number", [None, signal.SIGTERM])
def test_calls_in_flight_do_not_keep_a_restarted_browser_alive(
    web: Web, number: int | None
) -> None:
    loops = web.write("<script>while (true);</script>")
    with running_server(web) as charlotte:
        server = charlotte.server
        kill(browser_of(server.process.pid))
        eventually(lambda: all(can_be_seen(server, tab_id) for tab_id in (1, 2)))
        again = as_it_runs(server)
        server.start("evaluate", tab_id=1, expression="while (true);", timeout=30_000)
        server.start("navigate", tab_id=2, url=web.url("/hang?again"))
        server.start("tab_open", url=web.url(loops))
        web.wait_for_request(loops)
        server.start("tab_open")

        if number is None:
            close_stdin(server)
        else:
            server.process.send_signal(number)

        assert again.is_gone()
        assert within(MOST_WAIT, lambda: server.process.poll() is not None)


def test_a_server_ended_while_its_browser_starts_leaves_no_process() -> None:
    with open_server(program=PROGRAM) as server:
        server.start("tabs")
        assert within(60, lambda: len(descendants(server.process.pid)) > 1)
        below = descendants(server.process.pid)

        server.process.send_signal(signal.SIGTERM)

        assert within(MOST_WAIT, lambda: not any(map(running, below)))


STOPPING = (
    sys.executable,
    "-c",
    """if True:
    import re
    from charlotte.__main__ import main
    from charlotte.page.modes.lines import Grep

    Grep.matcher = lambda _: lambda _: bool(re.search("(a+)+$", "a" * 60 + "!"))
    main()
    """,
)
"""A server in which grep never returns and never releases the interpreter lock."""


@pytest.mark.parametrize("number", [None, pytest.param(signal.SIGTERM, marks=pytest.mark.extended)])
def test_a_stopped_event_loop_does_not_keep_the_server_from_ending(
    web: Web, number: int | None
) -> None:
    with running_server(web, *STOPPING) as charlotte:
        process = charlotte.server.process
        charlotte.server.start("observe", mode="tree", grep="x")
        time.sleep(0.5)  # until the loop has stopped, which is not observable

        if number is None:
            close_stdin(charlotte.server)
        else:
            process.send_signal(number)

        assert within(PATIENCE * TICK + MOST_WAIT, lambda: process.poll() is not None)
        assert process.returncode == -signal.SIGKILL
        assert charlotte.is_gone()


@pytest.mark.extended
def test_a_suspended_server_ends_by_itself_when_it_resumes(web: Web) -> None:
    with running_server(web) as charlotte:
        process = charlotte.server.process
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGTERM)
        close_stdin(charlotte.server)

        assert not within(PATIENCE * TICK + 1, lambda: process.poll() is not None)
        process.send_signal(signal.SIGCONT)

        assert charlotte.is_gone()
        assert process.wait(MOST_WAIT) == 0


def test_a_server_without_its_watchdog_runs_on_and_ends_at_a_signal(web: Web) -> None:
    with running_server(web) as charlotte:
        process = charlotte.server.process
        watchdogs = [
            pid for pid in descendants(process.pid) if "watchdog" in " ".join(arguments(pid))
        ]
        for pid in watchdogs:
            kill(pid)
        assert len(watchdogs) == 1
        assert within(MOST_WAIT, lambda: not any(map(running, watchdogs)))

        charlotte.server.call("observe")
        process.send_signal(signal.SIGTERM)

        assert charlotte.is_gone()
        assert process.wait(MOST_WAIT) == 0
