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
    ScreenshotFailed,
    StorageFailed,
)
from charlotte.base.log import trace
from charlotte.base.progress import stage
from charlotte.page.capture import compose_number
from charlotte.page.marks import ImageMark, place_labels
from charlotte.page.model import Bounds, decimal
from charlotte.page.tokens import plural
from charlotte.protocol.errors import Refused
from charlotte.protocol.page import (
    BringToFront,
    CaptureScreenshot,
    GetLayoutMetrics,
    PrintToPdf,
    Viewport,
)

LARGEST = 10 * 1024 * 1024
"""Bytes of one image (S-STO-04)."""

TALLEST = 16_384
"""Maximum height and width of one image in pixels."""

ImageFormat = Literal["png", "jpeg", "webp"]

_MOST_PIXELS = 50_000_000
"""Pixels of an image with zoom; 200 MB in the browser."""

_MOST_MARKS = 300
_TAKES = 10.0


@attrs.frozen(kw_only=True)
class ImageRequest:
    """A requested image: of the viewport, its ``region``, an element or the ``full_page``.

    ``scroll_by`` scrolls the page first, as far as it goes. The image has ``zoom`` pixels per CSS
    pixel; one wider than ``max_width`` is scaled down. ``with_marks`` draws the ids of elements;
    ``hides_caret`` leaves out the caret, whose blinking would be a change.
    """

    selector: str | None = None
    region: Viewport | None = None
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


