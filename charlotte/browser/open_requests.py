"""Requests of a page that are not complete, and messages on WebSockets that expect a reply."""

import math

import attrs
import trio

REPLY_WAIT = 0.5
"""Seconds within which a message gets its reply; afterwards, the reply is no longer expected."""

_MOST_MISSES = 2


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

    def send(self) -> bool:
        """Record a message of the page; return whether a wait for a reply can begin.

        Messages in quick succession count as one question, which the first of them asks.
        """
        at = trio.current_time()
        is_question = self.asked is None or at - self._last_sent > REPLY_WAIT
        if is_question:
            self.asked = at
        self._last_sent = at
        return is_question and self.misses < _MOST_MISSES

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
