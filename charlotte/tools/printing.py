"""The tool that prints."""

import base64
from typing import Annotated

import trio

from charlotte.actors.tab.actor import Tab
from charlotte.files import write
from charlotte.page.record_base import compact_json
from charlotte.protocol.rendering import PrintToPdf
from charlotte.tools.answer import Answer, Link, Text
from charlotte.tools.results import SavedFile
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.tool import tool

_TAKES = 60.0


@tool(group="session", position=620, read_only=True, deadline=90.0)
async def pdf(
    tab: Tab,
    *,
    path: Annotated[str | None, "A .pdf file, relative to the output directory"] = None,
    landscape: bool = False,
    scale: Annotated[float, Limits(minimum=0.1, maximum=2), "Size factor"] = 1,
) -> Answer[SavedFile]:
    """Print the page to a PDF file, backgrounds included, and return its path."""
    name = path or f"{tab.record.id}.pdf"
    place = tab.record.session.settings.writable.new_file(name, ".pdf")
    await tab.page.present()
    async with tab.page.answering(_TAKES):
        printed = await tab.page.session.call(
            PrintToPdf(landscape=landscape, scale=scale, print_background=True)
        )
    data = base64.b64decode(printed.data)
    await trio.to_thread.run_sync(write, place, data)
    body = Text(compact_json({"path": str(place), "bytes": len(data)}))
    return Answer(
        (body, Link(place.as_uri(), place.name, "application/pdf")),
        {"tab_id": tab.record.id},
        value=SavedFile(path=place, bytes=len(data)),
    )
