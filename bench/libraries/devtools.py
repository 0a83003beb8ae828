"""An agent with chrome-devtools-mcp, without its code tools but with its tool for places."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import attrs

from bench.libraries.peer import NotOffered, PeerAgent, centre
from bench.libraries.sight import Box
from bench.libraries.trees import read_uids
from bench.peers import CHROME_DEVTOOLS
from tests.libraries.calls import ToolFailed
from tests.libraries.steps import Click, Drag, Element, Place, Scroll

_SHOWN = "uid="


@attrs.define(eq=False)
class Devtools(PeerAgent):
    """An agent that has a snapshot in the answer to an action if the next step needs one."""

    name: ClassVar[str] = CHROME_DEVTOOLS

    def open(self, url: str) -> None:
        """Load a page."""
        self._call("navigate_page", type="url", url=url)

    def search(self, element: Element) -> None:
        """Take a snapshot."""
        del element
        self.nodes = read_uids(self._call("take_snapshot"))

    def look(self) -> None:
        """Take a screenshot."""
        self._call("take_screenshot")

    def evaluate(self, function: str) -> str:
        """Evaluate a function, not counted."""
        return self.calls.server.call("evaluate_script", pageId=1, function=function).text

    def click(self, ref: str, step: Click) -> None:
        """Click an element."""
        if step.kind in {"right", "triple"} or step.modifiers:
            raise NotOffered(f"{self.name} has no {step.kind} click with {step.modifiers}")
        is_choice = isinstance(step.target, Element) and step.target.role in {"radio", "checkbox"}
        try:
            self._act("click", uid=ref, **({"dblClick": True} if step.kind == "double" else {}))
        except ToolFailed:
            if not is_choice:
                raise
            self._act("fill", uid=ref, value="true")

    def open_list(self, target: Element) -> None:
        """Open the list of a combobox, or press what stands beside it if it is covered."""
        node = self.find(target)
        self._opened = node.target
        try:
            self.click(node.target, Click(target))
        except ToolFailed:
            beside = self.nodes[self.nodes.index(node) + 1]
            self.click(beside.target, Click(target))

    def choose_native(self, target: Element, options: Sequence[str]) -> bool:
        """Choose in a select of the browser, which the snapshot shows with its options."""
        node = self.find(target)
        if not any(child.role == "option" for child in node.children) or len(options) > 1:
            return False
        self._act("fill", uid=node.target, value=options[0])
        return True

    def filter_list(self, target: Element, name: str) -> None:
        """Fill in the combobox: that also reaches one that is covered."""
        self.on(target, lambda ref: self._act("fill", uid=ref, value=name))

    def click_place(self, place: Place, step: Click) -> None:
        """Click a place."""
        if step.kind in {"right", "triple"} or step.modifiers:
            raise NotOffered(f"{self.name} has no {step.kind} click with {step.modifiers}")
        double = {"dblClick": True} if step.kind == "double" else {}
        self._act("click_at", x=place.x, y=place.y, **double)

    def focus(self, ref: str) -> None:
        """Click: there is no other way to focus."""
        self._act("click", uid=ref)

    def fill(self, values: Mapping[Element, str | bool]) -> None:
        """Fill in a field, or several at once."""
        elements = [
            {"uid": self.find(element).target, "value": "true" if value is True else value}
            for element, value in values.items()
        ]
        if len(elements) == 1:
            self._act("fill", **elements[0])
        else:
            self._act("fill_form", elements=elements)

    def fill_range(self, element: Element, value: str) -> None:
        """Fill in a range field."""
        self._act("fill", uid=self.find(element).target, value=value)

    def fill_segments(self, group: Element, digits: str) -> None:
        """Type digits into the first segment; the field moves on by itself."""
        node = self.find(group)
        segment = next((one for one in node.children if one.role == "spinbutton"), node)
        self.focus(segment.target)
        self._call("type_text", text=digits)

    def write(self, text: str, *, enter: bool) -> None:
        """Type where the focus is."""
        self._call("type_text", text=text, **({"submitKey": "Enter"} if enter else {}))

    def mark(self, box: Box, text: str) -> None:
        """Double-click a word; select several by keys."""
        at = centre(box)
        if re.fullmatch(r"\w+", text):
            self._act("click_at", x=at.x, y=at.y, dblClick=True)
            return
        self._act("click_at", x=round(box.left), y=at.y)
        for _ in text:
            self.press("Shift+ArrowRight")

    def press(self, key: str) -> None:
        """Press a key."""
        self._act("press_key", key=key)

    def drag(self, step: Drag) -> None:
        """Drag between elements."""
        if not (isinstance(step.source, Element) and isinstance(step.to, Element)) or step.hold:
            raise NotOffered(f"{self.name} drags only from element to element")
        source, target = self.find(step.source), self.find(step.to)
        self._act("drag", from_uid=source.target, to_uid=target.target)

    def hover(self, target: Element | Place) -> None:
        """Move the mouse to an element."""
        if isinstance(target, Place):
            raise NotOffered(f"{self.name} hovers only over elements")
        self.on(target, lambda ref: self._act("hover", uid=ref))

    def upload(self, ref: str, path: str) -> None:
        """Give a file."""
        self._act("upload_file", uid=ref, filePaths=[path])

    def scroll(self, step: Scroll) -> None:
        """Press PageDown: there is no tool to scroll."""
        self._act("click_at", x=step.place.x, y=step.place.y)
        self.press_all(["PageDown"] * round(step.by.y / 400))
        self.nodes = []

    def _act(self, tool: str, **arguments: Any) -> None:
        """Act; ask for a snapshot if the next step needs an element that is not known."""
        is_known = self.knows(self.next_step) and not self.expects_list
        wanted = {} if is_known else {"includeSnapshot": True}
        answer = self._call(tool, **arguments, **wanted)
        if _SHOWN in answer:
            self.nodes = read_uids(answer)

    def _call(self, tool: str, **arguments: Any) -> str:
        return self.calls.call(tool, pageId=1, **arguments)
