"""Tells which lines of visible text changed, landmark by landmark, without what is told already."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeVar

import attrs

from charlotte.page.diff.changes import Change, quoted_lines
from charlotte.page.model import Element, PageView, TextLine

_WORD = re.compile(r"\w+")
_MOST_COMPARED = 100
_FARTHEST = 50
"""Lines that each is compared with: one that is farther away is another one."""

Words = Counter[str]


T = TypeVar("T")


def pair_lines(
    before: Sequence[T], after: Sequence[T], text_of: Callable[[T], str]
) -> Iterator[tuple[T | None, T | None]]:
    """What went and what came, in order: pairs of a line and the one in its place.

    ``text_of`` a line is what it is recognised by. None stands for no line. One line in the place
    of one other is that line, whatever it says; of
    several, those are taken together that resemble each other, and figures that follow such ones.
    """
    if len(before) == len(after) == 1:
        yield before[0], after[0]
        return
    words = [_words(text_of(line)) for line in after[: _MOST_COMPARED + _FARTHEST]]
    at = 0
    is_paired = True
    for number, old in enumerate(before):
        found = _place_of(
            _words(text_of(old)), words[at : at + _FARTHEST], number, follows=is_paired
        )
        is_paired = found is not None
        if found is None:
            yield old, None
            continue
        yield from ((None, new) for new in after[at : at + found])
        yield old, after[at + found]
        at += found + 1
    yield from ((None, new) for new in after[at:])


def _place_of(old: Words, lines: Sequence[Words], number: int, *, follows: bool) -> int | None:
    """Where among the lines that came is the one that went; figures are known by their place."""
    if number >= _MOST_COMPARED:
        return None
    if not old:
        return 0 if follows and lines and not lines[0] else None
    return next((place for place, new in enumerate(lines) if _are_alike(old, new)), None)


def _are_alike(old: Words, new: Words) -> bool:
    """Whether half of the words are the same."""
    return 2 * (old & new).total() >= max(old.total(), new.total())


def _words(line: str) -> Words:
    """The words without figures, which change while the line stays what it is."""
    return Counter(word for word in _WORD.findall(line.casefold()) if not word.isdigit())


_LABELLED_BESIDE = {
    "text_input",
    "textarea",
    "select",
    "checkbox",
    "radio",
    "toggle",
    "range",
    "color_input",
    "date_input",
    "file_input",
}
"""Types of controls whose label is not in them, and may follow them in a block of its own."""

_MOST_LINES = 20
"""Lines before a control among which its label is: those of a block with line breaks."""


def find_own_texts(view: PageView, first: int = 0, end: int | None = None) -> list[str]:
    """Return, for each line, the text that is part of no heading or control; "" for nothing.

    Lines before ``first`` and from ``end`` on are returned as they are. A label is taken out once,
    where the control stands: equal text elsewhere is text of the page.
    """
    lines = view.lines
    own = [line.text for line in lines]
    headings = {heading.id: heading.text for heading in view.headings}
    elements = {element.id: element for element in view.interactive}
    begin = first = _begin_of(lines, first)
    for index in range(first, len(lines)):
        line = lines[index]
        if owner := elements.get(line.owner):
            if any(line.text in text for text in _texts(owner)):
                own[index] = ""
        elif line.owner and line.text in headings.get(line.owner, ""):
            own[index] = ""
        if not line.followers:
            continue
        before = range(index, max(begin, index - _MOST_LINES) - 1, -1)
        after = index + 1 if index + 1 < len(lines) and not lines[index + 1].owner else None
        for follower in line.followers:
            if control := elements.get(follower):
                _take_out(own, control, before, after)
        begin = index + 1
        if end is not None and begin >= end:
            break
    if end is not None:
        own[end:] = [line.text for line in lines[end:]]
    return own


def _begin_of(lines: Sequence[TextLine], first: int) -> int:
    """Return the last line before ``first`` that controls follow: their labels may be after it."""
    while first > 0 and not lines[first - 1].followers:
        first -= 1
    return max(first - 1, 0)


def _texts(element: Element) -> Sequence[str]:
    """Return the texts of a record that lines may have; the longest first: one may hold others."""
    has_label = element.label and (element.is_written or element.type in _LABELLED_BESIDE)
    if not (element.value and element.is_written):
        return (element.label,) if has_label else ()
    texts = {element.label if has_label else "", *quoted_lines(element.value)} - {""}
    return sorted(texts, key=len, reverse=True)


def _take_out(own: list[str], control: Element, before: Iterable[int], after: int | None) -> None:
    """Take the texts of a control out of the nearest line before it, or out of the one after."""
    for text in _texts(control):
        place = next((index for index in before if text in own[index]), None)
        if place is not None:
            own[place] = _without(own[place], text)
        elif after is not None and control.type in _LABELLED_BESIDE and own[after] == text:
            own[after] = ""


def _without(line: str, text: str) -> str:
    """Return the line without the text, where it stands as words of its own if it does so."""
    start = line.find(text)
    while start >= 0:
        end = start + len(text)
        if not (line[start - 1 : start].isalnum() or line[end : end + 1].isalnum()):
            return f"{line[:start]} {line[end:]}"
        start = line.find(text, start + 1)
    return line.replace(text, " ", 1)


_MOST_LINES = 20
_MOST_GONE = 5
"""Lines that only went are worth little: an agent acts on what is there."""

_LONGEST = 200
_CONTEXT = 40
_DEEPEST = 8

_MOST_MOVED = 3
"""Moves that are quoted; more are counted."""

_MANY = 10
"""Lines in another place, from which on they are counted instead of told."""

_SEPARATORS = "|·•,;:/-—»>"


@attrs.frozen
class _Text:
    """A line of text, and what of it is part of no heading or control."""

    line: str
    own: str
    heading: bool = attrs.field(default=False, eq=False)


@attrs.frozen
class _Block:
    """Lines that replaced others in one place; ``element`` is the landmark, None: the page root."""

    element: str | None
    before: list[_Text]
    after: list[_Text]


def text_changes(
    old: PageView, new: PageView, landmarks: Sequence[tuple[int, int]]
) -> list[Change]:
    """Changes of property ``text``; ``landmarks`` pairs the places of those on both pages.

    The text of headings and controls is left to the changes of those. The text of a landmark that
    went is not told again, nor what of it is in one that came.
    """
    start, end = _same_ends(old, new)
    is_same = start == len(old.lines) == len(new.lines)
    if is_same and len(old.landmarks) == len(new.landmarks) == len(landmarks):
        return []
    before, after = _by_landmark(old, start, end), _by_landmark(new, start, end)
    partner = {b: a for a, b in [(-1, -1), *landmarks]}
    gone = _lines_of(before.keys() - partner.values(), before)
    blocks: list[_Block] = []
    for place in range(-1, len(new.landmarks)):
        element = new.landmarks[place].id if place >= 0 else None
        texts = after.get(place, [])
        if place in partner:
            pairs = _replaced(before.get(partner[place], []), texts)
            blocks += (_Block(element, *pair) for pair in pairs)
        else:
            blocks.append(_Block(element, [], [one for one in texts if not _take(gone, one.line)]))
    return _report(_without_labels(blocks))


def _lines_of(places: Iterable[int], texts: dict[int, list[_Text]]) -> Counter[str]:
    return Counter(one.line for place in places for one in texts[place])


def _same_ends(old: PageView, new: PageView) -> tuple[int, int]:
    """How many lines both begin with, and end with."""
    before, after = [line.text for line in old.lines], [line.text for line in new.lines]
    start = _same(before, after)
    return start, _same(before[start:][::-1], after[start:][::-1])


def _by_landmark(view: PageView, start: int, end: int) -> dict[int, list[_Text]]:
    """The lines, without headings and labels in those between what is the same in both views."""
    texts: dict[int, list[_Text]] = {}
    own_of_all = find_own_texts(view, start, len(view.lines) - end)
    headings = {heading.id for heading in view.headings}
    for line, own in zip(view.lines, own_of_all, strict=True):
        text = _Text(line.text, own, line.owner in headings)
        texts.setdefault(line.landmark, []).append(text)
    return texts


def _without_labels(blocks: list[_Block]) -> list[_Block]:
    """Leave out lines that are nothing but headings and labels, and text that stays as a label.

    Text that becomes a label is still shown, wherever the label is. The label of a control that
    becomes text is no new text only in the same place; a heading that becomes text is new text.
    """
    labels = Counter(one.line for block in blocks for one in block.after if _is_label(one))
    labels -= Counter(one.line for block in blocks for one in block.before if _is_label(one))
    left: list[_Block] = []
    for block in blocks:
        went = Counter(one.line for one in block.before if _is_label(one) and not one.heading)
        went -= Counter(one.line for one in block.after if _is_label(one))
        before = [one for one in block.before if not (_is_label(one) or _take(labels, one.line))]
        after = [one for one in block.after if not (_is_label(one) or _take(went, one.line))]
        left.append(_Block(block.element, before, after))
    return left


def _is_label(text: _Text) -> bool:
    return text.own != text.line and not split_words(text.own)


def _replaced(
    before: list[_Text], after: list[_Text], depth: int = 0
) -> Iterator[tuple[list[_Text], list[_Text]]]:
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


def _anchors(before: list[_Text], after: list[_Text]) -> list[tuple[int, int]]:
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
    return _rising([pair for pair in shared if _has_letter(before[pair[0]].line)] or shared)


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


def _same(first: Sequence[object], second: Sequence[object]) -> int:
    """How many lines both begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    return next((index for index, (a, b) in pairs if a != b), shorter)


