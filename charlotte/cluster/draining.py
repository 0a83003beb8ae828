"""Draining of a node: its sessions continue on other nodes, so that it can be stopped."""

from collections.abc import AsyncGenerator, Collection, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import trio

from charlotte.cluster.actors import connect, list_hosts
from charlotte.cluster.host_calls import ask_host
from charlotte.cluster.messages import GATEWAYS, NAMESPACE, DrainState, directory_name
from charlotte.cluster.ray_calls import ActorGone, NamedActor, import_ray, in_thread
from charlotte.errors import CharlotteError, InvalidArgument, SessionProblem

_PERIOD = 0.5
_ANSWER_WAIT = 3.0
_DIRECTORY_WAIT = 5.0


async def drain(
    node: str, address: str | None = None, *, undo: bool = False
) -> AsyncGenerator[int]:
    """Place no more sessions on a node, and yield the number of its sessions until it is 0.

    It is 0 only once all gateways place no more sessions there. ``node`` is the id, name or address
    of a node, as ``ray list nodes`` shows it. With ``undo``, sessions are placed on the node again.
    Raises `InvalidArgument` for an unknown node, `SessionProblem` without gateways or if the drain
    is undone meanwhile.
    """
    await in_thread(connect, address)
    node_id = find_node(node, await in_thread(import_ray().nodes))
    get_actor = import_ray().get_actor
    directory = NamedActor(partial(get_actor, directory_name(GATEWAYS), NAMESPACE))
    await _ask(directory, "drain", node_id, undo)
    while not undo:
        state: DrainState = await _ask(directory, "drain_state", node_id)
        if state.is_undone:
            raise SessionProblem(f"The drain of {node} was undone.", "Drain the node again.")
        left = await _count_sessions(node_id, state.hosts)
        if left or state.is_known:
            yield left
        if state.is_known and not left:
            return
        await trio.sleep(_PERIOD)


async def _ask(directory: NamedActor, method: str, *arguments: Any) -> Any:
    """Call a method of the directory; a gateway may create that again meanwhile."""
    with trio.move_on_after(_DIRECTORY_WAIT):
        while True:
            with suppress(ActorGone):
                return await directory.call(method, *arguments)
            await trio.sleep(_PERIOD)
    raise SessionProblem(
        "No server with --engine ray uses this cluster.", "Nothing has to be drained."
    )


def find_node(wanted: str, rows: list[Mapping[str, Any]]) -> str:
    """Return the id of a live node; raises `InvalidArgument` if there is not exactly one."""
    live = [row for row in rows if row["Alive"]]
    found = [
        row
        for row in live
        if row["NodeID"].startswith(wanted)
        or wanted in {row["NodeManagerAddress"], row["NodeManagerHostname"]}
    ]
    if len(found) == 1:
        return str(found[0]["NodeID"])
    named = ", ".join(f"{row['NodeID'][:12]} ({row['NodeManagerAddress']})" for row in live)
    problem = "is ambiguous" if found else "not found"
    raise InvalidArgument(f"Node {wanted!r} {problem}: the cluster has {named}.", "Pass an id.")


async def _count_sessions(node_id: str, hosts: Collection[str]) -> int:
    """Return the number of sessions on a node; a silent one of its ``hosts`` counts as one."""
    count = 0
    ray = import_ray()
    for name in await in_thread(list_hosts, GATEWAYS):
        node, sessions = node_id, int(name in hosts)
        with trio.move_on_after(_ANSWER_WAIT):
            try:
                host = await in_thread(ray.get_actor, name, NAMESPACE)
                node, sessions = (await ask_host(host, "load")).unwrap()
            except (ValueError, ActorGone, CharlotteError):
                continue  # it has ended or starts
        count += sessions if node == node_id else 0
    return count
