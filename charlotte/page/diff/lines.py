"""Changed lines of visible text, landmark by landmark, without text that other changes contain.

Text of headings and controls is reported with these, so only the rest of a line, its own text,
counts. A new line is paired with the old line that it resembles.
"""

import itertools
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

import attrs

from charlotte.base.errors import ellipsize
from charlotte.page.model import Change, Element, PageView, property_change, quoted_lines

T = TypeVar("T")
H = TypeVar("H", bound=Hashable)

_WORD = re.compile(r"\w+")
_MOST_COMPARED = 100
_FARTHEST = 50
"""New lines with which each old line is compared."""

LABELLED_OUTSIDE = {
    *("text_input", "textarea", "select", "checkbox", "radio", "toggle"),
    *("range", "color_input", "date_input", "file_input"),
}
"""Types of controls whose label is outside of them, and may follow in a block of its own."""

_LABEL_DISTANCE = 20
"""Lines before a control that may contain its label, as in a block with line breaks."""

_MOST_LINES = 20
_MOST_GONE = 5
"""Removed lines are less useful than new ones: an agent acts on what is there."""

_LONGEST = 200
_CONTEXT = 40
_MOST_EQUAL = 20

_MANY = 10
"""Lines at another position from which on they are counted instead of listed."""

_SEPARATORS = "|·•,;:/-—»>"


def pair_lines(
    before: Sequence[T], after: Sequence[T], text_of: Callable[[T], str]
) -> Iterator[tuple[T | None, T | None]]:
    """Return pairs of an old line and the new line in its place; None stands for no line.

    A single line replaces a single line. Several lines are paired if they resemble each other, or
    if they are numbers directly after a pair.
    """
    if len(before) == len(after) == 1:
        yield before[0], after[0]
        return
    words = [_count_words(text_of(line)) for line in after[: _MOST_COMPARED + _FARTHEST]]
    start = 0
    is_paired = True
    for number, old in enumerate(before):
        index = None
        if number < _MOST_COMPARED:
            candidates = words[start : start + _FARTHEST]
            index = _find_alike(_count_words(text_of(old)), candidates, is_paired=is_paired)
        is_paired = index is not None
        if index is None:
            yield old, None
            continue
        yield from ((None, new) for new in after[start : start + index])
        yield old, after[start + index]
        start += index + 1
    yield from ((None, new) for new in after[start:])


def _count_words(line: str) -> Counter[str]:
    """Count the words without digits, which change while a line stays the same."""
    return Counter(word for word in _WORD.findall(line.casefold()) if not word.isdigit())


def _find_alike(old: Counter[str], lines: Sequence[Counter[str]], *, is_paired: bool) -> int | None:
    """Return the first line that shares half of the words.

    A line of numbers matches only directly after a pair.
    """
    if not old:
        return 0 if is_paired and lines and not lines[0] else None
    alike = (
        index
        for index, new in enumerate(lines)
        if 2 * (old & new).total() >= max(old.total(), new.total())
    )
    return next(alike, None)


def find_own_texts(view: PageView, first: int = 0) -> list[str]:
    """Return the text of each line from ``first`` on that is not part of a heading or control.

    A label is removed once, where the control is: equal text elsewhere is text of the page.
    """
    lines = view.lines
    own = [line.text for line in lines]
    headings = {heading.id: heading.text for heading in view.headings}
    elements = {element.id: element for element in view.interactive}
    start = first
    for index in range(first, len(lines)):
        line = lines[index]
        if line.owner:
            owner = elements.get(line.owner)
            texts = _record_texts(owner) if owner else [headings.get(line.owner, "")]
            if any(line.text in text for text in texts):
                own[index] = ""
        if line.followers:
            before = range(index, max(start, index - _LABEL_DISTANCE) - 1, -1)
            is_free = index + 1 < len(lines) and not lines[index + 1].owner
            for control in filter(None, map(elements.get, line.followers)):
                may_follow = is_free and control.type in LABELLED_OUTSIDE
                for text in _record_texts(control):
                    place = next((place for place in before if text in own[place]), None)
                    if place is not None:
                        own[place] = own[place].replace(text, " ", 1)
                    elif may_follow and own[index + 1] == text:
                        own[index + 1] = ""
            start = index + 1
    return own


def _record_texts(element: Element) -> Sequence[str]:
    """Return label and value as far as lines may contain them, the longest first."""
    label = element.label if element.is_written or element.type in LABELLED_OUTSIDE else ""
    value = element.value if element.is_written else None
    return sorted({label, *quoted_lines(value or "")} - {""}, key=len, reverse=True)


def split_words(text: str) -> list[str]:
    """Return the words of a line without separators."""
    return [word for word in text.split() if word.strip(_SEPARATORS)]


@attrs.frozen
class _Text:
    """A line of text, and the part of it that belongs to no heading or control."""

    line: str
    own: str


_Block = tuple[str | None, Sequence[_Text], Sequence[_Text]]
"""Lines that replaced others; the element is the landmark, None for the page root."""


