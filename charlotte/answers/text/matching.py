"""Match of the lines of two outlines: which are equal, which replaced which, which only moved."""

import re
from collections import ChainMap, Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence

import attrs

from charlotte.answers.text.change_lines import (
    identify,
    is_same_but_ids,
    key_without_ids,
    name_of,
    without_digits,
)
from charlotte.answers.text.lines import RECORDS, Line, Mark, label_of
from charlotte.page.diff.lines import find_replaced, pair_lines

_Keys = Sequence[Hashable] | Mapping[int, Hashable]
"""What makes lines equal, by their index."""

_COUNT = re.compile(r", [\d,]+ rows\] $")
_LONGEST_CHANGE = 100
"""Characters of two texts that are taken for one that changed even if no word is the same."""


def plain_texts(line: Line) -> list[str]:
    """Return the texts of the page in a line, without those of its controls."""
    # a mark is a subclass of str
    return [piece for piece in line.pieces() if type(piece) is str]


def head_of(line: Line) -> str:
    """Return the ``[kind "name"]`` of a structure, without its number of rows; "" for others."""
    return _COUNT.sub("] ", line.mark).rstrip() if line.kind == "structure" else ""


def has_letter(texts: Iterable[str]) -> bool:
    """Return whether texts are more than numbers, which may be equal by coincidence."""
    return any(map(str.isalpha, "".join(texts)))


def _has_same_parts(old: Line, new: Line) -> bool:
    """Return whether lines have the same controls and texts, none of which is a number."""
    parts = [Counter(map(identify, line.pieces())) for line in (old, new)]
    return parts[0] == parts[1] and all(has_letter([text]) for text in plain_texts(new))


def _key_of(line: Line) -> Hashable:
    """Return what makes a line the same line: its texts and the ids of its controls."""
    parts: list[Hashable] = [head_of(line)]
    for cell in line.cells:
        parts.append(None)
        parts += [identify(piece) for piece in cell if not isinstance(piece, Mark)]
    return tuple(parts)


def _is_solid(line: Line) -> bool:
    """Return whether an equal line elsewhere is the same line: not if it is only a number."""
    is_named = line.kind in RECORDS or line.kind == "structure"
    return is_named or any(line.controls()) or has_letter(plain_texts(line))


@attrs.frozen
class Matching:
    """Indexes of old lines by those of the new lines in which they live on.

    ``partners`` are equal but for the states of their controls; ``pairs`` have another text.
    ``gone`` and ``fresh`` are without a counterpart. ``places`` are the new indexes at which old
    lines without a partner would be; ``gaps`` are these places by the new indexes.
    """

    partners: dict[int, int]
    pairs: dict[int, int]
    gone: list[int]
    fresh: list[int]
    places: dict[int, int]
    gaps: dict[int, int]


def match_lines(old: Sequence[Line], new: Sequence[Line]) -> Matching:
    """Match the lines of two outlines; a line that moved is an equal line.

    The cells of lines that both outlines share are not built.
    """
    codes: dict[Hashable, int] = {}
    shared = {id(line) for line in old} & {id(line) for line in new}

    def code_of(line: Line) -> int:
        key = id(line) if id(line) in shared else _key_of(line)
        return codes.setdefault(key, len(codes))

    before, after = [*map(code_of, old)], [*map(code_of, new)]
    solid = {code for code, line in zip(after, new, strict=True) if _is_solid(line)}
    partners: dict[int, int] = {}
    places: dict[int, int] = {}
    starts: dict[int, int] = {}
    gaps: list[tuple[list[int], list[int]]] = []
    last_a = last_b = 0
    for a, b in find_replaced(before, after, solid.__contains__):
        partners.update(zip(range(last_b, b.start), range(last_a, a.start), strict=True))
        places.update(dict.fromkeys(a, b.start))
        starts.update(dict.fromkeys(b, b.start))
        gaps.append(([*a], [*b]))
        last_a, last_b = a.stop, b.stop
    partners.update(zip(range(last_b, len(new)), range(last_a, len(old)), strict=True))
    for moved in _find_moved(gaps, before, after, solid):
        partners.update(moved)
    gone, fresh = set(places) - set(partners.values()), set(range(len(new))) - partners.keys()
    side, side_now = (_Side(lines, _structures_around(lines)) for lines in (old, new))
    origins = {element.id: index for index in gone for element in old[index].controls()}
    pairs: dict[int, int] = {}
    for pair_some in (_pair_same_records, _pair_records):
        found = pair_some(side, side_now, sorted(gone), sorted(fresh))
        pairs |= _without_unrelated(found, new, origins)
        gone -= set(pairs.values())
        fresh -= pairs.keys()
    known = partners | pairs
    for some, others in gaps:
        removed, added = [i for i in some if i in gone], [j for j in others if j in fresh]
        found = _pair_texts(side, side_now, removed, added, known)
        texts = _without_unrelated(found, new, origins)
        pairs.update(texts)
        known.update(texts)
    gone -= set(pairs.values())
    fresh -= pairs.keys()
    return Matching(partners, pairs, sorted(gone), sorted(fresh), places, starts)


