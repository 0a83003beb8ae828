"""Recording of a page, so that frames are drawn, only during calls that may need them."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.probe import FRAME_BINDING
from charlotte.browser.world.frame_pump import FramePump
from tests.browser.stage import Stage, open_stage

MAIN = "main"


@asynccontextmanager
async def served() -> AsyncGenerator[tuple[Stage, FramePump]]:
    """A page, and what has it drawn."""
    async with open_stage() as stage, trio.open_nursery() as nursery:
        pump = FramePump(stage.session, MAIN)
        nursery.start_soon(pump.listen)
        nursery.start_soon(pump.follow)
        await wait_all_tasks_blocked()
        yield stage, pump
        nursery.cancel_scope.cancel("done")


def recordings(stage: Stage) -> list[str]:
    return [method for method in stage.browser.methods(stage.session.id) if "Screencast" in method]


def calls(stage: Stage, binding: str) -> None:
    stage.emit("Runtime.bindingCalled", name=binding, payload="", executionContextId=1)


async def test_a_long_call_records_the_page_until_its_end(autojump_clock: MockClock) -> None:
    async with served() as (stage, pump):
        with pump.drawing():
            await trio.sleep(2)
            assert recordings(stage) == ["Page.startScreencast"]
            with pump.drawing():
                await trio.sleep(2)
            await wait_all_tasks_blocked()
            assert recordings(stage) == ["Page.startScreencast"]
        await wait_all_tasks_blocked()

        assert recordings(stage) == ["Page.startScreencast", "Page.stopScreencast"]


async def test_a_missed_frame_starts_recording_at_once() -> None:
    async with served() as (stage, pump):
        with pump.drawing():
            calls(stage, "another")
            await wait_all_tasks_blocked()
            assert recordings(stage) == []
            calls(stage, FRAME_BINDING)
            await wait_all_tasks_blocked()
            assert recordings(stage) == ["Page.startScreencast"]


async def test_the_time_of_a_navigation_does_not_count(autojump_clock: MockClock) -> None:
    async with served() as (stage, pump):
        departs(stage, "differentDocument")
        await wait_all_tasks_blocked()
        with pump.drawing():
            await trio.sleep(9)
            comes(stage, "another frame")
            await trio.sleep(9)
            comes(stage, MAIN)
            await trio.sleep(0.9)
            assert recordings(stage) == []
            await trio.sleep(0.2)
            assert recordings(stage) == ["Page.startScreencast"]


def departs(stage: Stage, kind: str) -> None:
    going = {"frameId": MAIN, "url": "http://site/", "loaderId": "L", "navigationType": kind}
    stage.emit("Page.frameStartedNavigating", **going)


def comes(stage: Stage, frame: str) -> None:
    there = {"id": frame, "loaderId": "L", "url": "http://site/"}
    stage.emit("Page.frameNavigated", frame=there, type="Navigation")
