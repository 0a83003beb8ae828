"""The tool that makes images."""

import base64
import itertools
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from charlotte.actors.tab import Tab
from charlotte.browser import screenshot as images
from charlotte.browser.screenshot import Area
from charlotte.errors import ElementNotInteractive, InvalidArgument, StorageFailed
from charlotte.page.cut import compact
from charlotte.protocol.rendering import LayoutMetrics
from charlotte.tools.answer import Answer, Image, Link, Text
from charlotte.tools.results import Screenshot
from charlotte.tools.schema import Limits
from charlotte.tools.tool import tool

LARGEST = 10 * 1024 * 1024
"""Bytes of one image (S-STO-04)."""

_numbers = itertools.count(1)


@tool(group="observation", read_only=True)
async def screenshot(
    tab: Tab,
    *,
    selector: Annotated[str | None, "Only that element: an id from observe or find"] = None,
    format_: Literal["png", "jpeg", "webp"] = "png",
    quality: Annotated[int | None, Limits(minimum=1, maximum=100)] = None,
    full_page: bool = False,
    save: Annotated[bool, "Keep it as a file and return its path"] = False,
) -> Answer[Screenshot]:
    """See the page: the viewport, one element or the full page as an image.

    Its pixels are CSS pixels. For text and elements, observe costs far less.
    """
    if quality is not None and format_ == "png":
        raise InvalidArgument("A png has no quality.", "Leave quality out, or take jpeg or webp.")
    tab.references.take_note()
    async with tab.page.answering(10.0):
        sizes = await images.metrics(tab.page.session)
        area = await _area(tab, sizes, selector, full_page=full_page)
        data = await images.capture(
            tab.page.session, image_format=format_, quality=quality, area=area
        )
    _check_size(data)
    body = _body(sizes, area, format_)
    if note := tab.references.take_note():
        body["note"] = " ".join([note, *filter(None, [body.get("note")])])
    blocks: list[Text | Image | Link] = [Image(data, f"image/{format_}")]
    if save:
        path = _saved(tab, data, format_)
        body["path"] = str(path)
        blocks.append(Link(path.as_uri(), path.name, f"image/{format_}"))
    envelope = {"success": True, "action": "screenshot", "data": body}
    value = _image(body, data, format_)
    return Answer((Text(compact(envelope)), *blocks), {"tab_id": tab.record.id}, value=value)


def _image(body: Mapping[str, Any], data: str, image_format: str) -> Screenshot:
    return Screenshot(
        data=base64.b64decode(data),
        format=image_format,
        width=body["width"],
        height=body["height"],
        path=Path(body["path"]) if "path" in body else None,
        note=body.get("note"),
    )


async def _area(
    tab: Tab, sizes: LayoutMetrics, selector: str | None, *, full_page: bool
) -> Area | None:
    if selector is None:
        return images.whole(sizes) if full_page else None
    answer = await tab.on_element(selector, "box")
    if not answer.get("box"):
        raise ElementNotInteractive(f"{selector} has no box to be seen.", "Observe the page.")
    x, y, width, height = answer["box"]
    shown = sizes.css_visual_viewport
    return Area(x=x + shown.page_x, y=y + shown.page_y, width=width, height=height)


def _body(sizes: LayoutMetrics, area: Area | None, image_format: str) -> dict[str, Any]:
    shown = sizes.css_visual_viewport
    body: dict[str, Any] = {
        "width": round(area.width if area else shown.client_width),
        "height": round(area.height if area else shown.client_height),
        "format": image_format,
        "viewport_bounds": {
            "width": round(shown.client_width),
            "height": round(shown.client_height),
            "scroll_x": round(shown.page_x),
            "scroll_y": round(shown.page_y),
        },
    }
    if area is not None and area.clipped:
        body["note"] = f"The page is larger than one image; cut at {images.TALLEST} px."
    return body


def _check_size(data: str) -> None:
    size = len(data) * 3 // 4
    if size > LARGEST:
        raise StorageFailed(
            f"The image has {size} bytes, more than {LARGEST}.",
            "Take jpeg or webp with a quality, one element, or not the full page.",
        )


def _saved(tab: Tab, data: str, image_format: str) -> Path:
    """Write the image, readable to its owner alone."""
    name = f"{tab.record.id}-{os.getpid()}-{next(_numbers)}.{image_format}"
    try:
        path = tab.record.session.settings.output_dir() / name
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(base64.b64decode(data))
    except OSError as error:
        place = error.filename or name
        raise StorageFailed(
            f"{place} could not be written: {error.strerror}.", "Check --output-dir."
        ) from error
    return path
