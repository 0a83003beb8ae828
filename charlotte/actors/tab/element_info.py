"""What references and elements are in terms of the DOM, asked of each frame's probe at once."""

from collections.abc import Iterable, Mapping
from typing import Any

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_queries import ask_frame
from charlotte.actors.tab.frame_tree import SeenFrame
from charlotte.page.frames import Placement, compose_number, content_box, split_number
from charlotte.page.model import Bounds
from charlotte.page.modes.lines import ReferenceTarget


async def infos_of(tab: Tab, given: Mapping[str, ReferenceTarget]) -> dict[str, dict[str, Any]]:
    """B-REFI-01: ``{selector, role, name?, bbox?, inViewport}`` by reference.

    A selector is one of the frame's document; boxes are in px of the page's viewport.
    """
    rows = await rows_of(tab, "selectors", {one.nid for one in given.values()})
    viewport = tab.frames.viewport
    infos: dict[str, dict[str, Any]] = {}
    for reference, one in given.items():
        if row := rows.get(one.nid):
            selector, box = row
            frame = tab.frames.by_number(split_number(one.nid)[0])
            bounds = _placement(frame).of(Bounds(*box)) if box and frame else None
            infos[reference] = _info(one, selector, bounds, viewport)
    return infos


def _info(
    given: ReferenceTarget, selector: str, bounds: Bounds | None, viewport: tuple[int, int]
) -> dict[str, Any]:
    info: dict[str, Any] = {"selector": selector, "role": given.role or "generic"}
    if given.name:
        info["name"] = given.name
    if bounds:
        info["bbox"] = {"x": bounds.x, "y": bounds.y, "width": bounds.w, "height": bounds.h}
    info["inViewport"] = bounds is not None and bounds.is_in_viewport(viewport)
    return info


async def rows_of(tab: Tab, function: str, numbers: Iterable[int]) -> dict[int, Any]:
    """What the probes say of each of these elements; nothing of those that are gone."""
    by_frame: dict[int, list[int]] = {}
    for number in numbers:
        frame, nid = split_number(number)
        by_frame.setdefault(frame, []).append(nid)
    rows: dict[int, Any] = {}
    for number, nids in by_frame.items():
        if seen := tab.frames.by_number(number):
            answer = await ask_frame(tab.page, seen, function, nids)
            told = zip(nids, answer.get("rows", ()), strict=False)
            rows |= {compose_number(number, nid): row for nid, row in told if row}
    return rows


def _placement(frame: SeenFrame) -> Placement:
    """Where the viewport of a frame was when the page was last captured."""
    if frame.parent is None or frame.capture is None:
        return Placement()
    row = next(one for one in frame.parent.rows if one.nid == frame.owner)
    return _placement(frame.parent).inside(content_box(row), frame.capture.viewport)
