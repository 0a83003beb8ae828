"""Requests of a page that are not complete, and messages on WebSockets that expect a reply."""

import math

import attrs
import trio

REPLY_WAIT = 0.5
"""Seconds within which a message gets its reply; afterwards, the reply is no longer expected."""


@attrs.define
class OpenRequest:
    """A request that is not complete; ``begun`` is its number among all requests of the tab.

    ``heard`` is the time of the last piece of its body, infinite before the first piece.
    ``missing`` is the number of bytes that have not arrived, if it is known. A message on the
    ``socket`` with that id counts until its reply, or until it ``expires``.
    """

    label: str
    begun: int
    heard: float = math.inf
    missing: float = math.inf
    socket: str | None = None
    expires: float = math.inf

    def has_expired(self) -> bool:
        """Return whether a reply is no longer expected."""
        return self.expires < math.inf and trio.current_time() >= self.expires