def _find_moved(
    gaps: Sequence[tuple[list[int], list[int]]],
    before: Sequence[int],
    after: Sequence[int],
    solid: Collection[int],
) -> Iterable[dict[int, int]]:
    """Return the equal lines of gaps by new index: solid ones of all gaps, others of one gap."""
    every = [index for a, _ in gaps for index in a if before[index] in solid]
    others = [index for _, b in gaps for index in b if after[index] in solid]
    yield _pair_equal(every, others, before, after)
    for a, b in gaps:
        rest = [i for i in a if before[i] not in solid], [j for j in b if after[j] not in solid]
        yield _pair_equal(*rest, before, after)


def _pair_equal(
    some: Sequence[int], others: Sequence[int], before: _Keys, after: _Keys
) -> dict[int, int]:
    """Pair indexes with equal keys in their order."""
    waiting = defaultdict[Hashable, list[int]](list)
    for index in reversed(some):
        waiting[before[index]].append(index)
    return {index: waiting[after[index]].pop() for index in others if waiting.get(after[index])}


def _without_unrelated(
    pairs: Mapping[int, int], new: Sequence[Line], origins: Mapping[str, int]
) -> dict[int, int]:
    """Return the pairs without those whose new line has old controls, all of other old lines.

    ``origins`` are the indexes of the old lines without a partner, by the ids of their controls.
    """
    kept: dict[int, int] = {}
    for index, origin in pairs.items():
        known = {origins.get(element.id) for element in new[index].controls()} - {None}
        if not known or origin in known:
            kept[index] = origin
    return kept


@attrs.frozen
class _Side:
    """The lines of an outline, and the structures around each of them."""

    lines: Sequence[Line]
    around: Sequence[Hashable]


def _pair_same_records(
    old: _Side, new: _Side, gone: Sequence[int], fresh: Sequence[int]
) -> dict[int, int]:
    """Pair rows and items of a structure that differ only in ids of controls, and its heads."""
    keys = [
        {
            index: (side.around[index], _record_key(line))
            for index in indexes
            if (line := side.lines[index]).kind in RECORDS
        }
        for side, indexes in ((old, gone), (new, fresh))
    ]
    pairs = _pair_equal([*keys[0]], [*keys[1]], *keys)
    return {
        index: origin
        for index, origin in pairs.items()
        if not new.lines[index].is_head
        or _resemble(_names_in(old.lines[origin]), _names_in(new.lines[index]))
    }


def _record_key(line: Line) -> Hashable:
    """Return what stays of a row when ids of its controls change; of heads, their number."""
    return len(line.cells) if line.is_head else key_without_ids(line)


def _names_in(line: Line) -> str:
    """Return all texts of a line and the names of its controls."""
    return " ".join(map(label_of, line.pieces()))


def _pair_records(
    old_side: _Side, new_side: _Side, gone: Sequence[int], fresh: Sequence[int]
) -> dict[int, int]:
    """Pair rows and items that contain the same control, or else begin with the same name.

    A row with another name is another row, even if its controls have the same ids.
    """
    old, new = old_side.lines, new_side.lines
    some = [index for index in gone if old[index].kind in RECORDS]
    others = [index for index in fresh if new[index].kind in RECORDS]
    pairs: dict[int, int] = {}
    for features in (_control_features, _name_features):
        taken = set(pairs.values())
        owners = _unique_owners(old, [index for index in some if index not in taken], features)
        owners_now = _unique_owners(
            new, [index for index in others if index not in pairs], features
        )
        for feature, index in owners_now.items():
            owner = owners.get(feature)
            if owner is None or owner in taken or index in pairs:
                continue
            lines = old[owner], new[index]
            if lines[1].kind == "item" or (_have_same_name(*lines) and not is_same_but_ids(*lines)):
                pairs[index] = owner
                taken.add(owner)
    return pairs


def _control_features(line: Line) -> Iterable[Hashable]:
    """Return the ids of the controls with a name: the ids of others depend on their number."""
    return (element.id for element in line.controls() if element.label)


def _name_features(line: Line) -> Iterable[Hashable]:
    """Return the kind of a line and its name, if it has a letter, and for an item its id."""
    name = name_of(line)
    if line.kind == "row":
        return [(line.kind, name)] if has_letter([name]) else ()
    for cell in line.cells:
        if has_letter(map(label_of, cell)):
            return [(line.kind, *map(identify, cell))]
    return ()


def _have_same_name(old: Line, new: Line) -> bool:
    """Return whether the names of two records share half of their words, and all digits."""
    names = name_of(old), name_of(new)
    return _resemble(*map(without_digits, names)) and len({*map(_digits_in, names)}) == 1


