"""What the tests of launching ask about processes."""

import os
import signal
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from subprocess import PIPE

import attrs
import trio

ANSWERS = "printf '{}\\000' >&4\n"


def script(path: Path, body: str) -> str:
    """Write a program that stands in for Chromium; ``$profile`` is its profile's directory."""
    finds_profile = 'for last; do :; done; profile="${last#--user-data-dir=}"\n'
    path.write_text(f"#!/bin/sh\n{finds_profile}{body}")
    path.chmod(0o755)
    return str(path)


def running(pid: int) -> bool:
    with suppress(FileNotFoundError, ProcessLookupError):
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        return state not in "ZX"
    return False


def group(leader: int) -> list[int]:
    """Return who still runs in a process group."""
    members: list[int] = []
    for entry in Path("/proc").iterdir():
        with suppress(ValueError, ProcessLookupError):
            if os.getpgid(int(entry.name)) == leader and running(int(entry.name)):
                members.append(int(entry.name))
    return members


async def eventually(condition: Callable[[], bool]) -> None:
    """Wait until something outside this process has happened."""
    with trio.fail_after(60):
        while not condition():  # noqa: ASYNC110 - it happens where no event can be set
            await trio.sleep(0.01)


def kill(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


CHARLOTTE = """
import multiprocessing, subprocess, sys, time, trio
from charlotte.browser.process.launch import open_chromium
from charlotte.config.config import Config

async def main():
    async with open_chromium(Config(chromium=sys.argv[1], sandbox="off")) as chromium:
        if sys.argv[2:]:
            neighbour = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
            neighbour.start()
        else:
            neighbour = subprocess.Popen(["sleep", "60"], close_fds=False)
        print(chromium.pid, chromium.profile, neighbour.pid, flush=True)
        await trio.sleep_forever()

trio.run(main)
"""


@attrs.frozen
class Charlotte:
    """A process that has opened a Chromium, and another child of it, its ``neighbour``."""

    process: trio.Process
    chromium: int
    profile: Path
    neighbour: int


@asynccontextmanager
async def open_charlotte(executable: str, *, forks: bool = False) -> AsyncGenerator[Charlotte]:
    """Run a Charlotte of its own; the test may kill it, which happens in the end anyway.

    The neighbour holds no part in Chromium, unless it is a fork of the program.
    """
    process = await trio.lowlevel.open_process(
        [sys.executable, "-c", CHARLOTTE, executable, *(["forks"] if forks else [])], stdout=PIPE
    )
    try:
        chromium, profile, neighbour = (await _first_line(process)).split()
        yield Charlotte(process, int(chromium), Path(profile), int(neighbour))
        kill(int(neighbour))
    finally:
        with trio.move_on_after(60, shield=True):
            process.kill()
            await process.wait()


async def _first_line(process: trio.Process) -> str:
    assert process.stdout is not None
    said = b""
    async with process.stdout as output:
        while not said.endswith(b"\n") and (more := await output.receive_some()):
            said += more
    return said.decode()
