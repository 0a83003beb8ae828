"""Sessions that several gateways may serve: found by their names, and restored by one gateway."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any

import attrs
import trio

from charlotte.cluster.host_link import HostLink
from charlotte.cluster.messages import Entry, Opening, Place
from charlotte.cluster.placement import Placed
from charlotte.errors import ConnectionLost

_LINK_WAIT = 4.0
"""Seconds for a gateway that has just started to reach the host of another gateway's session."""
_ADOPT_WAIT = 4.5
"""Seconds to find the new host of a session that another gateway restores."""
_ADOPT_PAUSE = 0.3


@attrs.define(eq=False)
class SharedSessions:
    """The sessions of all gateways, as the directory and their hosts know them.

    ``links`` are the hosts as this gateway sees them; `note_link` is called when one has changed.
    ``ask`` calls a method of the directory, and raises `ConnectionLost` if it does not answer.
    ``place`` opens a session on a host.
    """

    _gateway: str
    _links: Sequence[HostLink]
    _ask: Callable[..., Awaitable[Any]]
    _place: Callable[[Opening], Awaitable[Placed]]
    _nursery: trio.Nursery
    _link_changed: trio.Event = attrs.field(factory=trio.Event, init=False)

    def note_link(self) -> None:
        """Wake those who wait for a host."""
        self._link_changed.set()
        self._link_changed = trio.Event()

    async def find(self, name: str) -> Entry | None:
        """Return a session of any gateway and owner; None for an unknown name."""
        entry: Entry | None = await self._ask("find", name)
        return entry

    async def may_restore(self, name: str, lost: Place) -> bool:
        """Return whether this gateway is to restore a session whose place was lost."""
        return bool(await self._ask("claim", name, self._gateway, lost))

    async def find_again(self, name: str) -> Placed | Entry | None:
        """Return a session as another gateway has opened it again, if it has.

        If the host of that gateway cannot be reached, return its entry in the directory.
        """
        entry = await self.find(name)
        return entry and (await self._join(entry) or entry)

    async def adopt(self, entry: Entry) -> tuple[Opening, Placed]:
        """Join a session of another gateway on its host, or continue it elsewhere without that.

        Raises `ConnectionLost` if another gateway does not restore it in time.
        """
        try:
            entry, found = await self._find_or_claim(entry)
            opening = Opening(
                key=entry.key, is_private=entry.is_private, state=entry.state, lost=entry.place
            )
            return opening, found or attrs.evolve(await self._place(opening), state=entry.state)
        except BaseException:
            self._nursery.start_soon(self._unclaim, entry.key.name)
            raise

    async def _find_or_claim(self, entry: Entry) -> tuple[Entry, Placed | None]:
        """Return a session with its host, to which another gateway may be moving it now.

        There is no host if this gateway is to restore the session.
        """
        with trio.move_on_after(_ADOPT_WAIT):
            while (found := await self._join(entry)) is None:
                if await self.may_restore(entry.key.name, entry.place):
                    return entry, None
                await trio.sleep(_ADOPT_PAUSE)
                entry = await self.find(entry.key.name) or entry
            return entry, found
        raise ConnectionLost(
            "The session is being restored by another gateway.", "Repeat the call."
        )

    async def _unclaim(self, name: str) -> None:
        """Let other gateways restore a session; a claim expires too."""
        with suppress(Exception):
            await self._ask("unclaim", name, self._gateway)

    async def _join(self, entry: Entry) -> Placed | None:
        """Return a session on the host of its entry, unless that is lost or has no such session."""
        link = await self._find_link(entry.place)
        if link is None:
            return None
        with suppress(ConnectionLost):
            if joined := await link.ask("join", self._gateway, entry.key):
                return Placed(link, entry.place, *joined)
        return None

    async def _find_link(self, place: Place) -> HostLink | None:
        """Return the link to a host, once it is connected; None if this incarnation is lost."""
        with trio.move_on_after(_LINK_WAIT):
            while not any(link.name == place.host and link.is_live for link in self._links):
                await self._link_changed.wait()
        return next((link for link in self._links if link.is_live and link.place == place), None)
