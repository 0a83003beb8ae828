"""Accessibility snapshots of other servers, and the search for the elements of a task in them."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from bench.libraries.sight import Box
from tests.libraries.steps import STRING, Element, plain_name

_YAML: Final = re.compile(
    rf"(?P<indent> *)- '?(?P<role>[\w/-]+)(?: (?P<name>{STRING}|/.*?/))?"
    r"(?P<marks>(?: \[[^\]]*\])*)'?(?::\s?(?P<text>.*))?$"
)
_UID: Final = re.compile(
    rf"(?P<indent> *)uid=(?P<ref>\S+)(?: (?P<role>\w+))?(?: (?P<name>{STRING}))?(?P<marks>.*)$"
)
_REF: Final = re.compile(r"\[ref=(\w+)\]")
_BOX: Final = re.compile(r"\[box=(-?[\d.]+),(-?[\d.]+),([\d.]+),([\d.]+)\]")
_ALIKE: Final = (
    frozenset({"textbox", "searchbox", "spinbutton", "combobox"}),
    frozenset({"checkbox", "switch"}),
    frozenset({"combobox", "button"}),
    frozenset({"gridcell", "cell"}),
    frozenset({"menuitem", "option", "menuitemradio"}),
    frozenset({"separator", "slider", "splitter"}),
)


@attrs.define(eq=False)
class Node:
    """An element of a snapshot."""

    depth: int
    role: str
    name: str
    ref: str
    marks: str
    parent: "Node | None"
    children: "list[Node]" = attrs.field(factory=list["Node"])

    @property
    def target(self) -> str:
        """The reference of the node, or of the nearest node around it."""
        node: Node | None = self
        while node and not node.ref:
            node = node.parent
        return node.ref if node else ""

    @property
    def words(self) -> str:
        """The name, or all text inside."""
        return self.name or " ".join(child.words for child in self.children).strip()

    @property
    def box(self) -> Box | None:
        """The box, if the snapshot has boxes."""
        found = _BOX.search(self.marks)
        return Box(*map(float, found.groups())) if found else None


def read_yaml(answer: str) -> list[Node]:
    """Read a snapshot of Playwright MCP, or the parts of one that browser_find returns."""
    matches = (_YAML.fullmatch(line) for line in answer.splitlines())
    return _tree(
        (
            len(found["indent"]), found["role"], _string(found["name"] or found["text"]),
            _first(_REF, found["marks"]), found["marks"],
        )
        for found in matches if found and not found["role"].startswith("/")
    )  # fmt: skip


def read_uids(answer: str) -> list[Node]:
    """Read a snapshot of chrome-devtools-mcp."""
    matches = (_UID.fullmatch(line) for line in answer.splitlines())
    return _tree(
        (
            len(found["indent"]), found["role"] or "", _string(found["name"]), found["ref"],
            found["marks"],
        )
        for found in matches if found
    )  # fmt: skip


def pick(nodes: Sequence[Node], wanted: Element) -> Node | None:
    """Return the node that is described, of the described role if there is one."""
    for fits in (_same, _alike, _any):
        for is_named in (_exactly, _partly):
            found = [
                node for node in nodes
                if node.target and fits(node.role, wanted.role) and is_named(node, wanted.name)
                and not _is_native_option(node)
            ]  # fmt: skip
            found.sort(key=lambda node: not node.ref)
            if wanted.row:
                found = _in_row(nodes, found, wanted.row)
            if len(found) > wanted.nth:
                return found[wanted.nth]
    if wanted.shows:
        return next((node for node in nodes if wanted.shows in node.name and node.target), None)
    return None


def _in_row(nodes: Sequence[Node], found: Sequence[Node], row: str) -> list[Node]:
    """Sort nodes by how near they are to the text of the row, in the tree and in the order."""
    places = {id(node): index for index, node in enumerate(nodes)}
    rows = [node for node in nodes if row.casefold() == node.name.casefold()]
    rows = rows or [node for node in nodes if row.casefold() in node.name.casefold()]

    def distance(node: Node, other: Node) -> tuple[int, int]:
        shared = {id(one) for one in _path(node)} & {id(one) for one in _path(other)}
        return -len(shared), abs(places[id(node)] - places[id(other)])

    if not rows:
        return []
    return sorted(found, key=lambda node: min(distance(node, other) for other in rows))


def _path(node: Node) -> Iterator[Node]:
    above: Node | None = node
    while above:
        yield above
        above = above.parent


def _is_native_option(node: Node) -> bool:
    """Return whether a node is in a select of the browser, whose options take no clicks."""
    return node.role == "option" and node.parent is not None and node.parent.role == "combobox"


def _same(role: str, wanted: str) -> bool:
    return not wanted or role == wanted


def _alike(role: str, wanted: str) -> bool:
    return any({role, wanted} <= alike for alike in _ALIKE)


def _any(role: str, wanted: str) -> bool:
    del role
    return bool(wanted)


def _exactly(node: Node, name: str) -> bool:
    return plain_name(node.words) == plain_name(name)


def _partly(node: Node, name: str) -> bool:
    return bool(name) and plain_name(name) in plain_name(node.name)


def _tree(parts: Iterator[tuple[int, str, str, str, str]]) -> list[Node]:
    nodes: list[Node] = []
    path: list[Node] = []
    for depth, role, name, ref, marks in parts:
        while path and path[-1].depth >= depth:
            path.pop()
        node = Node(depth, role, name, ref, marks, path[-1] if path else None)
        if path:
            path[-1].children.append(node)
        path.append(node)
        nodes.append(node)
    return nodes


def _first(pattern: re.Pattern[str], text: str) -> str:
    found = pattern.search(text)
    return found[1] if found else ""


def _string(text: str | None) -> str:
    if text and text.startswith('"') and text.endswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    return text or ""
