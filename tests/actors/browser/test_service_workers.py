"""Service workers are followed as long as they serve a tab, and let go of after that."""

from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.browser.service_workers import IDLE
from charlotte.actors.state.records import TabRecord
from charlotte.guard.rules import Policy
from tests.actors.stage import URL, Stage
from tests.fake_page import FakeTarget

SCRIPT = "http://shop.test/worker.js"


@pytest.fixture
async def worker(stage: Stage, record: TabRecord) -> FakeTarget:
    """A service worker of the site that the tab shows."""
    return await started(stage, record, SCRIPT)


async def started(stage: Stage, record: TabRecord, url: str) -> FakeTarget:
    found = stage.browser.open_worker(stage.target(record).context, url)
    await wait_all_tasks_blocked()
    return found


async def says(stage: Stage, worker: FakeTarget, text: str) -> None:
    said: list[dict[str, Any]] = [{"type": "string", "value": text}]
    time = float(len(text))
    stage.browser.emit_in(worker, "Runtime.consoleAPICalled", type="log", args=said, timestamp=time)
    await wait_all_tasks_blocked()


def lines(record: TabRecord) -> list[str]:
    return [message.text for message in record.console_log.messages]


def is_let_go(stage: Stage, worker: FakeTarget) -> bool:
    return bool(stage.browser.received("Target.detachFromTarget", having=worker.sessions[0]))


async def test_a_worker_runs_once_it_is_listened_to(stage: Stage, worker: FakeTarget) -> None:
    methods = stage.browser.methods(worker.sessions[0])
    assert methods[-1] == "Runtime.runIfWaitingForDebugger"
    assert {"Runtime.enable", "Network.enable"} < set(methods)


@pytest.mark.parametrize(
    ("script", "heard"),
    [
        (SCRIPT, ["said"]),
        ("blob:http://shop.test/1-2-3", ["said"]),
        ("http://other.test/worker.js", []),
        ("chrome-extension://abc/worker.js", []),
    ],
)
async def test_a_worker_serves_the_tabs_of_its_site(
    stage: Stage, record: TabRecord, script: str, heard: list[str]
) -> None:
    blank = await stage.open_tab()
    await says(stage, await started(stage, record, script), "said")
    assert (lines(record), lines(blank)) == (heard, [])


async def test_only_a_worker_that_serves_no_tab_is_detached(
    stage: Stage, worker: FakeTarget, record: TabRecord
) -> None:
    await trio.sleep(2.5 * IDLE)
    assert not is_let_go(stage, worker)
    stage.browser.load(stage.target(record), "http://other.test/")
    await trio.sleep(1.5 * IDLE)
    assert is_let_go(stage, worker)
    assert not record.context.workers


async def test_a_worker_that_was_stopped_runs_when_it_is_started_again(
    stage: Stage, worker: FakeTarget, record: TabRecord
) -> None:
    stage.browser.emit_in(worker, "Inspector.targetReloadedAfterCrash")
    await wait_all_tasks_blocked()
    assert stage.browser.methods(worker.sessions[0]).count("Runtime.runIfWaitingForDebugger") == 2
    await says(stage, worker, "again")
    assert lines(record) == ["again"]


async def test_a_tab_loading_a_workers_site_hears_of_it(stage: Stage, record: TabRecord) -> None:
    worker = await started(stage, record, "http://other.test/worker.js")
    await says(stage, worker, "too early")
    request: dict[str, Any] = {"url": "http://other.test/", "method": "GET", "headers": {}}
    stage.browser.emit_in(
        stage.target(record),
        "Network.requestWillBeSent",
        requestId="1", loaderId="1", request=request, wallTime=1.0, type="Document",
        frameId=record.target_id,
    )  # fmt: skip
    await wait_all_tasks_blocked()
    await says(stage, worker, "in time")
    assert lines(record) == ["in time"]


async def test_a_worker_that_ends_is_forgotten(
    stage: Stage, worker: FakeTarget, record: TabRecord
) -> None:
    stage.browser.close(worker)
    await wait_all_tasks_blocked()
    assert not record.context.workers
    assert not is_let_go(stage, worker)


async def test_a_worker_outside_all_sessions_is_resumed_and_detached(
    stage: Stage, record: TabRecord
) -> None:
    worker = stage.browser.open_worker("unknown context", SCRIPT)
    await wait_all_tasks_blocked()
    assert "Runtime.runIfWaitingForDebugger" in stage.browser.methods(worker.sessions[0])
    assert is_let_go(stage, worker)
    assert record.url == URL


async def test_where_sockets_are_closed_a_shared_worker_is_closed_before_it_runs(
    stage: Stage, record: TabRecord
) -> None:
    stage.registry.policy = Policy(presets=frozenset({"read-only"}))
    context = stage.target(record).context
    shared, service = (
        stage.browser.open_worker(context, SCRIPT, kind=f"{kind}_worker")
        for kind in ("shared", "service")
    )
    await wait_all_tasks_blocked()
    assert "Runtime.runIfWaitingForDebugger" not in stage.browser.methods(shared.sessions[0])
    [closing] = stage.browser.received("Target.closeTarget")
    assert closing.params["targetId"] == shared.id
    assert "Runtime.runIfWaitingForDebugger" in stage.browser.methods(service.sessions[0])
