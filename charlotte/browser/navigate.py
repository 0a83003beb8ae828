"""Going to other documents, and knowing when they have arrived."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Literal
from urllib.parse import urlsplit

import attrs
import trio

from charlotte.browser.activity import Activity
from charlotte.errors import (
    ConnectionLost,
    DeadlineExceeded,
    InvalidArgument,
    NavigationBlocked,
    NavigationFailed,
)
from charlotte.progress import stage
from charlotte.protocol import page
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session

WaitFor = Literal["load", "domcontentloaded", "networkidle"]

_MILESTONES = {"load": "load", "domcontentloaded": "DOMContentLoaded", "networkidle": "networkIdle"}
_STATUS_IS_NO_FAILURE = "net::ERR_HTTP_RESPONSE_CODE_FAILURE"
_LOCAL_HOSTS = ("localhost", "127.", "[::1]")
_STOP_WAIT = 0.5
_LONGEST_QUOTE = 200


@attrs.frozen
class Arrival:
    """How a navigation ended.

    ``download`` when the address was a file to save and the page stayed.
    """

    download: bool = False


def checked_url(text: str) -> str:
    """Complete an address as a person types it.

    Raises `NavigationBlocked` for schemes we do not load, `InvalidArgument` for what is no address.
    """
    url = text.strip()
    if not _scheme(url) or _is_host_and_port(url):
        url = ("http://" if url.startswith(_LOCAL_HOSTS) else "https://") + url
    scheme = _scheme(url)
    if scheme in {"http", "https", "data"} or url == "about:blank":
        return url
    raise NavigationBlocked(
        f"Charlotte does not load {scheme}: addresses ({_quoted(text)!r}).",
        "Use an http, https or data address, or about:blank.",
    )


def _scheme(url: str) -> str:
    try:
        return urlsplit(url).scheme
    except ValueError as error:
        raise InvalidArgument(
            f"{url[:200]!r} is not an address: {error}.",
            "Give it in full, such as https://example.org/.",
        ) from error


def _is_host_and_port(url: str) -> bool:
    _, _, rest = url.partition(":")
    return rest.split("/", 1)[0].isdigit()


async def navigate(
    activity: Activity, departure: Awaitable[page.Navigated], url: str, wait_for: WaitFor
) -> Arrival:
    """Load ``url`` by ``departure``; returns once the milestone is reached.

    Raises `NavigationFailed`.
    """
    stage(f"requesting {_quoted(url)}")
    navigated = await departure
    if navigated.is_download:
        return Arrival(download=True)
    if navigated.error_text and navigated.error_text != _STATUS_IS_NO_FAILURE:
        raise NavigationFailed(
            f"{_quoted(url)} could not be loaded: {navigated.error_text}.",
            "Check the address and that its server runs; the tab is still usable.",
        )
    if navigated.loader_id:
        await activity.until(lambda: activity.loader == navigated.loader_id)
        stage(f"waiting for its {wait_for}")
        await activity.until(lambda: activity.reached(_MILESTONES[wait_for]))
    return Arrival()


def _quoted(url: str) -> str:
    """An address as messages show it: one with data in it is long."""
    return url if len(url) <= _LONGEST_QUOTE else f"{url[:_LONGEST_QUOTE]}…"


async def reload(session: Session, activity: Activity, *, hard: bool) -> None:
    """Load the present document again; ``hard`` goes past the cache."""
    await _replace_document(activity, lambda: session.call(page.Reload(ignore_cache=hard)))


async def go(session: Session, activity: Activity, steps: Literal[-1, 1]) -> None:
    """One entry back or forward in the tab's history; raises `NavigationFailed` at its end."""
    history = await session.call(page.GetNavigationHistory())
    index = history.current_index + steps
    if not 0 <= index < len(history.entries):
        raise NavigationFailed(
            f"There is no page to go {'back' if steps < 0 else 'forward'} to "
            f"from {_quoted(activity.url)}.",
            "Use navigate with a URL.",
        )
    entry = history.entries[index]
    await _replace_document(
        activity, lambda: session.call(page.NavigateToHistoryEntry(entry_id=entry.id))
    )


async def _replace_document(activity: Activity, act: Callable[[], Awaitable[object]]) -> None:
    """Act, and wait for the load of the document that follows, or for a same-document arrival."""
    documents, seen = activity.documents, activity.arrivals
    stage("requesting the document")
    await act()
    await activity.until(lambda: activity.arrivals > seen)
    if activity.documents > documents:
        stage("waiting for its load")
        await activity.until(lambda: activity.reached("load"))


async def stop(session: Session) -> None:
    """Give up on a load whose deadline has passed, so that it cannot arrive later by surprise."""
    # A page that is just being replaced refuses: then something has arrived.
    with trio.move_on_after(_STOP_WAIT, shield=True), suppress(ProtocolError, ConnectionLost):
        await session.call(page.StopLoading())


def too_slow(url: str, seconds: float, wait_for: WaitFor) -> DeadlineExceeded:
    """The error for a navigation whose time ran out."""
    return DeadlineExceeded(
        f"{_quoted(url)} did not reach {wait_for} within {seconds * 1000:.0f} ms.",
        "Observe what has arrived, or navigate again with a larger timeout or an earlier wait_for.",
    )