def text_changes(
    old: PageView, new: PageView, landmarks: Sequence[tuple[int, int]]
) -> list[Change]:
    """Return changes of property ``text``; ``landmarks`` are pairs of indexes on both pages.

    Text of headings, controls and removed landmarks is left out, as is text that is in a new
    landmark as well as in a removed one. Lines that left one position and came to another are
    counted if many did: a list was sorted.
    """
    start = count_equal([one.text for one in old.lines], [one.text for one in new.lines])
    is_same = start == len(old.lines) == len(new.lines)
    if is_same and len(old.landmarks) == len(new.landmarks) == len(landmarks):
        return []
    while start > 0 and not (old.lines[start - 1].followers and new.lines[start - 1].followers):
        start -= 1  # own texts of both views begin at the same line
    blocks = [*_find_blocks(old, new, dict([(-1, -1), *((b, a) for a, b in landmarks)]), start)]
    # numbers are in many positions without being the same thing
    gone, added = (
        Counter(text.line for texts in side for text in texts if _has_letter(text))
        for side in ([some for _, some, _ in blocks], [others for *_, others in blocks])
    )
    both = gone & added
    moved = both if both.total() >= _MANY else Counter[str]()
    changes = [*_block_changes(blocks, moved)]
    removed = itertools.accumulate(change.after is None for change in changes)
    possible = [
        change
        for change, count in zip(changes, removed, strict=True)
        if change.after is not None or count <= _MOST_GONE
    ]
    listed = possible[:_MOST_LINES]
    if more := len(changes) - len(listed):
        detail = f"… {more} more {'line' if more == 1 else 'lines'} of text"
        listed.append(Change(type="changed", property="text", detail=detail))
    if moved:
        detail = f"{moved.total()} lines of text changed place"
        listed.append(Change(type="moved", property="text", detail=detail))
    return listed


def _find_blocks(
    old: PageView, new: PageView, partners: Mapping[int, int], start: int
) -> Iterator[_Block]:
    """Return the lines that differ; ``partners`` are the old landmarks of the new ones."""
    before, after = _texts_by_landmark(old, start), _texts_by_landmark(new, start)
    gone = Counter(
        text.line for index in before.keys() - partners.values() for text in before[index]
    )
    for index in range(-1, len(new.landmarks)):
        element = new.landmarks[index].id if index >= 0 else None
        texts = after.get(index, [])
        if index not in partners:
            yield element, [], [text for text in texts if not _take(gone, text.line)]
            continue
        known = before.get(partners[index], [])
        for a, b in find_replaced(known, texts, _has_letter):
            yield element, known[a.start : a.stop], texts[b.start : b.stop]


def _texts_by_landmark(view: PageView, start: int) -> dict[int, list[_Text]]:
    """Return the lines by landmark, without those from ``start`` on that are only labels."""
    texts: dict[int, list[_Text]] = {}
    for line, own in zip(view.lines, find_own_texts(view, start), strict=True):
        if own == line.text or split_words(own):
            texts.setdefault(line.landmark, []).append(_Text(line.text, own))
    return texts


def _take(counter: Counter[str], line: str) -> bool:
    if counter[line] <= 0:
        return False
    counter[line] -= 1
    return True


def find_replaced(
    before: Sequence[H], after: Sequence[H], is_solid: Callable[[H], bool]
) -> Iterator[tuple[range, range]]:
    """Return the indexes of the replaced and the new items of each difference, in order.

    Items that are not solid may be equal by coincidence, as may those of which there are many:
    they are the same only beside items that are.
    """
    start = count_equal(before, after)
    end = count_equal(before[start:][::-1], after[start:][::-1])
    some, others = before[start : len(before) - end], after[start : len(after) - end]
    counts = Counter(others)
    matcher = SequenceMatcher(
        lambda item: counts[item] > _MOST_EQUAL or not is_solid(item), some, others, autojunk=False
    )
    for kind, a, a_end, b, b_end in matcher.get_opcodes():
        if kind != "equal":
            yield range(start + a, start + a_end), range(start + b, start + b_end)


def count_equal(first: Sequence[object], second: Sequence[object]) -> int:
    """Return how many items both sequences begin with."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(first), len(second)))


def _has_letter(text: _Text) -> bool:
    return any(map(str.isalpha, text.line))


def _block_changes(blocks: Iterable[_Block], moved: Counter[str]) -> Iterator[Change]:
    gone, added = moved.copy(), moved.copy()
    for element, before, after in blocks:
        some = [text for text in before if not _take(gone, text.line)]
        others = [text for text in after if not _take(added, text.line)]
        for old, new in pair_lines(some, others, lambda text: text.own):
            if old is None or new is None or _differ(old, new):
                line, line_now = old.line if old else "", new.line if new else ""
                is_long = max(len(line), len(line_now)) > _LONGEST
                # of long lines the part around the first difference
                start = max(count_equal(line, line_now) - _CONTEXT, 0) if is_long else 0
                parts = _cut(line, start) or None, _cut(line_now, start) or None
                yield property_change(element, "text", *parts)


def _differ(old: _Text, new: _Text) -> bool:
    """Return whether two lines differ; beside controls, separators do not count."""
    if old.line == old.own and new.line == new.own:
        return old.line != new.line
    return split_words(old.own) != split_words(new.own)


def _cut(text: str, start: int) -> str:
    head = "…" if start and text else ""
    return f"{head}{ellipsize(text[start:], _LONGEST)}"
