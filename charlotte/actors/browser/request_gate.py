"""The gate through which all requests of the browser pass: rules, questions and dry runs.

The browser holds each request, of any frame, worker, popup or beacon, until the gate has decided.
If Charlotte ends, the browser that it started ends too, so a held request is not sent.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import attrs
import structlog
import trio

from charlotte.actors.state.dry_runs import DryRun
from charlotte.actors.state.events import TabOpened
from charlotte.actors.state.held_bodies import read_request
from charlotte.actors.state.questions import Verdict
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.errors import ellipsize
from charlotte.policy.rules import Request
from charlotte.protocol import network
from charlotte.protocol.connection import Session, Subscription
from charlotte.protocol.errors import ProtocolError
from charlotte.urls import origin_of

log = structlog.get_logger(__name__)

_KNOWN_WITHIN = 1.0
"""Seconds by which a request may precede the event that names its frame."""

_LONGEST_HELD = 500
_NO_TAB = Verdict(is_allowed=False, reason="it belongs to no tab, so no person could be asked")
DROPPED = "dropped: dry run"


@attrs.define(eq=False)
class RequestGate:
    """Decides on the held requests of one incarnation of the browser.

    In a browser that ``is_shared`` with others, requests outside all tabs are theirs.
    """

    _root: Session
    _registry: Registry
    _nursery: trio.Nursery
    _is_shared: bool = False

    async def follow(self, held: Subscription[network.RequestPaused]) -> NoReturn:
        """Answer each held request; only those that need a decision take time."""
        while True:
            event = await held.next()
            request = read_request(event.request)
            # the page of a program answers or refuses its requests itself
            is_of_program = event.frame_id in self._registry.program_pages
            is_allowed = not request.changes_state and self._registry.policy.surely_allows(request)
            if is_of_program or is_allowed:
                await self._root.begin(network.ContinueRequest(request_id=event.request_id))
            else:
                self._nursery.start_soon(self._answer, event, request)

    async def _answer(self, event: network.RequestPaused, request: Request) -> None:
        """Decide on a request, and let it pass or not."""
        tabs = await self._find_tabs(event.frame_id)
        if await self._is_let_through(event, request, tabs):
            answer: network.ContinueRequest | network.FailRequest
            answer = network.ContinueRequest(request_id=event.request_id)
        else:
            # "Aborted" keeps the present document, also if the request was for another one
            answer = network.FailRequest(request_id=event.request_id, error_reason="Aborted")
        with suppress(ProtocolError):  # the page has given the request up
            await self._root.call(answer)

    async def _is_let_through(
        self, event: network.RequestPaused, request: Request, tabs: Sequence[TabRecord]
    ) -> bool:
        if request.changes_state and (dry_run := self._find_dry_run(tabs)):
            self._note(event, tabs, DROPPED)
            dry_run.drop(request)
            return False
        if not tabs and self._is_shared:
            return True
        request = attrs.evolve(request, tools=_running_tools(tabs))
        decision = self._registry.policy.decide(request)
        if decision.action == "allow":
            return True
        named = f"policy rule {decision.rule!r}"
        reason = f"refused by {named}"
        if decision.action == "ask":
            verdict = await self._ask(request, decision.rule or "", tabs)
            if verdict.is_allowed:
                _notify(tabs, request, f"was sent: {verdict.reason} ({named})", always=True)
                return True
            reason = f"refused by {named}: {verdict.reason}"
        log.info("request refused", rule=decision.rule, tabs=[tab.id for tab in tabs])
        self._note(event, tabs, reason)
        _notify(tabs, request, f"was {reason}", always=decision.action == "ask")
        return False

    async def _ask(self, request: Request, rule: str, tabs: Sequence[TabRecord]) -> Verdict:
        if not tabs:
            return _NO_TAB
        tab = tabs[-1]
        session = tab.session
        held = session.hidden(ellipsize(request.describe(), _LONGEST_HELD))
        page = session.hidden(origin_of(tab.url) or "a page without an origin")
        return await session.questions.ask(held, rule, tab.id, page)

    def _find_dry_run(self, tabs: Sequence[TabRecord]) -> DryRun | None:
        """Return the dry run to which a request belongs, in doubt one that has running calls."""
        is_unknown = not tabs and not self._is_shared
        runs = [
            tab.dry_run
            for tab in (self._registry.tabs() if is_unknown else tabs)
            if tab.dry_run is not None and tab.is_dirty
        ]
        return next((run for run in runs if run.is_running or not is_unknown), None)

    async def _find_tabs(self, frame_id: str) -> Sequence[TabRecord]:
        """Return the tab of a frame, or the tabs of a worker; none if it is not known in time.

        A popup is represented by its opener until it has a document.
        """
        opened = self._registry.feed.subscribe(TabOpened)
        with trio.move_on_after(_KNOWN_WITHIN):
            while True:
                if (tab := self._registry.by_frame(frame_id)) is not None:
                    return [tab]
                if tabs := self._registry.tabs_of_worker(frame_id):
                    return tabs
                with trio.move_on_after(_KNOWN_WITHIN / 20):
                    await anext(opened)
        return []

    def _note(self, event: network.RequestPaused, tabs: Sequence[TabRecord], reason: str) -> None:
        """Have `requests` report why a request did not pass."""
        popup = self._registry.by_target(event.frame_id)
        for tab in {*tabs, *([popup] if popup else [])}:
            tab.request_log.note_refusal(event.network_id or "", reason)


def _running_tools(tabs: Sequence[TabRecord]) -> frozenset[str]:
    """Return the names of the calls that work on tabs, or on the tabs that opened them."""
    openers = [tab.opener for tab in tabs if tab.opener is not None]
    return frozenset(name for tab in (*tabs, *openers) for name in tab.tab.statistics().doing)


def _notify(tabs: Sequence[TabRecord], request: Request, outcome: str, *, always: bool) -> None:
    """Report the outcome in the answer of the call that caused a request, or ``always``."""
    address = ellipsize(request.url.partition("?")[0], 200)
    for tab in tabs:
        if always or tab.tab.statistics().doing:
            tab.notify([f"{request.method} {address} {outcome}."])
