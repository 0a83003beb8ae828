"""What a server is doing, written on its stderr when somebody asks with SIGUSR1."""

import re
import signal
from pathlib import Path

import pytest

from tests.whole.client import PROGRAM, open_server
from tests.whole.tabs import eventually


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
        eventually(lambda: '"name": "tab-1 network"' in server.log())

        assert not server.call("tabs").result.get("isError")
        assert f'"pid": {server.process.pid}' in server.log()
