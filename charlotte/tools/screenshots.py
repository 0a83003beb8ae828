"""The tool that makes images."""

import base64
import itertools
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import attrs
import trio

from charlotte.actors.tab.actor import Tab
from charlotte.browser import screenshot as images
from charlotte.browser.screenshot import Area, Picture
from charlotte.errors import (
    CharlotteError,
    ElementNotFound,
    ElementNotInteractive,
    InvalidArgument,
    StorageFailed,
)
from charlotte.files import write
from charlotte.log import trace
from charlotte.page.record_base import compact_json
from charlotte.progress import stage
from charlotte.protocol.rendering import LayoutMetrics
from charlotte.tools.answer import Answer, Image, Link, Text
from charlotte.tools.coordinates import Offset
from charlotte.tools.envelope import Stopwatch, success
from charlotte.tools.results import Screenshot
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.tool import tool
from charlotte.tools.scoping import scope_of

LARGEST = 10 * 1024 * 1024
"""Bytes of one image (S-STO-04)."""

FILE_ID = "screenshot_cache"
"""What S calls the one image that there is at a time."""

_TAKES = 10.0
_numbers = itertools.count(1)


def _check_quality(arguments: Mapping[str, Any]) -> None:
    if arguments["quality"] is not None and arguments["format_"] == "png":
        raise InvalidArgument("A png has no quality.", "Leave quality out, or take jpeg or webp.")


@tool(group="observation", position=220, read_only=True, check=_check_quality)
async def screenshot(
    tab: Tab,
    *,
    selector: Annotated[str | None, "CSS or id of one element"] = None,
    format_: Literal["png", "jpeg", "webp"] = "png",
    quality: Annotated[int | None, Limits(minimum=1, maximum=100)] = None,
    full_page: bool = False,
    scroll_offset: Annotated[Offset | None, "px to scroll first"] = None,
    max_width: Annotated[int | None, Limits(minimum=1)] = None,
    save: Annotated[bool, "Save to a file"] = False,
) -> Answer[Screenshot]:
    """Return the viewport, one element or the full page as an image, in CSS pixels.

    For text and elements, use observe: it costs far less.
    """
    watch = Stopwatch(tab.record.id)
    tab.references.take_note()
    if scroll_offset is not None:
        await tab.settling(lambda: _scroll(tab, scroll_offset))
    picture, sizes = await _framed(tab, selector, full_page=full_page)
    picture = attrs.evolve(picture, image_format=format_, quality=quality)
    picture = _shrunk(picture, sizes, max_width)
    data = await _captured(tab, picture, sizes)
    body = _body(sizes, picture)
    if note := tab.references.take_note():
        body["note"] = " ".join([note, *filter(None, [body.get("note")])])
    blocks: list[Text | Image | Link] = [Image(data, f"image/{format_}")]
    if save:
        path = await _saved(tab, data, format_)
        body["path"] = str(path)
        blocks.append(Link(path.as_uri(), path.name, f"image/{format_}"))
    envelope = Text(compact_json(success("screenshot", body, watch)))
    return Answer(
        (envelope, *blocks),
        {"tab_id": tab.record.id},
        delivered=_sending(tab),
        value=_image(body, data, format_),
    )


def _image(body: Mapping[str, Any], data: str, image_format: str) -> Screenshot:
    return Screenshot(
        data=base64.b64decode(data),
        format=image_format,
        width=body["width"],
        height=body["height"],
        path=Path(body["path"]) if "path" in body else None,
        note=body.get("note"),
    )


async def _scroll(tab: Tab, offset: Offset) -> None:
    """S-SCR: relative, and only as far as the page goes."""
    for axis, distance in (("x", offset.x), ("y", offset.y)):
        if distance:
            await tab.on_page("scrollBy", 0, axis, {"px": distance})


