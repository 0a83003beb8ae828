"""Navigation to other documents, and detection of their arrival."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Literal

import trio

from charlotte.base.errors import ConnectionLost, DeadlineExceeded, NavigationFailed
from charlotte.base.progress import stage
from charlotte.browser.world.settle import Activity
from charlotte.guard.url_guard import quoted
from charlotte.protocol import page
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.errors import ProtocolError

WaitFor = Literal["load", "domcontentloaded", "networkidle"]

_MILESTONES = {"load": "load", "domcontentloaded": "DOMContentLoaded", "networkidle": "networkIdle"}
_STATUS_IS_NO_FAILURE = "net::ERR_HTTP_RESPONSE_CODE_FAILURE"
_NO_DOCUMENT = "net::ERR_ABORTED"
"""Of a response without a document, such as 204, or a load that another one replaced."""

_ADVICE = {
    "NAME_NOT_RESOLVED": "Check the host name.",
    "UNSAFE_PORT": "Use another port: browsers refuse this one.",
    "ERR_CERT": "Use another URL, or start Charlotte with --ignore-https-errors.",
    _NO_DOCUMENT: "Use another URL: the server sent no document.",
}
_USUAL_ADVICE = "Check the URL and that its server runs."
_ATTEMPTS = 5
_OVERTAKEN = 2
"""Documents that may replace the requested one: earlier navigations can still complete."""


async def navigate(
    activity: Activity,
    depart: Callable[[], Awaitable[page.NavigateReply]],
    url: str,
    wait_for: WaitFor,
) -> page.NavigateReply:
    """Load ``url`` with ``depart`` and return at the milestone.

    The reply has no loader if the document stayed, for a fragment. The load is repeated if the page
    navigates elsewhere. Raises `NavigationFailed`, or `DeadlineExceeded` if it does so each time.
    """
    for _ in range(_ATTEMPTS):
        stage(f"requesting {quoted(url)}")
        navigated = await depart()
        loader = navigated.loader_id
        if navigated.is_download:
            return navigated
        if navigated.error_text and navigated.error_text != _STATUS_IS_NO_FAILURE:
            if loader and navigated.error_text != _NO_DOCUMENT:
                # the next call must not see the old page
                with trio.move_on_after(1.0):
                    await activity.until(partial(activity.has_arrived, loader))
            raise load_failed(url, navigated.error_text)
        if not loader:
            return navigated
        if await _arrives(activity, loader):
            stage(f"waiting for its {wait_for}")
            await activity.reach(_MILESTONES[wait_for])
            return navigated
    raise DeadlineExceeded(
        f"The page in the tab navigates continuously; {quoted(url)} was not loaded.",
        "Open the URL in a new tab and close this one.",
    )


def load_failed(url: str, reason: str) -> NavigationFailed:
    """Build the error for a URL that could not be loaded."""
    advice = next((text for name, text in _ADVICE.items() if name in reason), _USUAL_ADVICE)
    return NavigationFailed(f"{quoted(url)} could not be loaded: {reason}.", advice)


async def _arrives(activity: Activity, loader: str) -> bool:
    """Wait for a document; return False if others arrive in its place."""
    last = activity.documents + _OVERTAKEN
    await activity.until(lambda: activity.has_arrived(loader) or activity.documents > last)
    return activity.has_arrived(loader)


async def reload(session: CdpSession, activity: Activity, *, hard: bool) -> None:
    """Reload the document; ``hard`` bypasses the cache."""
    await _replace_document(activity, lambda: session.call(page.Reload(ignore_cache=hard)))


async def move_in_history(session: CdpSession, activity: Activity, steps: Literal[-1, 1]) -> None:
    """Move one entry in the tab's history; raises `NavigationFailed` at its end."""
    history = await session.call(page.GetNavigationHistory())
    index = history.current_index + steps
    if not 0 <= index < len(history.entries):
        raise NavigationFailed(
            f"There is no page to go {'back' if steps < 0 else 'forward'} to "
            f"from {quoted(activity.url)}.",
            "Use navigate with a URL.",
        )
    entry = history.entries[index]
    await _replace_document(
        activity, lambda: session.call(page.NavigateToHistoryEntry(entry_id=entry.id))
    )


async def _replace_document(activity: Activity, act: Callable[[], Awaitable[object]]) -> None:
    """Run an action and wait for the load of the next document, or another arrival.

    An entry of the history can be one of a child frame.
    """
    documents, seen, in_frames = activity.documents, activity.arrivals, activity.frame_arrivals
    stage("requesting the document")
    await act()
    await activity.until(
        lambda: (
            activity.arrivals > seen
            or (activity.frame_arrivals > in_frames and activity.navigating_to is None)
        )
    )
    if activity.documents > documents:
        stage("waiting for its load")
        await activity.reach("load")


async def stop(session: CdpSession) -> None:
    """Stop a load that is given up, so that it cannot arrive later."""
    # A page that is being replaced refuses the command; the next document has arrived then.
    with trio.move_on_after(0.5, shield=True), suppress(ProtocolError, ConnectionLost):
        await session.call(page.StopLoading())
