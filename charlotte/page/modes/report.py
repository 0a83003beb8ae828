"""Mode ``head``, and the quality report of text modes with warnings about the page."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs

from charlotte.page.modes.lines import ModeOutput, OutputLine, one_line

PageStatus = Literal["loading", "empty", "interactive", "ready"]

FEW_ELEMENTS = 10
_REDIRECTS = ("RotateCookies", "ServiceLogin", "/blank")

UNSIZED = "Viewport not initialized (0x0) - page may be loading or redirecting"
EMPTY = "Page appears to be empty or transitional - wait for content to load"
REDIRECTING = "Detected intermediate/redirect page - snapshot may not contain meaningful content"


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
    output = [OutputLine(line) for line in lines]
    return ModeOutput(header=(), lines=output, total=controls, captured=controls)


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

    @property
    def quality(self) -> Literal["high", "medium", "low"]:
        """Quality of B-META-02…04."""
        is_read = self.has_content and not self.is_blank
        if 0 in self.viewport or not (self.captured or is_read):
            return "low"
        return "medium" if self.captured * 2 < self.total else "high"

    def as_json(self) -> dict[str, Any]:
        """Return the JSON object of B-META-01…08."""
        warnings = {
            UNSIZED: 0 in self.viewport,
            EMPTY: self.is_blank and not self.total and self.elements < FEW_ELEMENTS,
            REDIRECTING: any(part in self.url for part in _REDIRECTS),
        }
        return {
            "totalInteractiveElements": self.total,
            "capturedElements": self.captured,
            "quality": self.quality,
            "depthLimited": self.depth_limited,
            "cached": self.cached,
            "warnings": [*(text for text, holds in warnings.items() if holds), *self.warnings],
        }
