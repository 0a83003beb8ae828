"""Requests of a page that are not complete, and messages on WebSockets that expect a reply."""

import math
from collections import deque

import attrs
import trio

REPLY_WAIT = 0.5
"""Seconds within which a message gets its reply; afterwards, the reply is no longer expected."""

_MOST_MISSES = 2
_CHATTER = 5
_CHATTER_WITHIN = 3.0
"""Seconds in which that many messages without an action show that a page sends by itself."""


@attrs.define(eq=False)
class Socket:
    """An open WebSocket of the tab with the time at which it was opened.

    ``asked`` is the time of the oldest message without a later message of the server. ``misses``
    counts the waits for a reply since the last one that arrived in time.
    """

    request_id: str
    url: str
    opened: float
    asked: float | None = None
    misses: int = 0
    _last_sent: float = -math.inf
    _unprompted: deque[float] = attrs.field(factory=lambda: deque(maxlen=_CHATTER))

    def send(self, *, acting: bool) -> bool:
        """Record a message of the page; return whether a wait for a reply can begin.

        Messages in quick succession count as one question, which the first of them asks. A page
        that has just sent several messages while no tool was ``acting`` goes on doing so: its
        messages are no consequence of an action.
        """
        at = trio.current_time()
        if not acting:
            self._unprompted.append(at)
        is_question = self.asked is None or at - self._last_sent > REPLY_WAIT
        if is_question:
            self.asked = at
        self._last_sent = at
        chatters = len(self._unprompted) == _CHATTER and at - self._unprompted[0] <= _CHATTER_WITHIN
        return is_question and not chatters and self.misses < _MOST_MISSES

    def question(self, number: int) -> "OpenRequest":
        """Return an open request that stands for a sent message until its reply or its expiry."""
        label, at = f"WebSocket {self.url}", trio.current_time()
        return OpenRequest(label, number, heard=at, socket=self, expires=at + REPLY_WAIT)

    def receive(self) -> None:
        """Record a message of the server, which answers all messages of the page so far."""
        if self.asked is not None and trio.current_time() - self.asked <= REPLY_WAIT:
            self.misses = 0
        self.asked = None


@attrs.define
class OpenRequest:
    """A request that is not complete; ``begun`` is its number among all requests of the tab.

    ``heard`` is the time of the last piece of its body, infinite before the first piece.
    ``missing`` is the number of bytes that have not arrived, if it is known. A message on a
    ``socket`` counts until its reply, or until it ``expires``.
    """

    label: str
    begun: int
    heard: float = math.inf
    missing: float = math.inf
    socket: Socket | None = None
    expires: float = math.inf

    def has_expired(self) -> bool:
        """Return whether a reply is no longer expected."""
        return self.expires < math.inf and trio.current_time() >= self.expires

    def count_miss(self) -> None:
        """Count a wait that has ended without a reply."""
        if self.socket and self.socket.asked is not None and self.has_expired():
            self.socket.misses += 1
