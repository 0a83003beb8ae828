"""Verbs that turn a page into an image, also one with the ids of elements, or a PDF file."""

import base64
import hashlib
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, nullcontext, suppress
from typing import Any, Literal

import attrs
import trio

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.frames import SeenFrame
from charlotte.actors.tab.verbs.focus import find_focus
from charlotte.base.errors import (
    CharlotteError,
    ElementNotFound,
    ElementNotInteractive,
    InvalidArgument,
    InvalidCoordinates,
    StorageFailed,
)
from charlotte.base.log import trace
from charlotte.base.progress import stage
from charlotte.browser import screenshot
from charlotte.browser.screenshot import Area, CaptureOptions
from charlotte.page.capture import compose_number
from charlotte.page.marks import ImageMark, place_labels
from charlotte.page.model import Bounds, decimal
from charlotte.page.tokens import plural
from charlotte.protocol.page import GetLayoutMetrics, LayoutMetrics, PrintToPdf, VisualViewport

LARGEST = 10 * 1024 * 1024
"""Bytes of one image (S-STO-04)."""

ImageFormat = Literal["png", "jpeg", "webp"]

_MOST_PIXELS = 50_000_000
"""Pixels of an image with zoom; 200 MB in the browser."""

_MOST_MARKS = 300
_DRAWING_TAKES = 20.0
_TAKES = 10.0
_CARET_TAKES = 1.0
_PRINTING_TAKES = 60.0


@attrs.frozen(kw_only=True)
class Region:
    """A part of the viewport."""

    x: float
    y: float
    width: float
    height: float


@attrs.frozen(kw_only=True)
class ImageRequest:
    """A requested image: of the viewport, its ``region``, an element or the ``full_page``.

    ``scroll_by`` scrolls the page first, as far as it goes. The image has ``zoom`` pixels per CSS
    pixel; one wider than ``max_width`` is scaled down. ``with_marks`` draws the ids of elements;
    ``hides_caret`` leaves out the caret, whose blinking would be a change.
    """

    selector: str | None = None
    region: Region | None = None
    full_page: bool = False
    scroll_by: Mapping[str, int] | None = None
    zoom: float = 1
    max_width: int | None = None
    with_marks: bool = False
    image_format: ImageFormat = "png"
    quality: int | None = None
    hides_caret: bool = False


@attrs.frozen
class PageImage:
    """An image in base64; ``facts`` has its size, its scale and the bounds of the viewport.

    ``marks`` are those that are drawn on the image. ``part`` and ``digest`` identify the image in
    the tab's `ImageLog`.
    """

    data: str
    facts: Mapping[str, Any]
    note: str | None = None
    marks: Sequence[ImageMark] = ()
    part: str = ""
    digest: bytes = b""


@attrs.frozen
class _Marked:
    """The marks of an image, and a note on visible elements without a mark."""

    marks: Sequence[ImageMark]
    note: str | None = None


async def take_image(tab: TabActor, request: ImageRequest) -> PageImage:
    """Make an image of a part of the page."""
    tab.note = None

    async def scroll() -> None:
        for axis, distance in (request.scroll_by or {}).items():
            if distance:
                await tab.page.ask("scrollBy", 0, axis, {"px": distance})

    if request.scroll_by:
        await tab.settle_after(scroll)
    sizes, shown = await _find_area(tab, request)
    scale = request.zoom
    if request.max_width and shown.width * scale > request.max_width:
        scale = request.max_width / shown.width
    shown = screenshot.limit_area(shown, scale)
    _check_pixels(shown, scale)
    picture = CaptureOptions(
        image_format=request.image_format,
        quality=request.quality,
        area=shown,
        is_viewport=shown == screenshot.viewport_area(sizes),
        beyond_viewport=request.selector is not None or request.full_page,
        density=_density(tab, sizes),
        scale=scale,
    )
    found = None
    if request.with_marks:
        found = await _find_marks(tab, picture, sizes.css_visual_viewport)
    async with _without_caret(tab) if request.hides_caret else nullcontext():
        data = await _capture(tab, picture, found)
    notes = [tab.note, found.note if found else None]
    if shown.clipped:
        notes.append(f"The page is larger than one image; cut at {screenshot.TALLEST} px.")
    part = repr(attrs.evolve(request, scroll_by=None, hides_caret=False))
    return PageImage(
        data,
        _describe(sizes, picture),
        " ".join(filter(None, notes)) or None,
        found.marks if found else (),
        part,
        hashlib.sha256(data.encode()).digest(),
    )


async def print_pdf(tab: TabActor, *, landscape: bool, scale: float) -> bytes:
    """Print the page, backgrounds included."""
    await tab.page.present()
    async with tab.page.answering(_PRINTING_TAKES):
        printed = await tab.page.session.call(
            PrintToPdf(landscape=landscape, scale=scale, print_background=True)
        )
    return base64.b64decode(printed)


def trace_image(tab_id: str, *states: str) -> None:
    """Log the next states of an image (S-LIFE)."""
    for state in states:
        trace("screenshot", state=state, tab_id=tab_id)


