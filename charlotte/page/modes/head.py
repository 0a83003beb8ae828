"""The mode ``head``: what a page is, without looking into it (B-HEAD)."""

from collections.abc import Mapping
from typing import Any, Literal

from charlotte.page.modes.lines import Line, Told, one_line

Status = Literal["loading", "empty", "interactive", "ready"]


def head(facts: Mapping[str, Any]) -> Told:
    """Six lines from the probe's facts; elements are counted, not visited."""
    width, height = facts["viewport"]
    controls: int = facts["controls"]
    lines = (
        f"URL: {one_line(facts['url'])}",
        f"TITLE: {one_line(facts['title'])}",
        f"VIEWPORT: {width}x{height}",
        f"STATUS: {status(facts['ready'], (width, height), controls)}",
        f"ELEMENTS: total={facts['total']} interactive={controls}",
        f"READY_STATE: {facts['ready']}",
    )
    return Told(header=(), lines=[Line(line) for line in lines], total=controls, captured=controls)


def status(ready: str, viewport: tuple[int, int], controls: int) -> Status:
    """B-HEAD-03…06."""
    if 0 in viewport or (ready == "loading" and not controls):
        return "loading"
    if not controls:
        return "empty"
    return "ready" if ready == "complete" else "interactive"
