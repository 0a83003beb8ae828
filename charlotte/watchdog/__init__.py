"""Watchdog of the server process: a small process that ends a server whose event loop has stopped.

A thread would not do: a call of a C library that keeps the interpreter's lock stops every thread.
Only the command line starts a watchdog. Programs that embed Charlotte are never killed by one.
"""

import signal
import socket
import sys
from contextlib import suppress
from pathlib import Path
from subprocess import DEVNULL
from typing import Final

import trio

_PROGRAM: Final = Path(__file__).with_name("process.py")


async def start_watchdog(stdin: int | None = None) -> None:
    """Start the watchdog, and answer its pings until trio ends.

    The watchdog pings after a signal, and when the other end of ``stdin`` was closed. If the event
    loop then answers no ping for seconds, the watchdog kills this process. The guardian of the
    browser removes the rest. The watchdog ends with this process, so it covers its last steps too.
    """
    ours, theirs = socket.socketpair()
    ours.settimeout(0)
    with theirs:
        await trio.lowlevel.open_process(
            [sys.executable, "-I", "-S", str(_PROGRAM)],
            stdin=DEVNULL if stdin is None else stdin,
            stdout=theirs.fileno(),
            start_new_session=True,  # signals to the group of the server must not end it
        )
    # Python's C signal handler writes here, also while the interpreter is busy.
    usual = signal.set_wakeup_fd(ours.fileno(), warn_on_full_buffer=False)
    trio.lowlevel.spawn_system_task(_answer_pings, ours, usual)


async def _answer_pings(ours: socket.socket, usual: int) -> None:
    """Send every ping back; a ping after a signal also wakes trio, which then handles the signal.

    If the watchdog was killed, signals wake trio in the usual way again.
    """
    with suppress(OSError):
        while True:
            await trio.lowlevel.wait_readable(ours)
            if not (pings := ours.recv(100)):
                break
            ours.send(pings)
    signal.set_wakeup_fd(usual)
