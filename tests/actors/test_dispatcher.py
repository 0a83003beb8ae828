"""A call runs where it belongs, for as long as it may, and its caller hears how it ended."""

from functools import partial
from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.dev_server import Sites
from charlotte.actors.dispatcher import QUEUE_LIMIT, AgentSession, Call, TabHandle
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.monitors.network import NetworkMonitor
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.base.errors import DeadlineExceeded, TabNotFound
from charlotte.base.progress import report_progress
from tests.actors.workers import Worker, dispatch


class Stage:
    """A session with two tabs whose actors are workers; the second tab is the active one."""

    def __init__(self) -> None:
        registry, self.record = Registry(), SessionRecord("session-1")
        self.browser = Mailbox[Browser]("browser")
        self.session = AgentSession(self.record, self.browser, Mailbox[Sites]("watcher"))
        self.tabs = [registry.new_tab(self.record) for _ in range(2)]
        self.workers: dict[str, Worker] = {}
        for tab in self.tabs:
            self.record.add(tab)
            self.record.active = tab.id

    def serve(self, nursery: trio.Nursery, *tabs: TabRecord) -> None:
        """Let a worker stand in for each of the tabs' actors."""
        for mailbox in (mailbox for tab in tabs for mailbox in tab.mailboxes):
            worker: Any = Worker()
            self.workers[mailbox.name] = worker
            nursery.start_soon(mailbox.serve, worker)

    async def call(self, name: str, until: trio.Event | None = None, **more: Any) -> Any:
        """Have a worker do something until an event, or just note it."""

        async def work(worker: Any) -> str:
            doing = worker.note(name) if until is None else worker.work(name, until)
            done: str = await doing
            return done

        options: dict[str, Any] = {"tool": name, "actor": TabHandle, "deadline": 10.0} | more
        return await dispatch(self.session, Call(**options), work)

    def done(self) -> dict[str, list[str]]:
        """What each actor did that did anything."""
        return {name: worker.done for name, worker in self.workers.items() if worker.done}


@pytest.fixture
def stage(nursery: trio.Nursery) -> Stage:
    stage = Stage()
    stage.serve(nursery, *stage.tabs)
    return stage


async def test_a_call_goes_to_the_tab_it_names_or_else_to_the_active_one(stage: Stage) -> None:
    assert await stage.call("named", tab_id="tab-1") == "NAMED"
    assert await stage.call("active") == "ACTIVE"
    assert stage.done() == {"tab-1": ["named"], "tab-2": ["active"]}


async def test_a_call_goes_to_the_actor_of_its_tool(stage: Stage) -> None:
    for actor in (TabHandle, ConsoleMonitor, NetworkMonitor):
        await stage.call(actor.__name__, actor=actor)
    assert stage.done() == {
        "tab-2": ["TabHandle"],
        "tab-2 console": ["ConsoleMonitor"],
        "tab-2 network": ["NetworkMonitor"],
    }


async def test_a_call_on_the_session_runs_in_the_callers_task(stage: Stage) -> None:
    async def work(session: AgentSession) -> trio.lowlevel.Task:
        assert session is stage.session
        return trio.lowlevel.current_task()

    call = Call(tool="tabs", actor=AgentSession, deadline=1.0)
    assert await dispatch(stage.session, call, work) is trio.lowlevel.current_task()


async def test_an_unknown_tab_is_an_error_that_names_those_that_are_open(stage: Stage) -> None:
    with pytest.raises(TabNotFound, match=r"no tab 'tab-9'.*Open tabs: tab-1, tab-2"):
        await stage.call("a", tab_id="tab-9")


@pytest.mark.req("S-RESP-06")
async def test_work_past_its_deadline_is_stopped_and_the_tab_is_free_again(
    stage: Stage, autojump_clock: MockClock
) -> None:
    with pytest.raises(DeadlineExceeded, match="slow did not end within 10 s and was stopped"):
        await stage.call("slow", trio.Event())
    assert trio.current_time() == 10.0
    await wait_all_tasks_blocked()
    assert stage.workers["tab-2"].doing == 0
    assert await stage.call("next") == "NEXT"


