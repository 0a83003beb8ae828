"""Options of observe, lines of the text modes and their filter (B-GREP), reports; mode ``head``."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

import attrs

from charlotte.base.errors import ellipsize
from charlotte.base.patterns import NotAPattern, Regex, compiled, literal
from charlotte.page.identity.references import is_reference
from charlotte.page.model import PageDetail, ReferenceTarget, frozen_record
from charlotte.page.modes.survey import Survey

PageStatus = Literal["loading", "empty", "interactive", "ready"]

LONGEST_NAME = 50
"""Characters of a name in the modes of the Snapshot API, with the dots of a cut name."""

FEW_ELEMENTS = 10
_REDIRECTS = ("RotateCookies", "ServiceLogin", "/blank")
_DOTS = "..."
_REF_LENGTH = 20
"""Characters reserved for the e-ref of a line, which is created only for lines that are sent."""

Mode = Literal["page", "tree", "interactive", "structure", "outline", "content", "all", "head"]

Format = Literal["lines", "markdown", "html"]

DEEPEST = 200
DEFAULT_LINES = 100
DEFAULT_LENGTH = 2_000
_DEFAULT_DEPTH = 50
_LONGEST_SHOWN = 60

_SURVEYS = set(get_args(Mode)) - {"page", "head"}
_REFERRING = {"tree", "interactive", "outline", "all"}

_USES: list[tuple[str, set[str], dict[str, object]]] = [
    ("mode page", {"page"}, {"detail": "summary", "include_styles": False}),
    ("the modes that list something", _SURVEYS | {"page"}, {"grep": None}),
    ("the modes that list something", _SURVEYS, {"include_hidden": False, "max_depth": None}),
    ("the modes with references", _REFERRING, {"include_refs": False}),
    ("modes tree, interactive and all", {"tree", "interactive", "all"}, {"all_refs": False}),
    ("mode structure", {"structure"}, {"max_lines": DEFAULT_LINES}),
    ("mode content", {"content"}, {"max_length": DEFAULT_LENGTH}),
    ("format markdown", {"markdown"}, {"include_links": True, "include_images": False}),
]
"""The purpose in words, the modes or format, and the defaults of the options for them."""

UNSIZED = "Viewport not initialized (0x0) - page may be loading or redirecting"
ERROR_PAGE = "chrome-error:"
"""Scheme of the page that the browser shows in place of a document that it could not load."""

EMPTY = "Page appears to be empty or transitional - wait for content to load"
RAW = "Raw HTML format - no filtering or ref generation applied"
REDIRECTING = "Detected intermediate/redirect page - snapshot may not contain meaningful content"


@frozen_record
class OutputLine:
    """A line of a response; ``full`` is the line without cut names, "" if no name is cut.

    ``target`` is the element whose e-ref ends the line.
    """

    text: str
    full: str = ""
    depth: int = 0
    target: ReferenceTarget | None = None

    @property
    def searched(self) -> str:
        """Text that grep searches."""
        return self.full or self.text


@attrs.frozen(kw_only=True)
class ModeOutput:
    """Output of a mode: ``header``, which is never filtered, ``lines`` and ``notes``.

    ``targets`` are the elements of @refs by number. ``counted`` are the numbers of all elements
    with references and of those in the lines, if these are not just the interactive elements.
    ``warnings`` are for the JSON block. ``longest`` limits the characters of one response, if not
    0.
    """

    header: Sequence[str]
    lines: Sequence[OutputLine]
    targets: Sequence[ReferenceTarget] = ()
    counted: tuple[int, int] | None = None
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    longest: int = 0


def one_line(text: str) -> str:
    """Return a text of the page without line ends."""
    return " ".join(text.split())


def shorten(text: str, limit: int) -> str:
    """Cut a text to ``limit`` characters, the last three of which are dots."""
    return text if len(text) <= limit else text[: limit - len(_DOTS)] + _DOTS


def quote(text: str, limit: int | None = None) -> str:
    """Return the text in quotation marks, with quotation marks and backslashes escaped."""
    line = one_line(text)
    cut = line if limit is None else shorten(line, limit)
    escaped = cut.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def build_line(
    start: str,
    name: str,
    end: str,
    limit: int = LONGEST_NAME,
    *,
    depth: int = 0,
    target: ReferenceTarget | None = None,
) -> OutputLine:
    """Build a line with a cut name, and for searches with the full name."""
    text = f"{start} {quote(name, limit)}{end}" if name else f"{start}{end}"
    full = f"{start} {quote(name)}{end}" if len(name) > limit else text
    return OutputLine(text, "" if text == full else full, depth, target)


def page_header(survey: Survey, *, viewport: bool = True) -> str:
    """Return ``PAGE: url | title | viewport=WxH``."""
    url, title = one_line(survey.url), one_line(survey.title)
    width, height = survey.viewport
    size = f" | viewport={width}x{height}" if viewport else ""
    return f"PAGE: {url} | {title}{size}"


def take_lines(
    header: Sequence[str], lines: Iterable[OutputLine], max_chars: int, start: int = 0
) -> tuple[list[OutputLine], int]:
    """Return the lines that fit below the header, and where the last goes on if it is cut, else 0.

    The first line begins at its character ``start``. Only that line is cut.
    """
    room = max_chars - sum(len(line) + 1 for line in header)
    kept: list[OutputLine] = []
    for line in lines:
        text = line.text if kept or not start else f"…{line.text[start:].lstrip(' ')}"
        room -= 2 * line.depth + (_REF_LENGTH if line.target else 0) + 1
        most = room if kept else max(room, LONGEST_NAME)
        if len(text) > most:
            end = text.rfind(" ", 2, most - 1) + 1 or most - 1
            cut = attrs.evolve(line, text=ellipsize(text, end))
            return (kept, 0) if kept else ([cut], len(line.text) - len(text) + end)
        kept.append(attrs.evolve(line, text=text) if text != line.text else line)
        room -= len(text)
    return kept, 0


def format_lines(
    header: Sequence[str],
    lines: Sequence[OutputLine],
    notes: Sequence[str],
    refs: Mapping[int, str],
) -> str:
    """Return the text of a response: header and empty line, indented lines with e-refs, notes."""
    texts = [*header, ""] if header else []
    for line in lines:
        ref = line.target and refs.get(line.target.nid)
        texts.append(f"{'  ' * line.depth}{line.text}{f' [ref={ref}]' if ref else ''}")
    return "\n".join([*texts, *notes])


def head(facts: Mapping[str, Any], *, elements: int, controls: int) -> ModeOutput:
    """Describe the page without its content, from the probe's facts and known counts (B-HEAD)."""
    width, height = facts["viewport"]
    lines = (
        f"URL: {one_line(facts['url'])}",
        f"TITLE: {one_line(facts['title'])}",
        f"VIEWPORT: {width}x{height}",
        f"STATUS: {get_status(facts['ready'], (width, height), controls)}",
        f"ELEMENTS: total={elements} interactive={controls}",
        f"READY_STATE: {facts['ready']}",
    )
    return ModeOutput(header=(), lines=[OutputLine(line) for line in lines])


