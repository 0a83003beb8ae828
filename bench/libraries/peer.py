"""The common part of the agents that work through tasks with another server.

It knows the refs of its snapshots; it looks again if an element is not among them or a ref is
dead. What a person reads off a screenshot (a place, the value of a slider) costs it a screenshot,
no characters.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import singledispatchmethod
from itertools import pairwise
from pathlib import Path
from typing import ClassVar, Final

import attrs

from bench.libraries.sight import Box, SliderState, box_of_text, slider_state
from bench.libraries.trees import Node, pick
from tests.libraries.calls import Calls, ToolFailed
from tests.libraries.steps import (
    Choose,
    Click,
    Drag,
    Element,
    Fill,
    Hover,
    Keys,
    Look,
    Mark,
    Place,
    Scroll,
    Step,
    Task,
    Upload,
    Write,
)

MOST_KEYS: Final = 120


class NotOffered(ToolFailed):
    """The server has no tool for a step."""


class StaleRef(ToolFailed):
    """A ref is of an element that is gone."""


@attrs.define(eq=False)
class PeerAgent(ABC):
    """An agent that takes the steps of tasks; `ToolFailed` ends a task."""

    name: ClassVar[str]
    calls: Calls
    files: Path
    nodes: list[Node] = attrs.field(factory=list[Node], init=False)
    expects_list: bool = attrs.field(default=False, init=False)
    _opened: str = attrs.field(default="", init=False)
    _rest: list[Step] = attrs.field(factory=list[Step], init=False)

    def work(self, task: Task, origin: str) -> None:
        """Open the page, look at it and take all steps. Raises `ToolFailed`."""
        self.open(f"{origin}/{task.page}")
        self.nodes = []
        self._rest = list(task.steps)
        while self._rest:
            self._take(self._rest.pop(0))

    @singledispatchmethod
    def _take(self, step: Step) -> None:
        raise NotImplementedError(step)

    @_take.register
    def _(self, step: Click) -> None:
        if isinstance(step.target, Place):
            self.click_place(step.target, step)
        else:
            self.on(step.target, lambda ref: self.click(ref, step))

    @_take.register
    def _(self, step: Fill) -> None:
        self._fill(step.values)

    @_take.register
    def _(self, step: Choose) -> None:
        self._choose(step.target, step.options)

    @_take.register
    def _(self, step: Write) -> None:
        self.write(step.text, enter=step.enter)

    @_take.register
    def _(self, step: Mark) -> None:
        self.look()
        self.mark(box_of_text(step.text, self.evaluate), step.text)

    @_take.register
    def _(self, step: Keys) -> None:
        if step.on:
            self.on(step.on, self.focus)
        self.press_all([*step.keys] * step.times)

    @_take.register
    def _(self, step: Drag) -> None:
        self.drag(step)

    @_take.register
    def _(self, step: Hover) -> None:
        self.hover(step.target)

    @_take.register
    def _(self, step: Upload) -> None:
        (self.files / step.name).write_text("A small file.")
        self.on(step.target, lambda ref: self.upload(ref, str(self.files / step.name)))

    @_take.register
    def _(self, step: Scroll) -> None:
        self.scroll(step)

    @_take.register
    def _(self, step: Look) -> None:
        del step
        self.look()

    def on(self, element: Element, act: Callable[[str], object]) -> None:
        """Act on an element; look again if its ref turns out to be dead."""
        node = self.find(element)
        try:
            act(node.target)
        except NotOffered:
            raise
        except ToolFailed:
            self.nodes = []
            try:
                act(self.find(element).target)
            except ToolFailed:
                if not element.shows:
                    raise
                act(self.find(Element("", element.shows)).target)

    def find(self, element: Element) -> Node:
        """Return the element from the snapshots so far, or from a new one."""
        node = pick(self.nodes, element)
        if node is None or not node.ref:
            self.search(element)
            node = pick(self.nodes, element)
        if node is None:
            raise ToolFailed(f"{self.name}: no {element} in the snapshot")
        return node

    def knows(self, step: Step | None) -> bool:
        """Return whether the elements of a step are in the snapshots so far."""
        match step:
            case Click(Element() as one) | Hover(Element() as one) | Choose(one) | Upload(one):
                return pick(self.nodes, one) is not None
            case Fill(values):
                return all(pick(self.nodes, one) for one in values)
            case _:
                return True

    @property
    def next_step(self) -> Step | None:
        """The step after the present one."""
        return self._rest[0] if self._rest else None

    def _fill(self, values: Mapping[Element, str | bool]) -> None:
        plain = {one: value for one, value in values.items() if one.role not in _SPECIAL}
        if plain:
            self.fill(plain)
        for element, value in values.items():
            if element.role == "group":
                self.fill_segments(element, re.sub(r"\D", "", str(value)))
            elif element.role in _SLIDERS and self.slider(element).is_native:
                self.fill_range(element, str(value))
            elif element.role in _SLIDERS:
                self.slide(element, float(value))

    def _choose(self, target: Element, options: Sequence[str]) -> None:
        """Open a list; press the options, after their branches; filter if one is not there."""
        if self.choose_native(target, options):
            return
        self.expects_list = True
        self.open_list(target)
        for option in options:
            *branches, leaf = option.split(" / ")
            for branch, child in pairwise([*branches, leaf]):
                self._unfold(branch)
                if not self._shows(child):
                    self._unfold(branch)  # some lists ignore the first click
                if not self._shows(child):
                    self.press("ArrowRight")
            self._press_option(target, leaf)
        self.expects_list = False

    def _shows(self, option: str) -> bool:
        if pick(self.nodes, Element("option", option)) is None:
            self.search(Element("option", option))
        return pick(self.nodes, Element("option", option)) is not None

    def _unfold(self, branch: str) -> None:
        node = self.find(Element("option", branch))
        arrow = next((one for one in _family(node) if one.role in _ARROWS and one.ref), node)
        self.click(arrow.target, Click(Element("", branch)))

    def _press_option(self, target: Element, name: str) -> None:
        wanted = Element("option", name)
        try:
            self.click(self.find(wanted).target, Click(wanted))
        except StaleRef:  # the list has closed
            self.click(self._opened, Click(target))
            self.nodes = []
            self._press_option(target, name)
        except ToolFailed:
            self.filter_list(target, name)
            self.search(wanted)
            if pick(self.nodes, wanted):
                self.on(wanted, lambda ref: self.click(ref, Click(wanted)))
            else:  # the list has no nodes, but the filter leaves one option
                self.press("Enter")

    def open_list(self, target: Element) -> None:
        """Open the list of a combobox."""
        self._opened = self.find(target).target
        self.on(target, lambda ref: self.click(ref, Click(target)))

    def filter_list(self, target: Element, name: str) -> None:
        """Type into a combobox to show an option."""
        del target
        self.write(name, enter=False)

    def press_all(self, keys: Sequence[str]) -> None:
        """Press keys, as many as a patient agent would."""
        if len(keys) > MOST_KEYS:
            raise NotOffered(f"{self.name}: {len(keys)} keys would take as many calls")
        for key in keys:
            self.press(key)

    def slider(self, element: Element) -> SliderState:
        """Return the state of a slider, as the page shows it."""
        sliders = [node.ref for node in self.nodes if node.role in _SLIDERS]
        node = pick(self.nodes, element)
        place = sliders.index(node.ref) if node and node.ref in sliders else 0
        return slider_state(element.name, place, self.evaluate)

    def slide(self, element: Element, value: float) -> None:
        """Set a slider with as many keys as it takes."""
        self.on(element, self.focus)
        self.slide_by_keys(element, value)

    def slide_by_keys(self, element: Element, value: float) -> None:
        """Set a slider that has the focus; the first key shows how far one goes."""
        before = self.slider(element).value
        key = "ArrowRight" if value > before else "ArrowLeft"
        self.press(key)
        now = self.slider(element).value
        if now == before:
            self.on(element, self.focus)
            before = self.slider(element).value
            key = "ArrowRight" if value > before else "ArrowLeft"
            self.press(key)
            now = self.slider(element).value
        step = abs(now - before)
        self.press_all([key] * (round(abs(value - now) / step) if step else 0))

    @abstractmethod
    def open(self, url: str) -> None:
        """Load a page."""

    @abstractmethod
    def search(self, element: Element) -> None:
        """Look for an element: add to `nodes`."""

    @abstractmethod
    def look(self) -> None:
        """Take a screenshot."""

    @abstractmethod
    def evaluate(self, function: str) -> str:
        """Evaluate a function in the page, not counted."""

    @abstractmethod
    def click(self, ref: str, step: Click) -> None:
        """Click an element."""

    @abstractmethod
    def click_place(self, place: Place, step: Click) -> None:
        """Click a place."""

    @abstractmethod
    def focus(self, ref: str) -> None:
        """Move the focus to an element."""

    @abstractmethod
    def fill(self, values: Mapping[Element, str | bool]) -> None:
        """Fill in fields."""

    @abstractmethod
    def choose_native(self, target: Element, options: Sequence[str]) -> bool:
        """Choose in a select of the browser; return False if the element is another kind."""

    @abstractmethod
    def fill_range(self, element: Element, value: str) -> None:
        """Fill in a range field."""

    @abstractmethod
    def fill_segments(self, group: Element, digits: str) -> None:
        """Type digits into a field that consists of segments."""

    @abstractmethod
    def write(self, text: str, *, enter: bool) -> None:
        """Type where the focus is."""

    @abstractmethod
    def mark(self, box: Box, text: str) -> None:
        """Select a text at a place."""

    @abstractmethod
    def press(self, key: str) -> None:
        """Press a key."""

    @abstractmethod
    def drag(self, step: Drag) -> None:
        """Drag."""

    @abstractmethod
    def hover(self, target: Element | Place) -> None:
        """Move the mouse."""

    @abstractmethod
    def upload(self, ref: str, path: str) -> None:
        """Give a file."""

    @abstractmethod
    def scroll(self, step: Scroll) -> None:
        """Turn the wheel."""


_ARROWS: Final = frozenset({"button", "img", "image"})
_SLIDERS: Final = frozenset({"slider", "separator"})
_SPECIAL: Final = _SLIDERS | {"group"}


def _family(node: Node) -> list[Node]:
    """Return the elements in a node and those next to it."""
    around = node.parent.children if node.parent else [node]
    place = around.index(node)
    return [*node.children, *around[max(0, place - 1) : place], *around[place + 1 : place + 2]]


def centre(box: Box) -> Place:
    """Return the place in the middle of a box."""
    return Place(round(box.left + box.width / 2), round(box.top + box.height / 2))
