"""Dry runs: requests that change state are dropped and reported, until the page is loaded again."""

from typing import Any

import attrs

from charlotte.policy.bodies import as_report
from charlotte.policy.rules import Request
from charlotte.protocol.connection import Session
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.network import DisableFetch, EnableFetch, RequestPattern

MOST_DROPPED = 50
"""Dropped requests that are kept for the next answer."""

_LONGEST_MESSAGE = 1000


@attrs.define(eq=False)
class DryRun:
    """The dry run of a document: it lasts until the document is replaced after the last call.

    ``parent`` is that of the page that opened this one. ``calls`` counts running calls. ``dropped``
    are the requests that no answer has reported, ``left_out`` counts those beyond `MOST_DROPPED`.
    ``muted`` counts messages on WebSockets, which wait in the browser until their page is gone.
    ``offline`` are the sessions of shared workers without a network.
    """

    parent: "DryRun | None" = None
    calls: int = 0
    is_over: bool = False
    dropped: list[dict[str, Any]] = attrs.field(factory=list[dict[str, Any]])
    left_out: int = 0
    muted: int = 0
    offline: list[Session] = attrs.field(factory=list[Session])

    @property
    def is_running(self) -> bool:
        """Whether a call works on the page, or on the one that opened it."""
        return self.calls > 0 or (self.parent is not None and self.parent.is_running)

    def note_document(self) -> None:
        """Record that another document has replaced the one of the dry run."""
        self.is_over = self.is_over or not self.is_running

    def drop(self, request: Request) -> None:
        """Record a request that was dropped."""
        row: dict[str, Any] = {"method": request.method, "url": request.url}
        if (body := as_report(request.body)) is not None:
            row["body"] = body
        self.add(row)

    def mute(self, url: str, message: str) -> None:
        """Record a message on a WebSocket that will not be sent."""
        self.muted += 1
        self.add({"method": "WEBSOCKET", "url": url, "body": message[:_LONGEST_MESSAGE]})

    def add(self, row: dict[str, Any]) -> None:
        """Keep a row for the next answer, which is that of the call which causes it."""
        if self.parent is not None and self.parent.is_running:
            self.parent.add(row)
        elif len(self.dropped) < MOST_DROPPED:
            self.dropped.append(row)
        else:
            self.left_out += 1

    def take(self) -> list[dict[str, Any]]:
        """Return the requests that were not reported, and forget them."""
        dropped, left_out = self.dropped, self.left_out
        self.dropped, self.left_out = [], 0
        return [*dropped, *([{"left_out": left_out}] if left_out else [])]


@attrs.define(eq=False)
class Interception:
    """Whether the browser holds all its requests until Charlotte has decided on them.

    It holds them ``always`` for rules on requests, and else while there are users: dry runs.
    """

    always: bool = False
    _root: Session | None = None
    _users: set[object] = attrs.field(factory=set[object])

    async def start(self, root: Session) -> None:
        """Begin in a new browser, in which there are no users."""
        self._root = root
        self._users.clear()
        if self.always:
            await root.call(_HOLD)

    async def add(self, user: object) -> None:
        """Hold all requests from now on; raises `ProtocolError` if the browser cannot."""
        is_first = not self._users and not self.always
        self._users.add(user)
        if is_first and self._root is not None:
            try:
                await self._root.call(_HOLD)
            except ProtocolError:
                self._users.discard(user)
                raise

    def join(self, user: object) -> None:
        """Add a user while there is another one, so that requests are held already."""
        self._users.add(user)

    async def remove(self, user: object) -> None:
        """Hold requests no longer if this was the last user."""
        if user not in self._users:
            return
        self._users.discard(user)
        if not self._users and not self.always and self._root is not None:
            await self._root.begin(DisableFetch())


_HOLD = EnableFetch(patterns=[RequestPattern("*")])
