"""Gives ids to what CSS selectors find: each bound to a node, and to what finds that again."""

from collections import Counter
from hashlib import md5
from typing import Any

import attrs

from charlotte.page.frames import compose_number, split_number
from charlotte.page.model import Bounds, Element
from charlotte.page.record_base import frozen_record

_REMEMBERED = 20_000
"""Ids kept at most; the oldest are forgotten."""


@attrs.frozen
class DocumentNode:
    """A node: its number in the document that ``context`` names."""

    context: str
    nid: int

    def with_nid(self, nid: int) -> "DocumentNode":
        """Another node of the same document, by the number its probe gave it."""
        return DocumentNode(self.context, compose_number(split_number(self.nid)[0], nid))


@frozen_record(kw_only=True)
class Match:
    """A node that ``selector`` finds; ``text`` is the start of what it contains, on one line.

    ``around`` is what the row around it says, "" where it is alone, or nobody looked.

    If it was found by its text, ``excerpt`` is the part with that in it, ``heading`` the text of
    the nearest heading before it and ``landmark`` the one around it, "" where there is none. If it
    was asked for, ``role`` is its own, and ``has_text`` whether a text stands in it. ``element`` is
    the record of a node that is listed among the interactive elements.
    """

    place: DocumentNode
    selector: str
    tag: str
    text: str
    bounds: Bounds | None
    around: str = ""
    excerpt: str = ""
    heading: str = ""
    landmark: str = ""
    role: str = ""
    has_text: bool = False
    element: Element | None = None

    def as_json(self, element_id: str) -> dict[str, Any]:
        """P-15, and where the text stands if it was found by that."""
        bounds = self.bounds and self.bounds.as_json()
        text = self.excerpt or self.text
        around = {"heading": self.heading, "landmark": self.landmark}
        return {"id": element_id, "tag": self.tag, "text": text, "bounds": bounds} | {
            name: value for name, value in {**around, **self._of_element()}.items() if value
        }

    def _of_element(self) -> dict[str, Any]:
        """Return the id that the node has as an element, and what its text does not tell."""
        if self.element is None:
            return {}
        record = self.element.as_json()
        details = {name: record.get(name) for name in ("href", "value", "options")}
        return {"element": self.element.id, **details}

    def is_like(self, other: "Match") -> bool:
        """Whether it says the same: what is needed to take one for the other."""
        return (self.tag, self.text) == (other.tag, other.text)


@attrs.define(eq=False)
class DomBook:
    """The ``dom-`` ids of one tab. A node keeps its id whatever selector finds it next."""

    _matches: dict[str, Match] = attrs.field(factory=dict[str, Match])
    _ids: dict[DocumentNode, str] = attrs.field(factory=dict[DocumentNode, str])
    _given: Counter[str] = attrs.field(factory=Counter[str])

    def identify(self, match: Match) -> str:
        """The id of a match, a new one if its node has none."""
        known = self._ids.get(match.place)
        element_id = known or self._new(match)
        self._bind(element_id, match)
        return element_id

    def find(self, element_id: str) -> Match | None:
        """What an id was given to, as last seen; None for an id that was never given."""
        return self._matches.get(element_id)

    def find_similar(self, lost: Match, matches: list[Match]) -> list[Match]:
        """Those that say the same as one that is gone, and have no id of their own."""
        return [one for one in matches if one.is_like(lost) and one.place not in self._ids]

    def rebind(self, element_id: str, match: Match) -> None:
        """Bind an id whose node is gone to what was made anew for it."""
        self._ids.pop(self._matches[element_id].place, None)
        self._bind(element_id, match)

    def _bind(self, element_id: str, match: Match) -> None:
        self._matches.pop(element_id, None)
        self._matches[element_id] = match
        self._ids[match.place] = element_id
        if len(self._matches) > _REMEMBERED:
            oldest = self._matches.pop(next(iter(self._matches)))
            self._ids.pop(oldest.place, None)

    def _new(self, match: Match) -> str:
        key = f"{match.selector}|{match.tag}|{match.text}".encode(errors="surrogatepass")
        base = f"dom-{md5(key, usedforsecurity=False).hexdigest()[:4]}"
        self._given[base] += 1
        return base if self._given[base] == 1 else f"{base}-{self._given[base]}"
