"""Dry runs of verbs: the page runs, but nothing that it sends changes state on a server."""

from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack, suppress
from typing import Any, TypeVar

import attrs
import trio

from charlotte.actors.state.dry_runs import DryRun
from charlotte.actors.state.held_bodies import read_request
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.emulation import become
from charlotte.browser.emulation import begin, changed_commands
from charlotte.browser.settle import checkpoint
from charlotte.errors import CharlotteError, SessionProblem
from charlotte.protocol import network
from charlotte.protocol.connection import Session, Subscription
from charlotte.protocol.errors import Refused, SessionGone
from charlotte.protocol.target import CloseTarget, GetVersion
from charlotte.protocol.wire import Command

T = TypeVar("T")

WOULD_SEND = "would_send"
"""The key of an answer with the requests that were dropped."""

_CLOSED_WITHIN = 1.0
"""Seconds in which a page that was replaced closes its WebSockets, also in another process."""

_OFFLINE = network.EmulateNetworkConditions(
    offline=True, latency=0, download_throughput=0, upload_throughput=0
)

_Sent = Subscription[network.WebSocketTextSent]


async def run_dry(tab: TabActor, verb: Callable[[], Awaitable[T]]) -> T:
    """Run a verb while requests that change state are dropped; a look has them as extra.

    This goes on until the page is replaced, because its timers could send something later.
    """
    run = await _begin(tab)
    run.calls += 1
    since = checkpoint(tab.page.activity)
    try:
        with ExitStack() as stack:
            sent = [stack.enter_context(one.events(network.WebSocketTextSent)) for one in _all(tab)]
            lost = [
                stack.enter_context(one.events(network.RequestWillBeSent)) for one in run.offline
            ]
            try:
                result = await verb()
                if not isinstance(result, Look):
                    await tab.wait_until_settled(since)
                await tab.page.root.call(GetVersion())  # events of held requests have arrived then
            finally:
                _note_messages(tab, run, sent)
                _note_requests(run, lost)
    except CharlotteError as error:
        if dropped := run.take():
            error.details = {**(error.details or {}), WOULD_SEND: dropped}
        raise
    finally:
        run.calls -= 1
    return result.with_extras(**{WOULD_SEND: run.take()}) if isinstance(result, Look) else result


async def _begin(tab: TabActor) -> DryRun:
    """Return the dry run of the page, which begins now unless an earlier call has begun it."""
    record = tab.record
    record.check_not_owners("Dry runs")
    await end_if_over(tab)
    if record.dry_run is not None:
        return record.dry_run
    run = DryRun(is_over=True)  # until all is held: a later call undoes what an error leaves
    try:
        await record.session.interception.add(record)
        record.dry_run = run
        await become(tab, attrs.evolve(record.desired, is_dry=True))
        run.offline = await _hold_workers(tab)
    except Refused as refused:
        raise SessionProblem(
            "This browser cannot hold requests.", "Use a newer version of Chromium."
        ) from refused
    run.is_over = False
    return run


async def end_if_over(tab: TabActor) -> None:
    """Let the requests of a tab pass again if the page of a dry run has been replaced."""
    record = tab.record
    run = record.dry_run
    if run is None or not run.is_over:
        return
    if run.muted:
        await trio.sleep(_CLOSED_WITHIN)
    await _release_workers(tab, close=run.muted > 0)
    await become(tab, attrs.evolve(record.desired, is_dry=False))
    record.dry_run = None
    await record.session.interception.remove(record)


async def _hold_workers(tab: TabActor) -> list[Session]:
    """Hold the requests of service and shared workers; return workers without a network.

    A shared worker keeps its loader, so the browser can hold only the requests of later ones.
    """
    record, offline = tab.record, list[Session]()
    commands = _worker_commands(record, is_dry=True)
    for worker in [*record.context.workers]:  # workers begin and end meanwhile
        await begin(worker.session, commands)
        if worker.is_shared and not record.session.interception.always:
            with suppress(SessionGone):  # the worker has ended
                await worker.session.call(_OFFLINE)
                offline.append(worker.session)
    return offline


async def _release_workers(tab: TabActor, *, close: bool) -> None:
    """Let the requests of workers pass again; ``close`` ends workers that may hold messages."""
    record = tab.record
    commands = _worker_commands(record, is_dry=False)
    for worker in [*record.context.workers]:  # workers begin and end meanwhile
        if close:
            await tab.page.root.begin(CloseTarget(target_id=worker.target_id))
        else:
            await begin(worker.session, commands)


def _worker_commands(record: TabRecord, *, is_dry: bool) -> Sequence[Command[Any]]:
    """Return the commands with which a dry run begins or ends in a worker."""
    after = attrs.evolve(record.desired, is_dry=is_dry)
    return changed_commands(attrs.evolve(after, is_dry=not is_dry), after, of_frame=True)


def _all(tab: TabActor) -> list[Session]:
    """Return the sessions of the page, its frames and its workers."""
    workers = [worker.session for worker in tab.record.context.workers]
    return [tab.page.session, *tab.page.processes, *workers]


def _note_requests(run: DryRun, lost: list[Subscription[network.RequestWillBeSent]]) -> None:
    """Record the requests of workers without a network."""
    for event in (event for subscription in lost for event in subscription.now()):
        request = read_request(event.request)
        if request.changes_state:
            run.drop(request)


def _note_messages(tab: TabActor, run: DryRun, sent: list[_Sent]) -> None:
    """Record the messages that were sent on WebSockets."""
    for event in (event for subscription in sent for event in subscription.now()):
        found = tab.record.request_log.records.get(event.request_id)
        socket: Any = tab.page.activity.sockets.get(event.request_id) or found
        run.mute(socket.url if socket else "", event.response.payload_data)
