"""Tools that look at a page and touch nothing."""

from typing import Annotated

from charlotte.actors.tab import Tab
from charlotte.errors import InvalidArgument
from charlotte.page.cut import read_cursor
from charlotte.page.find import Query
from charlotte.page.find import find as search
from charlotte.page.render import Envelope, render_list, render_more
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer, rendered_answer
from charlotte.tools.parameters import Limit, MaxChars, PageCursor, PageDetail
from charlotte.tools.tool import tool

_LIMIT = 50


@tool(group="observation", read_only=True)
async def observe(
    tab: Tab,
    *,
    detail: PageDetail = "summary",
    max_chars: MaxChars = None,
    cursor: PageCursor = None,
) -> Answer:
    """Look at the page as it is now.

    Landmarks, headings, interactive elements with ids and state, forms, errors. To look for one
    thing, find is cheaper.
    """
    if cursor is not None:
        return await _continued(tab, cursor, max_chars)
    return page_answer(tab, await tab.look(), detail, max_chars=max_chars)


async def _continued(tab: Tab, cursor: str, max_chars: int | None) -> Answer:
    place = read_cursor(cursor)
    snapshot = await tab.snapshot(place.snapshot_id)
    envelope = Envelope(snapshot_id=snapshot.id, timestamp=snapshot.timestamp, tab_id=tab.record.id)
    limit = max_chars or tab.record.session.settings.max_chars
    return rendered_answer(tab, render_more(snapshot.view, place, envelope, max_chars=limit))


@tool(group="observation", read_only=True)
async def find(
    tab: Tab,
    *,
    text: Annotated[str | None, "Part of label, value or placeholder, any case"] = None,
    role: Annotated[str | None, "ARIA role, exact"] = None,
    type_: Annotated[str | None, "Element type, as observe shows it"] = None,
    limit: Limit = _LIMIT,
    cursor: PageCursor = None,
) -> Answer:
    """Find interactive elements; all filters given must match.

    Returns their records with ids, and searches all of the page, also what observe had to cut.
    """
    if text is None and role is None and type_ is None:
        raise InvalidArgument(
            "find needs text, role or type.", "For everything on the page, use observe."
        )
    place = read_cursor(cursor) if cursor is not None else None
    snapshot = await tab.snapshot(place.snapshot_id) if place else (await tab.look()).snapshot
    found = search(snapshot.view, Query(text=text, role=role, type=type_))
    rendered = render_list(
        "elements",
        [element.as_json() for element in found],
        snapshot_id=snapshot.id,
        offset=place.offset if place else 0,
        limit=limit,
        max_chars=tab.record.session.settings.max_chars,
    )
    shown = rendered.body if rendered.complete else rendered.body["elements"]
    tab.record.ids.show(element["id"] for element in shown)
    return rendered_answer(tab, rendered)
