"""What is done to the processes of a server, and what is left of them (Linux: /proc)."""

import os
import signal
from contextlib import suppress

from tests.whole.processes import browser_of, descendants


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


def processes(server: int) -> int:
    """How many processes a server has started that still run."""
    return len(descendants(server))
