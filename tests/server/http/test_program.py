"""The ports of the program."""

import socket

import pytest

from charlotte.config.config import Config
from charlotte.server.http import bind_port
from tests.programs import run, run_python


def test_a_taken_port_is_reported_in_one_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ran = run("serve", "--http", "--no-auth", "--port", port)
    assert ran.code == 1
    problem = f"cannot listen on 127.0.0.1:{port}: Address already in use"
    assert ran.err == f"charlotte: error: {problem}\n"


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_the_port_is_bound_to_the_configured_host(host: str) -> None:
    with bind_port(Config(http=True, host=host, port=0)) as bound:
        assert bound.getsockname()[0] == host


@pytest.mark.parametrize(
    ("is_installed", "sentence"),
    [
        (False, "Ray, which runs the browsers of a cluster, is not installed. Install charlotte"),
        (True, "The Ray cluster 127.0.0.1:{port} cannot be reached: [Errno 111]"),
    ],
)
def test_a_cluster_that_cannot_be_used_is_reported_in_one_line(
    *, is_installed: bool, sentence: str
) -> None:
    ray = "SimpleNamespace(is_initialized=lambda: False)" if is_installed else "None"
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        words = ["serve", "--http", "--no-auth", "--port", "0", "--engine", "ray"]
        program = (
            "import sys; from types import SimpleNamespace; from charlotte.__main__ import main; "
            f"sys.modules['ray'] = {ray}; main()"
        )
        ran = run_python("-c", program, *words, "--address", f"127.0.0.1:{port}")
    assert ran.code == 1
    assert ran.err.startswith("charlotte: error: " + sentence.format(port=port))
    assert ran.err.count("\n") == 1
