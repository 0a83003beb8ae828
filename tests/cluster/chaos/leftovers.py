"""Processes and files that a run leaves behind."""

import os
from collections.abc import Collection, Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.browser.processes import running
from tests.whole.processes import arguments


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


def still_running(hosts: Collection[int]) -> list[int]:
    return [pid for pid in hosts if running(pid)]


def find_processes(place: Path, hosts: Collection[int]) -> list[str]:
    """Return the processes that use a directory for temporary files, and hosts that still run."""
    found = set(still_running(hosts))
    for entry in Path("/proc").iterdir():
        with suppress(OSError):
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                text = (entry / "environ").read_bytes() + (entry / "cmdline").read_bytes()
                if str(place).encode() in text and running(int(entry.name)):
                    found.add(int(entry.name))
    return [f"{pid} {' '.join(arguments(pid))[:200]}" for pid in sorted(found)]


def find_files(place: Path) -> list[str]:
    return sorted(str(entry.relative_to(place)) for entry in place.rglob("*"))[:20]
