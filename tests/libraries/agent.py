"""An agent that works through the steps of a task with Charlotte's tools."""

import json
import re
from collections.abc import Sequence
from functools import singledispatchmethod
from pathlib import Path
from typing import Any, Final

import attrs

from tests.libraries.calls import Calls, ToolFailed
from tests.libraries.steps import (
    STRING,
    By,
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
    plain_name,
)

_ELEMENT: Final = re.compile(
    rf"\b(?P<id>[a-z]{{3}}-[0-9a-f]{{4,}}(?:-\d+)?)(?: (?P<name>{STRING}))?"
    rf'(?: \[(?P<states>(?:[^"\]]|{STRING})*)\])?'
)
_PREFIXES: Final = {
    "button": "btn", "link": "lnk", "textbox": "inp", "searchbox": "inp", "spinbutton": "inp",
    "slider": "inp", "combobox": "sel", "listbox": "sel", "checkbox": "chk", "radio": "rad",
    "switch": "tog",
}  # fmt: skip
# An answer names a role only if place and prefix do not imply it.
_ROLES: Final = frozenset(
    {
        "cell", "columnheader", "generic", "grid", "gridcell", "group", "img", "menuitem",
        "menuitemradio", "option", "region", "row", "search", "separator", "slider", "tab",
        "toolbar", "tree", "treeitem",
    }
)  # fmt: skip
_TOGGLED: Final = frozenset({"checkbox", "switch", "radio"})
_FIRST_SEGMENT: Final = re.compile(r'\b(inp-[0-9a-f-]+) "(?:month|hour)', re.IGNORECASE)
_TRIES: Final = 2


@attrs.frozen
class _Seen:
    """An element in an answer, with the text of its line."""

    id: str
    name: str
    states: str
    line: str

    def fits(self, wanted: Element) -> bool:
        """Return whether it is plainly the wanted element."""
        return (
            plain_name(self.name) == plain_name(wanted.name)
            and (not wanted.row or wanted.row in self.line)
            and self._has_role(wanted.role)
        )

    def _has_role(self, role: str) -> bool:
        named = _ROLES & set(re.findall(r"\w+", self.states))
        if not role or named:
            return not role or role in named
        return self.id[:3] == _PREFIXES.get(role, self.id[:3])


