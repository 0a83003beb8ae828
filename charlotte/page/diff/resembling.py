"""Finds which of the lines that came is which of those that went, said in other words."""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

_WORD = re.compile(r"\w+")
_MOST_COMPARED = 100
_FARTHEST = 50
"""Lines that each is compared with: one that is farther away is another one."""

Words = Counter[str]


T = TypeVar("T")


def line_pairs(
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
