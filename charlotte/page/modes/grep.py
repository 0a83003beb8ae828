"""Filters what a mode tells, as grep does (B-GREP)."""

import re
from collections.abc import Callable, Sequence

import attrs

from charlotte.page.modes.lines import Line, Told, one_line

Matches = Callable[[str], bool]

_LONGEST_SEARCHED = 10_000
_LONGEST_SHOWN = 60


@attrs.frozen(kw_only=True)
class Grep:
    """What to keep: lines in which the regular expression is found, or with ``invert`` is not."""

    pattern: str
    ignore_case: bool = False
    invert: bool = False
    fixed_strings: bool = False

    @property
    def is_valid(self) -> bool:
        """Whether the pattern is a regular expression, or is not meant to be one."""
        try:
            re.compile(self.pattern)
        except re.error:
            return self.fixed_strings
        return True

    def matcher(self) -> Matches:
        """Tells whether a text is kept; a pattern that is not valid is taken literally."""
        literal = self.fixed_strings or not self.is_valid
        pattern = re.escape(self.pattern) if literal else self.pattern
        found = re.compile(pattern, re.IGNORECASE if self.ignore_case else 0).search
        return lambda text: (found(text[:_LONGEST_SEARCHED]) is None) is self.invert

    def warnings(self) -> list[str]:
        """What to say of the pattern."""
        if self.is_valid:
            return []
        shown = self.pattern[:_LONGEST_SHOWN]
        return [f"{shown!r} is no regular expression; it was matched literally."]

    def note(self, matches: int) -> str:
        """What the header gains."""
        return f" grep={one_line(self.pattern)[:_LONGEST_SHOWN]} matches={matches}"


def filtered(told: Told, grep: Grep) -> Told:
    """The matching lines alone; references keep their numbers."""
    matches = grep.matcher()
    return _kept(told, [line for line in told.lines if matches(line.searched)], grep)


def _kept(told: Told, lines: Sequence[Line], grep: Grep) -> Told:
    *first, last = told.header
    return attrs.evolve(told, header=(*first, last + grep.note(len(lines))), lines=lines)
