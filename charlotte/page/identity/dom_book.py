"""Ids of the nodes that CSS selectors find, each with the selector that can find the node again."""

from collections import Counter
from hashlib import md5
from typing import Any

import attrs

from charlotte.page.frames import compose_number, split_number
from charlotte.page.model import Bounds, Element
from charlotte.page.record_base import frozen_record

_REMEMBERED = 20_000


@attrs.frozen
class DocumentNode:
    """A node: its number in the document that ``context`` names."""

    context: str
    nid: int

    def with_nid(self, nid: int) -> "DocumentNode":
        """Return another node of the same frame by its probe's number."""
        return DocumentNode(self.context, compose_number(split_number(self.nid)[0], nid))


@frozen_record(kw_only=True)
class Match:
    """A node that ``selector`` finds; ``text`` is the start of its text, on one line.

    ``around`` is the text of the row around the node, if it was read. For a search by text,
    ``excerpt`` is the part with the match, ``heading`` the nearest heading before it and
    ``landmark`` the landmark around it. For a search with conditions, ``role`` is the node's role
    and ``has_text`` whether it contains the text. ``element`` is the record of a node that is an
    interactive element.
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
        """Return the JSON object of P-15, with the position of the text and the element's id."""
        optional: dict[str, Any] = {"heading": self.heading, "landmark": self.landmark}
        if self.element is not None:
            element = self.element.as_json()
            optional["element"] = self.element.id
            optional |= {name: element.get(name) for name in ("href", "value", "options")}
        return {
            "id": element_id,
            "tag": self.tag,
            "text": self.excerpt or self.text,
            "bounds": self.bounds and self.bounds.as_json(),
            **{name: value for name, value in optional.items() if value},
        }


@attrs.define(eq=False)
class DomBook:
    """The ``dom-`` ids of one tab. A node keeps its id for all selectors that find it."""

    _matches: dict[str, Match] = attrs.field(factory=dict[str, Match])
    _ids: dict[DocumentNode, str] = attrs.field(factory=dict[DocumentNode, str])
    _used: Counter[str] = attrs.field(factory=Counter[str])

    def identify(self, match: Match) -> str:
        """Return the id of a match, a new id for a new node."""
        element_id = self._ids.get(match.place)
        if element_id is None:
            key = f"{match.selector}|{match.tag}|{match.text}".encode(errors="surrogatepass")
            base = f"dom-{md5(key, usedforsecurity=False).hexdigest()[:4]}"
            self._used[base] += 1
            element_id = base if self._used[base] == 1 else f"{base}-{self._used[base]}"
        self._bind(element_id, match)
        return element_id

    def find(self, element_id: str) -> Match | None:
        """Return the last match with an id; None for an unknown id."""
        return self._matches.get(element_id)

    def find_similar(self, lost: Match, matches: list[Match]) -> list[Match]:
        """Return the matches with tag and text of a lost one that have no id."""
        return [
            match
            for match in matches
            if (match.tag, match.text) == (lost.tag, lost.text) and match.place not in self._ids
        ]

    def rebind(self, element_id: str, match: Match) -> None:
        """Bind an id whose node is deleted to the node that replaces it."""
        self._ids.pop(self._matches[element_id].place, None)
        self._bind(element_id, match)

    def _bind(self, element_id: str, match: Match) -> None:
        self._matches.pop(element_id, None)
        self._matches[element_id] = match
        self._ids[match.place] = element_id
        if len(self._matches) > _REMEMBERED:
            oldest = self._matches.pop(next(iter(self._matches)))
            self._ids.pop(oldest.place, None)
