"""Actors, processes and files that a run leaves behind."""

import os
import sys
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

import trio

from tests.browser.processes import running
from tests.cluster.nodes import Nodes
from tests.whole.processes import arguments

ENDED_WITHIN = 100.0
"""Seconds after the last gateway: hosts and the directory wait a minute for another one."""
_SCRIPT = """
import ray, sys, time
ray.init(sys.argv[1], namespace="charlotte", logging_level="error", log_to_driver=False)
until = time.monotonic() + float(sys.argv[2])
while (named := ray.util.list_named_actors(all_namespaces=True)) and time.monotonic() < until:
    time.sleep(0.5)
print([actor["name"] for actor in named])
"""


@contextmanager
def environment(values: Mapping[str, str]) -> Generator[None]:
    """Set variables for the processes that start during the block."""
    before = dict(os.environ)
    os.environ.update(values)
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)


async def find_actors(nodes: Nodes) -> str:
    """Return the names of the actors that do not end, as a list."""
    command = [sys.executable, "-c", _SCRIPT, nodes.address, str(ENDED_WITHIN)]
    ended = await trio.run_process(command, capture_stdout=True)
    return ended.stdout.decode().splitlines()[-1]


def find_processes(place: Path, hosts: Collection[int]) -> list[str]:
    """Return the processes that use a directory for temporary files, and hosts that still run."""
    found = {pid for pid in hosts if running(pid)}
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                text = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                if str(place).encode() in text and running(int(entry.name)):
                    found.add(int(entry.name))
    return [f"{pid} {' '.join(arguments(pid))[:200]}" for pid in sorted(found)]


def find_files(place: Path) -> list[str]:
    """Return the files and directories in a directory for temporary files."""
    return sorted(str(entry.relative_to(place)) for entry in place.rglob("*"))[:20]
