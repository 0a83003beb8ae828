"""Lines of the text modes, how many fit, and the quality report about them; mode ``head``."""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, Literal

import attrs

from charlotte.page.model import ReferenceTarget, compact_json, frozen_record
from charlotte.page.modes.survey import Survey
from charlotte.page.render import count_fitting

PageStatus = Literal["loading", "empty", "interactive", "ready"]

LONGEST_NAME = 50
"""Characters of a name in the modes of the Snapshot API, with the dots of a cut name."""

FEW_ELEMENTS = 10
_REDIRECTS = ("RotateCookies", "ServiceLogin", "/blank")
_DOTS = "..."
_REF_LENGTH = 20
"""Characters reserved for the e-ref of a line, which is created only for lines that are sent."""

UNSIZED = "Viewport not initialized (0x0) - page may be loading or redirecting"
EMPTY = "Page appears to be empty or transitional - wait for content to load"
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


def count_fitting_lines(header: Sequence[str], lines: Sequence[OutputLine], max_chars: int) -> int:
    """Count the lines that fit below the header, at least one."""
    room = max_chars - sum(len(line) + 1 for line in header)
    for count, line in enumerate(lines):
        room -= 2 * line.depth + len(line.text) + (_REF_LENGTH if line.target else 0) + 1
        if room < 0:
            return max(count, 1)
    return len(lines)


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


def limit_infos(infos: Mapping[str, dict[str, Any]], max_chars: int) -> dict[str, dict[str, Any]]:
    """Return the infos of the first references that fit as JSON."""
    members = (f'"{name}":{compact_json(info)}' for name, info in infos.items())
    return dict(islice(infos.items(), count_fitting(members, max_chars)))


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
            EMPTY: self.is_blank and not self.total and self.elements < FEW_ELEMENTS,
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
