"""Headers as they go over the wire, which the browser tells apart from the requests they are of.

It says so in any order, and names those of all hops of a redirection alike; what is answered
without the network has none.
"""

from collections.abc import Mapping
from sys import intern

import attrs

_LONGEST = 8000
"""Characters of a header that are kept."""

_MOST_HOPS = 50

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
    return {intern(name): intern(_cut(value)) for name, value in headers.items()}


def _cut(value: str) -> str:
    return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}…"


def merged(told: Headers, wire: Headers) -> Headers:
    """Those of the wire, and what else is told: of an answer that was kept, they are a part."""
    given = {name.lower() for name in wire}
    return {**wire, **{name: value for name, value in told.items() if name.lower() not in given}}
