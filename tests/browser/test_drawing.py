"""A page is recorded, and so drawn, only while something is done with it that may need frames."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.drawing import Drawing
from charlotte.browser.probe import FRAME_BINDING
from tests.browser.stage import Stage, open_stage


@asynccontextmanager
async def served() -> AsyncGenerator[tuple[Stage, Drawing]]:
    """A page, and what has it drawn."""
    async with open_stage() as stage, trio.open_nursery() as nursery:
        drawing = Drawing(stage.session)
        nursery.start_soon(drawing.listen)
        nursery.start_soon(drawing.follow)
        await wait_all_tasks_blocked()
        yield stage, drawing
        nursery.cancel_scope.cancel("done")


def recordings(stage: Stage) -> list[str]:
    return [method for method in stage.browser.methods(stage.session.id) if "Screencast" in method]


def calls(stage: Stage, binding: str) -> None:
    stage.emit("Runtime.bindingCalled", name=binding, payload="", executionContextId=1)


async def test_what_is_over_in_a_moment_leaves_the_page_alone(
    autojump_clock: MockClock,
) -> None:
    async with served() as (stage, drawing):
        for _ in range(3):
            with drawing.wanted():
                await trio.sleep(0.4)
        await trio.sleep(1)

        assert recordings(stage) == []


async def test_what_takes_longer_has_the_page_recorded_until_its_end(
    autojump_clock: MockClock,
) -> None:
    async with served() as (stage, drawing):
        with drawing.wanted():
            await trio.sleep(2)
            assert recordings(stage) == ["Page.startScreencast"]
            with drawing.wanted():
                await trio.sleep(2)
            await wait_all_tasks_blocked()
            assert recordings(stage) == ["Page.startScreencast"]
        await wait_all_tasks_blocked()

        assert recordings(stage) == ["Page.startScreencast", "Page.stopScreencast"]


async def test_it_is_recorded_again_for_what_follows(
    autojump_clock: MockClock,
) -> None:
    async with served() as (stage, drawing):
        for _ in range(2):
            with drawing.wanted():
                await trio.sleep(2)
            await wait_all_tasks_blocked()

        assert recordings(stage) == ["Page.startScreencast", "Page.stopScreencast"] * 2


async def test_a_frame_that_is_missed_has_it_recorded_at_once() -> None:
    async with served() as (stage, drawing):
        with drawing.wanted():
            calls(stage, "another")
            await wait_all_tasks_blocked()
            assert recordings(stage) == []
            calls(stage, FRAME_BINDING)
            await wait_all_tasks_blocked()
            assert recordings(stage) == ["Page.startScreencast"]
