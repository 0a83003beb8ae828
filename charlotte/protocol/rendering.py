"""CDP Page domain: pictures of pages, and how they are laid out."""

import attrs

from charlotte.protocol.wire import Command


@attrs.frozen
class Viewport:
    """A clip, in CSS px of the document; ``scale`` 1 keeps CSS pixels."""

    x: float
    y: float
    width: float
    height: float
    scale: float = attrs.field(kw_only=True)


@attrs.frozen
class Captured:
    """The image in base64."""

    data: str


@attrs.frozen(kw_only=True)
class CaptureScreenshot(Command[Captured]):
    """Take an image of the viewport, or of ``clip``."""

    method = "Page.captureScreenshot"
    format: str
    quality: int | None = None
    clip: Viewport | None = None
    capture_beyond_viewport: bool = False


@attrs.frozen
class Printed:
    """The PDF in base64."""

    data: str


@attrs.frozen(kw_only=True)
class PrintToPdf(Command[Printed]):
    """Print the page."""

    method = "Page.printToPDF"
    landscape: bool
    scale: float
    print_background: bool


@attrs.frozen
class Rect:
    """A rectangle in CSS px."""

    x: float
    y: float
    width: float
    height: float


@attrs.frozen
class VisualViewport:
    """The visible part of the page."""

    page_x: float
    page_y: float
    client_width: float
    client_height: float


@attrs.frozen
class LayoutMetrics:
    """Sizes of viewport and document in CSS px."""

    css_visual_viewport: VisualViewport
    css_content_size: Rect


@attrs.frozen(kw_only=True)
class GetLayoutMetrics(Command[LayoutMetrics]):
    """Get the sizes of viewport and document."""

    method = "Page.getLayoutMetrics"
