"""Verbs that turn a page into an image or a PDF file."""

import base64
from collections.abc import Mapping
from typing import Any, Literal

import attrs

from charlotte.actors.tab.actor import TabActor
from charlotte.browser import screenshot
from charlotte.browser.screenshot import Area, CaptureOptions
from charlotte.errors import CharlotteError, ElementNotFound, ElementNotInteractive, StorageFailed
from charlotte.log import trace
from charlotte.progress import stage
from charlotte.protocol.page import GetLayoutMetrics, LayoutMetrics, PrintToPdf

LARGEST = 10 * 1024 * 1024
"""Bytes of one image (S-STO-04)."""

ImageFormat = Literal["png", "jpeg", "webp"]

_TAKES = 10.0
_PRINTING_TAKES = 60.0


@attrs.frozen
class PageImage:
    """An image in base64; ``facts`` has its size, its scale and the bounds of the viewport."""

    data: str
    facts: Mapping[str, Any]
    note: str | None = None


async def take_image(
    tab: TabActor,
    *,
    selector: str | None,
    image_format: ImageFormat,
    quality: int | None,
    full_page: bool,
    scroll_by: Mapping[str, int] | None,
    max_width: int | None,
) -> PageImage:
    """Make an image of the viewport, the ``full_page`` or the element ``selector``.

    ``scroll_by`` scrolls the page first, as far as it goes. An image wider than ``max_width`` is
    scaled down.
    """
    tab.note = None

    async def scroll() -> None:
        for axis, distance in (scroll_by or {}).items():
            if distance:
                await tab.page.ask("scrollBy", 0, axis, {"px": distance})

    if scroll_by:
        await tab.settle_after(scroll)
    box = None if selector is None else await _reveal(tab, selector)
    async with tab.page.answering(_TAKES):
        sizes = await tab.page.session.call(GetLayoutMetrics())
    area = screenshot.document_area(sizes) if full_page else None
    if box is not None:
        x, y, width, height = box
        visual = sizes.css_visual_viewport
        area = Area(x=x + visual.page_x, y=y + visual.page_y, width=width, height=height)
    shown = area or screenshot.viewport_area(sizes)
    scale = max_width / shown.width if max_width and shown.width > max_width else 1.0
    picture = CaptureOptions(
        image_format=image_format,
        quality=quality,
        area=shown,
        is_viewport=area is None,
        density=tab.record.desired.device.scale,
        scale=scale,
    )
    data = await _capture(tab, picture)
    notes: list[str | None] = [tab.note]
    if shown.clipped:
        notes.append(f"The page is larger than one image; cut at {screenshot.TALLEST} px.")
    return PageImage(data, _describe(sizes, picture), " ".join(filter(None, notes)) or None)


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


async def _capture(tab: TabActor, picture: CaptureOptions) -> str:
    trace_image(tab.record.id, "capturing")
    stage("taking the picture")
    try:
        async with tab.page.answering(_TAKES):
            data = await screenshot.capture(tab.page.session, picture)
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
