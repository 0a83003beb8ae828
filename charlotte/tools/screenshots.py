"""Tools that make files of a page: an image, a PDF."""

import base64
import itertools
import os
from collections.abc import Mapping
from typing import Annotated, Any

import attrs
import trio

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.verbs import images
from charlotte.actors.tab.verbs.images import ImageFormat, ImageRequest
from charlotte.answers.answer import Answer, Image, Link, SavedFile, Screenshot, Text
from charlotte.answers.answer_format import wants_text
from charlotte.answers.pages import success
from charlotte.answers.remarks import write_remark
from charlotte.base.errors import LONGEST, InvalidArgument
from charlotte.base.files import write
from charlotte.base.log import now
from charlotte.page.model import compact_json
from charlotte.page.tokens import plural, write_line
from charlotte.protocol.page import Viewport
from charlotte.tools.schema.arguments import Limits, Offset, Rare, Uses
from charlotte.tools.schema.tool import observation_tool, tool

FILE_ID = "screenshot_cache"
"""Id of the only image that exists at a time, as S requires it."""

_numbers = itertools.count(1)


@attrs.frozen(kw_only=True)
class ScreenRegion:
    """CSS px of the viewport."""

    x: Annotated[float, "CSS px from the left."]
    y: Annotated[float, "CSS px from the top."]
    width: Annotated[float, Limits(minimum=1), "Width in CSS px."]
    height: Annotated[float, Limits(minimum=1), "Height in CSS px."]


def _check_image(arguments: Mapping[str, Any]) -> None:
    if arguments["quality"] is not None and arguments["format_"] == "png":
        raise InvalidArgument(
            "quality is not allowed with format png.", "Omit quality, or pass jpeg or webp."
        )
    if arguments["region"] is not None:
        for name in ("selector", "full_page"):
            if arguments[name]:
                raise InvalidArgument(
                    f"region is not allowed with {name}.", f"Omit region or {name}."
                )


@observation_tool(title="Take a screenshot", position=220, writes=True, check=_check_image)
async def screenshot(
    tab: TabHandle,
    *,
    selector: Annotated[
        str | None, "CSS selector or id of an element. Default: the viewport."
    ] = None,
    region: Annotated[
        ScreenRegion | None, Rare, "Only this part of the viewport: {x, y, width, height}."
    ] = None,
    marks: Annotated[bool, "Draw the ids of visible elements on the image."] = False,
    zoom: Annotated[
        float, Limits(minimum=0.1, maximum=4), "Image px per CSS px; above 1 for small text."
    ] = 1,
    if_changed: Annotated[
        bool, Rare, "Return no image if it equals the last one of the same part."
    ] = False,
    format_: Annotated[ImageFormat, "Image format."] = "png",
    quality: Annotated[
        int | None, Limits(minimum=1, maximum=100), "Quality of jpeg or webp in percent."
    ] = None,
    full_page: Annotated[bool, "Capture the whole page."] = False,
    scroll_offset: Annotated[Offset | None, Rare, "Distance to scroll first."] = None,
    max_width: Annotated[
        int | None, Limits(minimum=1), "Scale the image down to this width in px."
    ] = None,
    save: Annotated[bool, Uses("files"), "Also save to a file and return its path."] = False,
) -> Answer[Screenshot]:
    """Return the viewport, one element or the full page as an image, in CSS pixels.

    For text and elements, use observe: it costs far less.
    """
    image = await tab.do(
        images.take_image,
        ImageRequest(
            selector=selector,
            region=Viewport(**attrs.asdict(region)) if region else None,
            full_page=full_page,
            scroll_by=attrs.asdict(scroll_offset) if scroll_offset else None,
            zoom=zoom,
            max_width=max_width,
            with_marks=marks,
            image_format=format_,
            quality=quality,
            hides_caret=if_changed,
        ),
    )
    record, data = tab.record, base64.b64decode(image.data)
    since = (
        record.news.current.images.unchanged_since(image.part, image.digest) if if_changed else None
    )
    body: dict[str, Any] = {"image_file_id": FILE_ID, **image.facts}
    marked = tuple(mark.id for mark in image.marks or ())
    if marks:
        body["marked"] = len(marked)
    if since is not None:
        body["unchanged_since"] = since
    if image.note:
        body["note"] = image.note
    blocks: list[Text | Image | Link] = []
    if since is None:
        blocks.append(Image(image.data, f"image/{format_}"))
    path = None
    if save:
        settings = tab.record.session.settings
        directory = settings.screenshot_dir or settings.output_dir()
        path = directory / f"{tab.record.id}-{os.getpid()}-{next(_numbers)}.{format_}"
        await trio.to_thread.run_sync(write, path, data)
        body["path"] = str(path)
        blocks.append(Link(path.as_uri(), path.name, f"image/{format_}"))
    images.trace_image(tab.record.id, "uploading")
    if wants_text():
        head = Text(_write_facts(body))
    else:
        head = Text(compact_json(success(tab, "screenshot", body)), form="json")

    def delivered() -> None:
        images.trace_image(record.id, "uploaded", "deleted")
        record.news.current.images.add(image.part, image.digest, now())

    record.ids.note_shown(marked)
    return Answer(
        (head, *blocks),
        {"tab_id": record.id},
        delivered=delivered,
        value=Screenshot(
            data=data,
            format=format_,
            width=body["width"],
            height=body["height"],
            path=path,
            note=image.note,
            marked=marked,
            unchanged_since=since,
        ),
    )


def _write_facts(body: Mapping[str, Any]) -> str:
    """Return the size of an image, the part of the page, the marks, its file and note as lines."""
    at = body["viewport_bounds"]
    size = f"{body['width']}x{body['height']} {body['format']}"
    scale = f", scale {body['scale']}" if "scale" in body else ""
    scrolled = f", page scrolled to {at['scroll_x']},{at['scroll_y']}"
    lines = [f"screenshot {size}{scale}{scrolled if at['scroll_x'] or at['scroll_y'] else ''}"]
    if "unchanged_since" in body:
        lines = [f"{lines[0]}, unchanged since {body['unchanged_since'][11:23]}"]
    if "marked" in body:
        lines.append(f"{body['marked']} {plural(body['marked'], 'element')} marked")
    lines += [f"! saved: {write_line(body['path'])}"] if "path" in body else []
    lines += [write_remark(body["note"], LONGEST)] if "note" in body else []
    return "\n".join(lines)


@tool(
    group="session",
    title="Save as PDF",
    position=620,
    read_only=True,
    deadline=90.0,
    writes=True,
    uses="files",
)
async def pdf(
    tab: TabHandle,
    *,
    path: Annotated[
        str | None,
        (
            "Path of the new .pdf file, relative to the output directory. Default: a name "
            "made from the tab id."
        ),
    ] = None,
    landscape: Annotated[bool, "Use landscape orientation instead of portrait."] = False,
    scale: Annotated[
        float, Limits(minimum=0.1, maximum=2), "Scale factor of the printed page."
    ] = 1,
) -> Answer[SavedFile]:
    """Print the page to a PDF file, backgrounds included, and return its path."""
    name = path or f"{tab.record.id}.pdf"
    place = tab.record.session.settings.writable.new_file(name, ".pdf")
    data = await tab.do(images.print_pdf, landscape=landscape, scale=scale)
    await trio.to_thread.run_sync(write, place, data)
    body = Text(compact_json({"path": str(place), "bytes": len(data)}), form="json")
    return Answer(
        (body, Link(place.as_uri(), place.name, "application/pdf")),
        {"tab_id": tab.record.id},
        value=SavedFile(path=place, bytes=len(data)),
    )
