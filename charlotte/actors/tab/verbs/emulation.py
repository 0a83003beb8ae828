"""Emulation: the device, network and scripts of a tab, in this and in later incarnations.

Requests are held, and then blocked, answered with mocks, or continued.
"""

import base64
import json
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import attrs
import trio

from charlotte.actors.state.events import NavigationRefused
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.pdf_documents import is_shown_as_text, show_as_text
from charlotte.actors.tab.verbs.evaluate import evaluate
from charlotte.base.errors import InvalidArgument
from charlotte.base.patterns import glob_matches
from charlotte.browser.emulation import (
    DOCUMENT,
    EmulationState,
    NetworkConditions,
    begin,
    changed_commands,
    confirm,
    device_named,
)
from charlotte.protocol import network
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.errors import Refused, SessionGone
from charlotte.protocol.page import AddScriptToEvaluateOnNewDocument
from charlotte.protocol.target import SetPermission
from charlotte.protocol.wire import Command, Nothing

Held = network.RequestPaused | network.AuthRequired
HELD: tuple[type[Held], ...] = network.RequestPaused, network.AuthRequired

_REMEMBERED = 200
"""Requests with known logins."""

_TAKES = 10.0


async def become(tab: TabActor, desired: EmulationState) -> None:
    """Apply the desired state; raises `InvalidArgument` and undoes it if the browser refuses.

    Raises `SessionProblem` in the profile of the browser's owner.
    """
    tab.record.check_not_owners("Emulated devices, networks and headers")
    before, session = tab.record.desired, tab.page.session
    await tab.page.present()
    async with tab.page.answering(_TAKES):
        tab.record.desired = desired
        try:
            # the Network domain may be off because of a flood of requests
            await session.call_all(network.EnableNetwork(), *changed_commands(before, desired))
        except Refused as refused:
            tab.record.desired = before
            await confirm(await begin(session, changed_commands(desired, before)))  # noqa: ASYNC120 - cancelled: the incarnation ends
            raise InvalidArgument(
                f"The browser cannot do that: {refused.refusal}", "Nothing was changed."
            ) from refused
        changed = changed_commands(before, desired, of_frame=True)
        workers = tab.record.context.workers
        others = [each.session for each in workers if each.tab_id == tab.record.id]
        pending = [
            each
            for session in (*tab.page.processes, *others)
            for each in await begin(session, [network.EnableNetwork(), *changed])
        ]
        with trio.move_on_after(1.0):  # a frame or worker may hang, or have ended
            for each in pending:
                await each.settled.wait()


async def emulate_device(tab: TabActor, device: str | None, changes: Mapping[str, Any]) -> Look:
    """Emulate a device, with changes of its properties, and look at the page once it settles."""
    before = tab.record.desired.device
    wanted = before if device is None else device_named(device, before)
    wanted = attrs.evolve(wanted, **changes)
    if "geolocation" in changes:
        context = await tab.page.context()
        await tab.page.root.call(
            SetPermission(
                permission={"name": "geolocation"}, setting="granted", browser_context_id=context
            )
        )
    desired = attrs.evolve(tab.record.desired, device=wanted)

    async def act() -> None:
        await become(tab, desired)
        if before.mobile and not wanted.mobile:  # Chromium restores the pointer for new documents
            tab.note = "Reload the page: only then it sees a mouse again (pointer: fine)."

    return await tab.act(act)


async def change_conditions(tab: TabActor, changes: Mapping[str, Any]) -> NetworkConditions:
    """Change the network conditions of a tab; return those that hold now."""
    before = tab.record.desired
    conditions = attrs.evolve(before.conditions, **changes)
    await become(tab, attrs.evolve(before, conditions=conditions))
    return conditions


async def set_headers(tab: TabActor, headers: Mapping[str, str]) -> None:
    """Send extra headers with every request of a tab."""
    await become(tab, attrs.evolve(tab.record.desired, headers=headers))


async def run_in_documents(tab: TabActor, sources: Sequence[str]) -> None:
    """Run scripts, each once, in every later document of the tab, also in later incarnations.

    Raises `SessionProblem` in the profile of the browser's owner.
    """
    tab.record.check_not_owners("Scripts for later documents")
    desired = tab.record.desired
    new = [source for source in sources if source not in desired.scripts]
    tab.record.desired = attrs.evolve(desired, scripts=(*desired.scripts, *new))
    commands = [AddScriptToEvaluateOnNewDocument(source=source) for source in new]
    await tab.page.session.call_all(*commands)
    for process in tab.page.processes:
        await begin(process, commands)


async def inject(tab: TabActor, sources: Sequence[str], *, persist: bool = False) -> Look:
    """Run scripts, with ``persist`` also in later documents; look at the page once it settles."""
    if persist:
        tab.record.check_not_owners("Scripts for later documents")

    async def act() -> None:
        for source in sources:
            await evaluate(tab, source, timeout_ms=5000)

    look = await tab.act(act)
    if persist:
        await run_in_documents(tab, sources)
    return look


