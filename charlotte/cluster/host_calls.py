"""Calls of browser hosts: pickled here, because Ray takes longer to pickle objects than bytes."""

import pickle
import secrets
from typing import Any

import outcome
import trio

from charlotte.cluster.ray_calls import call_actor, send

CALLS = 256
"""Calls that a host runs at once; more wait for a thread of it."""
LINKS = {"links": 64}
"""The threads of a host for polls and cancellations, which never wait for other calls."""
_LINK_METHODS = ("hello", "poll")


def pack(value: object) -> bytes:
    """Return a call (its id, method and arguments) or its outcome as hosts send it."""
    return pickle.dumps(value)


def unpack(packed: bytes) -> Any:
    """Return what `pack` got."""
    return pickle.loads(packed)  # noqa: S301 - the actors of a cluster trust each other


async def ask_host(actor: Any, method: str, *arguments: Any) -> outcome.Outcome[Any]:
    """Return the outcome of a method of `HostSessions`; a cancelled call is cancelled there too.

    Raises `ActorGone`.
    """
    call_id = secrets.token_hex(8)
    group = "links" if method in _LINK_METHODS else None
    call = pack((call_id, method, arguments))
    try:
        packed: bytes = await call_actor(actor, "ask", call, group=group)
    except trio.Cancelled:
        send(actor, "cancel", call_id, group="links")
        raise
    result: outcome.Outcome[Any] = unpack(packed)
    return result


def send_to_host(actor: Any, method: str, *arguments: Any) -> None:
    """Call a method of `HostSessions` without waiting for it."""
    send(actor, "ask", pack((secrets.token_hex(8), method, arguments)))