def _unique_owners(
    lines: Sequence[Line],
    indexes: Iterable[int],
    features: Callable[[Line], Iterable[Hashable]],
) -> dict[Hashable, int]:
    owners: dict[Hashable, int] = {}
    seen = Counter[Hashable]()
    for index in indexes:
        found = set(features(lines[index]))
        seen.update(found)
        owners.update(dict.fromkeys(found, index))
    return {feature: index for feature, index in owners.items() if seen[feature] == 1}


def _pair_texts(
    old: _Side, new: _Side, gone: Sequence[int], fresh: Sequence[int], known: dict[int, int]
) -> dict[int, int]:
    """Pair texts in one gap that resemble each other, and short ones in the place of another.

    Texts in different structures are different texts; ``known`` are the pairs of other lines.
    """
    before = [index for index in gone if plain_texts(old.lines[index])]
    after = [index for index in fresh if plain_texts(new.lines[index])]
    pairs = _pair_titles(old, new, before, after)
    taken = set(pairs.values())
    rest = (
        [(index, old.lines[index]) for index in before if index not in taken],
        [(index, new.lines[index]) for index in after if index not in pairs],
    )
    partners = ChainMap(pairs, known)
    for first, second in pair_lines(*rest, lambda pair: _text_of(pair[1])):
        if first is None or second is None:
            continue
        (index, line), (index_now, line_now) = first, second
        is_record = line.kind in RECORDS
        if is_record is not (line_now.kind in RECORDS) or head_of(line) != head_of(line_now):
            continue
        if old.around[index] != new.around[index_now] or is_same_but_ids(line, line_now):
            continue
        if not is_record and _has_same_parts(line, line_now):
            continue  # only the order is another one
        if is_record:
            is_same = _have_same_name(line, line_now)
        else:
            is_alone = _has_same_neighbors(
                index, index_now, partners, len(old.lines), len(new.lines)
            )
            is_same = _is_changed_text(_text_of(line), _text_of(line_now), is_alone=is_alone)
        if is_same:
            pairs[index_now] = index
    return pairs


def _text_of(line: Line) -> str:
    return " ".join(plain_texts(line))


def _is_changed_text(old: str, new: str, *, is_alone: bool) -> bool:
    """Return whether a text is another one that changed.

    It has the same words but for numbers, half of the words, or is a short text whose neighbors
    stayed.
    """
    if _resemble(old, new) or without_digits(old) == without_digits(new):
        return True
    return is_alone and len(old) + len(new) <= _LONGEST_CHANGE


def _has_same_neighbors(
    old: int, new: int, partners: Mapping[int, int], size: int, size_now: int
) -> bool:
    """Return whether the lines before and after two lines are the same, or both are outermost."""
    at_start, at_end = not (old or new), old + 1 == size and new + 1 == size_now
    is_same_before = at_start or (old > 0 and partners.get(new - 1) == old - 1)
    return is_same_before and (at_end or partners.get(new + 1) == old + 1)


def _structures_around(lines: Sequence[Line]) -> list[Hashable]:
    """Return the structures around each line, without the numbers in their names."""
    tables = {line.group: head_of(line) for line in lines if line.kind == "structure"}
    open_heads: list[tuple[int, str]] = []
    around: list[Hashable] = []
    for line in lines:
        while open_heads and open_heads[-1][0] >= line.depth:
            open_heads.pop()
        chain = tuple(head for _, head in open_heads)
        table = tables.get(line.group, "") if line.group and line.kind != "structure" else ""
        around.append((*chain, without_digits(table)))
        if line.kind == "structure":
            open_heads.append((line.depth, without_digits(head_of(line))))
    return around


def _pair_titles(
    old: _Side, new: _Side, gone: Sequence[int], fresh: Sequence[int]
) -> dict[int, int]:
    """Pair headings of one level, and structures of one name, if as many came as went.

    They are paired in their order, in one structure.
    """
    titles: dict[Hashable, tuple[list[int], list[int]]] = {}
    for number, (side, indexes) in enumerate(((old, gone), (new, fresh))):
        for index in indexes:
            line = side.lines[index]
            if title := head_of(line) or (line.kind == "heading" and _level_of(line)):
                key = title, side.around[index]
                titles.setdefault(key, ([], []))[number].append(index)
    pairs: dict[int, int] = {}
    for before, after in titles.values():
        if len(before) == len(after):
            both = zip(after, before, strict=True)
            pairs.update((b, a) for b, a in both if not is_same_but_ids(old.lines[a], new.lines[b]))
    return pairs


def _level_of(line: Line) -> str:
    """Return the mark of a heading."""
    return str(line.cells[0][0]).partition(" ")[0]


def _digits_in(text: str) -> str:
    """Return the digits of a name: rows with other numbers are other rows."""
    return "".join(filter(str.isdigit, text))


def _resemble(text: str, other: str) -> bool:
    """Return whether two texts share half of their words."""
    words, others = Counter(text.split()), Counter(other.split())
    return 2 * (words & others).total() >= max(words.total(), others.total())
