"""Settling: waits until the page has reacted to an action, by navigations, requests, mutations.

Charlotte waits for navigations that began since the action, until their load, at most
`NAVIGATION_CAP` seconds; for requests, at most `REQUEST_CAP` seconds, or until a streaming body
pauses for `STREAM_QUIET` seconds; then for two quiet frames in the probe, and for timers and
workers that the probe knows. Activity that begins meanwhile is evidence again, but only within
`CHAIN_GRACE` seconds after the last round with something new, and `CHAIN_CAP` seconds in all, so
that a polling page cannot block a call. Timers and animations beyond these limits, and repeating
intervals, are reported instead.
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
"""Maximum wait for requests of a loaded document; some are never answered."""

STREAM_QUIET = 0.5
CHAIN_GRACE = 0.5
CHAIN_CAP = 5.0
NAVIGATION_CAP = 30.0
QUIET_CAP_MS = 500
_SOCKET_STARTS = 3.0
"""Seconds within which a new document gets its content through a WebSocket."""

_MANY_DOCUMENTS, _MOST_DOCUMENTS = 5, 10
"""Maximum documents in a row: of a redirect chain, after `CHAIN_CAP` and in all."""

_NEVER_STAYS = "the page kept navigating"
_DIFFERS = re.compile(r"\?.*|\d+")
_LEFT = {
    "later": "a timer of {:,} ms is pending",
    "animation": "an animation of {:,} ms is running",
    "every": "a timer repeats every {:,} ms",
}
"""Activity that is reported instead of awaited, in order of preference."""

_MOST_LOOKS = 5
"""Maximum number of checks of a page that scrolls or draws no frames."""
_ROUNDED = 0.003
"""Seconds of rounding between two clocks with whole milliseconds."""

Ask = Callable[..., Awaitable[str]]
"""Calls a function of the probe: its name, then its arguments.

