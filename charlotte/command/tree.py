"""What a server does when it gets SIGUSR1: it writes on stderr what each of its actors is doing."""

import signal
import sys
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import trio

Status = Mapping[str, Any]

_MIB = 2**20
_LONGEST_REASON = 200


@asynccontextmanager
async def telling_when_asked(
    status: Callable[[], Status], hidden: Callable[[str], str]
) -> AsyncGenerator[None]:
    """Meanwhile, write the tree at every SIGUSR1, without what is to be ``hidden``."""
    with trio.open_signal_receiver(signal.SIGUSR1) as signals:

        async def tell() -> None:
            async for _ in signals:
                sys.stderr.write(f"{hidden(drawn(status()))}\n")
                sys.stderr.flush()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(tell)
            yield
            nursery.cancel_scope.cancel("closed")


def drawn(status: Status) -> str:
    """The process and the browser in a line each, then actors and what their tabs have lost."""
    return "\n".join([*_heads(status), *map(_actor, status["actors"]), *_losses(status)])


def _heads(status: Status) -> Iterator[str]:
    process, browser = status["process"], status["browser"]
    resident = process["resident"]
    memory = "unknown" if resident is None else f"{resident / _MIB:.1f} MiB"
    yield (
        f"charlotte {process['pid']}: memory {memory}, files {process['files']}, "
        f"tasks {process['tasks']}, sessions {len(status['sessions'])}"
    )
    if browser["connected"]:
        yield (
            f"browser: CDP sessions {browser['cdp_sessions']}, "
            f"subscriptions {browser['subscriptions']}, commands {browser['commands']}"
        )
    else:
        yield "browser: not connected"


def _actor(actor: Status) -> str:
    told = f"  {actor['name']}: {actor['phase']}"
    if "reason" in actor:
        return f"{told}, {actor['reason'][:_LONGEST_REASON]!r}"
    if "for" not in actor:
        return told
    told += f" for {actor['for']:.1f} s, mailbox {actor['queued']}/{actor['capacity']}"
    if actor["restarts"]:
        told += f", restarts {actor['restarts']}"
    if "doing" in actor:
        told += f", doing {', '.join(actor['doing'])} for {actor['doing_for']:.1f} s"
    return told


def _losses(status: Status) -> Iterator[str]:
    for session in status["sessions"]:
        for tab in session["tabs"]:
            for monitor, count in tab["dropped"].items():
                if count:
                    yield f"  {session['id']} {tab['id']}: {count} {monitor} entries dropped"
