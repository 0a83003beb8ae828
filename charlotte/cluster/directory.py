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

from charlotte.cluster.messages import NAMESPACE, Entry, Place, directory_name
from charlotte.cluster.ray_calls import import_ray, send
from charlotte.engine import SessionKey

_UNUSED = 60.0
"""Seconds without a gateway after which the directory ends."""
_CLAIM = 10.0
"""Seconds that a gateway has to restore a session before another may try."""


@attrs.define(eq=False)
class Sessions:
    """The sessions by name, and the nodes that are being drained.

    ``keep`` stores a state and returns its stored form. ``end_copy`` ends the copy of a session at
    a place that it has left: a gateway that had lost the host has continued the session elsewhere,
    while another one still reaches the host. The claims of gateways expire.
    """

    keep: Callable[[bytes], Any] = lambda state: state
    end_copy: Callable[[str, Place], None] = lambda _name, _place: None
    drained: set[str] = attrs.field(factory=set[str])
    _entries: dict[str, Entry] = attrs.field(factory=dict[str, Entry])
    _states: dict[str, Any] = attrs.field(factory=dict[str, Any])
    _claims: dict[str, tuple[str, float]] = attrs.field(factory=dict[str, tuple[str, float]])

    def register(self, key: SessionKey, place: Place, is_private: bool) -> None:  # noqa: FBT001 - a message
        """Note that a session is at a place; a copy at its former place is to end."""
        former = self._entries.get(key.name)
        self._entries[key.name] = Entry(key=key, place=place, is_private=is_private)
        self._claims.pop(key.name, None)
        if former is not None and former.place != place:
            self.end_copy(key.name, former.place)

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
            del self._entries[name]
            self._states.pop(name, None)

    def find(self, name: str) -> tuple[Entry | None, Any]:
        """Return a session and its stored state; None for an unknown name."""
        return self._entries.get(name), self._states.get(name)

    def claim(self, name: str, gateway: str, lost: Place) -> bool:
        """Return whether a gateway may restore a session whose place was lost."""
        entry = self._entries.get(name)
        if entry is not None and entry.place != lost:
            return False
        holder, until = self._claims.get(name, (gateway, 0.0))
        if holder != gateway and time.monotonic() < until:
            return False
        self._claims[name] = gateway, time.monotonic() + _CLAIM
        return True


class Directory:
    """The Ray actor; the states are in Ray's object store, owned by this actor."""

    def __init__(self, group: str, *, is_detached: bool) -> None:
        self._ray = import_ray()
        self._group = group
        self._sessions = Sessions(self._ray.put, self._end_copy)
        self._sending = set[asyncio.Future[None]]()
        self._gateways = dict[str, float]()
        self._used = time.monotonic()
        if is_detached:
            self._ending = asyncio.ensure_future(self._end_when_unused())

    async def register(self, key: SessionKey, place: Place, is_private: bool) -> None:  # noqa: FBT001
        """Note that a session is at a place."""
        self._sessions.register(key, place, is_private)

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

    async def touch(self, gateway: str) -> set[str]:
        """Return the nodes that are being drained; a gateway calls this every second."""
        self._used = self._gateways[gateway] = time.monotonic()
        return set(self._sessions.drained)

    async def goodbye(self, gateway: str) -> None:
        """Forget a gateway that ends; without gateways, the directory ends too."""
        self._gateways.pop(gateway, None)
        if not any(self._used - seen < _UNUSED for seen in self._gateways.values()):
            self._used -= _UNUSED
            await self._end_when_unused()

    async def drain(self, node: str, undo: bool) -> None:  # noqa: FBT001 - a message
        """Place no more sessions on a node, or place them again."""
        if undo:
            self._sessions.drained.discard(node)
        else:
            self._sessions.drained.add(node)

    def _end_copy(self, name: str, place: Place) -> None:
        sending = asyncio.ensure_future(asyncio.to_thread(self._send_end, name, place))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    def _send_end(self, name: str, place: Place) -> None:
        with suppress(ValueError):  # the host has ended too
            host = self._ray.get_actor(place.host, NAMESPACE)
            send(host, "ask", "end_copy", name, place.incarnation)

    async def _end_when_unused(self) -> None:
        while (left := self._used + _UNUSED - time.monotonic()) > 0:  # noqa: ASYNC110 - a deadline
            await asyncio.sleep(left)
        name = directory_name(self._group)
        self._ray.kill(self._ray.get_actor(name, NAMESPACE), no_restart=True)
