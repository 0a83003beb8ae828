"""The forms in which an agent may name a thing on a page."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.identity.id_book import ShownElement
from charlotte.page.modes.lines import ReferenceTarget
from charlotte.page.record_base import frozen_record

ReferenceForm = Literal["hash", "dom", "node", "table"]

_FORMS: Mapping[ReferenceForm, tuple[re.Pattern[str], str]] = {
    "dom": (re.compile(r"dom-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "dom-3fa2 (from find{selector})"),
    "node": (re.compile(r"([A-Za-z0-9_-]{1,60}:)?e\d{1,12}"), "e123 (from observe{mode:tree})"),
    "table": (re.compile(r"@ref:\d{1,6}"), "@ref:4 (from the last observe that told any)"),
    "hash": (re.compile(r"[a-z]{2,3}-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "btn-a3f1 or btn-a3f1-2"),
}
"""In the order in which they are tried: what they match, and what an agent is told of them."""

_LONGEST_SHOWN = 60


def is_reference(text: str) -> bool:
    """Whether a text has the form of a reference; a CSS selector that has it means an element."""
    return any(pattern.fullmatch(text) for pattern, _ in _FORMS.values())


def get_reference_form(reference: str) -> ReferenceForm:
    """Which form it has; raises `InvalidArgument` naming all there are."""
    for form, (pattern, _) in _FORMS.items():
        if pattern.fullmatch(reference):
            return form
    accepted = ", ".join(example for _, example in _FORMS.values())
    raise InvalidArgument(
        f"{reference[:_LONGEST_SHOWN]!r} is no reference to an element. Accepted are {accepted}.",
        "Take an id from observe, find or a delta, exactly as it is there.",
    )


_REMEMBERED = 20_000
_APART = 10**9
"""Added to a number that the browser uses in two processes for different nodes."""

Describe = Callable[[int], ShownElement | None]
"""What a node is, by its number."""


@frozen_record
class NamedNode:
    """A node, and what was said of it in which ``turn``, when its reference was last told.

    ``shown`` is what it was as far as the page's capture has it.
    """

    place: DocumentNode
    role: str
    name: str
    turn: int
    shown: ShownElement | None = None


@attrs.define(eq=False)
class RefBook:
    """``e123`` is the browser's number of a node; ``@ref:4`` a place in the table told last.

    ``prefix`` is the name of the tab's context, if that has one: its e-refs are ``clean:e123``.
    """

    prefix: str = ""
    _elements: dict[str, NamedNode] = attrs.field(factory=dict[str, NamedNode])
    _refs: dict[DocumentNode, str] = attrs.field(factory=dict[DocumentNode, str])
    _table: list[NamedNode] = attrs.field(factory=list[NamedNode])
    _turn: int = 0

    def begin(self) -> None:
        """Another answer with references begins: those of the last but one are old."""
        self._turn += 1

    def has_reference(self, place: DocumentNode) -> bool:
        """Whether a node has been given an e-ref."""
        return place in self._refs

    def name(
        self,
        place: DocumentNode,
        number: int,
        given: ReferenceTarget,
        shown: ShownElement | None = None,
    ) -> str:
        """The e-ref of a node, which the browser calls by that number."""
        reference = self._refs.get(place) or self._new(place, number)
        self._forget(reference)
        self._refs[place] = reference
        self._elements[reference] = NamedNode(place, given.role, given.name, self._turn, shown)
        self._forget_oldest()
        return f"{self.prefix}:{reference}" if self.prefix else reference

    def replace_table(
        self, context: str, given: Iterable[ReferenceTarget], shown: Describe = lambda _: None
    ) -> None:
        """Have a new table of @refs, of nodes of the page whose main document has that context."""
        self._table = [
            NamedNode(
                DocumentNode(context, one.nid), one.role, one.name, self._turn, shown(one.nid)
            )
            for one in given
        ]

    def find(self, reference: str) -> NamedNode | None:
        """What a reference was given to; None if it was not, or in a table that was replaced."""
        if not reference.startswith("@ref:"):
            prefix, _, bare = reference.rpartition(":")
            return self._elements.get(bare) if prefix in {"", self.prefix} else None
        number = int(reference.removeprefix("@ref:"))
        return self._table[number] if number < len(self._table) else None

    def find_recent(self, reference: str) -> NamedNode | None:
        """The same, if it was told by one of the last two answers (V-STALE-06)."""
        named = self.find(reference)
        return named if named and named.turn >= self._turn - 1 else None

    def _new(self, place: DocumentNode, number: int) -> str:
        reference = f"e{number}"
        while (other := self._elements.get(reference)) and other.place.context == place.context:
            number += _APART
            reference = f"e{number}"
        return reference

    def _forget_oldest(self) -> None:
        while len(self._elements) > _REMEMBERED:
            self._forget(next(iter(self._elements)))

    def _forget(self, reference: str) -> None:
        if named := self._elements.pop(reference, None):
            self._refs.pop(named.place, None)
