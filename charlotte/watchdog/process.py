"""The program of the watchdog: ``python -I -S process.py``, a child of the server.

Standard input is the server's standard input, or /dev/null. Standard output is a socket to the
server, which gets pings and sends them back; signals of the server arrive there as their numbers.
"""

import os
import select
import signal
import sys
from collections.abc import Callable
from contextlib import suppress

TICK = 0.1
"""Seconds between two checks of a server that has to end."""
PATIENCE = 30
"""Ticks without an answer after which the server is killed.

Ticks are counted, not time: there are none while the machine or this process is suspended.
"""
PING = b"\xff"
REQUESTS = {signal.SIGTERM, signal.SIGINT}
_MESSAGE = b"charlotte: the server has to end, but its event loop has stopped: killed by watchdog\n"


def main() -> None:
    """Wait until the server has to end, then kill it if it stops answering."""
    server, line = os.getppid(), sys.stdout.fileno()
    if not wait_for_request(sys.stdin.fileno(), line):
        return
    os.set_blocking(line, False)
    ended = select.poll()
    ended.register(line, 0)  # only a hang-up is reported: the server has ended
    stopped = outlasts_patience(
        lambda: os.write(line, PING),
        lambda: read(line),
        lambda: is_suspended(server),
        lambda: ended.poll(TICK * 1000),
    )
    if stopped and os.getppid() == server:
        with suppress(OSError):
            os.write(sys.stderr.fileno(), _MESSAGE)
        os.kill(server, signal.SIGKILL)


def wait_for_request(stdin: int, line: int) -> bool:
    """Return when the server has to end: after a signal or the end of stdin; False if it ended."""
    poll = select.poll()
    poll.register(stdin, select.POLLRDHUP)
    poll.register(line, select.POLLIN)
    while True:
        for descriptor, _ in poll.poll():
            if descriptor == stdin:
                return True
            if not (data := os.read(line, 1000)):
                return False
            if not REQUESTS.isdisjoint(data):
                return True


def outlasts_patience(
    ping: Callable[[], object],
    received: Callable[[], bytes | None],
    suspended: Callable[[], bool],
    wait: Callable[[], object],
) -> bool:
    """Ping the server until it has ended (False) or was silent for `PATIENCE` ticks (True)."""
    with suppress(OSError):
        ping()
        silent = 0
        while silent < PATIENCE:
            wait()
            data = received()
            if data is None:
                return False
            if PING in data:
                silent = 0
                ping()
            else:
                silent = 0 if suspended() else silent + 1
        return True
    return False


def read(line: int) -> bytes | None:
    """Return what has arrived, or None after the end."""
    try:
        return os.read(line, 1000) or None
    except BlockingIOError:
        return b""


def is_suspended(pid: int) -> bool:
    """Whether a process is stopped by a signal or by a debugger."""
    with suppress(OSError), open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123
        return file.read().rpartition(b")")[2].split()[0] in {b"T", b"t"}
    return False


if __name__ == "__main__":
    main()
