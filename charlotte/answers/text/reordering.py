"""Remarks on rows and lines that came into another order or to another place."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

import attrs

from charlotte.answers.text.change_lines import name_of, shorten
from charlotte.answers.text.lines import Line
from charlotte.answers.text.matching import Matching, has_letter, head_of, plain_texts
from charlotte.page.tokens import write_text

_FIRST = 4
_LONGEST_NAME = 40
_FEW_OTHERS = 3
"""Rows that came, and as many that went, from which on it is another page of the table."""

_MANY = 5
"""Removed rows from which on a table counts as filtered."""

_HEAD_DISTANCE = 40
"""Lines before the first row that may be the line of its table."""

_MOST_MOVED = 2
"""Rows that moved and are named; with more, the table was reordered."""

_FEW_CHANGED = 2
"""Other changes, such as an announcement, beside which lines with controls that moved are named."""

_MANY_MOVED = 10
"""Lines in no table or list that moved from which on they are a remark beside other changes."""


@attrs.frozen
class Reordering:
    """A remark on a table or list; ``removed`` are the old lines that it counts."""

    place: int
    text: str
    removed: Sequence[int] = ()


def find_reorderings(
    old: Sequence[Line], new: Sequence[Line], matching: Matching
) -> list[Reordering]:
    """Return the remarks on tables and lists that are in both outlines, and on what moved.

    Other lines that moved are a remark if they are many, or if nothing else changed; lines with
    controls, such as cards, also beside few other changes.
    """
    if not matching.places:
        return []
    found = [*_find_in_groups(old, new, matching), *_find_moved_texts(old, new)]
    changed = len(matching.gone) + len(matching.fresh) + len(matching.pairs)
    others = sorted(
        (index, origin)
        for index, origin in matching.partners.items()
        if not new[index].group and (new[index].kind != "structure" or any(new[index].controls()))
    )
    moved = [others[number][0] for number in _find_moved([origin for _, origin in others])]
    has_controls = any(any(new[index].controls()) for index in moved)
    is_brief = not changed or (changed <= _FEW_CHANGED and has_controls)
    if moved and ((is_brief and not found) or len(moved) > _MANY_MOVED):
        text = f"{len(moved)} lines changed place, the first: {_name(new[moved[0]])}"
        if len(moved) <= _MOST_MOVED:
            text = f"moved: {_describe_moves(new, moved)}"
        found.append(Reordering(moved[0], text))
    return found


def _find_in_groups(
    old: Sequence[Line], new: Sequence[Line], matching: Matching
) -> Iterator[Reordering]:
    """Return a remark on each table or list with another order, other rows, or fewer rows."""
    partners = matching.partners | matching.pairs
    members, members_old = _members(new), _members(old)
    gone, fresh = set(matching.gone), set(matching.fresh)
    for group, indexes in members.items():
        before = Counter(old[partners[index]].group for index in indexes if index in partners)
        origin = max(before, key=before.__getitem__, default=0)
        if not origin:
            continue
        kept = [
            index for index in indexes if index in partners and old[partners[index]].group == origin
        ]
        title = _title(new, group, indexes)
        removed = [index for index in members_old[origin] if index in gone]
        added = sum(index in fresh for index in indexes)
        rows = "rows" if new[indexes[0]].kind == "row" else "items"
        moved = _find_moved([partners[index] for index in kept])
        if moved and min(added, len(removed)) < _FEW_OTHERS:
            text = _describe_moves([new[index] for index in kept], moved)
            if len(moved) > _MOST_MOVED:
                names = ", ".join(filter(None, (_name(new[index]) for index in kept[:_FIRST])))
                text = f"{len(kept):,} {rows}, now first: {names}"
            yield Reordering(indexes[0], f"{title} reordered: {text}")
        if len(removed) > _MANY and not added:
            text = f"{len(removed):,} {rows} removed, {len(indexes):,} remain"
            yield Reordering(indexes[0], f"{title} filtered: {text}", removed)


def _members(lines: Sequence[Line]) -> dict[int, list[int]]:
    """Return the indexes of the rows or items of each table or list, without heads of columns."""
    members = defaultdict[int, list[int]](list)
    for index, line in enumerate(lines):
        if line.group and line.kind != "structure" and not line.is_head:
            members[line.group].append(index)
    return members


def _title(lines: Sequence[Line], group: int, members: Sequence[int]) -> str:
    """Return ``table "Books"``, or ``table`` or ``list`` for one without a line of its own."""
    first = members[0]
    before = reversed(lines[max(first - _HEAD_DISTANCE, 0) : first])
    heads = (head_of(line)[1:-1] for line in before if line.group == group)
    return next(filter(None, heads), "table" if lines[first].kind == "row" else "list")


def _find_moved_texts(old: Sequence[Line], new: Sequence[Line]) -> Iterator[Reordering]:
    """Return a remark on texts that are now in another structure, or under another heading.

    Both have to be in both outlines: what has another name is no other structure.
    """
    before, after = _places_of_texts(old), _places_of_texts(new)
    known = _titles(old) & _titles(new)
    moved = [
        (text, place, index)
        for text, (place, index) in after.items()
        if text in before and before[text][0] != place and {before[text][0], place} <= known
    ]
    if not moved:
        return
    text = f"{len(moved)} texts, the first: {moved[0][0]}"
    if len(moved) <= _MOST_MOVED:
        text = "; ".join(f"{_shorten(text)} now under {place}" for text, place, _ in moved)
    yield Reordering(moved[0][2], f"moved: {text}")


def _titles(lines: Sequence[Line]) -> set[str]:
    """Return the heads of structures, and the headings."""
    return {head_of(line) or line.text for line in lines if line.kind in {"structure", "heading"}}


def _places_of_texts(lines: Sequence[Line]) -> dict[str, tuple[str, int]]:
    """Return the structure or heading around each text that is there once, and its line.

    Rows are left out: their table says where they are.
    """
    around: list[tuple[int, str]] = []
    places: dict[str, tuple[str, int]] = {}
    seen = Counter[str]()
    for index, line in enumerate(lines):
        if line.kind == "row":
            continue
        while around and around[-1][0] >= line.depth + (line.kind == "heading"):
            around.pop()
        if line.kind == "structure":
            around.append((line.depth, head_of(line)))
        elif line.kind == "heading":
            around.append((line.depth - 1, line.text))
        texts = plain_texts(line) if line.kind != "heading" and around else ()
        seen.update(texts)
        places.update((text, (around[-1][1], index)) for text in texts if has_letter([text]))
    return {text: place for text, place in places.items() if seen[text] == 1}


def _find_moved(origins: Sequence[int]) -> list[int]:
    """Return which things moved, by number; ``origins`` are the numbers that they had."""
    matcher = SequenceMatcher(None, sorted(origins), origins, autojunk=False)
    changes = (code for code in matcher.get_opcodes() if code[0] != "equal")
    return [number for *_, start, end in changes for number in range(start, end)]


def _describe_moves(lines: Sequence[Line], moved: Sequence[int]) -> str:
    places = (f"after {_name(lines[number - 1])}" if number else "first" for number in moved)
    both = zip(moved, places, strict=True)
    return "; ".join(f"{_name(lines[number])} now {place}" for number, place in both)


def _name(line: Line) -> str:
    return _shorten(name_of(line))


def _shorten(text: str) -> str:
    return write_text(shorten(text, _LONGEST_NAME))
