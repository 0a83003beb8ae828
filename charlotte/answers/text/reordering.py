"""Tables and lists whose rows came into another order or became fewer."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

import attrs

from charlotte.answers.text.change_lines import identify, name_of, shorten
from charlotte.answers.text.lines import RECORDS, Line, Mark, Piece
from charlotte.answers.text.matching import Matching, has_letter, head_of, plain_texts
from charlotte.page.diff.lines import longest_rising
from charlotte.page.tokens import write_text

_FIRST = 4
_MOST_PARTS = 8

_LONGEST_NAME = 40
_FEW_OTHERS = 3
"""Rows that came, and as many that went, from which on the first rows are named."""

_MANY = 5
"""Removed rows from which on a table counts as filtered."""

_HEAD_DISTANCE = 40
"""Lines before the first row that may be the line of its table."""

_TITLES = {"structure", "heading"}
_FEW = 6
"""Rows of a table or list whose order is clear when some of them changed."""

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
    partners = matching.partners | matching.pairs
    members, members_old = _members(new), _members(old)
    origins = _find_origins(old, members, partners)
    gone, fresh = set(matching.gone), set(matching.fresh)
    found: list[Reordering] = []
    for group, indexes in members.items():
        origin = origins.get(group, 0)
        present = [index for index in indexes if index in partners]
        kept = [index for index in present if origin and old[partners[index]].group == origin]
        if not kept:
            continue
        title = _title(new, group, indexes)
        order = [(number, partners[index]) for number, index in enumerate(kept)]
        removed = [index for index in members_old[origin] if index in gone]
        added = sum(index in fresh for index in indexes)
        if min(added, len(removed)) >= _FEW_OTHERS:
            if len(kept) > 1 and len(indexes) > _FEW:
                first = _describe_first(new, indexes)
                found.append(Reordering(indexes[0], f"{title}: {first}"))
        elif _is_moved(order):
            text = _describe_order(new, kept, order)
            found.append(Reordering(indexes[0], f"{title} {text}"))
        if len(removed) > _MANY and not added:
            rows = "rows" if new[indexes[0]].kind == "row" else "items"
            text = f"{len(removed):,} {rows} removed, {len(indexes):,} remain"
            found.append(Reordering(indexes[0], f"{title} filtered: {text}", removed))
    found += _find_inner_moves(old, new, matching)
    found += _find_moved_texts(old, new)
    changed = len(gone) + len(fresh) + len(matching.pairs)
    others = _find_other_moves(new, matching)
    is_brief = not changed or (changed <= _FEW_CHANGED and _have_controls(new, others))
    if others and ((is_brief and not found) or len(others) > _MANY_MOVED):
        found.append(Reordering(others[0], _describe_moves(new, others)))
    return found


def _find_origins(
    old: Sequence[Line], members: Mapping[int, Sequence[int]], partners: Mapping[int, int]
) -> dict[int, int]:
    """Return the number that each table or list had: that of most of its rows, if it was one."""
    shared = Counter(
        (group, old[partners[index]].group)
        for group, indexes in members.items()
        for index in indexes
        if index in partners
    )
    origins: dict[int, int] = {}
    for (group, origin), _ in shared.most_common():
        if origin and group not in origins and origin not in origins.values():
            origins[group] = origin
    return origins


def _find_inner_moves(
    old: Sequence[Line], new: Sequence[Line], matching: Matching
) -> list[Reordering]:
    """Return a remark on each line, such as a menu, whose parts came into another order: all names.

    Parts whose name is there twice, such as buttons to close, are left out.
    """
    origins: dict[Hashable, tuple[int, int]] = {}
    for index in (*matching.gone, *matching.pairs.values()):
        for number, piece in enumerate(_parts_of(old[index])):
            origins[identify(piece)] = index, number
    found: list[Reordering] = []
    for index in (*matching.fresh, *matching.pairs):
        pieces = [piece for piece in _parts_of(new[index]) if identify(piece) in origins]
        places = [origins[identify(piece)] for piece in pieces]
        [(origin, _)] = Counter(origin for origin, _ in places).most_common(1) or [(-1, 0)]
        same = zip(pieces, places, strict=True)
        kept = [(piece, number) for piece, (line, number) in same if line == origin]
        if _is_moved(enumerate(number for _, number in kept)):
            names = ", ".join(_name_piece(piece) for piece, _ in kept[:_MOST_PARTS])
            title = f"{head_of(new[index])[1:-1]} reordered".strip()
            found.append(Reordering(index, f"{title}: {names}"))
    return found


def _parts_of(line: Line) -> list[Piece]:
    """Return the parts of a line that is no row or item, without those that are there twice."""
    if line.kind in RECORDS:
        return []
    pieces = [piece for piece in line.pieces() if not isinstance(piece, Mark)]
    names = Counter(map(_name_piece, pieces))
    return [piece for piece in pieces if names[_name_piece(piece)] == 1]


def _name_piece(piece: Piece) -> str:
    name = piece if isinstance(piece, str) else piece.label or piece.id
    return write_text(shorten(name, _LONGEST_NAME))


def _find_moved_texts(old: Sequence[Line], new: Sequence[Line]) -> list[Reordering]:
    """Return a remark on texts that are now in another structure, or under another heading.

    Both have to be in both outlines: what has another name is no other structure.
    """
    before, after = _places_of_texts(old), _places_of_texts(new)
    places = {place for place, _ in before.values()} & {place for place, _ in after.values()}
    places |= _titles(old) & _titles(new)
    moved = [
        (text, place, index)
        for text, (place, index) in after.items()
        if text in before and before[text][0] != place and {before[text][0], place} <= places
    ]
    if not moved:
        return []
    if len(moved) > _MOST_MOVED:
        return [Reordering(moved[0][2], f"moved: {len(moved)} texts, the first: {moved[0][0]}")]
    named = (
        f"{write_text(shorten(text, _LONGEST_NAME))} now under {where}" for text, where, _ in moved
    )
    return [Reordering(moved[0][2], f"moved: {'; '.join(named)}")]


def _titles(lines: Iterable[Line]) -> set[str]:
    """Return the heads of structures, and the headings."""
    return {head_of(line) or line.text for line in lines if line.kind in _TITLES}


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


def _find_other_moves(new: Sequence[Line], matching: Matching) -> list[int]:
    """Return the new indexes of equal lines that moved and are in no table or list."""
    pairs = sorted(
        (index, origin)
        for index, origin in matching.partners.items()
        if not new[index].group
        if new[index].kind != "structure" or any(new[index].controls())
    )
    if not _is_moved(pairs):
        return []
    stayed = {index for index, _ in longest_rising(pairs)}
    return [index for index, _ in pairs if index not in stayed]


def _have_controls(lines: Sequence[Line], indexes: Iterable[int]) -> bool:
    return any(any(lines[index].controls()) for index in indexes)


def _is_moved(pairs: Iterable[tuple[int, int]]) -> bool:
    return any(a[1] > b[1] for a, b in pairwise(pairs))


def _describe_moves(lines: Sequence[Line], moved: Sequence[int]) -> str:
    if len(moved) > _MOST_MOVED:
        return f"{len(moved)} lines changed place, the first: {_name(lines[moved[0]])}"
    every = range(len(lines))
    return f"moved: {'; '.join(_describe_move(lines, every, index) for index in moved)}"


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


def _describe_order(
    new: Sequence[Line], kept: Sequence[int], order: Sequence[tuple[int, int]]
) -> str:
    stayed = {number for number, _ in longest_rising([*order])}
    moved = [number for number in range(len(kept)) if number not in stayed]
    if len(moved) <= _MOST_MOVED:
        return f"reordered: {'; '.join(_describe_move(new, kept, number) for number in moved)}"
    return f"reordered: {_describe_first(new, kept)}"


def _describe_first(lines: Sequence[Line], indexes: Sequence[int]) -> str:
    """Return the number of rows, and the names of the first ones, which may be heads."""
    rows = "rows" if lines[indexes[0]].kind == "row" else "items"
    names = [_name(lines[index]) for index in indexes[:_FIRST]]
    return f"{len(indexes):,} {rows}, now first: {', '.join(filter(None, names))}"


def _describe_move(lines: Sequence[Line], kept: Sequence[int], number: int) -> str:
    place = f"after {_name(lines[kept[number - 1]])}" if number else "first"
    return f"{_name(lines[kept[number]])} now {place}"


def _name(line: Line) -> str:
    return write_text(shorten(name_of(line), _LONGEST_NAME))
