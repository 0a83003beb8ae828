"""Match of the lines of two outlines: which are equal, which replaced which, which only moved."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

import attrs

from charlotte.answers.text.change_lines import (
    identify,
    is_same_but_ids,
    key_without_ids,
    name_of,
    without_digits,
)
from charlotte.answers.text.lines import RECORDS, Line, Mark
from charlotte.page.diff.lines import find_replaced, pair_lines

_COUNT = re.compile(r", [\d,]+ rows\] $")
_LONGEST_CHANGE = 100
"""Characters of two texts that are taken for one that changed even if no word is the same."""

_IsSame = Callable[[Line, Line], bool]
_Key = Callable[[Line, Hashable, int], Hashable]
"""Returns what a line, with the structures around it and its place, shares with its counterpart."""


def plain_texts(line: Line) -> list[str]:
    """Return the texts of the page in a line, without those of its controls."""
    return [
        piece for piece in line.pieces() if isinstance(piece, str) and not isinstance(piece, Mark)
    ]


def head_of(line: Line) -> str:
    """Return the ``[kind "name"]`` of a structure, without its number of rows; "" for others."""
    return _COUNT.sub("] ", line.mark).rstrip() if line.kind == "structure" else ""


def has_letter(texts: Iterable[str]) -> bool:
    """Return whether texts are more than numbers, which may be equal by coincidence."""
    return any(map(str.isalpha, "".join(texts)))


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


@attrs.define(eq=False)
class Matching:
    """Indexes of old lines by those of the new lines in which they live on.

    ``partners`` are equal but for the states of their controls; ``pairs`` have another text.
    ``gone`` and ``fresh`` are without a counterpart. ``places`` are the new indexes at which old
    lines without an equal line would be; ``gaps`` are these places by the new indexes.
    """

    old: Sequence[Line]
    new: Sequence[Line]
    partners: dict[int, int]
    places: dict[int, int]
    gaps: dict[int, int]
    gone: list[int]
    fresh: list[int]
    pairs: dict[int, int] = attrs.field(factory=dict[int, int])

    def pair_changed(self) -> None:
        """Pair the lines that changed: records, titles, then other texts."""
        around, around_now = _structures_around(self.old), _structures_around(self.new)
        origins = {
            element.id: index for index in self.gone for element in self.old[index].controls()
        }

        def pair(key: _Key, is_same: _IsSame | None = None, *, is_balanced: bool = False) -> None:
            """Pair the lines with equal keys."""
            before = {i: key(self.old[i], around[i], self.places[i]) for i in self.gone}
            after = {i: key(self.new[i], around_now[i], self.gaps[i]) for i in self.fresh}
            self._add(_pair_equal(before, after, is_balanced=is_balanced), is_same, origins)

        pair(_record_key)
        self._add(dict(self._find_by_controls(origins)), _is_changed_record, origins)
        pair(_name_key, _is_changed_record, is_balanced=True)
        pair(_title_key, _is_changed, is_balanced=True)
        pair(_parts_key, _is_changed)
        after = {place: [*some] for place, some in groupby(self.fresh, self.gaps.__getitem__)}
        texts = {
            index: origin
            for place, before in groupby(self.gone, self.places.__getitem__)
            for index, origin in self._find_texts(before, after.get(place, []), around, around_now)
        }
        self._add(texts, _is_changed, origins)

    def _add(
        self, found: Mapping[int, int], is_same: _IsSame | None, origins: Mapping[str, int]
    ) -> None:
        """Add pairs without those whose new line has old controls, all of other old lines.

        ``origins`` are the old lines without an equal line, by the ids of their controls.
        """
        for index, origin in found.items():
            known = {origins.get(element.id) for element in self.new[index].controls()} - {None}
            is_related = not known or origin in known
            if is_related and (not is_same or is_same(self.old[origin], self.new[index])):
                self.pairs[index] = origin
        taken = {*self.pairs.values()}
        self.gone = [index for index in self.gone if index not in taken]
        self.fresh = [index for index in self.fresh if index not in self.pairs]

    def _find_by_controls(self, origins: Mapping[str, int]) -> Iterator[tuple[int, int]]:
        """Pair rows and items that contain the same control, which has a name.

        The ids of others depend on their number.
        """
        waiting = {index for index in self.gone if self.old[index].kind in RECORDS}
        for index in self.fresh:
            if self.new[index].kind not in RECORDS:
                continue
            for element in self.new[index].controls():
                origin = origins.get(element.id, -1) if element.label else -1
                if origin in waiting:
                    waiting.discard(origin)
                    yield index, origin
                    break

    def _find_texts(
        self,
        gone: Iterable[int],
        fresh: Iterable[int],
        around: Sequence[Hashable],
        around_now: Sequence[Hashable],
    ) -> Iterator[tuple[int, int]]:
        """Pair texts in one place that resemble each other, and short ones in place of another.

        Texts in different structures are different texts.
        """
        before = [(index, text) for index in gone if (text := _text_of(self.old[index]))]
        after = [(index, text) for index in fresh if (text := _text_of(self.new[index]))]
        last = -1, -1
        for first, second in pair_lines(before, after, lambda pair: pair[1]):
            if first is None or second is None or around[first[0]] != around_now[second[0]]:
                continue
            (origin, text), (index, text_now) = first, second
            line, line_now = self.old[origin], self.new[index]
            is_record = line.kind in RECORDS
            if is_record is not (line_now.kind in RECORDS) or head_of(line) != head_of(line_now):
                continue
            if is_record:
                is_same = _have_same_name(line, line_now)
            else:
                is_short = len(text) + len(text_now) <= _LONGEST_CHANGE
                is_same = (
                    _resemble(text, text_now)
                    or without_digits(text) == without_digits(text_now)
                    or (is_short and self._has_same_neighbors(origin, index, last))
                )
            if is_same:
                last = origin, index
                yield index, origin

    def _has_same_neighbors(self, origin: int, index: int, last: tuple[int, int]) -> bool:
        """Return whether the lines before and after are the same, or both lines are outermost.

        ``last`` are the lines that were paired before.
        """
        at_end = origin + 1 == len(self.old) and index + 1 == len(self.new)
        is_same_before = last == (origin - 1, index - 1) or self._are_same(origin - 1, index - 1)
        return is_same_before and (at_end or self._are_same(origin + 1, index + 1))

    def _are_same(self, origin: int, index: int) -> bool:
        return index == origin == -1 or self.partners.get(index, self.pairs.get(index)) == origin


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
    partners, places, gaps = dict[int, int](), dict[int, int](), dict[int, int]()
    last_a = last_b = 0
    for a, b in find_replaced(before, after, solid.__contains__):
        partners.update(zip(range(last_b, b.start), range(last_a, a.start), strict=True))
        places.update(dict.fromkeys(a, b.start))
        gaps.update(dict.fromkeys(b, b.start))
        last_a, last_b = a.stop, b.stop
    partners.update(zip(range(last_b, len(new)), range(last_a, len(old)), strict=True))
    # lines that are not solid are equal only in one place
    partners |= _pair_equal(
        {i: before[i] if before[i] in solid else (before[i], at) for i, at in places.items()},
        {i: after[i] if after[i] in solid else (after[i], at) for i, at in gaps.items()},
    )
    gone = sorted(places.keys() - {*partners.values()})
    matching = Matching(old, new, partners, places, gaps, gone, sorted(gaps.keys() - partners))
    matching.pair_changed()
    return matching


def _pair_equal(
    before: Mapping[int, Hashable], after: Mapping[int, Hashable], *, is_balanced: bool = False
) -> dict[int, int]:
    """Pair indexes with equal keys in their order; None is no key.

    If ``is_balanced``, only where as many lines have the key on both sides.
    """
    waiting = defaultdict[Hashable, list[int]](list)
    counts, counts_now = Counter(before.values()), Counter(after.values())
    for index in reversed([*before]):
        key = before[index]
        if key is not None and (not is_balanced or counts[key] == counts_now[key]):
            waiting[key].append(index)
    return {index: waiting[key].pop() for index, key in after.items() if waiting.get(key)}


def _record_key(line: Line, around: Hashable, _: int) -> Hashable:
    """Return what stays of a row or item when ids of its controls change."""
    return (around, key_without_ids(line)) if line.kind in RECORDS else None


def _name_key(line: Line, *_: object) -> Hashable:
    """Return the kind and name of a row or item, if it has a letter."""
    name = name_of(line) if line.kind in RECORDS else ""
    return (line.kind, name) if has_letter([name]) else None


def _is_changed_record(old: Line, new: Line) -> bool:
    """Return whether a row is the old one: with another name it is not, whatever its ids are."""
    is_item = old.kind == new.kind == "item"
    return is_item or (_have_same_name(old, new) and not is_same_but_ids(old, new))


def _title_key(line: Line, around: Hashable, place: int) -> Hashable:
    """Return the level of a heading, or the name of a structure, with its place."""
    mark = str(line.cells[0][0]).partition(" ")[0] if line.kind == "heading" else ""
    title = head_of(line) or mark
    return (title, around, place) if title and plain_texts(line) else None


def _is_changed(old: Line, new: Line) -> bool:
    return not is_same_but_ids(old, new)


def _parts_key(line: Line, _: Hashable, place: int) -> Hashable:
    """Return what a line has in common with one whose parts are in another order."""
    parts = Counter(map(identify, line.pieces()))
    return None if line.kind in RECORDS else (head_of(line), place, frozenset(parts.items()))


def _have_same_name(old: Line, new: Line) -> bool:
    """Return whether the names of two records share half of their words, and all digits."""
    names = name_of(old), name_of(new)
    digits = {"".join(filter(str.isdigit, name)) for name in names}
    return _resemble(*map(without_digits, names)) and len(digits) == 1


def _text_of(line: Line) -> str:
    return " ".join(plain_texts(line))


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


def _resemble(text: str, other: str) -> bool:
    """Return whether two texts share half of their words."""
    words, others = Counter(text.split()), Counter(other.split())
    return 2 * (words & others).total() >= max(words.total(), others.total())
