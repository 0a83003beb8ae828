"""How the tests find the renderers of a browser."""

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.whole.processes import renderers


@pytest.fixture
def renderer() -> Iterator[subprocess.Popen[bytes]]:
    """Start a process that has the arguments of a renderer."""
    program = "import os, sys; os.write(1, b'up'); sys.stdin.read()"
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", program, "--type=renderer"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout
        assert process.stdin
        assert b"up" == process.stdout.read(2)
        yield process
        process.stdin.close()


def test_a_renderer_is_found_below_its_ancestors_only(renderer: subprocess.Popen[bytes]) -> None:
    assert renderers(os.getpid())[renderer.pid] > 1_000_000
    assert renderer.pid in renderers(os.getppid())
    assert {} == renderers(renderer.pid)


def test_other_processes_are_not_renderers() -> None:
    assert os.getpid() not in renderers(os.getppid())
