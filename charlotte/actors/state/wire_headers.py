"""Headers as they go over the wire, which the browser tells apart from the requests they are of.

It says so in any order, and names those of all hops of a redirection alike; what is answered
without the network has none.
"""

from collections.abc import Mapping
from functools import lru_cache

import attrs

_LONGEST = 8000
"""Characters of a header that are kept."""

_MOST_HOPS = 50
_LONGEST_SHARED = 200
_MOST_SHARED = 4096

Headers = Mapping[str, str]


@attrs.define(eq=False)
class Trail:
    """What was ``sent`` and what ``came`` for each hop, in order; ``places`` are those done."""

    sent: tuple[Headers, ...] = ()
    came: tuple[Headers, ...] = ()
    places: int = 0

    def note_sent(self, headers: Headers) -> None:
        """Keep the headers of one more request."""
        self.sent = (*self.sent, kept(headers))[:_MOST_HOPS]

    def note_came(self, headers: Headers) -> None:
        """Keep the headers of one more response."""
        self.came = (*self.came, kept(headers))[:_MOST_HOPS]


def kept(headers: Headers) -> Headers:
    """Headers that may be kept by the thousand: most are the same again and again."""
    return {_kept(name): _kept(value) for name, value in headers.items()}


def _kept(text: str) -> str:
    return _shared(text) if len(text) <= _LONGEST_SHARED else _cut(text)


@lru_cache(maxsize=_MOST_SHARED)
def _shared(text: str) -> str:
    """Return one instance for equal texts; `sys.intern` never frees them on CPython 3.12."""
    return text


def _cut(value: str) -> str:
    return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"


def merged(told: Headers, wire: Headers) -> Headers:
    """Those of the wire, and what else is told: of an answer that was kept, they are a part."""
    given = {name.lower() for name in wire}
    return {**wire, **{name: value for name, value in told.items() if name.lower() not in given}}
