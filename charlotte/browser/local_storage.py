"""The localStorage of a session's origins, kept for restoring it."""

import json
from collections import OrderedDict
from collections.abc import Iterable

import attrs
import structlog
import trio

from charlotte.browser.isolated_world import answer_of, question
from charlotte.browser.origin_storage import Items, Visitor
from charlotte.protocol.session import Session

log = structlog.get_logger(__name__)

MOST = 10_000_000
"""Maximum characters kept for all origins together."""


@attrs.define(eq=False)
class StoredItems:
    """The localStorage of origins as last seen; the oldest entries are dropped first."""

    _by_origin: OrderedDict[str, Items] = attrs.field(factory=OrderedDict[str, Items])

    def note(self, origin: str, items: Items | None) -> None:
        """Store the present items of an origin; None means too many to keep."""
        self._by_origin.pop(origin, None)
        if items:
            self._by_origin[origin] = items
        while sum(map(_size, self._by_origin.values())) > MOST:
            forgotten, _ = self._by_origin.popitem(last=False)
            log.warning("localStorage of an origin is too large to keep", origin=forgotten)

    def __bool__(self) -> bool:
        return bool(self._by_origin)

    def origins(self, first: Iterable[str]) -> list[str]:
        """Return the origins with items: ``first`` ones, then the newest."""
        newest = reversed(self._by_origin)
        return [one for one in dict.fromkeys((*first, *newest)) if one in self._by_origin]

    async def restore(self, visitor: Visitor, first: Iterable[str], seconds: float) -> None:
        """Write the items to a new browser, within the time limit."""
        missing = self.origins(first)
        with trio.move_on_after(seconds):
            for origin in tuple(missing):
                if await visitor.write(origin, self._by_origin[origin]):
                    missing.remove(origin)
        if missing:
            log.warning("localStorage could not be restored", origins=missing)


def _size(items: Items) -> int:
    return sum(len(name) + len(value) for name, value in items)


@attrs.define(eq=False)
class Asker:
    """Queries the documents of one page, which answer only changed items."""

    _known: tuple[str, int] = ("", 0)

    async def ask(self, session: Session, context: str) -> tuple[str, Items | None] | None:
        """Return origin and items of a document; None if they are unchanged."""
        known = self._known[1] if self._known[0] == context else 0
        answer = answer_of(await session.call(question(context, "stored", known)))
        if not answer:
            return None
        parts = json.loads(answer)
        stored = json.loads(parts["snapshot"])
        self._known = context, parts["checksum"]
        return stored["origin"], stored["items"]
