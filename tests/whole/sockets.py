"""Sockets of a server and its browser, and a cut of their connection (Linux: /proc)."""

import ctypes
import os
import socket
from contextlib import suppress
from pathlib import Path

from tests.whole.processes import browser_of

_PIDFD_GETFD = 438
MESSAGES = 3
"""The descriptor from which the browser reads messages."""


def cut_socket(server: int) -> bool:
    """Shut down the browser's connection to the server; return whether that is possible here."""
    with suppress(OSError, ValueError):
        process = os.pidfd_open(browser_of(server))
        try:
            system = ctypes.CDLL(None, use_errno=True)
            mine = system.syscall(_PIDFD_GETFD, process, MESSAGES, 0)
        finally:
            os.close(process)
        if mine >= 0:
            with socket.socket(fileno=mine) as found:
                found.shutdown(socket.SHUT_RDWR)
            return True
    return False


def sockets_of(pid: int) -> set[str]:
    found = set[str]()
    for entry in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            found.add(str(entry.readlink()))
    return {each for each in found if each.startswith("socket:")}


def listening() -> set[str]:
    """Return all sockets of this machine that accept TCP connections."""
    lines = [line.split() for name in ("tcp", "tcp6")
             for line in Path(f"/proc/net/{name}").read_text().splitlines()[1:]]  # fmt: skip
    return {f"socket:[{line[9]}]" for line in lines if line[3] == "0A"}
