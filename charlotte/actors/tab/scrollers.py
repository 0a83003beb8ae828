"""What scrolls at a point of the window, through frames, and how far it is scrolled."""

from collections.abc import Sequence
from typing import Any, Literal

import attrs

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_queries import Answer, ask_frame
from charlotte.actors.tab.frame_tree import SeenFrame

Axis = Literal["x", "y"]


@attrs.frozen(eq=False)
class Scroller:
    """An element of a frame's document, the document itself for number 0, and where it was."""

    frame: SeenFrame
    nid: int
    position: Answer


async def scrollers_at(tab: Tab, x: float, y: float) -> list[Scroller]:
    """All of them, innermost first; the last one is the page."""
    found: list[Scroller] = []
    frame: SeenFrame | None = tab.frames.main
    while frame is not None:
        told = await ask_frame(tab.page, frame, "scrollersAt", x, y)
        here = [Scroller(frame, nid, await _position(tab, frame, nid)) for nid in _around(told)]
        found = here + found
        frame, x, y = _inside(frame, told, x, y)
    return found


def _around(told: Answer) -> Sequence[int]:
    return [*told.get("around", ()), 0]


def _inside(
    frame: SeenFrame, told: Answer, x: float, y: float
) -> tuple[SeenFrame | None, float, float]:
    """The frame that lies at a point, and the point in it."""
    at = told.get("frame", {})
    child = frame.children.get(at.get("nid", 0))
    if child is None or child.capture is None:
        return None, x, y
    left, top, width, height = at["box"]
    across, down = child.capture.viewport
    return child, (x - left) * across / (width or 1), (y - top) * down / (height or 1)


async def _position(tab: Tab, frame: SeenFrame, nid: int) -> Answer:
    return await ask_frame(tab.page, frame, "scroll", nid)


async def position_after(
    tab: Tab, scrollers: Sequence[Scroller], axis: Axis
) -> dict[str, Any] | None:
    """Where the innermost is now that has moved; if none has, the innermost that could have."""
    now = [await _position(tab, one.frame, one.nid) for one in scrollers]
    moved = [at for one, at in zip(scrollers, now, strict=True) if _differ(one.position, at)]
    able = [at for at in now if at.get(f"max_{axis}")]
    return next(iter([*moved, *able]), None)


def _differ(before: Answer, now: Answer) -> bool:
    return any(before.get(axis) != now.get(axis) for axis in ("x", "y")) and "error" not in now
