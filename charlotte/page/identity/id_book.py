"""Gives things on a page their ids: hashes of what they are, kept for as long as they live.

How it works: the probe numbers the nodes of a document. A number that has an id keeps it, and has
it again when it comes back. An id whose node left for good goes on to a new node with the key that
was last seen, if that is the only one, or if what is around tells which of several it is. Any
other new number gets the hash of its composite key, or the lowest ``-2``, ``-3`` … of it that
nobody has or had: so no id is ever handed to something else than what it was given to.
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
"""Ids kept for nodes that left, and for what was shown: a page may make new nodes for ever."""


_RESTLESS = 2
"""Times that a heading must have changed by itself to say nothing of what is below it."""

_MOST_SCENES = 4
"""Pages from which single elements were shown that are kept until all of one is shown."""


@frozen_record
class ShownElement:
    """What an agent was last shown of an element; ``turn`` orders it among whole answers.

    ``url`` is the address of the document in which the element lies, ``answer`` the name of the
    capture from which it was shown.
    """

    document: str
    url: str
    nid: int
    identity: Identity
    answer: str
    turn: int

    @property
    def role(self) -> str:
        """Its role."""
        return self.identity.role

    @property
    def name(self) -> str:
        """Its name."""
        return self.identity.name


@attrs.define(eq=False)
class IdBook:
    """The ids of one tab; ``identify`` replaces them in one step, so a reader sees all or none.

    ``lost_some`` says whether some of those before it are not among those after it.
    """

    _ids: CaptureIds | None = None
    _left: dict[str, DepartedNode] = attrs.field(factory=dict[str, DepartedNode])
    _shown: dict[str, ShownElement] = attrs.field(factory=dict[str, ShownElement])
    _draft: IdDraft | None = None
    _passed_on: dict[int, str] = attrs.field(factory=dict[int, str])
    _told: Scene | None = None
    _turn: int = 0
    _restless: dict[str, tuple[int, int]] = attrs.field(factory=dict[str, tuple[int, int]])
    _scenes: dict[str, Scene] = attrs.field(factory=dict[str, Scene])
    lost_some: bool = False

    def find_contested(self, capture: Capture) -> list[int]:
        """Numbers of nodes that are not in ``capture``, whose ids nodes in it would take over.

        Which of them are still in the document is what `identify` wants to know.
        """
        draft = self._drafted(capture)
        away = [one for one in draft.left.values() if one.number]
        if not (away and draft.claims):
            return []
        back = {claim.number for claim in draft.claims}
        kin = {get_kin(claim.key) for claim in draft.claims}
        return [
            abs(one.number) for one in away if get_kin(one.key) in kin and one.number not in back
        ]

    def identify(self, capture: Capture, alive: Collection[int] = ()) -> Mapping[int, str]:
        """Give every node of ``capture`` its ids, and return them as ``Ids.by_number``.

        ``alive`` are the `find_contested` numbers whose nodes are in the document, though not to be
        seen: they keep what is theirs.
        """
        draft, self._draft = self._drafted(capture), None
        if self._ids and self._ids.capture.document != capture.document:
            self._passed_on.clear()  # numbers begin anew
        if draft.claims:
            assign_ids(draft, frozenset(alive))
        numbers = draft.numbers
        by_number = {number: element_id for element_id, number in numbers.items()}
        self._ids = CaptureIds(draft.scene, by_number, numbers)
        self.lost_some = len(draft.left) > len(self._left)
        self._left = draft.left
        for element_id in draft.left.keys() & numbers.keys():
            if number := abs(draft.left.pop(element_id).number):
                self._passed_on[number] = element_id
        _forget_oldest(draft.left)
        _forget_oldest(self._passed_on)
        return by_number

    def resolve(self, element_id: str) -> int | None:
        """The number of the node that has this id now."""
        number = self._ids.numbers.get(element_id) if self._ids else None
        return None if number is None else abs(number)

    def find_successor(self, nid: int) -> int | None:
        """The number of the node that has the id now which a node that left had last."""
        element_id = self._passed_on.get(nid)
        return self.resolve(element_id) if element_id else None

    def hidden(self, element_id: str) -> int | None:
        """The number of the node that had this id when it left the capture, in this document.

        It may still be there, only not to be seen.
        """
        left = self._left.get(element_id)
        return abs(left.number) if left and left.number else None

    def of(self, nid: int) -> str | None:
        """The id that a node has now."""
        return self._ids.by_number.get(nid) if self._ids else None

    def node(self, nid: int) -> Node | None:
        """A node as last captured: role, name, box."""
        return self._ids.capture.by_nid.get(nid) if self._ids else None

    def show(self, element_ids: Iterable[str]) -> None:
        """Note that an agent was shown what these ids are now; unknown ones are passed over."""
        for element_id in element_ids:
            number = self._ids.numbers.get(element_id, 0) if self._ids else 0
            if shown := self.describe_now(abs(number)):
                self._shown.pop(element_id, None)
                self._shown[element_id] = shown
                self._note_scene()
        _forget_oldest(self._shown)

    def _note_scene(self) -> None:
        """Keep the page from which single elements were shown, until all of a page is."""
        if self._ids:
            self._scenes.setdefault(self._ids.capture.answer, self._ids.scene)
            while len(self._scenes) > _MOST_SCENES:
                del self._scenes[next(iter(self._scenes))]

    def describe_now(self, nid: int) -> ShownElement | None:
        """What an agent would be shown of a node as it was last captured."""
        node = self.node(nid)
        if self._ids is None or node is None:
            return None
        scene = self._ids.scene
        document, identity = scene.capture.document, scene.identity(node)
        answer = scene.capture.answer
        return ShownElement(document, scene.url(nid), nid, identity, answer, self._turn)

    def get_last_shown(self, element_id: str) -> ShownElement | None:
        """What was last shown of this id, in this document or before; None: it never was."""
        return self._shown.get(element_id)

    def note_page_shown(self) -> None:
        """Note that an agent was shown the page, or what changed on it, as last captured."""
        self._told = self._ids.scene if self._ids else None
        self._turn += 1
        self._scenes.clear()

    def known_scene(self, shown: ShownElement) -> Scene | None:
        """The page as an agent knows it who was shown this element, and perhaps the page since."""
        if shown.turn < self._turn:
            return self._told
        return self._scenes.get(shown.answer) or next(iter(self._scenes.values()), None)

    @property
    def told(self) -> Scene | None:
        """The page of which an agent was last shown all, or what changed."""
        return self._told

    @property
    def scene(self) -> Scene | None:
        """The page as last captured."""
        return self._ids.scene if self._ids else None

    def is_from_here(self, shown: ShownElement) -> bool:
        """Whether it was shown while the present document stood."""
        return self._ids is not None and self._ids.capture.document == shown.document

    def notes_restless(self, reference: str) -> bool:
        """Whether a heading above an element changed each time after an agent looked again.

        Each call notes that it has changed once more.
        """
        count, turn = self._restless.pop(reference, (0, -1))
        self._restless[reference] = count + (turn != self._turn), self._turn
        _forget_oldest(self._restless)
        return count >= _RESTLESS

    def _drafted(self, capture: Capture) -> IdDraft:
        if self._draft is None or self._draft.capture is not capture:
            self._draft = build_draft(capture, self._ids, self._left)
        return self._draft


def _forget_oldest(memory: dict[K, V]) -> None:
    for key in tuple(islice(memory, max(len(memory) - _REMEMBERED, 0))):
        del memory[key]
