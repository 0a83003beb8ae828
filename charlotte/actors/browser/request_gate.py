"""The gate through which all requests of the browser pass: rules and questions.

The browser holds each request, of any frame, worker, popup or beacon, until the gate has decided.
If Charlotte ends, the browser that it started ends too, so a held request is not sent.
"""

import re
from base64 import b64decode
from collections.abc import Sequence
from contextlib import suppress
from typing import NoReturn

import attrs
import structlog
import trio

from charlotte.actors.state.events import TabOpened
from charlotte.actors.state.questions import Verdict
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.base.errors import ellipsize
from charlotte.base.urls import origin_of
from charlotte.guard.rules import PolicyRequest
from charlotte.protocol import network
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.errors import ProtocolError

log = structlog.get_logger(__name__)

_KNOWN_WITHIN = 1.0
"""Seconds by which a request may precede the event that names its frame."""

_CLOSED = "refused: it leads to the debugging port of this browser"
_FILE_OF_FORM = re.compile(r'\r\nContent-Disposition: form-data; name="[^"\r\n]*"; filename="[^"]')
_NO_TAB = Verdict(is_allowed=False, reason="it belongs to no tab, so no person could be asked")


@attrs.define(eq=False)
class RequestGate:
    """Decides on the held requests of one incarnation of the browser.

    In a browser that ``is_shared`` with others, requests outside all tabs are theirs. They do not
    reach its debugging port either, since a popup may load before its opener is known.
    """

    _root: CdpSession
    _registry: Registry
    _nursery: trio.Nursery
    _is_shared: bool = False

    async def follow(self, held: Subscription[network.RequestPaused]) -> NoReturn:
        """Answer each held request; only those that need a decision take time."""
        while True:
            event = await held.next()
            sent = event.request
            request = PolicyRequest(sent.method, sent.url, may_have_files=_may_have_files(sent))
            # the page of a program answers or refuses its requests itself
            is_of_program = event.frame_id in self._registry.program_pages
            closed = self._registry.debugging_port
            may_be_closed = closed is not None and f":{closed.port}/" in sent.url
            is_allowed = not may_be_closed and self._registry.policy.surely_allows(request)
            if is_of_program or is_allowed:
                await self._root.begin(network.ContinueRequest(request_id=event.request_id))
            else:
                self._nursery.start_soon(self._answer, event, request)

    async def _answer(self, event: network.RequestPaused, request: PolicyRequest) -> None:
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
        self, event: network.RequestPaused, request: PolicyRequest, tabs: Sequence[TabRecord]
    ) -> bool:
        closed = self._registry.debugging_port
        if closed is not None and await closed.is_at(request.url):
            self._note(event, tabs, _CLOSED)
            _notify(tabs, request, f"was {_CLOSED}", always=False)
            return False
        if not tabs and self._is_shared:
            return True
        openers = [tab.opener for tab in tabs if tab.opener is not None]
        tools = frozenset(name for tab in (*tabs, *openers) for name in tab.tab.statistics().doing)
        decision = self._registry.policy.decide(attrs.evolve(request, tools=tools))
        if decision.action == "allow":
            return True
        named = f"policy rule {decision.name!r}"
        reason = f"refused by {named}"
        if decision.action == "ask":
            verdict = await self._ask(request, decision.name, tabs)
            if verdict.is_allowed:
                _notify(tabs, request, f"was sent: {verdict.reason} ({named})", always=True)
                return True
            reason = f"refused by {named}: {verdict.reason}"
        log.info("request refused", rule=decision.name, tabs=[tab.id for tab in tabs])
        self._note(event, tabs, reason)
        _notify(tabs, request, f"was {reason}", always=decision.action == "ask")
        return False

    async def _ask(self, request: PolicyRequest, rule: str, tabs: Sequence[TabRecord]) -> Verdict:
        if not tabs:
            return _NO_TAB
        tab = tabs[-1]
        session = tab.session
        held = session.hidden(ellipsize(f"{request.method} {request.url}", 500))
        page = session.hidden(origin_of(tab.url) or "a page without an origin")
        return await session.questions.ask(held, rule, tab.id, page)

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
                    if await anext(opened, None) is None:  # the server ends
                        break
        return []

    def _note(self, event: network.RequestPaused, tabs: Sequence[TabRecord], reason: str) -> None:
        """Have `requests` report why a request did not pass."""
        popup = self._registry.by_target(event.frame_id)
        for tab in {*tabs, *([popup] if popup else [])}:
            tab.request_log.note_refusal(event.network_id or "", reason)


def _may_have_files(request: network.NetworkRequest) -> bool:
    """Return whether the body of a request is or contains a file, as far as the browser reports."""
    if not request.has_post_data:
        return False
    parts = [entry.bytes for entry in request.post_data_entries]
    if not parts or None in parts:  # files and streams
        return True
    try:
        text = b"".join(b64decode(part or "") for part in parts).decode()
    except UnicodeDecodeError:
        return True
    return _FILE_OF_FORM.search(text) is not None


def _notify(
    tabs: Sequence[TabRecord], request: PolicyRequest, outcome: str, *, always: bool
) -> None:
    """Report the outcome in the answer of the call that caused a request, or ``always``."""
    address = ellipsize(request.url.partition("?")[0], 200)
    for tab in tabs:
        if always or tab.tab.statistics().doing:
            tab.notify([f"{request.method} {address} {outcome}."])