def _report(blocks: list[_Block]) -> list[Change]:
    blocks, changes = _moved_blocks(blocks)
    moved = _in_both(blocks)
    reported = [*_changes(blocks, moved)]
    gone = 0
    told: list[Change] = []
    for change in reported:
        gone += change.after is None
        if len(told) < _MOST_LINES and (change.after is not None or gone <= _MOST_GONE):
            told.append(change)
    if more := len(reported) - len(told):
        detail = f"… {more} more lines of text"
        told.append(Change(type="changed", property="text", detail=detail))
    if moved:
        detail = f"{sum(moved.values())} lines of text changed place"
        changes.append(Change(type="moved", property="text", detail=detail))
    return told + changes


def _moved_blocks(blocks: list[_Block]) -> tuple[list[_Block], list[Change]]:
    """Find what went from one place and came whole in another, such as a row that was moved.

    Returns the other blocks, and the changes for these. Figures alone may be the same by chance.
    The order of lines is ignored: if rows end with equal lines, a block may begin with the end of
    the row before.
    """
    went = {_sorted_lines(block.before): block for block in blocks if not block.after}
    came = {_sorted_lines(block.after): block for block in blocks if not block.before}
    both = [lines for lines in came if lines in went and any(map(_has_letter, lines))]
    known = {id(block) for lines in both for block in (went[lines], came[lines])}
    left = [block for block in blocks if id(block) not in known]
    if len(both) <= _MOST_MOVED:
        return left, [_move(came[lines]) for lines in both]
    detail = f"{sum(map(len, both))} lines of text changed place"
    return left, [Change(type="moved", property="text", detail=detail)]


