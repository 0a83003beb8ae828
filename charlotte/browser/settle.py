"""Waiting for the page to answer an action, by evidence: navigations, requests, mutations, frames.

What is waited for: navigations that began since, to their load, at most `NAVIGATION_CAP` seconds;
requests begun since, to their end, at most `REQUEST_CAP` seconds; then the probe's two quiet
frames. What began meanwhile is evidence again, but only for `CHAIN_GRACE` seconds after the first
round, so that a page that polls for ever holds nobody.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import trio

from charlotte.browser.activity import Activity
from charlotte.errors import DeadlineExceeded

REQUEST_CAP = 5.0
CHAIN_GRACE = 0.5
NAVIGATION_CAP = 30.0
QUIET_CAP_MS = 500

Ask = Callable[..., Awaitable[str]]
"""Puts a question to the probe: the function's name, then its arguments.

Raises `DeadlineExceeded` when a navigation keeps the page from answering.
"""


@attrs.define
class Settled:
    """What was waited for; ``unsettled`` says what was still going on when we stopped waiting."""

    waited_for: list[str] = attrs.field(factory=list[str])
    unsettled: str | None = None


@attrs.frozen
class Mark:
    """The moment before an action."""

    documents: int
    requests: int


def mark(activity: Activity) -> Mark:
    """Remember what was going on before the action: only what begins afterwards is evidence."""
    return Mark(activity.documents, activity.requests_begun)


async def settle(activity: Activity, ask: Ask, since: Mark) -> Settled:
    """Wait until the page has answered what was done since the mark."""
    settled, deadline = Settled(), trio.current_time() + NAVIGATION_CAP
    since = await _round(activity, ask, since, settled, deadline)
    grace = min(trio.current_time() + CHAIN_GRACE, deadline)
    while trio.current_time() < grace and _goes_on(activity, since):
        since = await _round(activity, ask, since, settled, deadline)
    return settled


def _goes_on(activity: Activity, since: Mark) -> bool:
    return (
        activity.navigating_to is not None
        or activity.documents != since.documents
        or bool(activity.open_since(since.requests))
    )


async def _round(
    activity: Activity, ask: Ask, since: Mark, settled: Settled, deadline: float
) -> Mark:
    """Wait for what began since the mark; what begins during the quiet frames is for another."""
    await _navigation(activity, since, settled, deadline)
    await _requests(activity, since.requests, settled)
    awaited = mark(activity)
    await _quiet(ask, settled)
    return awaited


async def _navigation(activity: Activity, since: Mark, settled: Settled, deadline: float) -> None:
    if activity.navigating_to is None and activity.documents == since.documents:
        return
    settled.waited_for.append("navigation")
    with trio.move_on_at(deadline) as scope:
        await activity.until(lambda: activity.navigating_to is None)
        if activity.documents != since.documents:
            await activity.until(lambda: activity.reached("load"))
    if scope.cancelled_caught:
        settled.unsettled = f"navigation to {activity.navigating_to or activity.url} still loading"


async def _requests(activity: Activity, begun: int, settled: Settled) -> None:
    awaited = activity.open_since(begun)
    if not awaited:
        return
    settled.waited_for.extend(request.label for request in awaited)
    with trio.move_on_after(REQUEST_CAP) as scope:
        await activity.until(lambda: not activity.open_since(begun))
    if scope.cancelled_caught:
        settled.unsettled = f"request {activity.open_since(begun)[0].label} still open"


async def _quiet(ask: Ask, settled: Settled) -> None:
    try:
        answer = await ask("settle", {"frames": 2, "cap": QUIET_CAP_MS})
    except DeadlineExceeded:  # a navigation has begun, which is for another round
        return
    quiet: dict[str, Any] = json.loads(answer)
    settled.waited_for.extend(quiet["waited"])
    if not quiet["settled"] and settled.unsettled is None:
        settled.unsettled = "the page kept changing"
