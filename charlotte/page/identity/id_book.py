"""Ids of the elements of a page: hashes of their keys that stay for the life of a node.

The probe numbers the nodes of a document. A node keeps its id while it has its number, even if it
leaves and comes back. The id of a deleted node goes to a new node with the last key, if there is
only one, or if its neighbours show which of several it is. Another new node gets the hash of its
composite key, with the lowest suffix ``-2``, ``-3`` … that was never used. So an id never changes
its meaning.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from typing import TypeVar

import attrs

from charlotte.page.capture import Capture, Node
from charlotte.page.identity.assignment import (
    CaptureIds,
    DepartedNode,
    IdDraft,
    assign_ids,
    build_draft,
    get_kin,
)
from charlotte.page.identity.elements import Identity, Scene
from charlotte.page.record_base import frozen_record

K = TypeVar("K")
V = TypeVar("V")

_REMEMBERED = 20_000
"""Ids that are kept of departed nodes and of shown elements."""

_RESTLESS = 2
"""Changes after which a heading no longer identifies the elements below it."""

_MOST_SCENES = 4
"""Captures of single shown elements that are kept until a whole page is shown."""


@frozen_record
class ShownElement:
    """State of an element when it was last shown to the agent; ``turn`` counts whole answers.

    ``url`` is the address of the document that contains the element, ``answer`` the name of the
    capture.
    """

    document: str
    url: str
    nid: int
    identity: Identity
    answer: str
    turn: int

    @property
    def role(self) -> str:
        """Role of the element."""
        return self.identity.role

    @property
    def name(self) -> str:
        """Name of the element."""
        return self.identity.name


@attrs.define(eq=False)
class IdBook:
    """The ids of one tab; ``identify`` replaces all of them in one step.

    ``lost_some`` is whether ids left with the last step.
    """

    _ids: CaptureIds | None = None
    _departed: dict[str, DepartedNode] = attrs.field(factory=dict[str, DepartedNode])
    _shown: dict[str, ShownElement] = attrs.field(factory=dict[str, ShownElement])
    _draft: IdDraft | None = None
    _successors: dict[int, str] = attrs.field(factory=dict[int, str])
    _turn: int = 0
    _heading_changes: dict[str, tuple[int, int]] = attrs.field(factory=dict[str, tuple[int, int]])
    _scenes: dict[str, Scene] = attrs.field(factory=dict[str, Scene])
    lost_some: bool = False
    shown_scene: Scene | None = None
    """The capture of which the agent was last shown everything, or all changes."""

    @property
    def scene(self) -> Scene | None:
        """The last capture."""
        return self._ids.scene if self._ids else None

    def find_contested(self, capture: Capture) -> list[int]:
        """Return the numbers of departed nodes whose ids new nodes of ``capture`` would get.

        `identify` needs to know which of them are still in the document.
        """
        draft = self._get_draft(capture)
        departed = [node for node in draft.departed.values() if node.number]
        if not (departed and draft.claims):
            return []
        claimed = {claim.number for claim in draft.claims}
        kin = {get_kin(claim.key) for claim in draft.claims}
        return [
            abs(node.number)
            for node in departed
            if get_kin(node.key) in kin and node.number not in claimed
        ]

    def identify(self, capture: Capture, alive: Collection[int] = ()) -> Mapping[int, str]:
        """Give all nodes of ``capture`` ids, and return the ids by node number.

        ``alive`` are the numbers from `find_contested` whose nodes are in the document but not
        visible: they keep their ids.
        """
        draft, self._draft = self._get_draft(capture), None
        if self._ids and self._ids.capture.document != capture.document:
            self._successors.clear()  # node numbers start again
        if draft.claims:
            assign_ids(draft, frozenset(alive))
        numbers = draft.numbers
        by_number = {number: element_id for element_id, number in numbers.items()}
        self._ids = CaptureIds(draft.scene, by_number, numbers)
        self.lost_some = len(draft.departed) > len(self._departed)
        self._departed = draft.departed
        for element_id in draft.departed.keys() & numbers.keys():
            if number := abs(draft.departed.pop(element_id).number):
                self._successors[number] = element_id
        _forget_oldest(draft.departed)
        _forget_oldest(self._successors)
        return by_number

    def _get_draft(self, capture: Capture) -> IdDraft:
        if self._draft is None or self._draft.capture is not capture:
            self._draft = build_draft(capture, self._ids, self._departed)
        return self._draft

    def resolve(self, element_id: str) -> int | None:
        """Return the number of the node with this id."""
        number = self._ids.numbers.get(element_id) if self._ids else None
        return None if number is None else abs(number)

    def find_successor(self, nid: int) -> int | None:
        """Return the number of the node that has the last id of a deleted node."""
        element_id = self._successors.get(nid)
        return self.resolve(element_id) if element_id else None

    def find_hidden(self, element_id: str) -> int | None:
        """Return the number of the departed node with this id: it may be in the document."""
        node = self._departed.get(element_id)
        return abs(node.number) if node and node.number else None

    def get_id(self, nid: int) -> str | None:
        """Return the id of a node."""
        return self._ids.by_number.get(nid) if self._ids else None

    def get_node(self, nid: int) -> Node | None:
        """Return a node of the last capture."""
        return self._ids.capture.by_nid.get(nid) if self._ids else None

    def note_shown(self, element_ids: Iterable[str]) -> None:
        """Remember the state of elements that the agent is shown; unknown ids are ignored."""
        for element_id in element_ids:
            number = self._ids.numbers.get(element_id, 0) if self._ids else 0
            if shown := self.describe_now(abs(number)):
                self._shown.pop(element_id, None)
                self._shown[element_id] = shown
                if self.scene:
                    self._scenes.setdefault(self.scene.capture.answer, self.scene)
                    while len(self._scenes) > _MOST_SCENES:
                        del self._scenes[next(iter(self._scenes))]
        _forget_oldest(self._shown)

    def note_page_shown(self) -> None:
        """Remember that the agent is shown the page of the last capture, or all its changes."""
        self.shown_scene = self.scene
        self._turn += 1
        self._scenes.clear()

    def describe_now(self, nid: int) -> ShownElement | None:
        """Return the state of a node in the last capture."""
        node, scene = self.get_node(nid), self.scene
        if scene is None or node is None:
            return None
        document, answer = scene.capture.document, scene.capture.answer
        identity = scene.identity(node)
        return ShownElement(document, scene.url(nid), nid, identity, answer, self._turn)

    def get_last_shown(self, element_id: str) -> ShownElement | None:
        """Return the state in which an element was last shown, in any document."""
        return self._shown.get(element_id)

    def find_known_scene(self, shown: ShownElement) -> Scene | None:
        """Return the capture from which the agent knows the page around an element."""
        if shown.turn < self._turn:
            return self.shown_scene
        return self._scenes.get(shown.answer) or next(iter(self._scenes.values()), None)

    def is_from_here(self, shown: ShownElement) -> bool:
        """Return whether an element was shown in the current document."""
        return self._ids is not None and self._ids.capture.document == shown.document

    def note_heading_change(self, reference: str) -> bool:
        """Count a change of the heading above an element; return whether it changes all the time.

        Only changes after another whole answer to the agent count.
        """
        count, turn = self._heading_changes.pop(reference, (0, -1))
        self._heading_changes[reference] = count + (turn != self._turn), self._turn
        _forget_oldest(self._heading_changes)
        return count >= _RESTLESS


def _forget_oldest(memory: dict[K, V]) -> None:
    for key in tuple(islice(memory, max(len(memory) - _REMEMBERED, 0))):
        del memory[key]
