"""The tool that shows a page as it is."""

from charlotte.actors.tab import Tab
from charlotte.page.cut import read_cursor
from charlotte.page.render import Envelope, render_more
from charlotte.tools.answer import Answer
from charlotte.tools.pages import dialog_answer, page_answer, rendered_answer
from charlotte.tools.parameters import MaxChars, PageCursor, PageDetail
from charlotte.tools.tool import tool


@tool(group="observation", read_only=True, blocked=dialog_answer)
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
