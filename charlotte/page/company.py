"""Says whether a thing is in the row in which an agent was shown it, by what stands beside it.

A list may show another record in the same nodes: its button is called the same, and is another's.
"""

import re
from collections import Counter
from collections.abc import Collection

from charlotte.page.capture import Capture, Node
from charlotte.page.likeness import Verdict

_LETTERS = re.compile(r"[^\W\d_]+")

_TELLING = 4
"""Letters that two records seldom begin with both."""

Company = str
"""What stands beside one of several things that are called the same, and beside no other of them.

"" where nothing does, or nothing but numbers: those may count, or tell the time.
"""


def companies(capture: Capture) -> dict[int, Company]:
    """The company of each node that has any."""
    twins = [node for node in capture.nodes if "place" in node.extra]
    count = Counter(map(_seen_as, twins))
    return {
        node.nid: _beside(node)
        for node in twins
        if count[_seen_as(node)] == 1 and _words(_beside(node))
    }


def compare_rows(before: Company, capture: Capture, nid: int) -> Verdict:
    """Whether a node has the company it had, or that of another record.

    The sure sign is that what stood beside it now stands beside another. Else it is another record
    if less than half of the words are left that are not in all the other rows.
    """
    node = capture.by_nid[nid]
    now = _beside(node)
    if before == now or not before or not now:
        return "same"
    others = [one for one in capture.nodes if one.nid != nid and _are_twins(one, node)]
    if before in map(_beside, others):
        return "changed"
    common = _common(others)
    own, left = (_words(text, besides=common) for text in (before, now))
    if own == left:
        return "same"
    is_part = 2 * len({*own} & {*left}) >= len(own)
    return "minor" if is_part or _begin_alike(own, left) else "changed"


def _common(nodes: list[Node]) -> set[str]:
    """The words that stand beside all of them."""
    words = [{*_words(_beside(node))} for node in nodes]
    return words[0].intersection(*words[1:]) if words else set()


def _are_twins(node: Node, other: Node) -> bool:
    return (node.role, node.name) == (other.role, other.name) and "place" in node.extra


def _begin_alike(own: list[str], left: list[str]) -> bool:
    """Whether the first words may be one to which another is joined without a space."""
    first, second = ("".join(words[:1])[:_TELLING] for words in (own, left))
    return first == second and len(first) == _TELLING


def _seen_as(node: Node) -> tuple[str, str, str]:
    return node.role, node.name, _beside(node)


def _beside(node: Node) -> str:
    return str(node.extra.get("near", ""))


def _words(text: str, besides: Collection[str] = ()) -> list[str]:
    return [word for word in _LETTERS.findall(text.casefold()) if word not in besides]
