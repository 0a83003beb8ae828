"""What a server is doing, written on its stderr when somebody asks with SIGUSR1."""

import re
import signal
from pathlib import Path
from typing import Any

import pytest

from charlotte.cli.status import format_status
from tests.whole.client import PROGRAM, open_server
from tests.whole.tabs import eventually

ACTOR: dict[str, Any] = {
    "name": "tab-1",
    "phase": "running",
    "for": 12.34,
    "queued": 2,
    "capacity": 64,
    "restarts": 0,
}
PROCESS = {"pid": 7, "resident": 100 * 2**20, "files": 20, "tasks": 50}
CONNECTED = {"connected": True, "cdp_sessions": 8, "subscriptions": 30, "commands": 1}


def tree(*actors: dict[str, Any], **more: Any) -> list[str]:
    status: dict[str, Any] = {
        "process": PROCESS,
        "browser": CONNECTED,
        "actors": actors,
        "sessions": [],
        **more,
    }
    return format_status(status).split("\n")


def test_the_process_and_the_browser_have_a_line_each() -> None:
    assert tree() == [
        "charlotte 7: memory 100.0 MiB, files 20, tasks 50, sessions 0",
        "browser: CDP sessions 8, subscriptions 30, commands 1",
    ]
    assert tree(browser={"connected": False})[1] == "browser: not connected"
    assert "memory unknown" in tree(process=PROCESS | {"resident": None})[0]


@pytest.mark.parametrize(
    ("more", "line"),
    [
        ({}, "tab-1: running for 12.3 s, mailbox 2/64"),
        ({"restarts": 3}, "tab-1: running for 12.3 s, mailbox 2/64, restarts 3"),
        (
            {"doing": ("click", "tabs"), "doing_for": 0.25},
            "tab-1: running for 12.3 s, mailbox 2/64, doing click, tabs for 0.2 s",
        ),
    ],
)
def test_an_actor_says_since_when_it_does_what(more: dict[str, Any], line: str) -> None:
    assert tree(ACTOR | more)[2:] == [f"  {line}"]


def test_an_actor_that_is_not_there_says_why() -> None:
    starting = {"name": "tab-2", "phase": "starting"}
    given_up = {"name": "tab-3", "phase": "given up", "reason": "It crashed\nthree times."}
    assert tree(starting, given_up)[2:] == [
        "  tab-2: starting",
        "  tab-3: given up, 'It crashed\\nthree times.'",
    ]


def test_the_status_lists_dropped_entries() -> None:
    tabs = [{"id": "tab-1", "dropped": {"console": 5, "requests": 0}}]
    assert tree(sessions=[{"id": "session-1", "tabs": tabs}])[2:] == [
        "  session-1 tab-1: 5 console entries dropped"
    ]


def is_caught(number: int, pid: int) -> bool:
    status = Path(f"/proc/{pid}/status").read_text()
    [caught] = re.findall(r"SigCgt:\s*(\w+)", status)
    return bool(int(caught, 16) >> (number - 1) & 1)


def test_a_starting_server_ignores_the_status_signal() -> None:
    with open_server(program=PROGRAM, initialized=False) as server:
        eventually(lambda: is_caught(signal.SIGUSR1, server.process.pid))
        server.process.send_signal(signal.SIGUSR1)
        assert server.initialize()["serverInfo"]["name"] == "charlotte"


@pytest.mark.chromium
def test_a_server_that_is_asked_writes_its_actors_and_goes_on() -> None:
    with open_server() as server:
        server.call("tab_open")
        server.process.send_signal(signal.SIGUSR1)
        eventually(lambda: "  tab-1 network: running for" in server.log())

        assert not server.call("tabs").result.get("isError")
        assert f"charlotte {server.process.pid}: memory" in server.log()
