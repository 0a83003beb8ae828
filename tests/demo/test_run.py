"""The demo as a whole, and what it needs to find and to start."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from charlotte.config import Config, load
from charlotte.demo.renderers import renderers
from charlotte.demo.run import command, demo


def test_the_server_gets_the_settings_that_concern_the_browser() -> None:
    config = Config(
        chromium="/opt/chromium",
        chromium_arg=("--a=1", "--b"),
        headed=True,
        profile="core",
        cdp_endpoint="ws://127.0.0.1:1/",
    )

    assert command(config) == [
        *(sys.executable, "-m", "charlotte"),
        *("--chromium=/opt/chromium", "--chromium-arg=--a=1", "--chromium-arg=--b"),
        *("--sandbox=auto", "--headed", "--viewport=1280x720", "--log-level=error"),
    ]


def test_a_wanted_log_level_is_kept() -> None:
    assert "--log-level=debug" in command(Config(log_level="debug"))


@pytest.fixture
def renderer() -> Iterator[subprocess.Popen[bytes]]:
    """Stand in for one: a process that says it is a renderer."""
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
    assert [renderer.pid] == [*renderers(renderer.pid)]


def test_a_process_that_is_no_renderer_is_none() -> None:
    assert os.getpid() not in renderers(os.getpid())


@pytest.mark.chromium
@pytest.mark.fault
async def test_the_demo_holds_what_it_promises(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    config, _ = load({"output_dir": str(tmp_path)}, os.environ)
    assert 0 == await demo(config), capsys.readouterr().out
    lines = capsys.readouterr().out.splitlines()

    assert 8 == sum(line.startswith("tab-") and "/" in line for line in lines)
    assert any(line.startswith("the 7 other tabs unharmed") for line in lines)
    assert lines[-1].startswith(str(tmp_path))
    assert (await trio.Path(lines[-1]).read_bytes()).startswith(b"\x89PNG")
