"""The mode ``head``: what a page is, without looking into it (B-HEAD)."""

from collections.abc import Mapping
from typing import Any, Literal

from charlotte.page.modes.lines import Line, Told, one_line

Status = Literal["loading", "empty", "interactive", "ready"]


def head(facts: Mapping[str, Any], *, elements: int, controls: int) -> Told:
    """Six lines from the probe's facts, and from how much is known to be on the page."""
    width, height = facts["viewport"]
    lines = (
        f"URL: {one_line(facts['url'])}",
        f"TITLE: {one_line(facts['title'])}",
        f"VIEWPORT: {width}x{height}",
        f"STATUS: {status(facts['ready'], (width, height), controls)}",
        f"ELEMENTS: total={elements} interactive={controls}",
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
