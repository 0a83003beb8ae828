"""Filter of the lines of a mode by a pattern (B-GREP)."""

from collections.abc import Callable

import attrs

from charlotte.page.modes.lines import ModeOutput, one_line
from charlotte.patterns import NotAPattern, Pattern, compiled, literal

TextPredicate = Callable[[str], bool]

_LONGEST_SEARCHED = 10_000
_LONGEST_SHOWN = 60


@attrs.frozen(kw_only=True)
class Grep:
    """Condition for lines: they match the regular expression, or with ``invert`` do not."""

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
        search = pattern.searching()
        return lambda text: search(text[:_LONGEST_SEARCHED]) is not self.invert

    def warnings(self) -> list[str]:
        """Return a warning if the pattern has a syntax error."""
        if self.fixed_strings or self.expression():
            return []
        shown = self.pattern[:_LONGEST_SHOWN]
        return [f"{shown!r} is not a valid regular expression; it was matched literally."]

    def note(self, matches: int) -> str:
        """Return the addition to the header."""
        return f" grep={one_line(self.pattern)[:_LONGEST_SHOWN]} matches={matches}"


@attrs.frozen(kw_only=True)
class RedactedGrep(Grep):
    """A `Grep` that searches texts as responses contain them: without secrets."""

    redact: Callable[[str], str]

    @classmethod
    def of(cls, grep: Grep, redact: Callable[[str], str]) -> "RedactedGrep":
        """Build a redacted grep with the conditions of a `Grep`."""
        return cls(redact=redact, **attrs.asdict(grep))

    def matcher(self) -> TextPredicate:
        """Return a predicate for texts to keep."""
        matches = super().matcher()
        return lambda text: matches(self.redact(text))


def filter_output(output: ModeOutput, grep: Grep) -> ModeOutput:
    """Keep only the matching lines; references keep their numbers."""
    matches = grep.matcher()
    lines = [line for line in output.lines if matches(line.searched)]
    *first, last = output.header
    return attrs.evolve(output, header=(*first, last + grep.note(len(lines))), lines=lines)