async def test_the_deadline_runs_from_the_beginning_of_the_work_not_from_the_call(
    stage: Stage, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    finish = trio.Event()
    nursery.start_soon(stage.call, "ahead", finish)
    await wait_all_tasks_blocked()

    async def later() -> None:
        await trio.sleep(9)
        finish.set()

    nursery.start_soon(later)
    with pytest.raises(DeadlineExceeded):
        await stage.call("behind", trio.Event())
    assert trio.current_time() == 19.0


async def test_a_call_does_not_wait_for_its_turn_for_ever(
    stage: Stage, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    nursery.start_soon(partial(stage.call, "type", trio.Event(), deadline=1000.0))
    await wait_all_tasks_blocked()
    with pytest.raises(
        DeadlineExceeded, match=r"waited 60 s .* on tab-2; ahead of it: type"
    ) as reported:
        await stage.call("click")
    assert trio.current_time() == QUEUE_LIMIT
    assert "another tab" in (reported.value.suggestion or "")
    assert stage.done() == {"tab-2": ["type"]}


async def test_a_call_does_not_wait_for_an_actor_that_does_not_come_back_for_ever(
    autojump_clock: MockClock,
) -> None:
    with pytest.raises(DeadlineExceeded, match="ahead of it: a restart"):
        await Stage().call("click")
    assert trio.current_time() == QUEUE_LIMIT


async def test_progress_names_the_calls_ahead_but_not_the_call_itself(
    stage: Stage, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    reported: list[str | None] = []

    async def note(progress: float, total: float | None = None, message: str | None = None) -> None:
        reported.append(message)

    async def follow(*names: str) -> None:
        ends = trio.Event()
        for name in names:
            nursery.start_soon(report_progress, note, partial(stage.call, name, ends))
            await wait_all_tasks_blocked()
        ends.set()
        await wait_all_tasks_blocked()

    for _ in range(20):  # the caller or the actor may come first
        await follow("alone")
    assert reported == []
    await follow("first", "second")
    assert reported == ["waiting for tab-2, which is busy with first"]


async def test_only_so_many_pages_of_a_session_are_worked_on_at_once(
    stage: Stage, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    one, other = stage.tabs
    stage.record.turns = trio.Semaphore(1)
    ends = trio.Event()
    nursery.start_soon(partial(stage.call, "long", ends, tab_id=one.id))
    await wait_all_tasks_blocked()
    nursery.start_soon(partial(stage.call, "waits", tab_id=other.id))
    await wait_all_tasks_blocked()
    assert await stage.call("at once", tab_id=other.id, actor=ConsoleMonitor) == "AT ONCE"
    assert "waits" not in str(stage.done())
    ends.set()
    await wait_all_tasks_blocked()
    assert stage.done()[other.id] == ["waits"]


async def test_the_error_of_a_call_that_got_no_turn_says_that_it_did_not_begin(
    stage: Stage, nursery: trio.Nursery, autojump_clock: MockClock
) -> None:
    one, other = stage.tabs
    stage.record.turns = trio.Semaphore(1)
    nursery.start_soon(partial(stage.call, "long", trio.Event(), tab_id=one.id, deadline=1000.0))
    await wait_all_tasks_blocked()

    with pytest.raises(DeadlineExceeded, match=r"waited 60 s .* did not begin"):
        await stage.call("waits", tab_id=other.id)
    assert trio.current_time() == QUEUE_LIMIT
    assert stage.done() == {one.id: ["long"]}


async def test_a_call_that_is_left_frees_its_tab_and_its_turn_at_once(
    stage: Stage, autojump_clock: MockClock
) -> None:
    stage.record.turns = trio.Semaphore(1)
    async with trio.open_nursery() as leaving:
        leaving.start_soon(partial(stage.call, "hangs", trio.Event()))
        await wait_all_tasks_blocked()
        left = trio.current_time()
        leaving.cancel_scope.cancel()
    await stage.call("next")
    assert trio.current_time() - left < 0.1


async def test_work_in_the_callers_task_has_a_deadline_too(
    stage: Stage, autojump_clock: MockClock
) -> None:
    async def work(_: object) -> None:
        await trio.sleep_forever()

    call = Call(tool="tabs", actor=AgentSession, deadline=3.0)
    with pytest.raises(DeadlineExceeded, match="tabs did not end within 3 s"):
        await dispatch(stage.session, call, work)
    assert trio.current_time() == 3.0