@attrs.define(eq=False)
class Agent:
    """An agent that takes ids from earlier answers, and calls find for other elements."""

    calls: Calls
    files: Path
    _answers: list[str] = attrs.field(factory=list[str])

    def work(self, task: Task, origin: str) -> None:
        """Open the page and take all steps. Raises `ToolFailed`."""
        self._answers = [self.calls.call("navigate", url=f"{origin}/{task.page}")]
        for step in task.steps:
            self._take(step)

    @singledispatchmethod
    def _take(self, step: Step) -> None:
        raise NotImplementedError(step)

    @_take.register
    def _(self, step: Click) -> None:
        kind = {} if step.kind == "left" else {"click_type": step.kind}
        held = {"modifiers": list(step.modifiers)} if step.modifiers else {}
        hold = {"hold": step.hold} if step.hold else {}
        if isinstance(step.target, Place):
            self._act("click_at", x=step.target.x, y=step.target.y, **kind, **held, **hold)
        else:
            self._on("click", {"element_id": step.target}, **kind, **held, **hold)

    @_take.register
    def _(self, step: Fill) -> None:
        if len(step.values) > 1:
            ids = self._ids(list(step.values))
            pairs = zip(ids, step.values.values(), strict=True)
            self._act("fill_form", fields=[{"element_id": i, "value": v} for i, v in pairs])
            return
        [(element, value)] = step.values.items()
        if element.role in _TOGGLED:
            self._on("toggle", {"element_id": element})
        else:
            self._on("type", {"element_id": element}, text=str(value))

    @_take.register
    def _(self, step: Choose) -> None:
        several = len(step.options) > 1
        value = list(step.options) if several else step.options[0]
        self._on("select", {"element_id": step.target}, value=value)

    @_take.register
    def _(self, step: Write) -> None:
        self._act("type", text=step.text, **({"press_enter": True} if step.enter else {}))

    @_take.register
    def _(self, step: Mark) -> None:
        self._on("select_text", {"element_id": step.target}, text=step.text)

    @_take.register
    def _(self, step: Keys) -> None:
        keys = {"key": step.keys[0]} if len(step.keys) == 1 else {"keys": list(step.keys)}
        times = {"repeat": step.times} if step.times > 1 else {}
        self._on("key", {"element_id": step.on} if step.on else {}, **keys, **times)

    @_take.register
    def _(self, step: Drag) -> None:
        elements: dict[str, Element] = {}
        rest: dict[str, Any] = {}
        if isinstance(step.source, Place):
            rest |= {"x": step.source.x, "y": step.source.y}
        else:
            elements["source_id"] = step.source
        match step.to:
            case Place(x, y):
                rest |= {"to_x": x, "to_y": y}
            case By(x, y):
                rest["by"] = {"x": x, "y": y}
            case Element():
                elements["target_id"] = step.to
        if step.via:
            rest["via"] = [{"x": place.x, "y": place.y} for place in step.via]
        if step.hold:
            rest["hold"] = step.hold
        self._on("drag", elements, **rest)

    @_take.register
    def _(self, step: Hover) -> None:
        if isinstance(step.target, Place):
            self._act("hover", x=step.target.x, y=step.target.y)
        else:
            self._on("hover", {"element_id": step.target})

    @_take.register
    def _(self, step: Upload) -> None:
        (self.files / step.name).write_text("A small file.")
        self._on("upload", {"element_id": step.target}, paths=[str(self.files / step.name)])

    @_take.register
    def _(self, step: Scroll) -> None:
        offset = {"x": step.by.x, "y": step.by.y}
        self._act("scroll", x=step.place.x, y=step.place.y, scroll_offset=offset)

    @_take.register
    def _(self, step: Look) -> None:
        del step
        self.calls.call("screenshot")

    def _on(self, tool: str, elements: dict[str, Element], **rest: Any) -> None:
        """Act on elements; look for them again if an id has become invalid."""
        for last in range(_TRIES):
            ids = dict(zip(elements, self._ids(list(elements.values())), strict=True))
            try:
                self._act(tool, **ids, **rest)
            except ToolFailed as failure:
                if last or "ELEMENT_NOT_FOUND" not in str(failure):
                    raise
                self._answers = []
            else:
                return

    def _act(self, tool: str, **arguments: Any) -> None:
        answer = self.calls.call(tool, **arguments)
        if re.search(r"(?m)^[+~-] |^no changes|^! changes ", answer) is None:
            self._answers = []
        self._answers.append(answer)

    def _ids(self, elements: Sequence[Element]) -> list[str]:
        return [
            self._recall(element) or self._container(element) or self._find(element)
            for element in elements
        ]

    def _recall(self, element: Element) -> str | None:
        """Return an id that the newest answer with the element shows without doubt.

        A date or time that consists of segments is typed into the one of the month or hour.
        """
        if element.role == "group" and (segment := self._first_segment(element.name)):
            return segment
        gone: set[str] = set()
        for answer in reversed(self._answers):
            gone |= {one.id for one in _seen(answer) if one.line.startswith("- ")}
            fitting = {one.id for one in _seen(answer) if one.fits(element)} - gone
            if len(fitting) == 1 and not element.nth:
                return fitting.pop()
            if fitting:
                return None
        return None

    def _container(self, element: Element) -> str | None:
        """Return the id of a nameless element of the role that contains the text."""
        if not element.role or not element.name:
            return None
        for answer in reversed(self._answers):
            above: list[tuple[int, str]] = []
            for line in answer.splitlines():
                depth = len(line) - len(line.lstrip(" +"))
                above = [(at, one) for at, one in above if at < depth]
                if above and line.strip(" +") == element.name:
                    return above[-1][1]
                for one in _seen(line):
                    if not one.name and element.role in one.states:
                        above.append((depth, one.id))
        return None

    def _first_segment(self, group: str) -> str | None:
        for answer in reversed(self._answers):
            _, head, rest = answer.partition(f'[group "{group}"]')
            if head and (found := _FIRST_SEGMENT.search(rest)):
                return found[1]
        return None

    def _find(self, element: Element) -> str:
        filters = {"text": element.name, "role": element.role, "row": element.row}
        wanted = {name: value for name, value in filters.items() if value}
        found = _seen(self.calls.call("find", **wanted))
        name = plain_name(element.name)
        controls = [one for one in found if not one.id.startswith("dom-")]
        fitting = (
            [one for one in controls if plain_name(one.name) == name]
            or [one for one in controls if plain_name(_near(one.states)) == name]
            or [one for one in found if plain_name(one.name) == name]
            or found
        )
        if len(fitting) <= element.nth:
            raise ToolFailed(f"find has no {element}")
        return fitting[element.nth].id


def _seen(answer: str) -> list[_Seen]:
    return [
        _Seen(found["id"], _text(found["name"]), found["states"] or "", line)
        for line in answer.splitlines()
        for found in _ELEMENT.finditer(line)
    ]


def _near(states: str) -> str:
    found = re.search(rf"near ({STRING})", states)
    return _text(found[1]) if found else ""


def _text(quoted: str | None) -> str:
    return str(json.loads(quoted)) if quoted else ""
