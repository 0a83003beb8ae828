"""Options of observe, and the modes to which each option applies."""

from typing import Literal, get_args

import attrs

from charlotte.errors import InvalidArgument
from charlotte.page.identity.references import is_reference
from charlotte.page.modes.content import ContentStyle
from charlotte.page.modes.grep import Grep

Mode = Literal["page", "tree", "interactive", "structure", "outline", "content", "all", "head"]

Format = Literal["lines", "markdown", "html"]

Detail = Literal["minimal", "summary", "full", "auto"]

DEEPEST = 200
DEFAULT_LINES = 100
DEFAULT_LENGTH = 2_000
_DEFAULT_DEPTH = 50


@attrs.frozen(kw_only=True)
class ObserveOptions:
    """The parameters of observe."""

    mode: Mode
    format: Format
    detail: Detail
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
    def content(self) -> ContentStyle:
        """The style of the mode content."""
        return ContentStyle(
            markdown=self.format == "markdown",
            links=self.include_links,
            images=self.include_images,
            max_length=self.max_length,
        )

    @property
    def ignored(self) -> list[str]:
        """Warnings about options that do not apply in this mode and format."""
        uses = {self.format} if self.format == "html" else {self.mode, self.format}
        return [
            f"{name} was ignored: it is for {use.purpose}."
            for name, use in _USES.items()
            if getattr(self, name) != use.default and not use.modes & uses
        ]


def check_format(mode: Mode, format_: Format) -> None:
    """Raise `InvalidArgument` for Markdown in another mode than content (B-FMT-03)."""
    if format_ == "markdown" and mode != "content":
        raise InvalidArgument(
            f"format markdown is for mode content, not for mode {mode}.",
            'Pass mode="content" with it, or leave format out.',
        )


@attrs.frozen
class _Use:
    """The default of an option, its purpose in words, and the modes to which it applies."""

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
    "include_refs": _Use(default=False, purpose="the modes with references", modes=_REFERRING),
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