def get_status(ready: str, viewport: tuple[int, int], controls: int) -> PageStatus:
    """Return the status of B-HEAD-03…06."""
    if 0 in viewport or (ready == "loading" and not controls):
        return "loading"
    if not controls:
        return "empty"
    return "ready" if ready == "complete" else "interactive"


@attrs.frozen(kw_only=True)
class ModeReport:
    """Report on ``captured`` of ``total`` interactive elements (B-META).

    ``elements`` need not be counted beyond `FEW_ELEMENTS`. ``is_blank`` is whether the page has no
    text, ``has_content`` whether the output contains content of the page.
    """

    url: str
    viewport: tuple[int, int]
    elements: int
    total: int
    captured: int
    is_blank: bool = True
    has_content: bool = False
    depth_limited: bool = False
    cached: bool = False
    warnings: Sequence[str] = ()

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of B-META-01…08."""
        quality = "medium" if self.captured * 2 < self.total else "high"
        if 0 in self.viewport or not (self.captured or (self.has_content and not self.is_blank)):
            quality = "low"
        warnings = {
            UNSIZED: 0 in self.viewport,
            EMPTY: self.is_blank
            and not self.total
            and self.elements < FEW_ELEMENTS
            and not self.url.startswith(ERROR_PAGE),
            REDIRECTING: any(part in self.url for part in _REDIRECTS),
        }
        return {
            "totalInteractiveElements": self.total,
            "capturedElements": self.captured,
            "quality": quality,
            "depthLimited": self.depth_limited,
            "cached": self.cached,
            "warnings": [*(text for text, holds in warnings.items() if holds), *self.warnings],
        }


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
        return lambda text: search(text) is not self.invert

    def warnings(self) -> list[str]:
        """Return a warning if the pattern has a syntax error."""
        if self.fixed_strings or self.expression():
            return []
        shown = ellipsize(self.pattern, _LONGEST_SHOWN)
        return [f"{shown!r} is not a valid regular expression; it was matched literally."]

    def note(self, matches: int) -> str:
        """Return the pattern and the number of matches, for the header of the answer."""
        return f" grep={ellipsize(one_line(self.pattern), _LONGEST_SHOWN)} matches={matches}"


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
    in_view: bool = False

    @property
    def is_plain_tree(self) -> bool:
        """Return whether the mode is tree, without options on which the tree depends."""
        options = self.selector, self.grep, self.max_depth
        flags = self.all_refs or self.include_hidden or self.include_refs or self.in_view
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
            "inView": self.in_view,
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
