"""What goes with the text of a mode: how good it is, and what is wrong with the page (B-META)."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import attrs

from charlotte.page.modes.lines import ModeOutput, OutputLine, one_line

PageStatus = Literal["loading", "empty", "interactive", "ready"]


def head(facts: Mapping[str, Any], *, elements: int, controls: int) -> ModeOutput:
    """Six lines from the probe's facts, and from how much is known to be on the page."""
    width, height = facts["viewport"]
    lines = (
        f"URL: {one_line(facts['url'])}",
        f"TITLE: {one_line(facts['title'])}",
        f"VIEWPORT: {width}x{height}",
        f"STATUS: {get_status(facts['ready'], (width, height), controls)}",
        f"ELEMENTS: total={elements} interactive={controls}",
        f"READY_STATE: {facts['ready']}",
    )
    return ModeOutput(
        header=(), lines=[OutputLine(line) for line in lines], total=controls, captured=controls
    )


def get_status(ready: str, viewport: tuple[int, int], controls: int) -> PageStatus:
    """B-HEAD-03…06."""
    if 0 in viewport or (ready == "loading" and not controls):
        return "loading"
    if not controls:
        return "empty"
    return "ready" if ready == "complete" else "interactive"


FEW_ELEMENTS = 10
_ON_THE_WAY = ("RotateCookies", "ServiceLogin", "/blank")

UNSIZED = "Viewport not initialized (0x0) - page may be loading or redirecting"
EMPTY = "Page appears to be empty or transitional - wait for content to load"
REDIRECTING = "Detected intermediate/redirect page - snapshot may not contain meaningful content"


@attrs.frozen(kw_only=True)
class ModeReport:
    """``total`` interactive elements, of which ``captured`` are told, among ``elements``.

    Elements need not be counted further than `FEW_ELEMENTS`. ``is_blank`` when there is no text on
    the page; ``tells`` when the answer says something of what is on it.
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
        """B-META-02…04."""
        is_read = self.has_content and not self.is_blank
        if 0 in self.viewport or not (self.captured or is_read):
            return "low"
        return "medium" if self.captured * 2 < self.total else "high"

    def as_json(self) -> dict[str, Any]:
        """B-META-01…08."""
        return {
            "totalInteractiveElements": self.total,
            "capturedElements": self.captured,
            "quality": self.quality,
            "depthLimited": self.depth_limited,
            "cached": self.cached,
            "warnings": [*self._page_warnings(), *self.warnings],
        }

    def _page_warnings(self) -> list[str]:
        said = {
            UNSIZED: 0 in self.viewport,
            EMPTY: self.is_blank and not self.total and self.elements < FEW_ELEMENTS,
            REDIRECTING: any(part in self.url for part in _ON_THE_WAY),
        }
        return [text for text, holds in said.items() if holds]
