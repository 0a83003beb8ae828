"""Waiting for the page to answer an action, by evidence: navigations, requests, mutations, frames.

What is waited for: navigations that began since, to their load, at most `NAVIGATION_CAP` seconds;
requests begun since, to their end, at most `REQUEST_CAP` seconds, and those whose body has begun to
come until no more of it has come for `STREAM_QUIET` seconds; then the probe's two quiet frames, and
timers and workers that it knows. What began meanwhile is evidence again, but only for `CHAIN_GRACE`
seconds after the last round that brought something new, and `CHAIN_CAP` in all, so that a page that
polls for ever holds nobody. A timer or an animation that takes longer than the probe waits is not
waited for, but told, and so is an interval that goes on.
"""

import json
import re
from collections.abc import Awaitable, Callable
from typing import Any

import attrs
import trio

from charlotte.browser.page_activity import Activity, OpenRequest
from charlotte.clock import now_ms
from charlotte.errors import DeadlineExceeded
from charlotte.progress import stage

REQUEST_CAP = 5.0
ARRIVAL_CAP = 2.0
"""Seconds that requests of a document which has loaded are waited for; some are never answered."""

STREAM_QUIET = 0.5
CHAIN_GRACE = 0.5
CHAIN_CAP = 5.0
NAVIGATION_CAP = 30.0
QUIET_CAP_MS = 500
_SOCKET_STARTS = 3.0
"""Seconds after which a document that lives by a WebSocket has its content."""

_MANY_DOCUMENTS, _MOST_DOCUMENTS = 5, 10
"""How many may follow one another; more are no redirections, or after `CHAIN_CAP` not even many."""

_NEVER_STAYS = "the page kept navigating"
_DIFFERS = re.compile(r"\?.*|\d+")
_LEFT = {
    "later": "a timer of {:,} ms has yet to fire",
    "animation": "an animation of {:,} ms has yet to end",
    "every": "a timer goes on firing every {:,} ms",
}
"""What is not waited for, and told: the first of it that the probe has the milliseconds of."""

_MOST_LOOKS = 5
"""How often a page is asked whether it stands still that scrolls, or of which no frame is drawn."""
_ROUNDED = 0.003
"""Seconds that two clocks lose in whole milliseconds, by which the page would reckon too late."""

Ask = Callable[..., Awaitable[str]]
"""Puts a question to the probe: the function's name, then its arguments.

Raises `DeadlineExceeded` when a navigation keeps the page from answering.
"""


@attrs.define
class Settled:
    """What was waited for; ``unsettled`` says what was still going on when we stopped waiting.

    ``said`` is what live regions said meanwhile, and do not say any more; ``given`` what those say
    that were given a text meanwhile, be it the one they had. ``restyled`` names what may look
    different, though it says the same.
    """

    waited_for: list[str] = attrs.field(factory=list[str])
    unsettled: str | None = None
    said: list[str] = attrs.field(factory=list[str])
    given: list[str] = attrs.field(factory=list[str])
    restyled: list[str] = attrs.field(factory=list[str])


@attrs.frozen
class Mark:
    """The moment before an action."""

    documents: int
    requests: int
    time: float = attrs.field(factory=trio.current_time, eq=False)


def mark(activity: Activity) -> Mark:
    """Remember what was going on before the action: only what begins afterwards is evidence."""
    return Mark(activity.documents, activity.requests_begun)


async def settle(
    activity: Activity,
    ask: Ask,
    since: Mark,
    request_cap: float = REQUEST_CAP,
    *,
    arriving: bool = False,
) -> Settled:
    """Wait until the page has answered what was done since the mark, or has arrived."""
    waiting = _Waiting(activity, ask, since, request_cap, arriving)
    await waiting.round()
    last = min(trio.current_time() + CHAIN_CAP, waiting.deadline)
    grace = trio.current_time() + CHAIN_GRACE
    while waiting.goes_on() and trio.current_time() < min(grace, last):
        known = waiting.places()
        await waiting.round()
        if not waiting.places() <= known:
            grace = trio.current_time() + CHAIN_GRACE
    waiting.say_what_is_left()
    return waiting.settled


