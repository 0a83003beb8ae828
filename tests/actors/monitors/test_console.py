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


def test_an_uncaught_exception_is_an_error_with_its_stack() -> None:
    stack = "TypeError: no\n    at f (http://a.test/a.js:1:1)"
    message = message_of(thrown(exception=RemoteObject("object", "error", description=stack)))

    assert (message.level, message.text) == ("error", f"Uncaught {stack}")


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


async def test_a_level_is_read_and_clearing_forgets_everything() -> None:
    kept = ConsoleLog()
    monitor = ConsoleMonitor(kept)
    kept.add(message(1, "error"))
    kept.add(message(2))
    kept.dropped = 4

    assert await monitor.read("error", clear=False) == ([message(1, "error")], 4)
    assert await monitor.read("debug", clear=False) == ([], 4)
    assert await monitor.read(None, clear=True) == ([message(1, "error"), message(2)], 4)
    assert await monitor.read(None, clear=False) == ([], 0)


@asynccontextmanager
async def monitoring(
    browser: FakeBrowser, shown: FakeTarget, kept: ConsoleLog
) -> AsyncGenerator[ConsoleMonitor]:
    with trio.fail_after(60):
        async with (
            open_connection(browser) as connection,
            open_console(connection, shown.id, kept) as monitor,
        ):
            yield monitor


def logs(
    browser: FakeBrowser, shown: FakeTarget, line: str, after: float = 0, context: int = 1
) -> None:
    time, argument = TIME_MS + after, {"type": "string", "value": line}
    event = {"type": "log", "args": [argument], "timestamp": time, "executionContextId": context}
    browser.emit("Runtime.consoleAPICalled", shown.sessions[-1], **event)


async def test_the_monitor_attaches_a_session_of_its_own_and_writes_down_what_it_hears() -> None:
    browser, kept = FakeBrowser(), ConsoleLog()
    shown = browser.open("context", "about:blank")
    async with monitoring(browser, shown, kept) as monitor:
        assert browser.methods(shown.sessions[-1]) == ["Runtime.enable", "Log.enable"]
        assert len(shown.sessions) == 2
        logs(browser, shown, "hello")
        await wait_all_tasks_blocked()
        assert [one.text for one in (await monitor.read(None, clear=False))[0]] == ["hello"]
    assert browser.methods()[-1] == "Target.detachFromTarget"


async def test_lines_of_origins_that_may_not_be_shown_are_not_kept() -> None:
    browser = FakeBrowser()
    kept = ConsoleLog(shows=lambda url: url.startswith("https://granted.test"))
    shown = browser.open("context", "https://granted.test/")
    async with monitoring(browser, shown, kept):
        session = shown.sessions[-1]
        for number_, origin in ((101, "https://granted.test"), (102, "https://bank.test")):
            context = {"id": number_, "uniqueId": f"{number_}", "name": "", "origin": origin}
            browser.emit("Runtime.executionContextCreated", session, context=context)
        logs(browser, shown, "granted", 1, context=101)
        logs(browser, shown, "balance", 2, context=102)
        details = {"text": "balance", "lineNumber": 1, "columnNumber": 1, "executionContextId": 102}
        browser.emit(
            "Runtime.exceptionThrown", session, timestamp=TIME_MS, exceptionDetails=details
        )
        for url in ("https://bank.test/a", "https://granted.test/a"):
            entry = {"source": "other", "level": "info", "text": "of", "url": url, "timestamp": 1}
            browser.emit("Log.entryAdded", session, entry=entry)
        await wait_all_tasks_blocked()
    assert [one.text for one in kept.messages] == ["granted", "of (https://granted.test/a)"]


async def test_what_came_too_fast_to_be_written_down_is_counted(nursery: trio.Nursery) -> None:
    kept, session = ConsoleLog(), Connection(FakeBrowser()).root
    events = Subscription[ConsoleEvent]((ConsoleApiCalled,), 1)
    for _ in range(3):
        events.deliver(ConsoleApiCalled.method, {"type": "log", "args": [], "timestamp": TIME_MS})
    nursery.start_soon(ConsoleMonitor(kept).follow, session, events)
    await wait_all_tasks_blocked()
    assert (len(kept.messages), kept.dropped) == (1, 2)


async def test_objects_that_were_printed_are_let_go_of_where_they_are_held() -> None:
    browser, kept = FakeBrowser(), ConsoleLog()
    shown = browser.open("context", "about:blank")
    printed_one = {"type": "object", "objectId": "1", "description": "Object"}
    event = {"type": "log", "args": [printed_one], "timestamp": TIME_MS, "executionContextId": 1}
    async with open_connection(browser) as connection, open_console(connection, shown.id, kept):
        with kept_in(kept.holders, connection.session("another")):
            for number in range(250):
                browser.emit(
                    "Runtime.consoleAPICalled",
                    shown.sessions[-1],
                    **{**event, "timestamp": TIME_MS + number},
                )
            await wait_all_tasks_blocked()

    released = [one.session for one in browser.received("Runtime.releaseObjectGroup")]
    assert released == [shown.sessions[-1], "another"] * 2
    assert kept.holders == []


@pytest.mark.req("C-CON-04")
async def test_of_ten_thousand_lines_the_last_thousand_are_kept(mock_clock: MockClock) -> None:
    browser, kept = FakeBrowser(), ConsoleLog()
    shown = browser.open("context", "about:blank")
    async with monitoring(browser, shown, kept) as monitor:
        for number in range(10_000):
            line = f"line {number}" + "x" * (2500 if number % 100 == 0 else 0)
            logs(browser, shown, line, after=number)
            if number % 1000 == 0:
                await wait_all_tasks_blocked()
        await wait_all_tasks_blocked()
        messages, dropped = await monitor.read(None, clear=False)
    assert kept.numbers.last == 10_000
    assert (len(messages), dropped) == (1000, 9000)
    assert max(len(one.text) for one in messages) == 2001
    assert messages[0].text.startswith("line 9000x")
    assert messages[-1].text == "line 9999"


def test_an_exception_without_a_stack_has_its_position() -> None:
    frames = StackTrace([CallFrame("http://a.test/a.js", 2, 4)])
    event = thrown(url="http://a.test/a.js", exception=text("oops"), stack_trace=frames)

    assert message_of(event).text == "Uncaught oops (http://a.test/a.js:3:5)"
    assert message_of(thrown()).text == "Uncaught"


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
