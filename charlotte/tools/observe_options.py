"""What an agent wants to see of a page, and which of its options mean nothing there."""

from typing import Any, Literal, get_args

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.identity.references import is_reference
from charlotte.page.modes.content import ContentStyle
from charlotte.page.modes.grep import Grep
from charlotte.tools.schema.arguments import reader
from charlotte.tools.schema.parameters import PageDetail

Mode = Literal["page", "tree", "interactive", "structure", "outline", "content", "all", "head"]

Format = Literal["lines", "markdown", "html"]

DEEPEST = 200
DEFAULT_LINES = 100
DEFAULT_LENGTH = 2_000
_DEFAULT_DEPTH = 50

_grep_of = reader(Grep)


def read_grep(value: Any) -> object:
    """Read a pattern, or an object with a pattern and options; raises `InvalidArgument`."""
    grep = Grep(pattern=value) if isinstance(value, str) else _grep_of(value)
    if isinstance(grep, Grep):
        grep.expression()
    return grep


@attrs.frozen(kw_only=True)
class Wish:
    """What an agent wants to see, and how; all as in the parameters of observe."""

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
        """Whether it is the mode tree without any option that the tree depends on."""
        options = self.selector, self.grep, self.max_depth
        flags = self.all_refs or self.include_hidden or self.include_refs
        return self.mode == "tree" and self.format == "lines" and not any(options) and not flags

    @property
    def tells_refs(self) -> bool:
        """Whether the references are to be told about, in a mode that has them."""
        return self.include_refs and self.format == "lines" and self.mode in _REFERRING

    @property
    def options(self) -> dict[str, object]:
        """What the probe is asked for."""
        depth = self.max_depth or (DEEPEST if self.mode == "tree" else _DEFAULT_DEPTH)
        return {
            "depth": depth,
            "hidden": self.include_hidden,
            "brief": self.mode == "tree",
            "section": self.selector is not None and is_reference(self.selector),
        }

    @property
    def content(self) -> ContentStyle:
        """How content is written."""
        return ContentStyle(
            markdown=self.format == "markdown",
            links=self.include_links,
            images=self.include_images,
            max_length=self.max_length,
        )

    @property
    def ignored(self) -> list[str]:
        """What to say of options that were given, but mean nothing in this mode and format."""
        uses = {self.format} if self.format == "html" else {self.mode, self.format}
        return [
            f"{name} was ignored: it is for {use.purpose}."
            for name, use in _USES.items()
            if getattr(self, name) != use.default and not use.modes & uses
        ]


def check_format(mode: Mode, format_: Format) -> None:
    """B-FMT-03: raises `InvalidArgument` for Markdown of something else than content."""
    if format_ == "markdown" and mode != "content":
        raise InvalidArgument(
            f"format markdown is for mode content, not for mode {mode}.",
            'Pass mode="content" with it, or leave format out.',
        )


@attrs.frozen
class _Use:
    """An option left out, what it is good for in words, and the modes where that is."""

    default: object
    purpose: str
    modes: frozenset[str]


_SURVEYS = frozenset(get_args(Mode)) - {"page", "head"}
_REFERRING = frozenset({"tree", "interactive", "outline", "all"})

_USES = {
    "detail": _Use("summary", "mode page", frozenset({"page"})),
    "include_styles": _Use(default=False, purpose="mode page", modes=frozenset({"page"})),
    "grep": _Use(None, "the modes that list something; find filters elements", _SURVEYS),
    "include_hidden": _Use(default=False, purpose="the modes that list something", modes=_SURVEYS),
    "max_depth": _Use(None, "the modes that list something", _SURVEYS),
    "include_refs": _Use(default=False, purpose="the modes that tell references", modes=_REFERRING),
    "all_refs": _Use(
        default=False,
        purpose="modes tree, interactive and all",
        modes=frozenset({"tree", "interactive", "all"}),
    ),
    "max_lines": _Use(DEFAULT_LINES, "mode structure", frozenset({"structure"})),
    "max_length": _Use(DEFAULT_LENGTH, "mode content", frozenset({"content"})),
    "include_links": _Use(default=True, purpose="format markdown", modes=frozenset({"markdown"})),
    "include_images": _Use(default=False, purpose="format markdown", modes=frozenset({"markdown"})),
}