async def answer_held(session: CdpSession, record: TabRecord, held: Subscription[Held]) -> None:
    """Continue, block or answer each held request until the session ends."""
    shown = deque[str](maxlen=_REMEMBERED)
    async with trio.open_nursery() as nursery:
        with suppress(SessionGone):
            while True:
                event = await held.next()
                if isinstance(event, network.AuthRequired):
                    await session.begin(_login(event, record, shown))
                elif (
                    event.has_response
                    or event.resource_type == DOCUMENT
                    or (record.desired.guarded and event.request.url.startswith("file:"))
                ):  # others do not wait for the check of a document or file
                    nursery.start_soon(_answer_document, session, record, event)
                else:
                    await session.begin(answer_to(event, record.desired.conditions))


async def _answer_document(
    session: CdpSession, record: TabRecord, event: network.RequestPaused
) -> None:
    """Answer the request or response of a document; it may have to wait for its localStorage."""
    answer: Command[Nothing] = answer_to(event, record.desired.conditions)
    brings_document = event.has_response or isinstance(answer, network.FulfillRequest)
    with suppress(SessionGone, Refused):  # the tab is closed, or its load was stopped
        if event.has_response:
            if is_shown_as_text(event, record):
                await show_as_text(session, record, event)
                return
            answer = network.ContinueRequest(request_id=event.request_id)
        elif record.desired.guarded and (refused := await _check_address(record, event)):
            answer, brings_document = refused, False
        if brings_document and record.context.pending.waits_for(event):
            await record.context.pending.write(session, event, answer)
        else:
            await session.begin(answer)


def _login(
    event: network.AuthRequired, record: TabRecord, shown: deque[str]
) -> network.ContinueWithAuth:
    """Log in if credentials are configured, once per request; ``shown`` are earlier requests."""
    origin = event.auth_challenge.origin
    known = next((one for one in record.desired.credentials if one.origin == origin), None)
    answer = network.AuthChallengeResponse("CancelAuth")
    if known is not None and event.request_id in shown:
        record.notify([f"{origin} does not take the credentials that are configured for it."])
    elif known is not None:
        shown.append(event.request_id)
        answer = network.AuthChallengeResponse("ProvideCredentials", known.username, known.password)
    return network.ContinueWithAuth(request_id=event.request_id, auth_challenge_response=answer)


class LeavesGrant(Exception):
    """A tab of the browser's owner begins to load an address that is not granted."""


async def _check_address(
    record: TabRecord, event: network.RequestPaused
) -> network.FailRequest | None:
    """Return the answer to a request whose address is refused; None for others."""
    url, is_main = event.request.url, event.frame_id == record.target_id
    is_acting = record.tab.statistics().doing and not record.reads
    is_owners_step = record.adopted is not None and not is_acting
    if is_owners_step and is_main and not record.is_granted(url):
        raise LeavesGrant  # the request continues without Charlotte
    refuse = record.refusal if is_main else partial(record.session.refusal_in, record.context)
    if (refusal := await refuse(url)) is None:
        return None
    record.notify([refusal])
    record.publish(NavigationRefused(tab_id=record.id, url=url))
    # "Aborted" keeps the page of the owner; "BlockedByClient" replaces it by an error page.
    reason = "Aborted" if record.context.is_owner_profile else "BlockedByClient"
    return network.FailRequest(request_id=event.request_id, error_reason=reason)


def answer_to(event: network.RequestPaused, conditions: NetworkConditions) -> Command[Nothing]:
    """Return the command for a request: fail it, answer it, or continue it."""
    url = event.request.url
    if any(glob_matches(glob, url) for glob in conditions.block):
        return network.FailRequest(request_id=event.request_id, error_reason="BlockedByClient")
    mock = next((one for one in conditions.mocks if glob_matches(one.url, url)), None)
    if mock is None:
        return network.ContinueRequest(request_id=event.request_id)
    given = {name.lower() for name in mock.headers}
    # readable by other origins unless its headers restrict that
    implied = {"content-type": content_type(mock.body), "access-control-allow-origin": "*"}
    headers = {**mock.headers, **{k: v for k, v in implied.items() if k not in given}}
    return network.FulfillRequest(
        request_id=event.request_id,
        response_code=mock.status,
        response_headers=[network.HeaderEntry(name, value) for name, value in headers.items()],
        body=base64.b64encode(mock.body.encode()).decode(),
    )


def content_type(body: str) -> str:
    """Guess the content type of a body."""
    try:
        json.loads(body)
    except ValueError:
        kind = "html" if body.lstrip().startswith("<") else "plain"
        return f"text/{kind}; charset=utf-8"
    return "application/json"
