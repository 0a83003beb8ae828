"""Cut the connection between a server and its browser (Linux: /proc)."""

import ctypes
import os
import re
import socket
from contextlib import suppress
from pathlib import Path

from tests.whole.processes import browser_of, profile_of

_PIDFD_GETFD = 438
_SOCKET = re.compile(r"socket:\[\d+\]")


def cut_socket(server: int) -> bool:
    """Shut down the server's connection to its browser; return whether that is possible here."""
    with suppress(OSError, ValueError):
        port_file = profile_of(browser_of(server)) / "DevToolsActivePort"
        port = int(port_file.read_text().split()[0])
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
    """Shut down a socket of another process if it is connected to a port."""
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
