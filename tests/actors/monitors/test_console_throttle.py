"""A page that logs without measure is heard less of, and each of its lines once."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import attrs
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.monitors.console import MISSED, ConsoleMonitor, open_console
from charlotte.actors.state.logs import ConsoleLog
from charlotte.browser.world.event_throttle import FIRST_REST, LONGEST_DEAF
from charlotte.protocol.connection import open_connection
from tests.fake_page import FakeTarget
from tests.fakes import FakeBrowser


@attrs.define
class Stage:
    browser: FakeBrowser
    page: FakeTarget
    monitor: ConsoleMonitor
    time: float = 0.0

    def logs(self, *lines: str, at: float | None = None) -> None:
        """A millisecond passes with each line, unless lines are repeated from a time."""
        for number, line in enumerate(lines):
            self.time += at is None
            self.browser.emit(
                "Runtime.consoleAPICalled",
                self.page.sessions[-1],
                type="log",
                args=[{"type": "string", "value": line}],
                timestamp=self.time if at is None else at + number,
                executionContextId=1,
            )

    def floods(self) -> None:
        """More lines than are borne, of the same moment."""
        for number in range(2001):
            self.logs("flood", at=self.time + number / 1e4)

    async def sent(self) -> list[str]:
        """Return the commands of the Runtime domain sent so far."""
        await wait_all_tasks_blocked()
        methods = self.browser.methods(self.page.sessions[-1])
        return [one for one in methods if one.startswith("Runtime.")]

    async def texts(self) -> list[str]:
        """What is on record, the flood itself left out."""
        await wait_all_tasks_blocked()
        messages, _ = await self.monitor.read(None, clear=False)
        return [one.text for one in messages if one.text not in {"flood", MISSED}]


@asynccontextmanager
async def open_stage() -> AsyncGenerator[Stage]:
    browser = FakeBrowser()
    page = browser.open("context", "about:blank")
    async with (
        open_connection(browser) as connection,
        open_console(connection, page.id, ConsoleLog()) as monitor,
    ):
        yield Stage(browser, page, monitor)


async def test_each_pause_of_a_flood_is_longer(autojump_clock: MockClock) -> None:
    rests: list[float] = []
    async with open_stage() as stage:
        for number in range(2, 6):
            begun = trio.current_time()
            stage.time += 2000
            stage.floods()
            await stage.browser.until_sent("Runtime.enable", number)
            rests.append(trio.current_time() - begun)

    assert rests == [FIRST_REST, 4, LONGEST_DEAF, LONGEST_DEAF]


async def test_lines_repeated_after_a_pause_are_recorded_once(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.time = 5000
        stage.floods()
        stage.logs("known")
        await stage.browser.until_sent("Runtime.enable", 2)
        stage.logs("known", "new", at=stage.time)

        assert await stage.texts() == ["known", "new"]
