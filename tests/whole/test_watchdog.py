"""A server whose event loop has stopped still ends at SIGTERM and at the end of stdin."""

import signal
import sys
import time

import pytest

from charlotte.watchdog.process import PATIENCE, TICK
from tests.browser.processes import running
from tests.whole.processes import MOST_WAIT, arguments, descendants, kill, within
from tests.whole.test_ending import close_stdin, running_server
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

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
