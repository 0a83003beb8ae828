"""Tools that navigate: to a URL, in the history, to the same page again."""

from typing import Annotated, Any

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab import navigation
from charlotte.actors.tab.navigation import LOAD_MS, Visit
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.parameters import PageDetail, Timeout, Url, WaitUntil
from charlotte.tools.schema.tool import tool

DEADLINE = 330.0
"""Seconds; above the longest timeout that a caller can give, which ends the load."""


@tool(group="navigation", position=100, deadline=DEADLINE)
async def navigate(
    tab: TabHandle,
    url: Url,
    *,
    wait_for: WaitUntil = "load",
    timeout: Timeout = LOAD_MS,
    detail: PageDetail = "auto",
) -> Answer[Page]:
    """Load a URL and return the page: title, landmarks, headings, elements with ids if it is small.

    `status` is the HTTP status; 4xx and 5xx also return a page.
    """
    visit = await tab.do(navigation.navigate, url, wait_for, timeout)
    return visit_answer(tab.record, visit, detail)


@tool(group="navigation", position=110, deadline=DEADLINE)
async def back(tab: TabHandle, *, detail: PageDetail = "auto") -> Answer[Page]:
    """Go back in the tab's history and return the page."""
    return visit_answer(tab.record, await tab.do(navigation.go, -1), detail)


@tool(group="navigation", position=120, deadline=DEADLINE)
async def forward(tab: TabHandle, *, detail: PageDetail = "auto") -> Answer[Page]:
    """Go forward in the tab's history and return the page."""
    return visit_answer(tab.record, await tab.do(navigation.go, 1), detail)


@tool(group="navigation", position=130, deadline=DEADLINE)
async def reload(
    tab: TabHandle,
    *,
    hard: Annotated[bool, "Bypass the cache"] = False,
    detail: PageDetail = "auto",
) -> Answer[Page]:
    """Reload the page and return it; also ends a script that hangs the tab."""
    return visit_answer(tab.record, await tab.do(navigation.reload, hard=hard), detail)


def visit_answer(record: TabRecord, visit: Visit, detail: PageDetail) -> Answer[Page]:
    """Return the answer for a page that was navigated to."""
    extras: dict[str, Any] = {"status": visit.status, "download": visit.download}
    given = {name: value for name, value in extras.items() if value is not None}
    return page_answer(record, visit.look, detail, extras=given)
