"""The status lists the work of every actor without asking any of them."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import TabActor
from tests.actors.stage import Caller, Stage, actors_of, endless


def actors(stage: Stage) -> dict[str, dict[str, Any]]:
    return {actor["name"]: actor for actor in actors_of(stage)}


async def test_the_status_lists_the_work_of_each_actor_and_its_duration(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    caller.call("one", record.tab, endless)
    await wait_all_tasks_blocked()
    caller.call("two", record.tab, TabActor.look)
    await trio.sleep(1.5)

    found = actors(stage)

    assert list(found) == [
        "snapshots",
        "watcher",
        "browser",
        "tab-1 network",
        "tab-1 console",
        "tab-1",
    ]
    assert {actor["phase"] for actor in found.values()} == {"running"}
    assert found["tab-1"]["doing"] == ("endless",)
    assert found["tab-1"]["doing_for"] == pytest.approx(1.5)
    assert (found["tab-1"]["queued"], found["tab-1"]["capacity"]) == (1, 16)
    assert found["tab-1"]["for"] >= 1.5


async def test_restarts_are_counted_and_reported_while_they_continue(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.browser.crash(stage.target(record))
    await wait_all_tasks_blocked()
    during = actors(stage)["tab-1"]
    await trio.sleep(5)
    after = actors(stage)["tab-1"]

    assert (during["phase"], during["restarts"]) == ("restarting", 1)
    assert (after["phase"], after["restarts"]) == ("running", 1)


async def test_the_status_has_the_reason_why_an_actor_was_given_up(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    for _ in range(4):
        stage.browser.crash(stage.target(record))
        await trio.sleep(1)

    found = actors(stage)

    assert found["tab-1"]["phase"] == "given up"
    assert "given up after 4 crashes" in found["tab-1"]["reason"]
    assert found["tab-1 console"]["phase"] == "running"
