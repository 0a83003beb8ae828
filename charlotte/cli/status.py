"""The status of a server as text, printed at SIGUSR1."""

import signal
import sys
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import trio

Status = Mapping[str, Any]

_MIB = 2**20
_LONGEST_REASON = 200


@asynccontextmanager
async def print_status_on_signal(
    status: Callable[[], Status], hidden: Callable[[str], str]
) -> AsyncGenerator[None]:
    """Write the status at every SIGUSR1 during the block, redacted by ``hidden``."""
    with trio.open_signal_receiver(signal.SIGUSR1) as signals:

        async def write() -> None:
            async for _ in signals:
                sys.stderr.write(f"{hidden(format_status(status()))}\n")
                sys.stderr.flush()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(write)
            yield
            nursery.cancel_scope.cancel("closed")


def format_status(status: Status) -> str:
    """Format the process, the browser, the actors, and dropped entries, one line each."""
    process, browser = status["process"], status["browser"]
    resident = process["resident"]
    memory = "unknown" if resident is None else f"{resident / _MIB:.1f} MiB"
    connection = "not connected"
    if browser["connected"]:
        connection = (
            f"CDP sessions {browser['cdp_sessions']}, "
            f"subscriptions {browser['subscriptions']}, commands {browser['commands']}"
        )
    counts = (
        f"memory {memory}, files {process['files']}, tasks {process['tasks']}, "
        f"sessions {len(status['sessions'])}"
    )
    lines = [f"charlotte {process['pid']}: {counts}", f"browser: {connection}"]
    lines += map(_format_actor, status["actors"])
    lines += [
        f"  {session['id']} {tab['id']}: {count} {monitor} entries dropped"
        for session in status["sessions"]
        for tab in session["tabs"]
        for monitor, count in tab["dropped"].items()
        if count
    ]
    return "\n".join(lines)


def _format_actor(actor: Status) -> str:
    line = f"  {actor['name']}: {actor['phase']}"
    if "reason" in actor:
        return f"{line}, {actor['reason'][:_LONGEST_REASON]!r}"
    if "for" not in actor:
        return line
    line += f" for {actor['for']:.1f} s, mailbox {actor['queued']}/{actor['capacity']}"
    if actor["restarts"]:
        line += f", restarts {actor['restarts']}"
    if "doing" in actor:
        line += f", doing {', '.join(actor['doing'])} for {actor['doing_for']:.1f} s"
    return line
