"""Marks on an image: the ids of the elements that a click would reach, drawn next to them."""

from collections.abc import Sequence
from typing import Any

import attrs
import trio

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.frames import SeenFrame
from charlotte.browser.screenshot import CaptureOptions
from charlotte.page.capture import compose_number
from charlotte.page.marks import ImageMark, place_labels
from charlotte.page.model import Bounds
from charlotte.page.plain import plural
from charlotte.protocol.page import VisualViewport

_MOST_MARKS = 300
_DRAWING_TAKES = 20.0


@attrs.frozen
class Marked:
    """The marks of an image, and a note on visible elements without a mark."""

    marks: Sequence[ImageMark]
    note: str | None = None


async def find_marks(tab: TabActor, picture: CaptureOptions, viewport: VisualViewport) -> Marked:
    """Return the marks of the elements in an image that a click would reach.

    Of elements outside the viewport, covers are unknown: they are marked if they are drawn.
    """
    view = await tab.view()
    ids = {
        number: element.id
        for element in view.interactive
        if (number := tab.record.ids.resolve(element.id)) is not None
    }
    boxes: dict[int, Sequence[float]] = {}
    for frame, nids in tab.frames.group(ids):
        rows = await _visible_boxes(tab, frame, nids, picture)
        boxes |= {compose_number(frame.number, nid): row for nid, row in rows.items()}
    area, scale = picture.area, picture.scale
    left, top = area.x - viewport.page_x, area.y - viewport.page_y
    size = max(round(area.width * scale), 1), max(round(area.height * scale), 1)
    found: list[tuple[str, Bounds]] = []
    for number, element_id in ids.items():
        if (box := boxes.get(number)) is not None:
            x, y, width, height, *_ = box
            place = round((x - left) * scale), round((y - top) * scale)
            bounds = Bounds(*place, round(width * scale), round(height * scale))
            if bounds.cut_to(size) is not None:
                found.append((element_id, bounds))
    marks = await trio.to_thread.run_sync(place_labels, found[:_MOST_MARKS], size)
    note = None
    if more := len(found) - len(marks):
        note = (
            f"{more} more visible {plural(more, 'element')} could not be marked for lack of room: "
            "pass region with zoom, or selector."
        )
    return Marked(marks, note)


async def draw_marks(
    tab: TabActor, data: str, marks: Sequence[ImageMark], picture: CaptureOptions
) -> str:
    """Return a PNG image with marks, in the format of the picture; the page is not touched."""
    drawn = await tab.page.ask(
        "drawMarks",
        data,
        [[mark.id, _row(mark.box), _row(mark.label)] for mark in marks],
        picture.image_format,
        picture.quality,
        takes=_DRAWING_TAKES,
    )
    image: str = drawn["data"]
    return image


def _row(box: Bounds) -> tuple[int, int, int, int]:
    return box.x, box.y, box.w, box.h


async def _visible_boxes(
    tab: TabActor, frame: SeenFrame, nids: Sequence[int], picture: CaptureOptions
) -> dict[int, Sequence[float]]:
    """Return the boxes of visible elements of a frame in the viewport of the main frame."""
    beyond = picture.beyond_viewport
    answer = await tab.frames.ask(frame, "visibleBoxes", nids, beyond and frame.parent is None)
    rows: list[Any] = answer.get("rows", [])
    while (parent := frame.parent) is not None and any(rows):
        width, height = frame.viewport
        how = {"width": width, "height": height, "rows": rows, "beyond": beyond}
        rows = (await tab.frames.ask(parent, "boxesInFrame", frame.owner, how)).get("rows", [])
        frame = parent
    return {nid: row for nid, row in zip(nids, rows, strict=False) if row}
