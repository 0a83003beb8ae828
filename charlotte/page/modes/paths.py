"""Short paths that tell where an element stands: ``/main/section#intro/h2`` (B-OUT-08)."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from charlotte.page.modes.survey import Part

_TAGS = frozenset(
    [
        "main",
        "nav",
        "header",
        "footer",
        "article",
        "section",
        "aside",
        "form",
        "table",
        "ul",
        "ol",
        "li",
        "dialog",
        "menu",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "a",
        "button",
        "input",
        "select",
        "textarea",
        "label",
        "figure",
        "figcaption",
        "details",
        "summary",
        "iframe",
        "pre",
    ]
)
_ID = re.compile(r"[A-Za-z_-][A-Za-z0-9_-]{0,28}")
_MOST_STEPS = 6
_OUTSIDE = {"body", "html"}


class Paths:
    """The paths of the elements of one survey; ``steps`` are the elements around its root."""

    def __init__(self, steps: Sequence[Mapping[str, Any]] = ()) -> None:
        self._outer = tuple(filter(None, (_step(step["tag"], step) for step in steps)))
        self._known: dict[int, tuple[str, ...]] = {}

    def of(self, part: Part) -> str:
        """At most six steps, the innermost; ``/tag`` where nothing on the way is worth a step."""
        steps = self._steps(part)[-_MOST_STEPS:]
        return "/" + ("/".join(steps) or part.tag)

    def _steps(self, part: Part) -> tuple[str, ...]:
        chain: list[Part] = []
        node: Part | None = part
        while node is not None and id(node) not in self._known:
            chain.append(node)
            node = node.parent
        steps = self._outer if node is None else self._known[id(node)]
        for one in reversed(chain):
            step = "" if one.tag in _OUTSIDE else _step(one.tag, one.facts)
            steps = (*steps, step)[-_MOST_STEPS:] if step else steps
            self._known[id(one)] = steps
        return steps


def _step(tag: str, facts: Mapping[str, Any]) -> str:
    """The step of an element, "" for one that only holds others together."""
    given = facts.get("id", "")
    mark = f"#{given}" if _ID.fullmatch(given) else f".{facts['cls']}" if "cls" in facts else ""
    if not mark and tag not in _TAGS:
        return ""
    nth = f"[{facts['nth']}]" if "nth" in facts else ""
    return f"{tag}{mark}{nth}"
