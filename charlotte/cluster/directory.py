"""The directory: an actor that knows where each session is, and its last state.

It runs beside Ray's head, on which all other parts depend too. Gateways need it to find the
sessions of other gateways, and to agree on which of them restores a session.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import attrs

from charlotte.cluster.host_calls import send_to_host
from charlotte.cluster.messages import (
    NAMESPACE,
    DrainState,
    Entry,
    HostReport,
    Place,
    directory_name,
)
from charlotte.cluster.ray_calls import import_ray
from charlotte.engine import SessionKey

_UNUSED = 60.0
"""Seconds without a gateway after which the directory ends."""
_CLAIM = 90.0
"""Seconds that a gateway has to restore a session before another may try."""
_LOST = 10.0
"""Seconds without a call after which a gateway counts as lost."""
_SILENT = 30.0
"""Seconds without a report after which a host has no sessions on its node any more."""
_MOVE = 120.0
"""Seconds in which a session that its host no longer reports has to be on another host."""


@attrs.define(eq=False)
class Sessions:
    """The sessions by name, and the nodes that are being drained.

    ``keep`` stores a state and returns its stored form. ``end_copy`` ends the copy of a session at
    a place that it has left: a gateway that had lost the host has continued the session elsewhere,
    while another one still reaches the host. A session that no host reports for ``idle`` seconds
    is dropped. The claims of gateways expire.
    """

    keep: Callable[[bytes], Any] = lambda state: state
    end_copy: Callable[[str, Place], None] = lambda _name, _place: None
    idle: float = 3600.0
    clock: Callable[[], float] = time.monotonic
    drained: set[str] = attrs.field(factory=set[str])
    _entries: dict[str, Entry] = attrs.field(factory=dict[str, Entry])
    _states: dict[str, Any] = attrs.field(factory=dict[str, Any])
    _seen: dict[str, float] = attrs.field(factory=dict[str, float])
    _claims: dict[str, tuple[str, float]] = attrs.field(factory=dict[str, tuple[str, float]])
    _gateways: dict[str, float] = attrs.field(factory=dict[str, float])
    _nodes: dict[str, tuple[str, float]] = attrs.field(factory=dict[str, tuple[str, float]])
    """For each host its node, and the time of its last report."""
    _known_drained: dict[str, set[str]] = attrs.field(factory=dict[str, set[str]])

    def register(self, key: SessionKey, place: Place, is_private: bool) -> None:  # noqa: FBT001 - a message
        """Note that a session is at a place; a copy at its former place is to end."""
        former = self._entries.get(key.name)
        self._entries[key.name] = Entry(key=key, place=place, is_private=is_private)
        self._seen[key.name] = self.clock()
        self._claims.pop(key.name, None)
        if former is not None and former.place != place:
            self.end_copy(key.name, former.place)

    def report(self, report: HostReport) -> set[str]:
        """Note the sessions of a host; return the names of those whose state is not stored.

        A directory that has replaced a lost one learns the sessions in this way. A session that is
        registered at another place is a copy, which ends.
        """
        here = set[str]()
        for key, is_private in report.sessions:
            entry = self._entries.get(key.name)
            if entry is None:
                self.register(key, report.place, is_private)
            elif entry.place != report.place:
                self.end_copy(key.name, report.place)
                continue
            self._seen[key.name] = self.clock()
            here.add(key.name)
        self._nodes[report.place.host] = report.node, self.clock()
        self._drop_ended(report.place)
        return here - self._states.keys()

    def _drop_ended(self, place: Place) -> None:
        """Drop the sessions that have ended at a place, and those that no host reports."""
        present = self.clock()
        for name, entry in tuple(self._entries.items()):
            wait = _MOVE if entry.place == place else max(self.idle, _MOVE)
            if present - self._seen[name] > wait:
                self.forget(name, entry.place)

    def save(self, name: str, place: Place, state: bytes) -> None:
        """Store the state of a session; a copy that goes on after the session has moved ends."""
        entry = self._entries.get(name)
        if entry is None:
            return
        if entry.place == place:
            self._states[name] = self.keep(state)
        else:
            self.end_copy(name, place)

    def forget(self, name: str, place: Place) -> None:
        """Remove a session that has ended at a place."""
        entry = self._entries.get(name)
        if entry is not None and entry.place == place:
            del self._entries[name], self._seen[name]
            self._states.pop(name, None)
            self._claims.pop(name, None)

    def find(self, name: str) -> tuple[Entry | None, Any]:
        """Return a session and its stored state; None for an unknown name."""
        return self._entries.get(name), self._states.get(name)

    def claim(self, name: str, gateway: str, lost: Place) -> bool:
        """Return whether a gateway may restore a session whose place was lost.

        A claim holds until the session is registered, while its gateway is not lost too.
        """
        entry, present = self._entries.get(name), self.clock()
        if entry is not None and entry.place != lost:
            return False
        self._gateways[gateway] = present
        holder, since = self._claims.get(name, (gateway, present))
        if holder != gateway and self._is_live(holder) and present - since < _CLAIM:
            return False
        self._claims[name] = gateway, present
        if entry is not None:
            self._seen[name] = present
        return True

    def unclaim(self, name: str, gateway: str) -> None:
        """Let other gateways restore a session that this one could not restore."""
        if name in self._claims and self._claims[name][0] == gateway:
            del self._claims[name]

    def touch(self, gateway: str, drained: set[str]) -> set[str]:
        """Note that a gateway is there; return the nodes that are being drained.

        ``drained`` are those that the gateway knows, perhaps from a directory that was lost.
        """
        if gateway not in self._known_drained:
            self.drained |= drained
        self._known_drained[gateway] = drained
        self._gateways[gateway] = self.clock()
        return set(self.drained)

    def drain_state(self, node: str) -> DrainState:
        """Return how far the draining of a node is."""
        drains, reported_since = self._known_drained, self.clock() - _SILENT
        live = [gateway for gateway in drains if self._is_live(gateway)]
        return DrainState(
            is_undone=node not in self.drained and bool(drains),
            is_known=all(node in drains[gateway] for gateway in live),
            hosts={
                host
                for host, (its_node, reported) in self._nodes.items()
                if its_node == node and reported > reported_since
            },
        )

    def goodbye(self, gateway: str) -> None:
        """Forget a gateway that ends."""
        self._gateways.pop(gateway, None)
        self._known_drained.pop(gateway, None)

    def has_gateways(self) -> bool:
        """Return whether a gateway has called within the last minute."""
        return any(self._is_live(gateway, _UNUSED) for gateway in self._gateways)

    def _is_live(self, gateway: str, within: float = _LOST) -> bool:
        seen = self._gateways.get(gateway)
        return seen is not None and self.clock() - seen < within


class Directory:
    """The Ray actor; the states are in Ray's object store, owned by this actor."""

    def __init__(self, group: str, *, is_detached: bool, idle: float) -> None:
        self._ray = import_ray()
        self._group = group
        self._sessions = Sessions(self._ray.put, self._end_copy, idle)
        self._sending = set[asyncio.Future[None]]()
        self._used = time.monotonic()
        if is_detached:
            self._ending = asyncio.ensure_future(self._end_when_unused())

    async def register(self, key: SessionKey, place: Place, is_private: bool) -> None:  # noqa: FBT001
        """Note that a session is at a place."""
        self._sessions.register(key, place, is_private)

    async def report(self, report: HostReport) -> set[str]:
        """Note the sessions of a host; return the names of those whose state is not stored."""
        return self._sessions.report(report)

    async def save(self, name: str, place: Place, state: bytes) -> None:
        """Store the state of a session, unless the session has moved or ended meanwhile."""
        self._sessions.save(name, place, state)

    async def forget(self, name: str, place: Place) -> None:
        """Remove a session that has ended at a place."""
        self._sessions.forget(name, place)

    async def find(self, name: str) -> Entry | None:
        """Return a session with its state."""
        entry, state = self._sessions.find(name)
        if entry is None or state is None:
            return entry
        return attrs.evolve(entry, state=await state)

    async def claim(self, name: str, gateway: str, lost: Place) -> bool:
        """Return whether a gateway may restore a session whose place was lost."""
        return self._sessions.claim(name, gateway, lost)

    async def unclaim(self, name: str, gateway: str) -> None:
        """Let other gateways restore a session that this one could not restore."""
        self._sessions.unclaim(name, gateway)

    async def touch(self, gateway: str, drained: set[str]) -> set[str]:
        """Return the nodes that are being drained; a gateway calls this every second."""
        self._used = time.monotonic()
        return self._sessions.touch(gateway, drained)

    async def goodbye(self, gateway: str) -> None:
        """Forget a gateway that ends; without gateways, the directory ends too."""
        self._sessions.goodbye(gateway)
        if not self._sessions.has_gateways():
            self._used -= _UNUSED
            await self._end_when_unused()

    async def drain(self, node: str, undo: bool) -> None:  # noqa: FBT001 - a message
        """Place no more sessions on a node, or place them again."""
        if undo:
            self._sessions.drained.discard(node)
        else:
            self._sessions.drained.add(node)

    async def drain_state(self, node: str) -> DrainState:
        """Return how far the draining of a node is."""
        return self._sessions.drain_state(node)

    def _end_copy(self, name: str, place: Place) -> None:
        sending = asyncio.ensure_future(asyncio.to_thread(self._send_end, name, place))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    def _send_end(self, name: str, place: Place) -> None:
        with suppress(ValueError):  # the host has ended too
            host = self._ray.get_actor(place.host, NAMESPACE)
            send_to_host(host, "end_copy", name, place.incarnation)

    async def _end_when_unused(self) -> None:
        while (left := self._used + _UNUSED - time.monotonic()) > 0:  # noqa: ASYNC110 - a deadline
            await asyncio.sleep(left)
        name = directory_name(self._group)
        self._ray.kill(self._ray.get_actor(name, NAMESPACE), no_restart=True)
