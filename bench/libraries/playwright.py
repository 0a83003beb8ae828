"""An agent with Playwright MCP, without its code tools but with its mouse tools."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

import attrs

from bench.libraries.peer import PeerAgent, StaleRef, centre
from bench.libraries.sight import Box
from bench.libraries.trees import Node, pick, read_yaml
from bench.peers import PLAYWRIGHT
from tests.libraries.calls import ToolFailed
from tests.libraries.steps import By, Click, Drag, Element, Place, Scroll

_MODIFIERS: Final = {"ctrl": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta"}
_FIELDS: Final = {"checkbox": "checkbox", "switch": "checkbox", "radio": "radio"}
_SHORT: Final = 4
_HANDLE: Final = 60  # px


@attrs.define(eq=False)
class Playwright(PeerAgent):
    """An agent that reads a page with browser_snapshot at first, then with browser_find."""

    name: ClassVar[str] = PLAYWRIGHT
    _looked: bool = attrs.field(default=False, init=False)

    def open(self, url: str) -> None:
        """Load a page."""
        self._call("navigate", url=url)
        self._looked = False

    def search(self, element: Element) -> None:
        """Search the page that is known; look at the whole page otherwise."""
        words = element.row or element.name
        if self._looked and words:
            found = read_yaml(self._call("find", regex=f"/{re.escape(words)}/i"))
            self.nodes = [*found, *self.nodes]
            if pick(found, element):
                return
        self.nodes = read_yaml(self._call("snapshot"))
        self._looked = True

    def look(self) -> None:
        """Take a screenshot."""
        self._call("take_screenshot", scale="css")

    def evaluate(self, function: str) -> str:
        """Evaluate a function, not counted."""
        answer = self.calls.server.call("browser_evaluate", function=function).text
        return answer.partition("### Ran")[0]

    def click(self, ref: str, step: Click) -> None:
        """Click an element."""
        more: dict[str, Any] = {"doubleClick": True} if step.kind == "double" else {}
        more |= {"button": "right"} if step.kind == "right" else {}
        more |= {"modifiers": [_MODIFIERS[one] for one in step.modifiers]} if step.modifiers else {}
        self._call("click", target=ref, **more)

    def click_place(self, place: Place, step: Click) -> None:
        """Click a place."""
        count = {"double": 2, "triple": 3}.get(step.kind, 1)
        more = {"button": "right"} if step.kind == "right" else {}
        self._call("mouse_click_xy", x=place.x, y=place.y, clickCount=count, **more)

    def focus(self, ref: str) -> None:
        """Click: there is no other way to focus."""
        self._call("click", target=ref)

    def fill(self, values: Mapping[Element, str | bool]) -> None:
        """Fill in a field by browser_type, several by browser_fill_form."""
        if len(values) == 1:
            [(element, value)] = values.items()
            if element.role in _FIELDS:
                self.on(element, lambda ref: self.click(ref, Click(element)))
            else:
                keys = {"slowly": True} if element.role == "searchbox" else {}
                self.on(element, lambda ref: self._call("type", target=ref, text=value, **keys))
            return
        fields = [
            {
                "target": self.find(element).target, "name": element.name or "field",
                "type": _FIELDS.get(element.role, "textbox"),
                "value": str(value).lower() if isinstance(value, bool) else value,
            }
            for element, value in values.items()
        ]  # fmt: skip
        self._call("fill_form", fields=fields)

    def fill_range(self, element: Element, value: str) -> None:
        """Fill in a range field."""
        field = {"target": self.find(element).target, "name": element.name or "slider"}
        self._call("fill_form", fields=[{**field, "type": "slider", "value": value}])

    def fill_segments(self, group: Element, digits: str) -> None:
        """Type digits into the first segment; the field moves on by itself."""
        node = self.find(group)
        segment = next((one for one in _inside(node) if one.role == "spinbutton"), node)
        self._call("type", target=segment.target, text=digits, slowly=True)

    def write(self, text: str, *, enter: bool) -> None:
        """Type into the element that the snapshot marks as active; press keys if no element is."""
        if len(text) > _SHORT:
            found = read_yaml(self._call("find", text="[active]"))
            active = next((one for one in found if "[active]" in one.marks), None)
            if active and active.role not in {"generic", "document", "WebArea"}:
                self._call("type", target=active.target, text=text, slowly=True, submit=enter)
                return
        for key in [*text, *(["Enter"] if enter else [])]:
            self.press(key)

    def mark(self, box: Box, text: str) -> None:
        """Double-click a word; drag over several."""
        at = centre(box)
        if re.fullmatch(r"\w+", text):
            self.click_place(at, Click(at, "double"))
        else:
            left = round(box.left)
            self._drag(Place(left, at.y), Place(left + round(box.width), at.y))

    def press(self, key: str) -> None:
        """Press a key."""
        self._call("press_key", key=key)

    def drag(self, step: Drag) -> None:
        """Drag between elements, or with the mouse by places."""
        if isinstance(step.source, Element) and isinstance(step.to, Element) and not step.hold:
            source, target = self.find(step.source), self.find(step.to)
            self._call("drag", startTarget=source.target, endTarget=target.target)
            return
        start, end = self._places(step)
        if not step.via and not step.hold:
            self._drag(start, end)
            return
        self._call("mouse_move_xy", x=start.x, y=start.y)
        self._call("mouse_down")
        if step.hold:
            self._call("wait_for", time=step.hold / 1000)
        for place in (*step.via, end):
            self._call("mouse_move_xy", x=place.x, y=place.y)
        self._call("mouse_up")

    def slide(self, element: Element, value: float) -> None:
        """Drag the handle along its track; press keys for the rest."""
        handle, track = self._handle(element)
        slider, start = self.slider(element), centre(handle)
        share = (value - slider.value) / (slider.most - slider.least)
        if handle.width > _HANDLE:  # the slider is its track
            share += (slider.value - slider.least) / (slider.most - slider.least)
            place = Place(round(handle.left + share * handle.width), start.y)
            self.click_place(place, Click(place))
        else:
            self._drag(start, Place(round(start.x + share * track), start.y))
        if self.slider(element).value != value:
            self.slide_by_keys(element, value)

    def open_list(self, target: Element) -> None:
        """Open a list; look at it before the next click."""
        super().open_list(target)
        self.nodes = []

    def choose_native(self, target: Element, options: Sequence[str]) -> bool:
        """Choose in a select of the browser, which the snapshot shows with its options."""
        node = self.find(target)
        if not any(child.role == "option" for child in node.children):
            return False
        self._call("select_option", target=node.target, values=list(options))
        return True

    def _handle(self, element: Element) -> tuple[Box, float]:
        """Return the box of a slider's handle, and the length of its track."""
        self.nodes = read_yaml(self._call("snapshot", boxes=True))
        node = pick(self.nodes, element)
        if node is None or node.box is None:
            raise ToolFailed(f"{self.name}: no {element} in the snapshot")
        handle, above = node.box, node.parent
        while above is not None:
            if above.box and above.box.width > 3 * handle.width:
                return handle, above.box.width
            above = above.parent
        return handle, handle.width

    def hover(self, target: Element | Place) -> None:
        """Move the mouse."""
        if isinstance(target, Place):
            self._call("mouse_move_xy", x=target.x, y=target.y)
        else:
            self.on(target, lambda ref: self._call("hover", target=ref))

    def upload(self, ref: str, path: str) -> None:
        """Open the chooser and give it the file."""
        self._call("click", target=ref)
        self._call("file_upload", paths=[path])

    def scroll(self, step: Scroll) -> None:
        """Move the mouse over the container; turn the wheel."""
        self._call("mouse_move_xy", x=step.place.x, y=step.place.y)
        self._call("mouse_wheel", deltaX=step.by.x, deltaY=step.by.y)
        self.nodes = []

    def _places(self, step: Drag) -> tuple[Place, Place]:
        source = step.source
        start = source if isinstance(source, Place) else centre(self._box_of(source))
        match step.to:
            case Place():
                return start, step.to
            case By(x, y):
                return start, Place(start.x + x, start.y + y)
            case Element():
                return start, centre(self._box_of(step.to))

    def _box_of(self, element: Element) -> Box:
        node = pick(self.nodes, element)
        if node is None or node.box is None:
            self.nodes = read_yaml(self._call("snapshot", boxes=True))
            self._looked = True
            node = pick(self.nodes, element)
        if node is None or node.box is None:
            raise ToolFailed(f"{self.name}: no {element} in the snapshot")
        return node.box

    def _drag(self, start: Place, end: Place) -> None:
        self._call("mouse_drag_xy", startX=start.x, startY=start.y, endX=end.x, endY=end.y)

    def _call(self, tool: str, **arguments: Any) -> str:
        try:
            return self.calls.call(f"browser_{tool}", **arguments)
        except ToolFailed as failure:
            if "not found in the current page snapshot" in str(failure):
                raise StaleRef(str(failure)) from failure
            raise


def _inside(node: Node) -> list[Node]:
    return [node, *(one for child in node.children for one in _inside(child))]