async def _find_area(tab: TabActor, request: ImageRequest) -> tuple[LayoutMetrics, Area]:
    """Return the sizes of the page, and the requested area once it is in view."""
    box = None if request.selector is None else await _reveal(tab, request.selector)
    async with tab.page.answering(_TAKES):
        sizes = await tab.page.session.call(GetLayoutMetrics())
    viewport = screenshot.viewport_area(sizes)
    if request.region is not None:
        return sizes, _region_area(request.region, viewport)
    if box is not None:
        x, y, width, height = box
        return sizes, Area(x=x + viewport.x, y=y + viewport.y, width=width, height=height)
    return sizes, screenshot.document_area(sizes) if request.full_page else viewport


async def _reveal(tab: TabActor, selector: str) -> list[float]:
    """Scroll an element into view; return its box in the viewport."""
    place = (await tab.find_root(selector))[0]
    covering = await tab.frames.ask_node(place, "revealForScreenshot") or {}
    if "by" in covering:
        tab.note = f"{covering['by']} covers at least a part of {selector}."
    answer = await tab.frames.ask_node(place, "box")
    if answer is None:
        raise ElementNotFound(f"{selector} is gone.")
    if not answer["box"]:
        raise ElementNotInteractive(f"{selector} has no box to be seen.", "Observe the page.")
    box: list[float] = answer["box"]
    return box


def _region_area(region: Region, viewport: Area) -> Area:
    """Return the area of a region in the document; raises `InvalidCoordinates`."""
    right, bottom = region.x + region.width, region.y + region.height
    if min(region.x, region.y) < 0 or right > viewport.width or bottom > viewport.height:
        size = f"{decimal(viewport.width)}x{decimal(viewport.height)}"
        raise InvalidCoordinates(
            f"region must lie inside the viewport of {size} CSS px, got x {decimal(region.x)} to "
            f"{decimal(right)}, y {decimal(region.y)} to {decimal(bottom)}.",
            "Scroll first, or pass selector or full_page for parts outside the viewport.",
            {"viewport": {"width": viewport.width, "height": viewport.height}},
        )
    x, y = viewport.x + region.x, viewport.y + region.y
    return Area(x=x, y=y, width=region.width, height=region.height)


def _check_pixels(area: Area, scale: float) -> None:
    """Raise `InvalidArgument` if a zoomed image would need too much memory."""
    width, height = round(area.width * scale), round(area.height * scale)
    if scale > 1 and width * height > _MOST_PIXELS:
        raise InvalidArgument(
            f"The image would have {width}x{height} px, more than {_MOST_PIXELS:,} in all.",
            "Pass a smaller zoom, a region or one element.",
        )


@asynccontextmanager
async def _without_caret(tab: TabActor) -> AsyncGenerator[None]:
    """Hide the caret of the focused field during the block."""
    frame = (await find_focus(tab)).frame
    if frame is None:
        yield
        return
    is_hidden = True
    await tab.frames.ask(frame, "hideCaret", is_hidden)
    try:
        yield
    finally:
        with trio.move_on_after(_CARET_TAKES, shield=True), suppress(CharlotteError):
            await tab.frames.ask(frame, "hideCaret", not is_hidden)


async def _capture(tab: TabActor, picture: CaptureOptions, found: _Marked | None) -> str:
    trace_image(tab.record.id, "capturing")
    stage("taking the picture")
    try:
        async with tab.page.answering(_TAKES):
            taken = picture if found is None else picture.without_loss()
            in_front = tab.record.session.settings.our_switches
            if not in_front:
                tab.frame_pump.draw_now()
            data = await screenshot.capture(tab.page.session, taken, in_front=in_front)
        if found is not None:
            data = await _draw_marks(tab, data, found.marks, picture)
        if (size := len(data) * 3 // 4) > LARGEST:
            raise StorageFailed(
                f"The image has {size} bytes, more than {LARGEST}.",
                "Take jpeg or webp with a quality, max_width, one element, or not the full page.",
            )
    except CharlotteError:
        trace_image(tab.record.id, "none")
        raise
    trace_image(tab.record.id, "stored")
    return data


def _density(tab: TabActor, sizes: LayoutMetrics) -> float:
    """Return the device pixels per CSS pixel: those of the emulated device, or of the screen."""
    device = tab.record.desired.device
    if device.width:
        return device.scale
    return sizes.visual_viewport.client_width / sizes.css_visual_viewport.client_width


def _describe(sizes: LayoutMetrics, picture: CaptureOptions) -> dict[str, Any]:
    visual = sizes.css_visual_viewport
    facts: dict[str, Any] = {
        "width": max(round(picture.area.width * picture.scale), 1),
        "height": max(round(picture.area.height * picture.scale), 1),
        "format": picture.image_format,
        "viewport_bounds": {
            "width": round(visual.client_width),
            "height": round(visual.client_height),
            "scroll_x": round(visual.page_x),
            "scroll_y": round(visual.page_y),
        },
    }
    if picture.scale != 1:
        facts["scale"] = round(picture.scale, 4)
    return facts


async def _find_marks(tab: TabActor, picture: CaptureOptions, viewport: VisualViewport) -> _Marked:
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
    return _Marked(marks, note)


async def _draw_marks(
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
