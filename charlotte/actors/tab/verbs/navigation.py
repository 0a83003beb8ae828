"""Verbs that replace the document of a tab: navigate, go in the history, reload."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Literal, TypeVar

import trio

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.base.errors import DeadlineExceeded, NavigationBlocked, NavigationFailed, TabHung
from charlotte.browser.world import navigate as browser_navigate
from charlotte.browser.world.navigate import WaitFor
from charlotte.browser.world.settle import Activity, Checkpoint, checkpoint
from charlotte.guard.url_guard import EGRESS_FAILED, connection_problem, host_of, quoted
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.target import GetVersion

T = TypeVar("T")

LOAD_MS = 30_000
_ELSEWHERE = "Use another address."
_WAS_SENT = "Its request had been sent, and may have taken effect."


async def navigate(
    tab: TabActor, url: str, wait_for: WaitFor = "load", timeout_ms: int = LOAD_MS
) -> Look:
    """Load a URL and look at the page, at the latest at the timeout, while its load goes on.

    Raises `NavigationBlocked`, `NavigationFailed`, `DeadlineExceeded`.
    """
    address = tab.record.session.settings.guard.checked(url, tab.record.url)
    if refusal := await tab.record.refusal(address):
        raise NavigationBlocked(refusal, _ELSEWHERE)

    depart = partial(tab.page.depart, address)
    load = partial(browser_navigate.navigate, tab.page.activity, depart, address, wait_for)
    news = tab.record.news
    deadline = trio.current_time() + timeout_ms / 1000
    begun, since = news.added, checkpoint(tab.page.activity)
    tab.record.opens_files = True
    try:
        arrival = await _load_within(tab, timeout_ms, address, load)
    except NavigationFailed as error:
        raise await _explain_failure(tab, address, error) from None  # noqa: ASYNC120 - cancelled: the caller has left
    finally:
        tab.record.opens_files = False
    if arrival is None:
        look = await _look_once_free(tab, None, deadline)
        if tab.page.activity.reached("load"):
            look = look.with_note(f"The page did not reach {wait_for} within {timeout_ms} ms.")
        return look.with_extras(status=tab.page.activity.status)
    if arrival.is_download:
        await news.wait_until_saved(begun, begins=True)
    stayed = arrival.is_download or not arrival.loader_id
    requested = since if stayed else Checkpoint(tab.page.activity.documents, 0)
    is_loaded = wait_for == "load" and tab.page.activity.reached("load")
    look = await _look_once_free(tab, requested if is_loaded else None, deadline)
    if arrival.is_download:
        return look.with_extras(download=address)
    return look.with_extras(status=tab.page.activity.status)


async def go(tab: TabActor, steps: Literal[-1, 1], timeout_ms: int = LOAD_MS) -> Look:
    """Go back or forward in the history and look at the page.

    While a document is on its way, going back ends its load and keeps the present document.
    """
    activity = tab.page.activity
    documents, leaving = activity.documents, activity.navigating_to
    if leaving is not None and steps < 0:
        await tab.page.free()
        if activity.documents == documents:
            look = await _look_once_free(tab, None, trio.current_time() + timeout_ms / 1000)
            look = look.with_note(f"The load of {quoted(leaving)} was ended; the page stays.")
            return look.with_note(_WAS_SENT) if activity.has_posted else look
    return await _replace(tab, partial(browser_navigate.move_in_history, steps=steps), timeout_ms)


async def reload(tab: TabActor, timeout_ms: int = LOAD_MS, *, hard: bool = False) -> Look:
    """Load the page again, ``hard`` without the cache, and look at it.

    Raises `NavigationBlocked` if that would send a form again.
    """
    if tab.record.posted:
        raise NavigationBlocked(
            f"{tab.record.id} shows the answer to a form: reload would send the form again.",
            "Load its address with navigate. To send the form again, go back and submit it.",
        )
    return await _replace(tab, partial(browser_navigate.reload, hard=hard), timeout_ms)


async def _replace(
    tab: TabActor, load: Callable[[CdpSession, Activity], Awaitable[None]], timeout_ms: int
) -> Look:
    leaving = tab.page.activity.navigating_to
    await tab.page.free()
    since, deadline = checkpoint(tab.page.activity), trio.current_time() + timeout_ms / 1000
    run = partial(load, tab.page.session, tab.page.activity)
    await _load_within(tab, timeout_ms, tab.record.url, run)
    is_loaded = tab.page.activity.reached("load")
    look = await _look_once_free(tab, since if is_loaded else None, deadline)
    if leaving is not None:
        look = look.with_note(
            f"This stopped the load of {quoted(leaving)}: call navigate to load it."
        )
    return look.with_extras(status=tab.page.activity.status)


async def _load_within(
    tab: TabActor, timeout_ms: int, url: str, load: Callable[[], Awaitable[T]]
) -> T | None:
    """Wait for a load, which goes on after the timeout; return None if it has a document then.

    Raises `DeadlineExceeded` if it has none. A load whose call is cancelled is stopped.
    """
    activity = tab.page.activity
    arrivals = activity.arrivals
    try:
        with trio.move_on_after(timeout_ms / 1000) as limit:
            with tab.record.session.questions.extending(tab.record.id, limit):
                return await load()
    except trio.Cancelled:
        if tab.record.dialog is None:  # a load that a dialog blocks goes on after the answer
            await browser_navigate.stop(tab.page.session)  # noqa: ASYNC102 - shields and bounds itself
        raise
    if activity.arrivals == arrivals or activity.navigating_to is not None:
        activity.answer_by = trio.current_time()
        raise DeadlineExceeded(
            f"{quoted(activity.navigating_to or url)} did not answer within {timeout_ms} ms; its "
            f"load goes on. {tab.record.id} still shows {quoted(activity.url)}.",
            "Wait with wait_for, or use back: it ends the load, and the present page stays.",
        )
    return None


async def _look_once_free(tab: TabActor, since: Checkpoint | None, deadline: float) -> Look:
    """Read a document that has arrived; wait until the deadline while its scripts keep it busy."""
    while True:
        try:
            return await tab.arrive(since)
        except TabHung as error:
            with trio.move_on_at(deadline) as scope:
                await tab.page.answered()  # noqa: ASYNC120 - cancelled: the caller has left
            if scope.cancelled_caught:
                raise TabHung(
                    f"{tab.record.url} has arrived in {tab.record.id}, but a script of it keeps "
                    "the tab busy.",
                    error.suggestion,
                ) from None


async def _explain_failure(tab: TabActor, address: str, failed: NavigationFailed) -> Exception:
    """Return the error for a failed load: a redirect may have led to an address that is blocked."""
    await tab.page.session.call(GetVersion())  # raises if the page was closed
    requests = reversed(tab.record.request_log.records.values())
    last = next((each.url for each in requests if each.resource_type == "document"), None)
    if last and (refusal := await tab.record.refusal(last)):
        return NavigationBlocked(refusal, _ELSEWHERE)
    if EGRESS_FAILED not in failed.message:
        return failed
    guard = tab.record.session.guard_of(tab.record.context)
    if refusal := await guard.refusal_of_address(last or address):  # a site of dev_serve
        flag = "--allow-host" if guard.lists(last or address) else "--only-host"
        host = host_of(last or address)
        return NavigationBlocked(refusal, f"Start Charlotte with {flag} {host}.")
    reason = await connection_problem(last or address)
    if tab.record.error_page == EGRESS_FAILED:
        tab.record.error_page = reason
    return browser_navigate.load_failed(address, reason)
