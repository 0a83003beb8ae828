"""Faults of the processes and disks of a server, and process counts (Linux: /proc)."""

import os
import resource
import signal
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.whole.processes import browser_of, descendants, parent

_SPARE = 2


@contextmanager
def small_disk(size: str = "16m") -> Generator[Path | None]:
    """Mount a file system of a given size; yield None without the right to mount."""
    with tempfile.TemporaryDirectory() as place:  # a short path, as sockets need
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", place]
        if subprocess.run(mount, capture_output=True, check=False).returncode:  # noqa: S603
            yield None
            return
        try:
            yield Path(place)
        finally:
            subprocess.run(["umount", "--lazy", place], check=True)  # noqa: S603, S607


def fill(disk: Path) -> None:
    with (disk / "filler").open("wb", buffering=0) as filler, suppress(OSError):
        while filler.write(b"x" * 65536):
            pass


@contextmanager
def filled(disk: Path) -> Generator[None]:
    """Fill a disk while the block runs; then empty it."""
    try:
        fill(disk)
        yield
    finally:
        for file in disk.iterdir():
            file.unlink(missing_ok=True)


@contextmanager
def few_descriptors(pid: int) -> Generator[None]:
    """Limit the open files of a process while the block runs."""
    with suppress(ProcessLookupError, FileNotFoundError):
        before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        used = max(int(one) for one in os.listdir(f"/proc/{pid}/fd"))  # noqa: PTH208
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (used + _SPARE, before[1]))
        try:
            yield
        finally:
            with suppress(ProcessLookupError):
                resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
        return
    yield


def find_guardian(server: int) -> int | None:
    """Return the guardian of a server's browser, or None while there is no browser."""
    browser = find_browser(server)
    return None if browser is None else parent(Path(f"/proc/{browser}"))


def find_browser(server: int) -> int | None:
    """Return the browser of a server, or None unless there is exactly one."""
    with suppress(ValueError):
        return browser_of(server)
    return None


def send(pid: int, number: signal.Signals) -> bool:
    """Send a signal to a process that may have ended; return whether it existed."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def processes(server: int) -> int:
    return len(descendants(server))