async def _framed(
    tab: Tab, selector: str | None, *, full_page: bool
) -> tuple[Picture, LayoutMetrics]:
    """What the image is to show, and how large page and viewport are then."""
    box = None if selector is None else await _box(tab, selector)
    async with tab.page.answering(_TAKES):
        sizes = await images.metrics(tab.page.session)
    area = images.whole(sizes) if full_page else None
    if box is not None:
        x, y, width, height = box
        shown = sizes.css_visual_viewport
        area = Area(x=x + shown.page_x, y=y + shown.page_y, width=width, height=height)
    density = tab.record.desired.device.scale
    return Picture(image_format="png", quality=None, area=area, density=density), sizes


async def _box(tab: Tab, selector: str) -> list[float]:
    """Where an element is in the viewport, once it has been scrolled into it."""
    place = (await scope_of(tab, selector)).root
    veil = await tab.on_place(place, "unveil") or {}
    if "by" in veil:
        tab.references.note(f"{veil['by']} covers at least a part of {selector}.")
    answer = await tab.on_place(place, "box")
    if answer is None:
        raise ElementNotFound(f"{selector} is gone.")
    if not answer["box"]:
        raise ElementNotInteractive(f"{selector} has no box to be seen.", "Observe the page.")
    box: list[float] = answer["box"]
    return box


def _shrunk(picture: Picture, sizes: LayoutMetrics, max_width: int | None) -> Picture:
    width = _shown(picture, sizes).width
    if max_width is None or width <= max_width:
        return picture
    return attrs.evolve(picture, scale=max_width / width)


def _shown(picture: Picture, sizes: LayoutMetrics) -> Area:
    return picture.area or images.viewport(sizes)


async def _captured(tab: Tab, picture: Picture, sizes: LayoutMetrics) -> str:
    """The image in base64; its states are those of S-LIFE, none of which is a file."""
    _enters(tab, "capturing")
    stage("taking the picture")
    try:
        async with tab.page.answering(_TAKES):
            data = await images.capture(tab.page.session, picture, sizes)
        _check_size(data)
    except CharlotteError:
        _enters(tab, "none")
        raise
    _enters(tab, "stored")
    return data


def _sending(tab: Tab) -> Callable[[], None]:
    """What to do once an image has arrived: nothing of it is kept."""
    _enters(tab, "uploading")

    def arrived() -> None:
        for state in ("uploaded", "deleted"):
            _enters(tab, state)

    return arrived


def _enters(tab: Tab, state: str) -> None:
    trace("screenshot", state=state, tab_id=tab.record.id)


def _body(sizes: LayoutMetrics, picture: Picture) -> dict[str, Any]:
    shown, area = sizes.css_visual_viewport, _shown(picture, sizes)
    body: dict[str, Any] = {
        "image_file_id": FILE_ID,
        "width": max(round(area.width * picture.scale), 1),
        "height": max(round(area.height * picture.scale), 1),
        "format": picture.image_format,
        "viewport_bounds": {
            "width": round(shown.client_width),
            "height": round(shown.client_height),
            "scroll_x": round(shown.page_x),
            "scroll_y": round(shown.page_y),
        },
    }
    if picture.scale != 1:
        body["scale"] = round(picture.scale, 4)
    if area.clipped:
        body["note"] = f"The page is larger than one image; cut at {images.TALLEST} px."
    return body


def _check_size(data: str) -> None:
    size = len(data) * 3 // 4
    if size > LARGEST:
        raise StorageFailed(
            f"The image has {size} bytes, more than {LARGEST}.",
            "Take jpeg or webp with a quality, max_width, one element, or not the full page.",
        )


async def _saved(tab: Tab, data: str, image_format: str) -> Path:
    """Write the image; its name says what it is of."""
    name = f"{tab.record.id}-{os.getpid()}-{next(_numbers)}.{image_format}"
    settings = tab.record.session.settings
    place = (settings.screenshot_dir or settings.output_dir()) / name
    await trio.to_thread.run_sync(write, place, base64.b64decode(data))
    return place
