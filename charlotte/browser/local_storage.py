"""What sites keep in localStorage: how a page is asked for it, and how a browser gets it back."""

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
"""Characters that are kept of all origins together."""


@attrs.define(eq=False)
class StoredItems:
    """The localStorage of a session's origins as last seen; those seen long ago make room."""

    _by_origin: OrderedDict[str, Items] = attrs.field(factory=OrderedDict[str, Items])

    def note(self, origin: str, items: Items | None) -> None:
        """Keep what an origin has now; None is too much to be kept."""
        self._by_origin.pop(origin, None)
        if items:
            self._by_origin[origin] = items
        while sum(map(_size, self._by_origin.values())) > MOST:
            forgotten, _ = self._by_origin.popitem(last=False)
            log.warning("localStorage of an origin is not kept", origin=forgotten)

    def __bool__(self) -> bool:
        return bool(self._by_origin)

    def origins(self, first: Iterable[str]) -> list[str]:
        """The origins of which something is kept: those named first, then the newest."""
        newest = reversed(self._by_origin)
        return [one for one in dict.fromkeys((*first, *newest)) if one in self._by_origin]

    async def restore(self, visitor: Visitor, first: Iterable[str], seconds: float) -> None:
        """Give it to a browser that has none of it, as far as the time goes."""
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
    """Asks the documents of one page, which do not repeat what they have told."""

    _known: tuple[str, int] = ("", 0)

    async def ask(self, session: Session, context: str) -> tuple[str, Items | None] | None:
        """A document's origin and items; None when they are as it said before."""
        known = self._known[1] if self._known[0] == context else 0
        answer = answer_of(await session.call(question(context, "stored", known)))
        if not answer:
            return None
        parts = json.loads(answer)
        told = json.loads(parts["told"])
        self._known = context, parts["checksum"]
        return told["origin"], told["items"]
