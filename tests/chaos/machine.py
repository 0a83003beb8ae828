"""What is done to the processes of a server, and what is left of them (Linux: /proc)."""

import ctypes
import os
import re
import signal
import socket
from contextlib import suppress
from pathlib import Path

from tests.whole.processes import browser_of, descendants, profile_of

_PIDFD_GETFD = 438
_SOCKET = re.compile(r"socket:\[\d+\]")


def find_browser(server: int) -> int | None:
    """The browser of a server; None while there is none, or are two."""
    with suppress(ValueError):
        return browser_of(server)
    return None


def send(pid: int, number: signal.Signals) -> bool:
    """Send a signal to a process that may be gone; returns whether it was there."""
    with suppress(ProcessLookupError):
        os.kill(pid, number)
        return True
    return False


def cut_socket(server: int) -> bool:
    """Shut down the server's connection to its browser; returns whether that can be done here."""
    browser = find_browser(server)
    if browser is None:
        return False
    with suppress(OSError, ValueError):
        port = int((profile_of(browser) / "DevToolsActivePort").read_text().split()[0])
        return any(_cut(server, fd, port) for fd in _sockets(server))
    return False


def _sockets(pid: int) -> list[int]:
    found: list[int] = []
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            if _SOCKET.fullmatch(str(entry.readlink())):
                found.append(int(entry.name))
    return found


def _cut(pid: int, fd: int, port: int) -> bool:
    """Shut a socket of another process down, if it leads to that port."""
    process = os.pidfd_open(pid)
    try:
        mine = ctypes.CDLL(None, use_errno=True).syscall(_PIDFD_GETFD, process, fd, 0)
    finally:
        os.close(process)
    if mine < 0:
        return False
    with socket.socket(fileno=mine) as found, suppress(OSError):
        if found.family == socket.AF_INET and found.getpeername()[1] == port:
            found.shutdown(socket.SHUT_RDWR)
            return True
    return False


def processes(server: int) -> int:
    """How many processes a server has started that still run."""
    return len(descendants(server))
