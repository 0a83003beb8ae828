"""Tells which lines of visible text changed, landmark by landmark, without what is told already."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import attrs

from charlotte.page.changes import Change
from charlotte.page.model import PageView
from charlotte.page.resembling import line_pairs

_MOST_LINES = 20
_MOST_GONE = 5
"""Lines that only went are worth little: an agent acts on what is there."""

_LONGEST = 200
_CONTEXT = 40
_DEEPEST = 8

_MANY = 10
"""Lines in another place, from which on they are counted instead of told."""

_MOST_LABELS = 100
_SHORT = 2
_SEPARATORS = "|·•,;:/-—»>"


@attrs.frozen
class _Block:
    """Lines that replaced others in one place; ``element`` is the landmark, None: the page root."""

    element: str | None
    before: list[str]
    after: list[str]


@attrs.define
class Told:
    """Texts that other changes already tell: labels and values that went, and that came.

    ``went`` and ``came`` are those that were, or are, whole lines: headings.
    """

    before: set[str] = attrs.field(factory=set[str])
    after: set[str] = attrs.field(factory=set[str])
    went: Counter[str] = attrs.field(factory=Counter[str])
    came: Counter[str] = attrs.field(factory=Counter[str])


def text_changes(
    old: PageView, new: PageView, landmarks: Sequence[tuple[int, int]], told: Told
) -> list[Change]:
    """Changes of property ``text``; ``landmarks`` pairs the places of those on both pages.

    The text of a landmark that went is not told again, nor what of it is in one that came.
    """
    before, after = _by_landmark(old, told.went), _by_landmark(new, told.came)
    partner = {b: a for a, b in [(-1, -1), *landmarks]}
    gone = _lines_of(before.keys() - partner.values(), before)
    blocks: list[_Block] = []
    for place in range(-1, len(new.landmarks)):
        element = new.landmarks[place].id if place >= 0 else None
        lines = after.get(place, [])
        if place in partner:
            pairs = _replaced(before.get(partner[place], []), lines)
            blocks += (_Block(element, *pair) for pair in pairs)
        else:
            blocks.append(_Block(element, [], [line for line in lines if not _take(gone, line)]))
    return _report(blocks, told)


def _lines_of(places: Iterable[int], lines: dict[int, list[str]]) -> Counter[str]:
    return Counter(line for place in places for line in lines[place])


def _by_landmark(view: PageView, headings: Counter[str]) -> dict[int, list[str]]:
    """The lines without those of headings that are told: that others say the same is no answer."""
    told = headings.copy()
    lines: dict[int, list[str]] = {}
    for line in view.lines:
        if not _take(told, line.text):
            lines.setdefault(line.landmark, []).append(line.text)
    return lines


def _replaced(
    before: list[str], after: list[str], depth: int = 0
) -> Iterator[tuple[list[str], list[str]]]:
    """What was replaced by what, in order.

    Lines that both have only once stay where they are and divide the rest, which is compared in
    the same way: in the time of a few sorts, where difflib would look at each pair of equal lines.
    """
    start = _same(before, after)
    end = _same(before[start:][::-1], after[start:][::-1])
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    anchors = _anchors(before, after) if depth < _DEEPEST else []
    if not anchors:
        if before or after:
            yield before, after
        return
    last_a = last_b = 0
    for a, b in [*anchors, (len(before), len(after))]:
        yield from _replaced(before[last_a:a], after[last_b:b], depth + 1)
        last_a, last_b = a + 1, b + 1


def _anchors(before: list[str], after: list[str]) -> list[tuple[int, int]]:
    """Places of lines that are unique on both sides and come in the same order.

    Those with words in them come first: that a number is found again may be chance.
    """
    seen, seen_after = Counter(before), Counter(after)
    places = {line: place for place, line in enumerate(after) if seen_after[line] == 1}
    shared = [
        (place, places[line])
        for place, line in enumerate(before)
        if seen[line] == 1 and line in places
    ]
    return _rising([pair for pair in shared if _has_letter(before[pair[0]])] or shared)


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest selection of pairs whose second numbers rise as their first ones do."""
    ends: list[int] = []  # the least second number that a selection of each length can end with
    lengths: list[int] = []
    for _, second in pairs:
        length = bisect_left(ends, second)
        ends[length : length + 1] = [second]
        lengths.append(length)
    chosen: list[tuple[int, int]] = []
    wanted = len(ends) - 1
    for pair, length in zip(reversed(pairs), reversed(lengths), strict=True):
        if length == wanted:
            chosen.append(pair)
            wanted -= 1
    return chosen[::-1]


