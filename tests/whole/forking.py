"""Servers forked from a process that has already imported the program.

Imports are most of the start of a server: a second of processor time. A fork shares them. The
shared server, and the servers of tests about starts and ends, are started as clients start them.
"""

import atexit
import functools
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from typing import IO

import attrs

from tests.whole import forked_server

PATIENCE = 60.0


@attrs.define(eq=False)
class Forked:
    """A forked process, with what tests use of `subprocess.Popen`."""

    stdin: IO[bytes]
    stdout: IO[bytes]
    status: IO[bytes]
    """Reports its process id, and its exit code once it has ended."""
    pid: int = attrs.field(init=False)
    returncode: int | None = None

    def __attrs_post_init__(self) -> None:
        self.pid = int(self.status.readline())

    def poll(self) -> int | None:
        with suppress(subprocess.TimeoutExpired):
            return self.wait(0)
        return None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            ready, _, _ = select.select([self.status], [], [], timeout)
            if not ready:
                raise subprocess.TimeoutExpired("charlotte", timeout or 0)
            self.returncode = int(self.status.readline())
        return self.returncode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


@contextmanager
def fork_server(flags: Sequence[str], stderr: IO[bytes], env: dict[str, str]) -> Generator[Forked]:
    """Run ``charlotte`` with these flags in this directory; wait for its end."""
    request = forked_server.Request([*flags], env, os.getcwd())  # noqa: PTH109 - passed on as text
    (stdin, to_stdin), (from_stdout, stdout), (from_status, status) = (os.pipe() for _ in range(3))
    theirs = [stdin, stdout, stderr.fileno(), status]
    try:
        socket.send_fds(_parent(), [request.encoded()], theirs)
    finally:
        for descriptor in (stdin, stdout, status):
            os.close(descriptor)
    with (
        os.fdopen(to_stdin, "wb") as ours,
        os.fdopen(from_stdout, "rb") as output,
        os.fdopen(from_status, "rb", buffering=0) as codes,
    ):
        process = Forked(ours, output, codes)
        yield process
        process.wait()


@functools.cache
def _parent() -> socket.socket:
    """Start the process that forks servers; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", forked_server.__name__]
    with theirs:
        process = subprocess.Popen(command, stdin=theirs.fileno(), stdout=subprocess.DEVNULL)  # noqa: S603

    def end() -> None:
        ours.close()
        process.wait(PATIENCE)

    atexit.register(end)
    return ours
