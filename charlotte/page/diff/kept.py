"""Keeps the records made of a page's nodes, so that those of unchanged nodes are not made again."""

from collections.abc import Callable
from typing import Generic, TypeVar

import attrs

from charlotte.page.capture import Node
from charlotte.page.model import Element, Heading, Landmark, Line

R = TypeVar("R")

Make = Callable[[Node, str, int], R]
"""Makes the record of a node, given its id and the position of the landmark around it."""


class Kept(Generic[R]):
    """Records of one sort, each with what it was made of."""

    def __init__(self) -> None:
        self._last: dict[int, tuple[Node, str, int, R]] = {}
        self._next: dict[int, tuple[Node, str, int, R]] = {}

    def of(self, node: Node, element_id: str, landmark: int, make: Make[R]) -> R:
        """The record made of just this node before, or a new one."""
        made = self._last.get(id(node))
        # the address of a node that is gone may be given to another
        if made is None or made[0] is not node or made[1] != element_id or made[2] != landmark:
            made = (node, element_id, landmark, make(node, element_id, landmark))
        self._next[id(node)] = made
        return made[3]

    def turn(self) -> None:
        """Forget the records that were not asked for since the last turn."""
        self._last, self._next = self._next, {}


@attrs.define(eq=False)
class Records:
    """The records of the view built last."""

    landmarks: Kept[Landmark] = attrs.field(factory=Kept[Landmark])
    headings: Kept[Heading] = attrs.field(factory=Kept[Heading])
    elements: Kept[Element] = attrs.field(factory=Kept[Element])
    lines: Kept[Line] = attrs.field(factory=Kept[Line])

    def turn(self) -> None:
        """Forget what the view that has just been built does not show."""
        self.landmarks.turn()
        self.headings.turn()
        self.elements.turn()
        self.lines.turn()