def _same(first: list[str], second: list[str]) -> int:
    """How many lines both begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    return next((index for index, (a, b) in pairs if a != b), shorter)


def _report(blocks: list[_Block], told: Told) -> list[Change]:
    moved = _in_both(blocks)
    reported = [*_untold(blocks, moved, told)]
    changes: list[Change] = []
    gone = 0
    for change in reported:
        gone += change.after is None
        if len(changes) < _MOST_LINES and (change.after is not None or gone <= _MOST_GONE):
            changes.append(change)
    if more := len(reported) - len(changes):
        detail = f"… {more} more lines of text"
        changes.append(Change(type="changed", property="text", detail=detail))
    if moved:
        detail = f"{sum(moved.values())} lines of text changed place"
        changes.append(Change(type="moved", property="text", detail=detail))
    return changes


def _in_both(blocks: list[_Block]) -> Counter[str]:
    """Lines that went in one place and came in another, if there are many: something was sorted.

    A few are better told one by one, and numbers are in many places without being the same thing.
    """
    before = Counter(line for block in blocks for line in block.before if _has_letter(line))
    after = Counter(line for block in blocks for line in block.after if _has_letter(line))
    both = before & after
    return both if sum(both.values()) >= _MANY else Counter()


def _has_letter(line: str) -> bool:
    return any(map(str.isalpha, line))


def _untold(blocks: list[_Block], moved: Counter[str], told: Told) -> Iterator[Change]:
    went, came = moved.copy(), moved.copy()
    without_before, without_after = stripper(told.before), stripper(told.after)
    for block in blocks:
        before = _left(block.before, went, without_before)
        after = _left(block.after, came, without_after)
        for old, new in line_pairs(before, after, (without_before, without_after)):
            if _differ((old, without_before(old)), (new, without_after(new))):
                yield _change(block.element, old, new)


def _left(lines: list[str], elsewhere: Counter[str], without: Callable[[str], str]) -> list[str]:
    """The lines that are not found elsewhere, and that other changes do not tell whole.

    Figures stay: that a value is one of them too may be chance.
    """
    return [
        line
        for line in lines
        if not (_take(elsewhere, line) or (_has_letter(line) and not words_in(without(line))))
    ]


def _differ(old: tuple[str, str], new: tuple[str, str]) -> bool:
    """Whether two lines say different things besides what is told elsewhere."""
    (before, before_rest), (after, after_rest) = old, new
    if before == before_rest and after == after_rest:
        return before != after
    return words_in(before_rest) != words_in(after_rest)


def words_in(text: str) -> list[str]:
    """The words of a line without what only stands between others."""
    return [word for word in text.split() if word.strip(_SEPARATORS)]


def _take(counter: Counter[str], line: str) -> bool:
    if counter[line] <= 0:
        return False
    counter[line] -= 1
    return True


def stripper(labels: Collection[str]) -> Callable[[str], str]:
    """A function that takes out of a line what is told elsewhere.

    Short labels are taken out as whole lines only: a ``2`` in a sentence may be any ``2``.
    """
    longest = sorted((text for text in labels if len(text) > _SHORT), key=len, reverse=True)
    pattern = re.compile("|".join(map(re.escape, longest[:_MOST_LABELS])) or "(?!)")

    def without(line: str) -> str:
        return "" if line in labels else pattern.sub(" ", line)

    return without


def _change(element: str | None, old: str, new: str) -> Change:
    start = _common(old, new) if len(old) > _LONGEST or len(new) > _LONGEST else 0
    start = max(start - _CONTEXT, 0)
    return Change(
        type="changed",
        element=element,
        property="text",
        before=_cut(old, start) or None,
        after=_cut(new, start) or None,
    )


def _common(first: str, second: str) -> int:
    pairs = enumerate(zip(first, second, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(first), len(second)))


def _cut(text: str, start: int) -> str:
    head = "…" if start and text else ""
    part = text[start : start + _LONGEST]
    return f"{head}{part}…" if start + _LONGEST < len(text) else f"{head}{part}"
