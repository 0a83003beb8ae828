"""Options of observe, the modes to which each option applies, and the filter of lines (B-GREP)."""

from collections.abc import Callable
from typing import Literal, get_args

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.identity.references import is_reference
from charlotte.page.modes.lines import ModeOutput, one_line
from charlotte.page.render import PageDetail
from charlotte.patterns import NotAPattern, Regex, compiled, literal

Mode = Literal["page", "tree", "interactive", "structure", "outline", "content", "all", "head"]

Format = Literal["lines", "markdown", "html"]

DEEPEST = 200
DEFAULT_LINES = 100
DEFAULT_LENGTH = 2_000
_DEFAULT_DEPTH = 50
_LONGEST_SEARCHED = 10_000
_LONGEST_SHOWN = 60

_SURVEYS = set(get_args(Mode)) - {"page", "head"}
_REFERRING = {"tree", "interactive", "outline", "all"}

_USES: list[tuple[str, set[str], dict[str, object]]] = [
    ("mode page", {"page"}, {"detail": "summary", "include_styles": False}),
    ("the modes that list something; find filters elements", _SURVEYS, {"grep": None}),
    ("the modes that list something", _SURVEYS, {"include_hidden": False, "max_depth": None}),
    ("the modes with references", _REFERRING, {"include_refs": False}),
    ("modes tree, interactive and all", {"tree", "interactive", "all"}, {"all_refs": False}),
    ("mode structure", {"structure"}, {"max_lines": DEFAULT_LINES}),
    ("mode content", {"content"}, {"max_length": DEFAULT_LENGTH}),
    ("format markdown", {"markdown"}, {"include_links": True, "include_images": False}),
]
"""The purpose in words, the modes or format, and the defaults of the options for them."""


@attrs.frozen(kw_only=True)
class Grep:
    """Condition for lines: they match the regular expression, or with ``invert`` do not."""

    pattern: str
    ignore_case: bool = False
    invert: bool = False
    fixed_strings: bool = False

    def expression(self) -> Regex | None:
        """Compile the regular expression; None if the pattern is matched literally.

        Raises `InvalidArgument` for a pattern that RE2 does not support.
        """
        if self.fixed_strings:
            return None
        try:
            return compiled(self.pattern, ignore_case=self.ignore_case)
        except NotAPattern:
            return None

    def matcher(self) -> Callable[[str], bool]:
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

    def matcher(self) -> Callable[[str], bool]:
        """Return a predicate for texts to keep."""
        matches = super().matcher()
        return lambda text: matches(self.redact(text))


def filter_output(output: ModeOutput, grep: Grep) -> ModeOutput:
    """Keep only the matching lines; references keep their numbers."""
    matches = grep.matcher()
    lines = [line for line in output.lines if matches(line.searched)]
    *first, last = output.header
    return attrs.evolve(output, header=(*first, last + grep.note(len(lines))), lines=lines)


@attrs.frozen(kw_only=True)
class ObserveOptions:
    """The parameters of observe."""

    mode: Mode
    format: Format
    detail: PageDetail
    selector: str | None
    grep: Grep | None
    include_hidden: bool
    include_refs: bool
    include_styles: bool
    all_refs: bool
    max_depth: int | None
    max_lines: int
    max_length: int
    include_links: bool
    include_images: bool
    max_chars: int

    @property
    def is_plain_tree(self) -> bool:
        """Return whether the mode is tree, without options on which the tree depends."""
        options = self.selector, self.grep, self.max_depth
        flags = self.all_refs or self.include_hidden or self.include_refs
        return self.mode == "tree" and self.format == "lines" and not any(options) and not flags

    @property
    def describes_refs(self) -> bool:
        """Return whether the answer describes its references, in a mode that has them."""
        return self.include_refs and self.format == "lines" and self.mode in _REFERRING

    @property
    def survey(self) -> dict[str, object]:
        """The options of the probe's survey."""
        depth = self.max_depth or (DEEPEST if self.mode == "tree" else _DEFAULT_DEPTH)
        return {
            "depth": depth,
            "hidden": self.include_hidden,
            "brief": self.mode == "tree",
            "section": self.selector is not None and is_reference(self.selector),
        }

    @property
    def ignored(self) -> list[str]:
        """Warnings about options that do not apply in this mode and format."""
        asked = {self.format} if self.format == "html" else {self.mode, self.format}
        return [
            f"{name} was ignored: it is for {purpose}."
            for purpose, uses, defaults in _USES
            for name, default in defaults.items()
            if getattr(self, name) != default and not uses & asked
        ]


def check_format(mode: Mode, format_: Format) -> None:
    """Raise `InvalidArgument` for Markdown in another mode than content (B-FMT-03)."""
    if format_ == "markdown" and mode != "content":
        raise InvalidArgument(
            f"format markdown is for mode content, not for mode {mode}.",
            'Pass mode="content" with it, or leave format out.',
        )