def _sorted_lines(texts: list[_Text]) -> tuple[str, ...]:
    return tuple(sorted(one.line for one in texts))


def _move(block: _Block) -> Change:
    text = _cut(" | ".join(one.line for one in block.after), 0)
    detail = f'"{text}" changed place'
    return Change(type="moved", element=block.element, property="text", detail=detail)


def _in_both(blocks: list[_Block]) -> Counter[str]:
    """Lines that went in one place and came in another, if there are many: something was sorted.

    A few are better told one by one, and numbers are in many places without being the same thing.
    """
    before = Counter(one.line for block in blocks for one in block.before if _has_letter(one.line))
    after = Counter(one.line for block in blocks for one in block.after if _has_letter(one.line))
    both = before & after
    return both if sum(both.values()) >= _MANY else Counter()


def _has_letter(line: str) -> bool:
    return any(map(str.isalpha, line))


def _changes(blocks: list[_Block], moved: Counter[str]) -> Iterator[Change]:
    went, came = moved.copy(), moved.copy()
    for block in blocks:
        before = [one for one in block.before if not _take(went, one.line)]
        after = [one for one in block.after if not _take(came, one.line)]
        for old, new in pair_lines(before, after, lambda one: one.own):
            if old is None or new is None or _differ(old, new):
                yield _change(block.element, old.line if old else "", new.line if new else "")


def _differ(old: _Text, new: _Text) -> bool:
    """Whether two lines differ in what is part of no heading or control."""
    if old.line == old.own and new.line == new.own:
        return old.line != new.line
    return split_words(old.own) != split_words(new.own)


def split_words(text: str) -> list[str]:
    """The words of a line without what only stands between others."""
    return [word for word in text.split() if word.strip(_SEPARATORS)]


def _take(counter: Counter[str], line: str) -> bool:
    if counter[line] <= 0:
        return False
    counter[line] -= 1
    return True


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
