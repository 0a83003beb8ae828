"""The ids of a tab's elements, and the state in which the agent was last shown each element.

`assignment` gives the nodes of each capture their ids.
"""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from itertools import islice
from typing import TypeVar

import attrs

from charlotte.page.capture import Capture
from charlotte.page.identity.assignment import CaptureIds, assign_ids, build_draft, get_kin
from charlotte.page.identity.records import Identity, Scene
from charlotte.page.model import Node, frozen_record

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_REMEMBERED = 20_000
"""Ids that are kept of departed nodes and of shown elements."""

_RESTLESS = 2
"""Changes after which a heading no longer identifies the elements below it."""

_MOST_SCENES = 4
"""Captures of single shown elements that are kept until a whole page is shown."""


class Memory(dict[K, V]):
    """A dictionary of the 20,000 items that were set last."""

    def __setitem__(self, key: K, value: V) -> None:
        self.pop(key, None)
        super().__setitem__(key, value)
        if len(self) > _REMEMBERED:
            del self[next(iter(self))]


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


@attrs.define(eq=False)
class ShownMemory:
    """What an agent was shown of a page: elements, and the capture ``scene`` as a whole."""

    elements: Memory[str, ShownElement] = attrs.field(factory=Memory[str, ShownElement])
    scene: Scene | None = None
    turn: int = 0
    scenes: dict[str, Scene] = attrs.field(factory=dict[str, Scene])
    heading_changes: Memory[str, tuple[int, int]] = attrs.field(
        factory=Memory[str, tuple[int, int]]
    )

    def add(self, element_id: str, shown: ShownElement, scene: Scene) -> None:
        """Remember the state of an element that the agent is shown."""
        self.elements[element_id] = attrs.evolve(shown, turn=self.turn)
        self.scenes.setdefault(scene.capture.answer, scene)
        while len(self.scenes) > _MOST_SCENES:
            del self.scenes[next(iter(self.scenes))]

    def add_page(self, scene: Scene) -> None:
        """Remember that the agent is shown a page, or all its changes."""
        self.scene = scene
        self.turn += 1
        self.scenes.clear()


