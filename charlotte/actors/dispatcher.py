"""The dispatcher: takes a call to the actor it is for, and sees to its deadlines."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Concatenate, ParamSpec, TypeVar

import attrs
import trio

from charlotte.actors.kernel.mailbox import Mailbox, Request
from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.monitors.network import NetworkMonitor
from charlotte.actors.session import AgentSession
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.tab.actor import Tab
from charlotte.errors import DeadlineExceeded
from charlotte.progress import current_progress, stage, with_current_progress

P = ParamSpec("P")
R = TypeVar("R")

QUEUE_LIMIT = 60.0


@attrs.frozen(kw_only=True)
class Call:
    """A validated tool call: ``work`` runs on the named tab's ``actor`` or on the session.

    ``deadline`` is in seconds, from the moment the actor begins the work. A ``read_only`` call
    changes nothing in the page.
    """

    tool: str
    actor: type[Any]
    work: Callable[[Any], Awaitable[Any]]
    deadline: float
    tab_id: str | None = None
    read_only: bool = False


@attrs.frozen(eq=False)
class TabHandle:
    """The tab of a call: its record, and the way to run a verb in the tab's own task."""

    record: TabRecord
    _call: Call

    async def do(
        self, verb: Callable[Concatenate[Tab, P], Awaitable[R]], *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """Run a verb in its turn, within the call's deadline; return its result.

        Raises the verb's error, `BlockedByDialog` or `DeadlineExceeded`.
        """
        call = self._call

        async def work(tab: Tab) -> R:
            return await tab.perform(
                lambda tab: verb(tab, *args, **kwargs), read_only=call.read_only
            )

        call = attrs.evolve(call, work=with_current_progress(work))
        turn = self.record.session.turns or nullcontext()
        result: R = await _in_actor(self.record.tab, call, turn)
        return result


async def dispatch(session: AgentSession, call: Call) -> Any:
    """Run a call where it belongs; raises what it raises, or `DeadlineExceeded`."""
    if call.actor is AgentSession:
        return await _in_own_task(session, call)
    record = await _tab(session, call)
    try:
        if call.actor is TabHandle:
            return await call.work(TabHandle(record, call))
        place = _place(session.record, call)
        return await _in_actor(_mailbox(record, call.actor), call, place)
    finally:
        record.used.set()


async def _tab(session: AgentSession, call: Call) -> TabRecord:
    with trio.move_on_after(QUEUE_LIMIT):
        return await session.tab(call.tab_id)
    raise DeadlineExceeded(
        f"{call.tool} waited {QUEUE_LIMIT:.0f} s for a first tab to open.",
        "The browser may be frozen; try again.",
    )


def _mailbox(record: TabRecord, actor: type[Any]) -> Mailbox[Any]:
    boxes: dict[type[Any], Mailbox[Any]] = {
        Tab: record.tab,
        ConsoleMonitor: record.console,
        NetworkMonitor: record.network,
    }
    return boxes[actor]


def _place(session: SessionRecord, call: Call) -> AbstractAsyncContextManager[object]:
    """A place among the session's calls, which it waits for once its tab has taken it up."""
    return session.turns if session.turns and call.actor is Tab else nullcontext()


async def _in_own_task(session: AgentSession, call: Call) -> Any:
    with trio.move_on_after(call.deadline):
        return await call.work(session)
    raise _too_slow(call)


async def _in_actor(
    mailbox: Mailbox[Any], call: Call, place: AbstractAsyncContextManager[object]
) -> Any:
    request = Request(call.work, call.tool, place)
    with trio.move_on_after(QUEUE_LIMIT) as queueing:
        async with mailbox.posted(request):
            _say_what_is_ahead(mailbox, request)
            await request.begun.wait()
            queueing.deadline = trio.current_time() + call.deadline
            return await request.result()
    if request.begun.is_set():
        raise _too_slow(call)
    if request.taken_at is not None:
        raise _no_place(call)
    ahead = ", ".join(mailbox.statistics().doing) or "a restart"
    raise DeadlineExceeded(
        f"{call.tool} waited {QUEUE_LIMIT:.0f} s for its turn on {mailbox.name}; "
        f"ahead of it: {ahead}.",
        "Work on another tab meanwhile, or close this one.",
    )


def _say_what_is_ahead(mailbox: Mailbox[Any], request: Request) -> None:
    is_queued = request.taken_at is None
    if is_queued and current_progress() is not None and (ahead := mailbox.statistics().doing):
        stage(f"waiting for {mailbox.name}, which is busy with {', '.join(ahead)}")


def _too_slow(call: Call) -> DeadlineExceeded:
    return DeadlineExceeded(
        f"{call.tool} did not end within {call.deadline:.0f} s and was stopped.",
        "Observe the page: part of it may have happened.",
    )


def _no_place(call: Call) -> DeadlineExceeded:
    return DeadlineExceeded(
        f"{call.tool} waited {QUEUE_LIMIT:.0f} s while as many calls as may run at once were busy "
        "on the session's other tabs; it did not begin.",
        "Wait for one of them to end, then repeat this call.",
    )
