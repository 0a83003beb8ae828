"""Forms of references to elements, and the nodes for which e-refs and @refs stand."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Literal

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.identity.id_book import ShownElement
from charlotte.page.model import ReferenceTarget
from charlotte.page.record_base import frozen_record

ReferenceForm = Literal["hash", "dom", "node", "table"]

_FORMS: Mapping[ReferenceForm, tuple[re.Pattern[str], str]] = {
    "dom": (re.compile(r"dom-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "dom-3fa2 (from find{selector})"),
    "node": (re.compile(r"([A-Za-z0-9_-]{1,60}:)?e\d{1,12}"), "e123 (from observe{mode:tree})"),
    "table": (re.compile(r"@ref:\d{1,6}"), "@ref:4 (from the last observe that returned any)"),
    "hash": (re.compile(r"[a-z]{2,3}-[0-9a-f]{4}(-[1-9]\d{0,8})?"), "btn-a3f1 or btn-a3f1-2"),
}
"""Pattern and example of each form, in the order in which they are tried."""

_LONGEST_SHOWN = 60
_REMEMBERED = 20_000
_PROCESS_SPAN = 10**9
"""Added to a number that the browser uses in two processes for different nodes."""


def is_reference(text: str) -> bool:
    """Return whether a text has the form of a reference; such a text is not a CSS selector."""
    return any(pattern.fullmatch(text) for pattern, _ in _FORMS.values())


def get_reference_form(reference: str) -> ReferenceForm:
    """Return the form of a reference; raises `InvalidArgument` for other texts."""
    for form, (pattern, _) in _FORMS.items():
        if pattern.fullmatch(reference):
            return form
    accepted = ", ".join(example for _, example in _FORMS.values())
    raise InvalidArgument(
        f"{reference[:_LONGEST_SHOWN]!r} is not a reference to an element. Accepted: {accepted}.",
        "Copy an id exactly from observe, find or a delta.",
    )


@frozen_record
class NamedNode:
    """A node with the role and name that were last sent with its reference, in answer ``turn``.

    ``shown`` is the state of the node, if the page's capture contains it.
    """

    place: DocumentNode
    role: str
    name: str
    turn: int
    shown: ShownElement | None = None


@attrs.define(eq=False)
class RefBook:
    """Nodes by reference: ``e123`` has the browser's number, ``@ref:4`` is in the last table.

    ``prefix`` is the name of the tab's context, if it has one: its e-refs are ``name:e123``.
    """

    prefix: str = ""
    _nodes: dict[str, NamedNode] = attrs.field(factory=dict[str, NamedNode])
    _refs: dict[DocumentNode, str] = attrs.field(factory=dict[DocumentNode, str])
    _table: list[NamedNode] = attrs.field(factory=list[NamedNode])
    _turn: int = 0

    def begin_answer(self) -> None:
        """Begin another answer with references: those of the last but one become old."""
        self._turn += 1

    def has_reference(self, place: DocumentNode) -> bool:
        """Return whether a node has an e-ref."""
        return place in self._refs

    def name(
        self,
        place: DocumentNode,
        number: int,
        target: ReferenceTarget,
        shown: ShownElement | None = None,
    ) -> str:
        """Return the e-ref of a node, a new one from the browser's ``number`` if it has none."""
        reference = self._refs.get(place)
        if reference is None:
            reference = f"e{number}"
            while (other := self._nodes.get(reference)) and other.place.context == place.context:
                number += _PROCESS_SPAN
                reference = f"e{number}"
        self._forget(reference)
        self._refs[place] = reference
        self._nodes[reference] = NamedNode(place, target.role, target.name, self._turn, shown)
        while len(self._nodes) > _REMEMBERED:
            self._forget(next(iter(self._nodes)))
        return f"{self.prefix}:{reference}" if self.prefix else reference

    def replace_table(
        self,
        context: str,
        targets: Iterable[ReferenceTarget],
        describe: Callable[[int], ShownElement | None] = lambda _: None,
    ) -> None:
        """Replace the table of @refs by nodes of the page whose main document has ``context``."""
        self._table = [
            NamedNode(
                DocumentNode(context, target.nid),
                target.role,
                target.name,
                self._turn,
                describe(target.nid),
            )
            for target in targets
        ]

    def find(self, reference: str) -> NamedNode | None:
        """Return the node of a reference; None if it is unknown or in an older table."""
        if not reference.startswith("@ref:"):
            prefix, _, bare = reference.rpartition(":")
            return self._nodes.get(bare) if prefix in {"", self.prefix} else None
        number = int(reference.removeprefix("@ref:"))
        return self._table[number] if number < len(self._table) else None

    def find_recent(self, reference: str) -> NamedNode | None:
        """Return the node if one of the last two answers contained the reference (V-STALE-06)."""
        named = self.find(reference)
        return named if named and named.turn >= self._turn - 1 else None

    def _forget(self, reference: str) -> None:
        if named := self._nodes.pop(reference, None):
            self._refs.pop(named.place, None)