@attrs.define(eq=False)
class IdBook:
    """The ids of one tab; ``identify`` replaces all of them in one step.

    ``lost_some`` is whether ids left with the last step. ``everyone`` is what some agent was shown
    last; ``memory`` returns what the agent of the present call was shown.
    """

    everyone: ShownMemory = attrs.field(factory=ShownMemory)
    memory: Callable[[], ShownMemory] | None = None

    _ids: CaptureIds = attrs.field(factory=lambda: CaptureIds(Scene(Capture())))
    _draft: CaptureIds | None = None
    _successors: Memory[int, str] = attrs.field(factory=Memory[int, str])
    lost_some: bool = False

    @property
    def shown_scene(self) -> Scene | None:
        """The capture of which the agent was last shown everything, or all changes."""
        return self._own.scene or self.everyone.scene

    @property
    def _own(self) -> ShownMemory:
        """What the agent of the present call was shown."""
        return self.memory() if self.memory is not None else self.everyone

    @property
    def scene(self) -> Scene:
        """The last capture; at first an empty one."""
        return self._ids.scene

    def find_contested(self, capture: Capture) -> list[int]:
        """Return the numbers of departed nodes whose ids new nodes of ``capture`` would get.

        `identify` needs to know which of them are still in the document.
        """
        draft = self._get_draft(capture)
        if not draft.claims:
            return []
        claimed = {claim.number for claim in draft.claims}
        kin = {get_kin(claim.key) for claim in draft.claims}
        return [
            abs(node.number)
            for node in draft.departed.values()
            if node.number and node.number not in claimed and get_kin(node.key) in kin
        ]

    def identify(self, capture: Capture, alive: Collection[int] = ()) -> Mapping[int, str]:
        """Give all nodes of ``capture`` ids, and return the ids by node number.

        ``alive`` are the numbers from `find_contested` whose nodes are in the document but not
        visible: they keep their ids.
        """
        draft, self._draft = self._get_draft(capture), None
        if self._ids.capture.document != capture.document:
            self._successors.clear()  # node numbers start again
        if draft.claims:
            assign_ids(draft, frozenset(alive))
        self.lost_some = len(draft.departed) > len(self._ids.departed)
        self._ids, departed = draft, draft.departed
        for element_id in departed.keys() & draft.numbers.keys():
            if number := abs(departed.pop(element_id).number):
                self._successors[number] = element_id
        for element_id in [*islice(departed, max(len(departed) - _REMEMBERED, 0))]:
            del departed[element_id]
        return draft.by_number

    def _get_draft(self, capture: Capture) -> CaptureIds:
        if self._draft is None or self._draft.capture is not capture:
            self._draft = build_draft(capture, self._ids)
        return self._draft

    def resolve(self, element_id: str) -> int | None:
        """Return the number of the node with this id."""
        number = self._ids.numbers.get(element_id)
        return None if number is None else abs(number)

    def find_successor(self, nid: int) -> int | None:
        """Return the number of the node that has the last id of a deleted node."""
        return self.resolve(self._successors.get(nid, ""))

    def find_hidden(self, element_id: str) -> int | None:
        """Return the number of the departed node with this id: it may be in the document."""
        node = self._ids.departed.get(element_id)
        return abs(node.number) if node and node.number else None

    def get_id(self, nid: int) -> str | None:
        """Return the id of a node."""
        return self._ids.by_number.get(nid)

    def get_node(self, nid: int) -> Node | None:
        """Return a node of the last capture."""
        return self._ids.capture.by_nid.get(nid)

    def note_shown(self, element_ids: Iterable[str]) -> None:
        """Remember the state of elements that the agent is shown; unknown ids are ignored."""
        memories = self._memories()
        for element_id in element_ids:
            if shown := self.describe_now(self.resolve(element_id) or 0):
                for memory in memories:
                    memory.add(element_id, shown, self.scene)

    def note_page_shown(self) -> None:
        """Remember that the agent is shown the page of the last capture, or all its changes."""
        for memory in self._memories():
            memory.add_page(self.scene)

    def _memories(self) -> list[ShownMemory]:
        own = self._own
        return [own] if own is self.everyone else [own, self.everyone]

    def describe_now(self, nid: int) -> ShownElement | None:
        """Return the state of a node in the last capture."""
        scene, node = self.scene, self.get_node(nid)
        if node is None:
            return None
        document, answer = scene.capture.document, scene.capture.answer
        identity = scene.identity(node)
        return ShownElement(document, scene.url(nid), nid, identity, answer, self._own.turn)

    def get_last_shown(self, element_id: str) -> ShownElement | None:
        """Return the state in which an element was last shown, in any document.

        If the agent was not shown it, that is the state in which another agent was.
        """
        if shown := self._own.elements.get(element_id):
            return shown
        shown = self.everyone.elements.get(element_id)
        return attrs.evolve(shown, turn=-1) if shown else None

    def find_known_scene(self, shown: ShownElement) -> Scene | None:
        """Return the capture from which the agent knows the page around an element."""
        memory = self._own
        if shown.turn < memory.turn:
            return self.shown_scene
        return memory.scenes.get(shown.answer) or next(iter(memory.scenes.values()), None)

    def is_from_here(self, shown: ShownElement) -> bool:
        """Return whether an element was shown in the current document."""
        return self._ids.capture.document == shown.document

    def note_heading_change(self, reference: str) -> bool:
        """Count a change of the heading above an element; return whether it changes all the time.

        Only changes after another whole answer to the agent count.
        """
        memory = self._own
        count, turn = memory.heading_changes.get(reference, (0, -1))
        memory.heading_changes[reference] = count + (turn != memory.turn), memory.turn
        return count >= _RESTLESS
