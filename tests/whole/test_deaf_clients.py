"""A client that stops reading answers: its calls are executed and no answer is lost."""

import fcntl
import subprocess
import tempfile
import termios
import threading
from collections.abc import Generator
from contextlib import contextmanager

import pytest

from tests.whole.client import OLDEST_VERSION, PATIENCE, PROGRAM, Server
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

MOST_OF_A_PIPE = 32_000
LOOKS = 4


@contextmanager
def deaf() -> Generator[Server]:
    """Start a server whose output is not read until `listen` is called."""
    pipe = subprocess.PIPE
    with (
        tempfile.TemporaryFile() as stderr,
        subprocess.Popen(PROGRAM, stdin=pipe, stdout=pipe, stderr=stderr) as process,  # noqa: S603 - our own
    ):
        server = Server(process, stderr)
        try:
            yield server
        finally:
            process.kill()


def unread(server: Server) -> int:
    """Return the number of unread bytes in the pipe from the server."""
    assert server.process.stdout is not None
    count = fcntl.ioctl(server.process.stdout, termios.FIONREAD, b"\0" * 4)
    return int.from_bytes(count, "little")


def test_unread_answers_block_no_call_and_arrive_when_the_client_reads(web: Web) -> None:
    with deaf() as server:
        info = {"name": "deaf", "version": "1"}
        server.post(
            "initialize",
            {"protocolVersion": OLDEST_VERSION, "capabilities": {}, "clientInfo": info},
        )
        server.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        tab = Tab(server, web, "tab-1")
        server.start("navigate", url=web.url("/library.html"))
        looks = [server.start("observe") for _ in range(LOOKS)]
        eventually(lambda: unread(server) > MOST_OF_A_PIPE, patience=3 * PATIENCE)

        asking = server.start(
            "evaluate", expression="fetch('/slow?ms=0').then((one) => one.status)"
        )
        web.wait_for_request("/slow")
        listener = threading.Thread(target=server.listen, daemon=True)
        listener.start()

        assert asking.reply().json["value"] == 200
        assert all(look.reply().json["tab_id"] == tab.id for look in looks)
    listener.join(PATIENCE)
