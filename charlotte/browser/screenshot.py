"""Screenshots of a page in CSS pixels."""

from typing import Self

import attrs

from charlotte.base.errors import ScreenshotFailed
from charlotte.protocol import page
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.errors import Refused

TALLEST = 16_384
"""Maximum height and width of one image in pixels."""

_PREVIEW_QUALITY = 40


@attrs.frozen(kw_only=True)
class Area:
    """A part of the document in CSS pixels, ``clipped`` if it exceeds one image."""

    x: float
    y: float
    width: float
    height: float
    clipped: bool = False


@attrs.frozen(kw_only=True)
class CaptureOptions:
    """The content of an image, ``scale`` times its size in CSS pixels.

    ``is_viewport`` if ``area`` is the viewport, ``beyond_viewport`` if it may exceed the viewport.
    ``density`` is the number of device pixels per CSS pixel.
    """

    image_format: str
    quality: int | None
    area: Area
    is_viewport: bool
    beyond_viewport: bool
    scale: float = 1
    density: float = 1

    def without_loss(self) -> Self:
        """Return the options for the same image as PNG."""
        return attrs.evolve(self, image_format="png", quality=None)


async def capture(session: CdpSession, options: CaptureOptions, *, in_front: bool) -> str:
    """Take a screenshot and return it in base64; raises `ScreenshotFailed`.

    The tab is brought ``in_front`` of its window, unless others use the browser.
    """
    area, scale = options.area, options.scale / options.density
    clip = None
    if not options.is_viewport or scale != 1:
        clip = page.Viewport(area.x, area.y, area.width, area.height, scale=scale)
    command = page.CaptureScreenshot(
        format=options.image_format,
        quality=options.quality,
        clip=clip,
        capture_beyond_viewport=options.beyond_viewport,
    )
    try:
        # a background tab of a window may not be painted
        if in_front:
            await session.begin(page.BringToFront())
        return await session.call(command)
    except Refused as error:
        raise ScreenshotFailed(
            f"The browser could not capture an image: {error.refusal}", "Try again, or observe."
        ) from error


def viewport_area(sizes: page.LayoutMetrics) -> Area:
    """Return the visible area."""
    shown = sizes.css_visual_viewport
    width, height = shown.client_width, shown.client_height
    return Area(x=shown.page_x, y=shown.page_y, width=width, height=height)


def document_area(sizes: page.LayoutMetrics) -> Area:
    """Return the area of the document."""
    whole = sizes.css_content_size
    return Area(x=0, y=0, width=whole.width, height=whole.height)


def limit_area(area: Area, scale: float) -> Area:
    """Return the part of an area that fits into one image, in CSS pixels and in image pixels."""
    longest = TALLEST / max(scale, 1)
    width, height = min(area.width, longest), min(area.height, longest)
    clipped = (width, height) != (area.width, area.height)
    return attrs.evolve(area, width=width, height=height, clipped=clipped)


async def capture_preview(session: CdpSession) -> str:
    """Return a small JPEG of the drawn page in base64, without forcing it to be drawn."""
    command = page.CaptureScreenshot(format="jpeg", quality=_PREVIEW_QUALITY)
    return await session.call(command)