Raises `DeadlineExceeded` when a navigation keeps the page from answering.
"""


@attrs.define
class SettleResult:
    """The reasons for waiting; ``unsettled`` describes activity that was still going on.

    ``removed_messages`` are messages of live regions that disappeared meanwhile, ``set_messages``
    the texts of live regions that were set meanwhile, even to the same text. ``restyled_elements``
    names elements whose look can have changed without a change of text.
    """

    waited_for: list[str] = attrs.field(factory=list[str])
    unsettled: str | None = None
    removed_messages: list[str] = attrs.field(factory=list[str])
    set_messages: list[str] = attrs.field(factory=list[str])
    restyled_elements: list[str] = attrs.field(factory=list[str])


@attrs.frozen
class Checkpoint:
    """The moment before an action."""

    documents: int
    requests: int
    time: float = attrs.field(factory=trio.current_time, eq=False)


def checkpoint(activity: Activity) -> Checkpoint:
    """Record the activity before an action: only later activity is evidence."""
    return Checkpoint(activity.documents, activity.requests_begun)


async def settle(
    activity: Activity,
    ask: Ask,
    since: Checkpoint,
    request_cap: float = REQUEST_CAP,
    *,
    arriving: bool = False,
) -> SettleResult:
    """Wait until the page has reacted since the checkpoint, or until a new document has arrived."""
    waiting = _Waiting(activity, ask, since, request_cap, arriving)
    await waiting.run_round()
    last = min(trio.current_time() + CHAIN_CAP, waiting.deadline)
    grace = trio.current_time() + CHAIN_GRACE
    while waiting.is_unfinished() and trio.current_time() < min(grace, last):
        known = waiting.labels()
        await waiting.run_round()
        if not waiting.labels() <= known:
            grace = trio.current_time() + CHAIN_GRACE
    waiting.report_unfinished()
    return waiting.settled


@attrs.define(eq=False)
class _Waiting:
    """Waits for activity in rounds; ``awaited`` is where the next round begins."""

    activity: Activity
    ask: Ask
    begun: Checkpoint
    request_cap: float
    arriving: bool = False
    settled: SettleResult = attrs.field(factory=SettleResult)
    deadline: float = attrs.field(factory=lambda: trio.current_time() + NAVIGATION_CAP)
    unrest: str | None = None
    awaited: Checkpoint = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.awaited = self.begun

    async def run_round(self) -> None:
        """Wait for activity since the last round; newer activity belongs to the next round."""
        await self._navigation()
        awaited = checkpoint(self.activity)
        await self._requests(awaited.requests)
        self.awaited = awaited
        await self._quiet()

    def is_unfinished(self) -> bool:
        """Return whether new activity began during the last round and is not complete."""
        return (
            self.activity.navigating_to is not None
            or self.activity.documents != self.awaited.documents
            or bool(self.activity.open_since(self.awaited.requests))
        )

    def labels(self) -> set[str]:
        """Return the reasons for waiting without parts that differ at each repetition."""
        return {_DIFFERS.sub("", label) for label in self.settled.waited_for}

    def report_unfinished(self) -> None:
        """Describe the activity that was still going on at the end of the wait."""
        if self.settled.unsettled is not None:
            return
        if self.is_unfinished():
            left = self.activity.open_since(self.awaited.requests)
            unfinished = f"request {left[0].label} still open" if left else _NEVER_STAYS
            self.settled.unsettled = unfinished
            return
        self.settled.unsettled = self.unrest
        socket = self.activity.socket
        if self.unrest or not self._is_arriving() or socket is None:
            return
        if trio.current_time() - socket.opened <= _SOCKET_STARTS:
            self.settled.unsettled = (
                f"WebSocket {socket.url} was opened only now: its content may not be there yet"
            )

    def _is_arriving(self) -> bool:
        return self.arriving or self.begun.documents != self.activity.documents

    async def _navigation(self) -> None:
        activity, since = self.activity, self.awaited
        if activity.navigating_to is None and activity.documents == since.documents:
            return
        self.settled.waited_for.append("navigation")
        stage("waiting for the page that is loading")
        with trio.move_on_at(self.deadline) as scope:
            await activity.until(lambda: activity.navigating_to is None or self._is_never_staying())
            if activity.documents != since.documents:
                await activity.until(lambda: activity.reached("load") or self._is_never_staying())
        if scope.cancelled_caught:
            whereto = activity.navigating_to or activity.url
            self.settled.unsettled = f"navigation to {whereto} still loading"

    def _is_never_staying(self) -> bool:
        documents = self.activity.documents - self.begun.documents
        is_late = trio.current_time() - self.begun.time > CHAIN_CAP
        return documents > (_MANY_DOCUMENTS if is_late else _MOST_DOCUMENTS)

    async def _requests(self, last: int) -> None:
        """Wait for requests up to a number."""
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
        """Wait in the probe; in a new document, not for activity that it began by itself."""
        for _ in range(_MOST_LOOKS):
            is_arriving = self._is_arriving()
            age = 0.0 if is_arriving else trio.current_time() - self.begun.time + _ROUNDED
            options: dict[str, Any] = {"frames": 2, "cap": QUIET_CAP_MS, "age": round(age * 1000)}
            options |= {"asked": now_ms(), "arrival": is_arriving}
            try:
                quiet: dict[str, Any] = json.loads(await self.ask("settle", options))
            except DeadlineExceeded:  # a navigation began, which belongs to the next round
                self.unrest = _NEVER_STAYS if self._is_never_staying() else None
                return
            self.settled.waited_for.extend(quiet["waited"])
            self.settled.removed_messages.extend(quiet.get("said", []))
            self.settled.set_messages.extend(quiet.get("given", []))
            self.settled.restyled_elements = quiet.get("restyled", [])
            self.unrest = _unrest(quiet)
            if not quiet.get("more", False):
                return


def _all_quiet(streams: list[OpenRequest]) -> float:
    """Return when all streams count as quiet; infinite if a request has no answer yet."""
    return max(stream.heard for stream in streams) + STREAM_QUIET


def _unrest(quiet: dict[str, Any]) -> str | None:
    """Describe the pending activity that the probe reports."""
    if not quiet["settled"]:
        why: str = quiet.get("why", "the page kept changing")
        return why
    if quiet.get("drawing", False):
        return "a script is still adding to the page"
    pending = ((quiet.get(name, 0), what) for name, what in _LEFT.items())
    return next((what.format(ms) for ms, what in pending if ms), None)
