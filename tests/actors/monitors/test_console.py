"""The console monitor records what a page and the browser log, as DevTools would print it."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.actors.monitors.console import (
    MISSED,
    ConsoleEvent,
    ConsoleMonitor,
    message_of,
    open_console,
)
from charlotte.actors.state.logs import ConsoleLog, ConsoleMessage
from charlotte.base.blocks import kept_in
from charlotte.browser.world.event_throttle import FIRST_REST, LONGEST_DEAF
from charlotte.protocol import runtime
from charlotte.protocol.connection import Connection, Subscription, open_connection
from charlotte.protocol.runtime import (
    CallFrame,
    ConsoleApiCalled,
    ExceptionDetails,
    ExceptionThrown,
    RemoteObject,
    StackTrace,
)
from tests.fake_page import FakeTarget
from tests.fakes import FakeBrowser

TIME_MS = 1_769_846_400_123.0
TIME = "2026-01-31T08:00:00.123Z"


def text(value: str) -> RemoteObject:
    return RemoteObject("string", value=value)


def number(value: int) -> RemoteObject:
    return RemoteObject("number", value=value, description=f"{value}")


def thrown(**details: Any) -> ExceptionThrown:
    return ExceptionThrown(TIME_MS, ExceptionDetails("Uncaught", 2, 4, **details))


def test_a_log_entry_of_the_browser_has_its_url() -> None:
    entry = runtime.LogEntry(
        "network", "error", "404 (Not Found)", TIME_MS, url="http://a.test/x.png"
    )

    assert message_of(runtime.EntryAdded(entry)) == ConsoleMessage(
        "error", "404 (Not Found) (http://a.test/x.png)", TIME
    )
    verbose = runtime.LogEntry("other", "verbose", "slow", TIME_MS)
    assert message_of(runtime.EntryAdded(verbose)).level == "debug"


def message(number: int, level: Any = "log") -> ConsoleMessage:
    return ConsoleMessage(level, f"{number}", TIME)


def test_errors_since_a_moment_are_found() -> None:
    kept = ConsoleLog()
    kept.add(message(1, "error"))
    moment = kept.numbers.last
    assert kept.errors_since(moment) == []
    for count, level in ((2, "warn"), (3, "log"), (4, "error"), (5, "debug")):
        kept.add(message(count, level))

    assert [one.text for one in kept.errors_since(moment)] == ["4"]
    assert [one.text for one in kept.errors_since(0)] == ["1", "4"]


@attrs.define
class Stage:
    """A page, the monitor of its console, and what that has ``kept``."""

    browser: FakeBrowser
    page: FakeTarget
    monitor: ConsoleMonitor
    kept: ConsoleLog
    time: float = TIME_MS

    def logs(self, *lines: str, at: float | None = None, context: int = 1) -> None:
        """A millisecond passes with each line, unless lines are repeated from a time."""
        for number, line in enumerate(lines):
            self.time += at is None
            self.prints(
                {"type": "string", "value": line}, self.time if at is None else at + number, context
            )

    def prints(self, argument: dict[str, str], time: float, context: int = 1) -> None:
        about = {"type": "log", "timestamp": time, "executionContextId": context}
        self.emit("Runtime.consoleAPICalled", args=[argument], **about)

    def emit(self, event: str, **params: Any) -> None:
        self.browser.emit(event, self.page.sessions[-1], **params)

    def floods(self) -> None:
        """More lines than are borne, of the same moment."""
        for number in range(2001):
            self.logs("flood", at=self.time + number / 1e4)

    async def texts(self) -> list[str]:
        """What is on record, the flood itself left out."""
        await wait_all_tasks_blocked()
        messages, _ = await self.monitor.read(None, clear=False)
        return [one.text for one in messages if one.text not in {"flood", MISSED}]


@asynccontextmanager
async def open_stage(
    url: str = "about:blank", kept: ConsoleLog | None = None
) -> AsyncGenerator[Stage]:
    browser, kept = FakeBrowser(), kept or ConsoleLog()
    page = browser.open("context", url)
    async with (
        open_connection(browser) as connection,
        open_console(connection, page.id, kept) as monitor,
    ):
        yield Stage(browser, page, monitor, kept)


async def test_the_monitor_attaches_a_session_of_its_own_and_writes_down_what_it_hears() -> None:
    async with open_stage() as stage:
        assert stage.browser.methods(stage.page.sessions[-1]) == ["Runtime.enable", "Log.enable"]
        assert len(stage.page.sessions) == 2
        stage.logs("hello")
        assert await stage.texts() == ["hello"]
    assert stage.browser.methods()[-1] == "Target.detachFromTarget"


async def test_lines_of_origins_that_may_not_be_shown_are_not_kept() -> None:
    kept = ConsoleLog(shows=lambda url: url.startswith("https://granted.test"))
    async with open_stage("https://granted.test/", kept) as stage:
        for number_, origin in ((101, "https://granted.test"), (102, "https://bank.test")):
            context = {"id": number_, "uniqueId": f"{number_}", "name": "", "origin": origin}
            stage.emit("Runtime.executionContextCreated", context=context)
        stage.logs("granted", context=101)
        stage.logs("balance", context=102)
        details = {"text": "balance", "lineNumber": 1, "columnNumber": 1, "executionContextId": 102}
        stage.emit("Runtime.exceptionThrown", timestamp=TIME_MS, exceptionDetails=details)
        for url in ("https://bank.test/a", "https://granted.test/a"):
            entry = {"source": "other", "level": "info", "text": "of", "url": url, "timestamp": 1}
            stage.emit("Log.entryAdded", entry=entry)
        assert await stage.texts() == ["granted", "of (https://granted.test/a)"]


async def test_what_came_too_fast_to_be_written_down_is_counted(nursery: trio.Nursery) -> None:
    kept, session = ConsoleLog(), Connection(FakeBrowser()).root
    events = Subscription[ConsoleEvent]((ConsoleApiCalled,), 1)
    for _ in range(3):
        events.deliver(ConsoleApiCalled.method, {"type": "log", "args": [], "timestamp": TIME_MS})
    nursery.start_soon(ConsoleMonitor(kept).follow, session, events)
    await wait_all_tasks_blocked()
    assert (len(kept.messages), kept.dropped) == (1, 2)


async def test_objects_that_were_printed_are_let_go_of_where_they_are_held() -> None:
    printed = {"type": "object", "objectId": "1", "description": "Object"}
    async with open_stage() as stage:
        another = Connection(stage.browser).session("another")
        with kept_in(stage.kept.holders, another):
            for number in range(250):
                stage.prints(printed, TIME_MS + number)
            await wait_all_tasks_blocked()

    released = [one.session for one in stage.browser.received("Runtime.releaseObjectGroup")]
    assert released == [stage.page.sessions[-1], "another"] * 2
    assert stage.kept.holders == []


@pytest.mark.req("C-CON-04")
async def test_of_ten_thousand_lines_the_last_thousand_are_kept(mock_clock: MockClock) -> None:
    async with open_stage() as stage:
        for number in range(10_000):
            stage.logs(f"line {number}" + "x" * (2500 if number % 100 == 0 else 0))
            if number % 1000 == 0:
                await wait_all_tasks_blocked()
        await wait_all_tasks_blocked()
        messages, dropped = await stage.monitor.read(None, clear=True)
        assert await stage.monitor.read(None, clear=False) == ([], 0)
    assert stage.kept.numbers.last == 10_000
    assert (len(messages), dropped) == (1000, 9000)
    assert max(len(one.text) for one in messages) == 2001
    assert messages[0].text.startswith("line 9000x")
    assert messages[-1].text == "line 9999"


def test_an_exception_without_a_stack_has_its_position() -> None:
    frames = StackTrace([CallFrame("http://a.test/a.js", 2, 4)])
    event = thrown(url="http://a.test/a.js", exception=text("oops"), stack_trace=frames)

    assert message_of(event).text == "Uncaught oops (http://a.test/a.js:3:5)"
    assert message_of(thrown()).text == "Uncaught"


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
        stage.floods()
        stage.logs("known")
        await stage.browser.until_sent("Runtime.enable", 2)
        stage.logs("known", "new", at=stage.time)

        assert await stage.texts() == ["known", "new"]
