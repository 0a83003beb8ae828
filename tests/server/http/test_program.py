"""The ports of the program."""

import socket
import subprocess
import sys

import pytest

from charlotte.config import Config
from charlotte.server.http import bind_port


def test_a_taken_port_is_reported_in_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = subprocess.run(  # noqa: S603 - it is our own program
            [sys.executable, "-m", "charlotte", "serve", "--http", "--no-auth", "--port", port],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    assert ended.returncode == 1
    assert (
        ended.stderr
        == f"charlotte: error: cannot listen on 127.0.0.1:{port}: Address already in use\n"
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_port_is_bound_to_the_configured_host(host: str) -> None:
    with bind_port(Config(http=True, host=host, port=0)) as bound:
        assert bound.getsockname()[0] == host
