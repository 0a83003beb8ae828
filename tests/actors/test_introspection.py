"""The status: what each actor is doing and since when, told without asking any of them."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.introspection import status
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Tab
from tests.actors.stage import URL, Caller, Stage, actors_of, endless


def actors(stage: Stage) -> dict[str, dict[str, Any]]:
    return {actor["name"]: actor for actor in actors_of(stage)}


async def test_every_actor_is_told_of_with_what_it_does_and_since_when(
    clock: MockClock, stage: Stage, record: TabRecord, caller: Caller
) -> None:
    caller.call("one", record.tab, endless)
    await wait_all_tasks_blocked()
    caller.call("two", record.tab, Tab.look)
    await trio.sleep(1.5)

    told = actors(stage)

    assert list(told) == [
        "snapshots",
        "watcher",
        "browser",
        "tab-1 network",
        "tab-1 console",
        "tab-1",
    ]
    assert {actor["phase"] for actor in told.values()} == {"running"}
    assert told["tab-1"]["doing"] == ("endless",)
    assert told["tab-1"]["doing_for"] == pytest.approx(1.5)
    assert (told["tab-1"]["queued"], told["tab-1"]["capacity"]) == (1, 16)
    assert told["tab-1"]["for"] >= 1.5


async def test_restarts_are_counted_and_told_while_they_go_on(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    stage.browser.crash(stage.target(record))
    await wait_all_tasks_blocked()
    during = actors(stage)["tab-1"]
    await trio.sleep(5)
    after = actors(stage)["tab-1"]

    assert (during["phase"], during["restarts"]) == ("restarting", 1)
    assert (after["phase"], after["restarts"]) == ("running", 1)


async def test_while_there_is_no_browser_only_that_is_told(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    connected = status(stage.registry, stage.top, [])["browser"]
    stage.browser.drop()
    await wait_all_tasks_blocked()

    assert connected["cdp_sessions"] == 4
    assert status(stage.registry, stage.top, [])["browser"] == {"connected": False}
    assert list(actors(stage)) == ["snapshots", "watcher", "browser"]


async def test_the_tabs_of_other_sessions_are_not_told(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    other = stage.new_session("session-2")
    await stage.mailbox.ask(Browser.open_tab, other, activate=True, url=URL)

    told = status(stage.registry, stage.top, [stage.record])

    assert [session["id"] for session in told["sessions"]] == ["session-1"]
    assert [tab["id"] for tab in told["sessions"][0]["tabs"]] == ["tab-1"]
    assert not any(actor["name"].startswith("tab-2") for actor in told["actors"])


async def test_what_monitors_dropped_is_told(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    record.console_log.dropped = 7

    (session,) = status(stage.registry, stage.top, [stage.record])["sessions"]

    assert session["tabs"][0]["dropped"] == {"console": 7, "requests": 0}


async def test_an_actor_that_was_given_up_is_told_of_with_the_reason(
    clock: MockClock, stage: Stage, record: TabRecord
) -> None:
    for _ in range(4):
        stage.browser.crash(stage.target(record))
        await trio.sleep(1)

    told = actors(stage)

    assert told["tab-1"]["phase"] == "given up"
    assert "given up after 4 crashes" in told["tab-1"]["reason"]
    assert told["tab-1 console"]["phase"] == "running"
