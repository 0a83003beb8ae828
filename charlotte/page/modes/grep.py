"""Filters what a mode tells, as grep does (B-GREP)."""

from collections.abc import Callable, Sequence

import attrs

from charlotte.page.modes.lines import ModeOutput, OutputLine, one_line
from charlotte.patterns import NotAPattern, Pattern, compiled, literal

TextPredicate = Callable[[str], bool]

_LONGEST_SEARCHED = 10_000
_LONGEST_SHOWN = 60


@attrs.frozen(kw_only=True)
class Grep:
    """What to keep: lines in which the regular expression is found, or with ``invert`` is not."""

    pattern: str
    ignore_case: bool = False
    invert: bool = False
    fixed_strings: bool = False

    def expression(self) -> Pattern | None:
        """Compile the regular expression; None if the pattern is matched literally.

        Raises `InvalidArgument` for a pattern that RE2 does not support.
        """
        if self.fixed_strings:
            return None
        try:
            return compiled(self.pattern, ignore_case=self.ignore_case)
        except NotAPattern:
            return None

    def matcher(self) -> TextPredicate:
        """Return a predicate for texts to keep; a pattern with a syntax error is a literal."""
        pattern = self.expression() or literal(self.pattern, ignore_case=self.ignore_case)
        found = pattern.searching()
        return lambda text: found(text[:_LONGEST_SEARCHED]) is not self.invert

    def warnings(self) -> list[str]:
        """Return a warning if the pattern has a syntax error."""
        if self.fixed_strings or self.expression():
            return []
        shown = self.pattern[:_LONGEST_SHOWN]
        return [f"{shown!r} is not a valid regular expression; it was matched literally."]

    def note(self, matches: int) -> str:
        """What the header gains."""
        return f" grep={one_line(self.pattern)[:_LONGEST_SHOWN]} matches={matches}"


@attrs.frozen(kw_only=True)
class RedactedGrep(Grep):
    """A `Grep` that searches texts as answers show them: without secrets."""

    redact: Callable[[str], str]

    @classmethod
    def of(cls, grep: Grep, redact: Callable[[str], str]) -> "RedactedGrep":
        """Search as a `Grep` does."""
        return cls(redact=redact, **attrs.asdict(grep))

    def matcher(self) -> TextPredicate:
        """Return a predicate for texts to keep."""
        matches = super().matcher()
        return lambda text: matches(self.redact(text))


def filter_output(told: ModeOutput, grep: Grep) -> ModeOutput:
    """The matching lines alone; references keep their numbers."""
    matches = grep.matcher()
    return _kept(told, [line for line in told.lines if matches(line.searched)], grep)


def _kept(told: ModeOutput, lines: Sequence[OutputLine], grep: Grep) -> ModeOutput:
    *first, last = told.header
    return attrs.evolve(told, header=(*first, last + grep.note(len(lines))), lines=lines)