@attrs.frozen(kw_only=True)
class _Picture:
    """A part of the document, in CSS px; its image has ``scale`` pixels for each.

    ``density`` is the number of device pixels per CSS pixel.
    """

    request: ImageRequest
    viewport: Viewport
    area: Viewport
    scale: float
    density: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the image."""
        area, scale = self.area, self.scale
        return max(round(area.width * scale), 1), max(round(area.height * scale), 1)

    @property
    def beyond_viewport(self) -> bool:
        """Whether the area may exceed the viewport."""
        return self.request.selector is not None or self.request.full_page

    def command(self, *, lossless: bool) -> CaptureScreenshot:
        """Return the command that takes the image."""
        area, scale, clip = self.area, self.scale / self.density, None
        if area != self.viewport or scale != 1:
            clip = attrs.evolve(area, scale=scale)
        return CaptureScreenshot(
            format="png" if lossless else self.request.image_format,
            quality=None if lossless else self.request.quality,
            clip=clip,
            capture_beyond_viewport=self.beyond_viewport,
        )

    def describe(self) -> dict[str, Any]:
        """Return the size, the scale and the viewport as an answer has them."""
        width, height = self.size
        viewport = self.viewport
        facts: dict[str, Any] = {
            "width": width,
            "height": height,
            "format": self.request.image_format,
            "viewport_bounds": {
                "width": round(viewport.width),
                "height": round(viewport.height),
                "scroll_x": round(viewport.x),
                "scroll_y": round(viewport.y),
            },
        }
        return facts if self.scale == 1 else {**facts, "scale": round(self.scale, 4)}


async def take_image(tab: TabActor, request: ImageRequest) -> PageImage:
    """Make an image of a part of the page."""
    tab.note = None
    await tab.page.present()

    async def scroll() -> None:
        for axis, distance in (request.scroll_by or {}).items():
            if distance:
                await tab.page.ask("scrollBy", 0, axis, {"px": distance, "wheel": False})

    if request.scroll_by:
        await tab.settle_after(scroll)
    whole = await _find_picture(tab, request)
    longest = TALLEST / max(whole.scale, 1)
    width, height = min(whole.area.width, longest), min(whole.area.height, longest)
    picture = attrs.evolve(whole, area=attrs.evolve(whole.area, width=width, height=height))
    pixels = picture.size
    if picture.scale > 1 and pixels[0] * pixels[1] > _MOST_PIXELS:
        raise InvalidArgument(
            f"The image would have {pixels[0]}x{pixels[1]} px, more than {_MOST_PIXELS:,} in all.",
            "Pass a smaller zoom, a region or one element.",
        )
    marks, note = await _find_marks(tab, picture) if request.with_marks else (None, None)
    async with _without_caret(tab) if request.hides_caret else nullcontext():
        data = await _capture(tab, picture, marks)
    notes = [tab.note, note]
    if picture != whole:
        notes.append(f"The page is larger than one image; cut at {TALLEST} px.")
    return PageImage(
        data,
        picture.describe(),
        " ".join(filter(None, notes)) or None,
        marks or (),
        repr(attrs.evolve(request, scroll_by=None, hides_caret=False)),
        hashlib.sha256(data.encode()).digest(),
    )


async def print_pdf(tab: TabActor, *, landscape: bool, scale: float) -> bytes:
    """Print the page, backgrounds included."""
    await tab.page.present()
    async with tab.page.answering(60.0):
        printed = await tab.page.session.call(
            PrintToPdf(landscape=landscape, scale=scale, print_background=True)
        )
    return base64.b64decode(printed)


def trace_image(tab_id: str, *states: str) -> None:
    """Log the next states of an image (S-LIFE)."""
    for state in states:
        trace("screenshot", state=state, tab_id=tab_id)


async def _find_picture(tab: TabActor, request: ImageRequest) -> _Picture:
    """Return the requested part of the page once it is in view."""
    box = None if request.selector is None else await _reveal(tab, request.selector)
    async with tab.page.answering(_TAKES):
        sizes = await tab.page.session.call(GetLayoutMetrics())
    shown, device = sizes.css_visual_viewport, tab.record.desired.device
    viewport = area = Viewport(shown.page_x, shown.page_y, shown.client_width, shown.client_height)
    if request.region is not None:
        area = _region_area(request.region, viewport)
    elif box is not None:
        x, y, width, height = box
        area = Viewport(x + viewport.x, y + viewport.y, width, height)
    elif request.full_page:
        area = attrs.evolve(sizes.css_content_size, x=0, y=0)
    scale = request.zoom
    if request.max_width and area.width * scale > request.max_width:
        scale = request.max_width / area.width
    density = device.scale if device.width else sizes.visual_viewport.client_width / viewport.width
    return _Picture(request=request, viewport=viewport, area=area, scale=scale, density=density)


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


def _region_area(region: Viewport, viewport: Viewport) -> Viewport:
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
    return Viewport(viewport.x + region.x, viewport.y + region.y, region.width, region.height)


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
        with trio.move_on_after(1.0, shield=True), suppress(CharlotteError):
            await tab.frames.ask(frame, "hideCaret", not is_hidden)


async def _capture(tab: TabActor, picture: _Picture, marks: Sequence[ImageMark] | None) -> str:
    """Take the image in base64; the tab is brought in front unless others use the browser."""
    trace_image(tab.record.id, "capturing")
    stage("taking the picture")
    try:
        async with tab.page.answering(_TAKES):
            # a background tab of a window may not be painted
            if tab.record.session.settings.our_switches:
                await tab.page.session.begin(BringToFront())
            else:
                tab.frame_pump.draw_now()
            data = await tab.page.session.call(picture.command(lossless=marks is not None))
        if marks is not None:
            rows = [[mark.id, *map(attrs.astuple, (mark.box, mark.label))] for mark in marks]
            how = picture.request.image_format, picture.request.quality
            drawn = await tab.page.ask("drawMarks", data, rows, *how, takes=20.0)
            data = str(drawn["data"])
        if (size := len(data) * 3 // 4) > LARGEST:
            raise StorageFailed(
                f"The image has {size} bytes, more than {LARGEST}.",
                "Take jpeg or webp with a quality, max_width, one element, or not the full page.",
            )
    except Refused as error:
        trace_image(tab.record.id, "none")
        raise ScreenshotFailed(
            f"The browser could not capture an image: {error.refusal}", "Try again, or observe."
        ) from error
    except CharlotteError:
        trace_image(tab.record.id, "none")
        raise
    trace_image(tab.record.id, "stored")
    return data


async def _find_marks(tab: TabActor, picture: _Picture) -> tuple[Sequence[ImageMark], str | None]:
    """Return the marks of the elements in an image that a click would reach.

    Returns also a note on visible elements without a mark. Of elements outside the viewport, covers
    are unknown: they are marked if they are drawn.
    """
    view = await tab.view()
    ids = {
        number: element.id
        for element in view.interactive
        if (number := tab.record.ids.resolve(element.id)) is not None
    }
    boxes: dict[int, Sequence[float]] = {}
    for frame, nids in tab.frames.group(ids):
        rows = await _visible_boxes(tab, frame, nids, beyond=picture.beyond_viewport)
        boxes |= {compose_number(frame.number, nid): row for nid, row in rows.items()}
    scale, size = picture.scale, picture.size
    left, top = picture.area.x - picture.viewport.x, picture.area.y - picture.viewport.y
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
    return marks, note


async def _visible_boxes(
    tab: TabActor, frame: SeenFrame, nids: Sequence[int], *, beyond: bool
) -> dict[int, Sequence[float]]:
    """Return the boxes of visible elements of a frame in the viewport of the main frame."""
    answer = await tab.frames.ask(frame, "visibleBoxes", nids, beyond and frame.parent is None)
    rows: list[Any] = answer.get("rows", [])
    while (parent := frame.parent) is not None and any(rows):
        width, height = frame.viewport
        how = {"width": width, "height": height, "rows": rows, "beyond": beyond}
        rows = (await tab.frames.ask(parent, "boxesInFrame", frame.owner, how)).get("rows", [])
        frame = parent
    return {nid: row for nid, row in zip(nids, rows, strict=False) if row}
