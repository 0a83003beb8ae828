"""Remembers what e-refs and @refs of one tab were given to (surface, section 5)."""

from collections.abc import Callable, Iterable

import attrs

from charlotte.page.identity.dom_book import Place
from charlotte.page.identity.ids import Shown
from charlotte.page.modes.lines import Given
from charlotte.page.record import record

_REMEMBERED = 20_000
_APART = 10**9
"""Added to a number that the browser uses in two processes for different nodes."""

Describe = Callable[[int], Shown | None]
"""What a node is, by its number."""


@record
class Named:
    """A node, and what was said of it in which ``turn``, when its reference was last told.

    ``shown`` is what it was as far as the page's capture has it.
    """

    place: Place
    role: str
    name: str
    turn: int
    shown: Shown | None = None


@attrs.define(eq=False)
class RefBook:
    """``e123`` is the browser's number of a node; ``@ref:4`` a place in the table told last.

    ``prefix`` is the name of the tab's context, if that has one: its e-refs are ``clean:e123``.
    """

    prefix: str = ""
    _elements: dict[str, Named] = attrs.field(factory=dict[str, Named])
    _refs: dict[Place, str] = attrs.field(factory=dict[Place, str])
    _table: list[Named] = attrs.field(factory=list[Named])
    _turn: int = 0

    def begin(self) -> None:
        """Another answer with references begins: those of the last but one are old."""
        self._turn += 1

    def is_named(self, place: Place) -> bool:
        """Whether a node has been given an e-ref."""
        return place in self._refs

    def name(self, place: Place, number: int, given: Given, shown: Shown | None = None) -> str:
        """The e-ref of a node, which the browser calls by that number."""
        reference = self._refs.get(place) or self._new(place, number)
        self._forget(reference)
        self._refs[place] = reference
        self._elements[reference] = Named(place, given.role, given.name, self._turn, shown)
        self._forget_oldest()
        return f"{self.prefix}:{reference}" if self.prefix else reference

    def tabulate(
        self, context: str, given: Iterable[Given], shown: Describe = lambda _: None
    ) -> None:
        """Have a new table of @refs, of nodes of the page whose main document has that context."""
        self._table = [
            Named(Place(context, one.nid), one.role, one.name, self._turn, shown(one.nid))
            for one in given
        ]

    def find(self, reference: str) -> Named | None:
        """What a reference was given to; None if it was not, or in a table that was replaced."""
        if not reference.startswith("@ref:"):
            prefix, _, bare = reference.rpartition(":")
            return self._elements.get(bare) if prefix in {"", self.prefix} else None
        number = int(reference.removeprefix("@ref:"))
        return self._table[number] if number < len(self._table) else None

    def described(self, reference: str) -> Named | None:
        """The same, if it was told by one of the last two answers (V-STALE-06)."""
        named = self.find(reference)
        return named if named and named.turn >= self._turn - 1 else None

    def _new(self, place: Place, number: int) -> str:
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
