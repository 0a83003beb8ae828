"""Tools that go to other pages."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Annotated, Any, TypeVar

import trio

from charlotte.actors.tab.actor import Look, Tab
from charlotte.browser import navigate as verbs
from charlotte.browser.navigate import WaitFor
from charlotte.browser.settle import Mark, mark
from charlotte.browser.url_guard import connection_problem, host_of
from charlotte.errors import DeadlineExceeded, NavigationBlocked, NavigationFailed, TabHung
from charlotte.protocol.browser import GetVersion
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.parameters import PageDetail, Timeout, Url, WaitUntil
from charlotte.tools.schema.tool import tool

T = TypeVar("T")

LOAD_MS = 30_000
DEADLINE = 330.0
"""Seconds; above the longest timeout an agent can ask for, which is what ends a load."""

_BUSY_AFTER = 0.5
"""Seconds without an answer after which a document that did not load in time is busy."""

_EGRESS_FAILED = "net::ERR_SOCKS_CONNECTION_FAILED"
"""Chromium's error for every failure behind the egress proxy."""


@tool(group="navigation", position=100, deadline=DEADLINE)
async def navigate(
    tab: Tab,
    url: Url,
    *,
    wait_for: WaitUntil = "load",
    timeout: Timeout = LOAD_MS,
    detail: PageDetail = "auto",
) -> Answer[Page]:
    """Load a URL and return the page: title, landmarks, headings, elements with ids if it is small.

    `status` is the HTTP status; 4xx and 5xx also return a page.
    """
    return await show(tab, url, wait_for, timeout, detail)


@tool(group="navigation", position=110, deadline=DEADLINE)
async def back(tab: Tab, *, detail: PageDetail = "auto") -> Answer[Page]:
    """Go back in the tab's history and return the page."""
    return await _replace(tab, lambda: verbs.go(tab.page.session, tab.page.activity, -1), detail)


@tool(group="navigation", position=120, deadline=DEADLINE)
async def forward(tab: Tab, *, detail: PageDetail = "auto") -> Answer[Page]:
    """Go forward in the tab's history and return the page."""
    return await _replace(tab, lambda: verbs.go(tab.page.session, tab.page.activity, 1), detail)


@tool(group="navigation", position=130, deadline=DEADLINE)
async def reload(
    tab: Tab, *, hard: Annotated[bool, "Bypass the cache"] = False, detail: PageDetail = "auto"
) -> Answer[Page]:
    """Reload the page and return it; also ends a script that hangs the tab."""
    return await _replace(
        tab, lambda: verbs.reload(tab.page.session, tab.page.activity, hard=hard), detail
    )


async def show(
    tab: Tab, url: str, wait_for: WaitFor, timeout_ms: int, detail: PageDetail
) -> Answer[Page]:
    """Load an address and answer with the page.

    Raises `NavigationBlocked`, `NavigationFailed`, `DeadlineExceeded`.
    """
    address = tab.record.session.settings.guard.checked(url, tab.record.url)
    if refusal := await tab.record.session.refusal(address):
        raise _blocked(refusal)

    def load() -> Awaitable[verbs.Arrival]:
        depart = partial(tab.page.depart, address)
        return verbs.navigate(tab.page.activity, depart, address, wait_for)

    downloads = tab.record.downloads
    deadline = trio.current_time() + timeout_ms / 1000
    begun, since = downloads.begun, mark(tab.page.activity)
    failed: NavigationFailed | None = None
    arrival = verbs.Arrival()
    try:
        arrival = await _within(tab, timeout_ms, address, wait_for, load)
    except NavigationFailed as error:
        failed = error
    if failed:
        await tab.page.session.call(GetVersion())  # raises if the page was closed
        last = _last_requested(tab)
        if last and (refusal := await tab.record.session.refusal(last)):
            raise _blocked(refusal)
        if _EGRESS_FAILED in failed.message:
            guard = tab.record.session.settings.guard
            if refusal := await guard.refusal_of_place(last or address):  # a site of dev_serve
                host = host_of(last or address)
                raise NavigationBlocked(refusal, f"Start Charlotte with --allow-host {host}.")
            reason = await connection_problem(last or address)
            message = failed.message.replace(_EGRESS_FAILED, reason)
            raise NavigationFailed(message, failed.suggestion)
        raise failed
    extras = _status(tab)
    if arrival.download:
        extras = {"download": address}
        await downloads.saved(begun, begins=True)
    requested = since if arrival.stayed else Mark(tab.page.activity.documents, 0)
    look = await _look_once_free(tab, requested if wait_for == "load" else None, deadline)
    return page_answer(tab, look, detail, extras=extras)


async def _look_once_free(tab: Tab, since: Mark | None, deadline: float) -> Look:
    """Read a document that has arrived; wait until the deadline while its scripts keep it busy."""
    while True:
        try:
            return await tab.arrive(since)
        except TabHung as error:
            with trio.move_on_at(deadline) as scope:
                await tab.page.answered()  # noqa: ASYNC120 - cancelled: nobody waits for the page
            if scope.cancelled_caught:
                raise _busy(tab, error) from None


def _busy(tab: Tab, error: TabHung) -> TabHung:
    """Return the error for a document that arrived, whose script outlasts the navigation."""
    return TabHung(
        f"{tab.record.url} has arrived in {tab.record.id}, but a script of it keeps the tab busy.",
        error.suggestion,
    )


def _last_requested(tab: Tab) -> str | None:
    """Return the address of the last request for a document, to which a redirect may have led."""
    requests = reversed(tab.record.request_log.records.values())
    return next((one.url for one in requests if one.resource_type == "document"), None)


def _blocked(refusal: str) -> NavigationBlocked:
    return NavigationBlocked(refusal, "Use another address.")


async def _replace(
    tab: Tab, load: Callable[[], Awaitable[None]], detail: PageDetail
) -> Answer[Page]:
    await tab.page.free()
    since, deadline = mark(tab.page.activity), trio.current_time() + LOAD_MS / 1000
    await _within(tab, LOAD_MS, tab.record.url, "load", load)
    look = await _look_once_free(tab, since, deadline)
    return page_answer(tab, look, detail, extras=_status(tab))


async def _within(
    tab: Tab, timeout_ms: int, url: str, wait_for: WaitFor, load: Callable[[], Awaitable[T]]
) -> T:
    """Wait for a load; one whose time runs out is stopped, so that it cannot arrive later."""
    activity = tab.page.activity
    arrivals = activity.arrivals
    try:
        with trio.move_on_after(timeout_ms / 1000):
            return await load()
    except trio.Cancelled:
        if tab.record.dialog is None:  # else it goes on when that is answered
            await verbs.stop(tab.page.session)  # noqa: ASYNC102 - shields and bounds itself
        raise
    await verbs.stop(tab.page.session)
    still_at = activity.url if activity.arrivals == arrivals else None
    if still_at is None:
        try:
            with suppress(DeadlineExceeded):  # a page that goes elsewhere
                await tab.page.ping(_BUSY_AFTER)
        except TabHung as error:
            raise _busy(tab, error) from None
    raise verbs.too_slow(url, timeout_ms / 1000, wait_for, still_at=still_at)


def _status(tab: Tab) -> dict[str, Any]:
    status = tab.page.activity.status
    return {} if status is None else {"status": status}