@attrs.define(eq=False)
class _Waiting:
    """Waits for what an action has begun, round by round; ``awaited`` is where the next begins."""

    activity: Activity
    ask: Ask
    begun: Mark
    request_cap: float
    arriving: bool = False
    settled: Settled = attrs.field(factory=Settled)
    deadline: float = attrs.field(factory=lambda: trio.current_time() + NAVIGATION_CAP)
    unrest: str | None = None
    awaited: Mark = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.awaited = self.begun

    async def round(self) -> None:
        """Wait for what began since; what begins meanwhile is for another round."""
        await self._navigation()
        awaited = mark(self.activity)
        await self._requests(awaited.requests)
        self.awaited = awaited
        await self._quiet()

    def goes_on(self) -> bool:
        """Whether something has begun during the last round, and is not over."""
        return (
            self.activity.navigating_to is not None
            or self.activity.documents != self.awaited.documents
            or bool(self.activity.open_since(self.awaited.requests))
        )

    def places(self) -> set[str]:
        """What was waited for, without what differs each time the same is asked for again."""
        return {_DIFFERS.sub("", label) for label in self.settled.waited_for}

    def say_what_is_left(self) -> None:
        """Say so when we stopped waiting before the page did."""
        if self.settled.unsettled is not None:
            return
        if self.goes_on():
            left = self.activity.open_since(self.awaited.requests)
            what = f"request {left[0].label} still open" if left else _NEVER_STAYS
            self.settled.unsettled = what
        else:
            self.settled.unsettled = self.unrest or self._starting()

    def _starting(self) -> str | None:
        """Name the WebSocket that a document has opened just now, which may bring its content."""
        socket = self.activity.socket
        if not self._arrives() or socket is None:
            return None
        if trio.current_time() - socket.opened > _SOCKET_STARTS:
            return None
        return f"WebSocket {socket.url} was opened only now: its content may not be there yet"

    def _arrives(self) -> bool:
        return self.arriving or self.begun.documents != self.activity.documents

    async def _navigation(self) -> None:
        activity, since = self.activity, self.awaited
        if activity.navigating_to is None and activity.documents == since.documents:
            return
        self.settled.waited_for.append("navigation")
        stage("waiting for the page that is loading")
        with trio.move_on_at(self.deadline) as scope:
            await activity.until(lambda: activity.navigating_to is None or self._never_stays())
            if activity.documents != since.documents:
                await activity.until(lambda: activity.reached("load") or self._never_stays())
        if scope.cancelled_caught:
            whereto = activity.navigating_to or activity.url
            self.settled.unsettled = f"navigation to {whereto} still loading"

    def _never_stays(self) -> bool:
        documents = self.activity.documents - self.begun.documents
        is_late = trio.current_time() - self.begun.time > CHAIN_CAP
        return documents > (_MANY_DOCUMENTS if is_late else _MOST_DOCUMENTS)

    async def _requests(self, last: int) -> None:
        """Wait for those up to that number."""
        cap = trio.current_time() + self.request_cap
        left = self._open(last)
        if left:
            stage(f"waiting for {left[0].label}")
        self.settled.waited_for.extend(request.label for request in left)
        while left and trio.current_time() < (end := min(cap, _all_quiet(left))):
            with trio.move_on_at(end):
                await self.activity.change()
            left = self._open(last)
        if left:
            self.settled.unsettled = f"request {left[0].label} still open"

    def _open(self, last: int) -> list[OpenRequest]:
        since = self.activity.open_since(self.awaited.requests)
        return [request for request in since if request.begun <= last]

    async def _quiet(self) -> None:
        """Have the probe wait; in a document that arrives, not for what it began by itself."""
        for _ in range(_MOST_LOOKS):
            arrives = self._arrives()
            age = 0.0 if arrives else trio.current_time() - self.begun.time + _ROUNDED
            how: dict[str, Any] = {"frames": 2, "cap": QUIET_CAP_MS, "age": round(age * 1000)}
            how |= {"asked": now_ms(), "arrival": arrives}
            try:
                quiet: dict[str, Any] = json.loads(await self.ask("settle", how))
            except DeadlineExceeded:  # a navigation has begun, which is for another round
                self.unrest = _NEVER_STAYS if self._never_stays() else None
                return
            self.settled.waited_for.extend(quiet["waited"])
            self.settled.said.extend(quiet.get("said", []))
            self.settled.given.extend(quiet.get("given", []))
            self.settled.restyled = quiet.get("restyled", [])
            self.unrest = _unrest(quiet)
            if not quiet.get("more", False):
                return


def _all_quiet(streams: list[OpenRequest]) -> float:
    """When they all are, if nothing more comes; a request that is not yet answered never is."""
    return max(stream.heard for stream in streams) + STREAM_QUIET


def _unrest(quiet: dict[str, Any]) -> str | None:
    """What the probe says is still to come, if anything is."""
    if not quiet["settled"]:
        why: str = quiet.get("why", "the page kept changing")
        return why
    if quiet.get("drawing", False):
        return "a script is still adding to the page"
    told = ((quiet.get(name, 0), what) for name, what in _LEFT.items())
    return next((what.format(ms) for ms, what in told if ms), None)
