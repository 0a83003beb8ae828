"""Images of a page, in CSS pixels."""

import attrs

from charlotte.errors import ScreenshotFailed
from charlotte.protocol import page, rendering
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session

TALLEST = 16_384
"""Pixels; what a browser can put into one image."""


@attrs.frozen(kw_only=True)
class Area:
    """A part of the document in CSS pixels.

    ``clipped`` when more was wanted than one image holds.
    """

    x: float
    y: float
    width: float
    height: float
    clipped: bool = False


async def capture(
    session: Session, *, image_format: str, quality: int | None, area: Area | None
) -> str:
    """Base64 of the viewport, or of an area of the document; raises `ScreenshotFailed`."""
    clip = None
    if area is not None:
        clip = rendering.Viewport(area.x, area.y, area.width, area.height, scale=1)
    try:
        # a tab behind others in its window may not be painted
        await session.begin(page.BringToFront())
        captured = await session.call(
            rendering.CaptureScreenshot(
                format=image_format,
                quality=quality,
                clip=clip,
                capture_beyond_viewport=area is not None,
            )
        )
    except ProtocolError as error:
        raise ScreenshotFailed(
            f"The browser could not capture an image: {error.refusal}", "Try again, or observe."
        ) from error
    return captured.data


async def metrics(session: Session) -> rendering.LayoutMetrics:
    """Sizes of viewport and document."""
    return await session.call(rendering.GetLayoutMetrics())


def whole(sizes: rendering.LayoutMetrics) -> Area:
    """All of the document, or as much of it as one image holds."""
    size = sizes.css_content_size
    return Area(
        x=0,
        y=0,
        width=min(size.width, TALLEST),
        height=min(size.height, TALLEST),
        clipped=size.height > TALLEST or size.width > TALLEST,
    )
