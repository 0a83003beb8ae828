"""Throttling of domains that send too many events."""

import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.world.event_throttle import (
    ENTRIES,
    FIRST_REST,
    LONGEST_REST,
    MESSAGES,
    NETWORK,
    REPORTS,
    console_source,
    throttle,
)
from charlotte.protocol.connection import open_connection
from charlotte.protocol.runtime import AddBinding
from charlotte.protocol.target import AttachToTarget
from tests.fake_page import FakeTarget
from tests.fakes import FakeBrowser


@attrs.frozen
class Stage:
    """A page whose floods are rested from, and the moments at which that began."""

    browser: FakeBrowser
    page: FakeTarget
    begun: list[float]
    needs: list[str]

    def receives(self, count: int, text: str = "x", *, at: float = 1.0) -> None:
        """Messages come on a WebSocket, all at that moment of the page's clock."""
        response = {"opcode": 1, "mask": False, "payloadData": text}
        message = {"requestId": "socket", "timestamp": at, "response": response}
        for _ in range(count):
            self.browser.emit_in(self.page, "Network.webSocketFrameReceived", **message)

    def requests(self, count: int, *, at: float = 100.0, apart: float = 0.0) -> None:
        """Requests begin, that many seconds of the page's clock apart."""
        request = {"url": "http://a.test/", "method": "GET"}
        begun = {"requestId": "1", "loaderId": "L", "request": request, "wallTime": 0}
        for number in range(count):
            event = {**begun, "timestamp": at + number * apart}
            self.browser.emit_in(self.page, "Network.requestWillBeSent", **event)

    async def calls(self) -> list[str]:
        """Return the commands sent so far."""
        await wait_all_tasks_blocked()
        [session] = self.page.sessions
        return [one.removeprefix("Network.") for one in self.browser.methods(session)]


@asynccontextmanager
async def open_stage() -> AsyncGenerator[Stage]:
    browser = FakeBrowser()
    page = FakeTarget("target-1", "", "http://site.test/")
    browser.targets[page.id] = page
    begun: list[float] = []
    needs: list[str] = []
    async with open_connection(browser) as connection, trio.open_nursery() as nursery:
        session_id = await connection.root.call(AttachToTarget(target_id=page.id))
        session = connection.session(session_id)
        nursery.start_soon(
            throttle,
            session,
            NETWORK,
            lambda: begun.append(trio.current_time()),
            lambda: bool(needs),
        )
        thrown = console_source([AddBinding(name="binding", execution_context_name="ours")])
        nursery.start_soon(throttle, session, thrown)
        nursery.start_soon(throttle, session, ENTRIES)
        await wait_all_tasks_blocked()
        yield Stage(browser, page, begun, needs)
        nursery.cancel_scope.cancel()


async def test_a_flood_disables_the_domain_for_a_while(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.receives(MESSAGES.most + 1)
        during = await stage.calls()
        await trio.sleep(FIRST_REST + 1)

        assert during == ["disable"]
        assert await stage.calls() == ["disable", "enable"]
        assert len(stage.begun) == 1


async def test_pauses_become_longer_while_a_flood_continues(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        for number in range(1, 8):
            stage.receives(MESSAGES.most + 1)
            await stage.browser.until_sent("Network.enable", number)
            await wait_all_tasks_blocked()
        await trio.sleep(LONGEST_REST)
        stage.receives(MESSAGES.most + 1)
        await stage.browser.until_sent("Network.enable", 8)

    rests = [
        later - sooner for sooner, later in itertools.pairwise([*stage.begun, trio.current_time()])
    ]
    assert rests == [FIRST_REST, 4, 8, 16, LONGEST_REST, LONGEST_REST, 2 * LONGEST_REST, FIRST_REST]


async def test_a_navigation_ends_a_pause(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.receives(MESSAGES.most + 1)
        await stage.browser.until_sent("Network.disable")
        going = {"frameId": "main", "loaderId": "2", "navigationType": "differentDocument"}
        stage.browser.emit_in(stage.page, "Page.frameStartedNavigating", url="http://b/", **going)

        await stage.browser.until_sent("Network.enable")

        assert trio.current_time() < FIRST_REST


async def test_a_needed_domain_is_not_disabled(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.needs.append("headers")
        stage.receives(MESSAGES.most + 1)
        assert await stage.calls() == []

        stage.needs.clear()
        await trio.sleep(FIRST_REST + 1)
        stage.receives(MESSAGES.most + 1)
        assert await stage.calls() == ["disable"]


@pytest.mark.parametrize(("count", "apart"), [(1000, 0.0), (2000, 0.005)])
async def test_a_page_with_many_resources_is_not_throttled(
    autojump_clock: MockClock, count: int, apart: float
) -> None:
    async with open_stage() as stage:
        stage.requests(count, apart=apart)

        assert await stage.calls() == []


async def test_an_endless_stream_of_requests_is_throttled(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.requests(1700, apart=0.0019)

        assert await stage.calls() == ["disable"]
        assert len(stage.begun) == 1


async def test_a_flood_of_exceptions_is_throttled_and_the_bindings_are_restored(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage:
        for _ in range(REPORTS.most + 1):
            stage.browser.emit_in(stage.page, "Runtime.exceptionThrown", timestamp=5.0)
        during = await stage.calls()
        await trio.sleep(FIRST_REST + 0.1)
        for _ in range(2000):  # the browser repeats earlier exceptions
            stage.browser.emit_in(stage.page, "Runtime.exceptionThrown", timestamp=5.0)

        assert during == ["Runtime.disable"]
        assert await stage.calls() == ["Runtime.disable", "Runtime.enable", "Runtime.addBinding"]


async def test_a_flood_of_log_entries_is_throttled(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        entry = {"timestamp": 5.0, "source": "network", "level": "error", "text": "Failed"}
        for _ in range(REPORTS.most + 1):
            stage.browser.emit_in(stage.page, "Log.entryAdded", entry=entry)
        await trio.sleep(FIRST_REST + 0.1)

        assert await stage.calls() == ["Log.disable", "Log.clear", "Log.enable"]
