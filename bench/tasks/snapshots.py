"""Reads the page snapshots of Playwright MCP, whole or in parts."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from bench.tasks.model import Item, Seen, plain

KINDS: Final = {
    "button": "button",
    "link": "link",
    **dict.fromkeys(("textbox", "searchbox", "spinbutton"), "field"),
    "combobox": "choice",
    **dict.fromkeys(("checkbox", "switch"), "check"),
    "radio": "radio",
}
_GROUPS: Final = frozenset(("row", "listitem", "article", "definition", "group"))
_NODE: Final = re.compile(
    r"""(?P<indent>\ *)-\ '?(?P<role>[\w/-]+)
    (?:\ (?P<name>"(?:[^"\\]|\\.)*"|/.*?/))?
    (?P<marks>(?:\ \[[^\]]*\])*)'?
    (?::\ ?(?P<text>.*))?$""",
    re.VERBOSE,
)
_REF: Final = re.compile(r"\[ref=(\w+)\]")
_PAGE: Final = re.compile(r"(?m)^- Page (?:URL|Title): (.*)$")
_LEFT_OUT: Final = "..."
_TAB: Final = re.compile(r"(?m)^- (\d+):.*\]\(")


@attrs.define(eq=False)
class _Node:
    depth: int
    role: str
    name: str
    ref: str
    text: str
    parent: "_Node | None"
    children: "list[_Node]" = attrs.field(factory=list["_Node"])

    def path(self) -> "Iterator[_Node]":
        node = self.parent
        while node:
            yield node
            node = node.parent

    def words(self) -> str:
        parts = [self.name, self.text, *(child.words() for child in self.children)]
        return " ".join(part for part in parts if part)

    def around(self) -> str:
        """Return the text of the row or item, or of the nearest node with other text."""
        groups = (node for node in self.path() if node.role in _GROUPS)
        node = next(groups, self.parent)
        return node.words() if node else ""


def parse(answer: str) -> Seen:
    """Read an answer. `Seen.opened` are all tabs if there are several, the newest last."""
    nodes = _nodes(answer.splitlines())
    items: list[Item] = []
    for number, node in enumerate(nodes):
        if node.ref and node.role in KINDS:
            name = node.name or ("" if node.role == "combobox" else plain(node.words()))
            before = _before(node, nodes[:number])
            items.append(Item(node.ref, KINDS[node.role], name, before, plain(node.around())))
    words = (part for node in nodes for part in (node.name, node.text) if part)
    head = " ".join(_PAGE.findall(answer))
    return Seen(
        items=tuple(items),
        text=plain(f"{head} {' '.join(words)}"),
        opened=tuple(dict.fromkeys(_TAB.findall(answer))),
    )


def _before(node: _Node, earlier: Sequence[_Node]) -> str:
    """Return the nearest text before a node that is not of what contains it."""
    above = {id(one) for one in node.path()}
    texts = (one.name or one.text for one in reversed(earlier) if id(one) not in above)
    return next((text for text in texts if text), "")


def _nodes(lines: Sequence[str]) -> list[_Node]:
    nodes: list[_Node] = []
    path: list[_Node] = []
    for line in lines:
        found = _NODE.fullmatch(line)
        if found is None:
            path = path if line.strip() == _LEFT_OUT else []
            continue
        depth = len(found["indent"])
        while path and path[-1].depth >= depth:
            path.pop()
        ref = _REF.search(found["marks"])
        role, text = found["role"], found["text"] or ""
        if role.startswith("/"):
            continue
        node = _Node(
            depth, role, _string(found["name"]), ref[1] if ref else "", _string(text),
            path[-1] if path else None,
        )  # fmt: skip
        if path:
            path[-1].children.append(node)
        path.append(node)
        nodes.append(node)
    return nodes


def _string(text: str | None) -> str:
    """Return a name or text without its quotes."""
    if not text:
        return ""
    if text.startswith('"') and text.endswith('"'):
        try:
            return str(json.loads(text))
        except ValueError:
            return text[1:-1]
    return text
