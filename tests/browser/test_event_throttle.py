"""A page that streams without measure is heard less of, for a while, and then again."""

import itertools
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import attrs
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.event_throttle import (
    ENTRIES,
    FIRST_REST,
    LONGEST_REST,
    MOST,
    MOST_CHARACTERS,
    NETWORK,
    USUAL_REPORTS,
    WITHIN,
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
        for _ in range(count):
            self.browser.emit_in(
                self.page, "Network.webSocketFrameReceived", timestamp=at, response=response
            )

    def requests(self, count: int, *, at: float = 100.0, apart: float = 0.0) -> None:
        """Requests begin, that many seconds of the page's clock apart."""
        for number in range(count):
            self.browser.emit_in(
                self.page, "Network.requestWillBeSent", timestamp=at + number * apart
            )

    async def told(self) -> list[str]:
        """What the browser was told so far."""
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
        attached = await connection.root.call(AttachToTarget(target_id=page.id))
        session = connection.session(attached.session_id)
        nursery.start_soon(
            throttle,
            session,
            NETWORK,
            lambda: begun.append(trio.current_time()),
            lambda: bool(needs),
        )
        thrown = console_source([AddBinding(name="told", execution_context_name="ours")])
        nursery.start_soon(throttle, session, thrown)
        nursery.start_soon(throttle, session, ENTRIES)
        await wait_all_tasks_blocked()
        yield Stage(browser, page, begun, needs)
        nursery.cancel_scope.cancel()


async def test_some_messages_are_no_flood(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        for number in range(20):
            stage.receives(MOST, at=2 * WITHIN * number)

        assert await stage.told() == []


async def test_a_flood_is_rested_from_and_then_heard_of_again(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.receives(MOST + 1)
        during = await stage.told()
        await trio.sleep(FIRST_REST + 1)

        assert during == ["disable"]
        assert await stage.told() == ["disable", "enable"]
        assert len(stage.begun) == 1


async def test_a_flood_that_is_told_slowly_is_one_all_the_same(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        for _ in range(MOST + 1):
            stage.receives(1)
            await trio.sleep(WITHIN)

        assert await stage.told() == ["disable"]


async def test_few_messages_are_a_flood_where_they_are_huge(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.receives(3, "x" * (MOST_CHARACTERS // 2))

        assert await stage.told() == ["disable"]


async def test_rests_become_longer_while_it_goes_on(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        for number in range(1, 8):
            stage.receives(MOST + 1)
            await stage.browser.until_sent("Network.enable", number)
            await wait_all_tasks_blocked()
        await trio.sleep(LONGEST_REST)
        stage.receives(MOST + 1)
        await stage.browser.until_sent("Network.enable", 8)

    rests = [
        later - sooner for sooner, later in itertools.pairwise([*stage.begun, trio.current_time()])
    ]
    assert rests == [FIRST_REST, 4, 8, 16, LONGEST_REST, LONGEST_REST, 2 * LONGEST_REST, FIRST_REST]


async def test_a_rest_is_over_when_the_page_goes_elsewhere(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.receives(MOST + 1)
        await stage.browser.until_sent("Network.disable")
        going = {"frameId": "main", "loaderId": "2", "navigationType": "differentDocument"}
        stage.browser.emit_in(stage.page, "Page.frameStartedNavigating", url="http://b/", **going)

        await stage.browser.until_sent("Network.enable")

        assert trio.current_time() < FIRST_REST


async def test_there_is_no_rest_while_the_domain_is_needed(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.needs.append("headers")
        stage.receives(MOST + 1)
        assert await stage.told() == []

        stage.needs.clear()
        await trio.sleep(FIRST_REST + 1)
        stage.receives(MOST + 1)
        assert await stage.told() == ["disable"]


async def test_the_end_of_the_page_ends_it(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.receives(MOST + 1)
        await stage.browser.until_sent("Network.disable")

        stage.browser.close(stage.page)
        await trio.sleep(LONGEST_REST)

        assert await stage.told() == ["disable"]


@pytest.mark.parametrize(("count", "apart"), [(1000, 0.0), (2000, 0.005)])
async def test_a_page_of_many_parts_is_no_flood(
    autojump_clock: MockClock, count: int, apart: float
) -> None:
    async with open_stage() as stage:
        stage.requests(count, apart=apart)

        assert await stage.told() == []


async def test_a_burst_of_requests_is_no_flood_nor_is_the_document_after_it(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage:
        stage.requests(1300)
        stage.requests(1000, at=100.4)

        assert await stage.told() == []


async def test_a_burst_of_requests_every_second_is_a_flood(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        stage.requests(1300)
        stage.requests(1300, at=101.0)

        assert await stage.told() == ["disable"]


@pytest.mark.parametrize(("count", "apart"), [(1700, 0.0005), (1700, 0.0019)])
async def test_requests_without_measure_are_rested_from(
    autojump_clock: MockClock, count: int, apart: float
) -> None:
    async with open_stage() as stage:
        stage.requests(count, apart=apart)

        assert await stage.told() == ["disable"]
        assert len(stage.begun) == 1


async def test_requests_that_go_on_after_a_rest_are_rested_from_much_sooner(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage:
        stage.requests(1700, apart=0.0005)
        await trio.sleep(FIRST_REST + 0.1)
        stage.requests(101, at=110.0)

        assert await stage.told() == ["disable", "enable", "disable"]


async def test_a_page_that_came_during_a_rest_may_have_many_parts_too(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage:
        stage.requests(1700, apart=0.0005)
        await wait_all_tasks_blocked()
        about = {"frameId": "target-1", "url": "http://site.test/2", "loaderId": "2"}
        navigation = {"navigationType": "differentDocument"}
        stage.browser.emit_in(stage.page, "Page.frameStartedNavigating", **about, **navigation)
        await wait_all_tasks_blocked()
        stage.requests(1000, at=110.0)

        assert await stage.told() == ["disable", "enable"]


async def test_exceptions_without_measure_are_rested_from_and_what_that_undid_is_repeated(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage:
        for _ in range(USUAL_REPORTS[1] + 1):
            stage.browser.emit_in(stage.page, "Runtime.exceptionThrown", timestamp=5.0)
        during = await stage.told()
        await trio.sleep(FIRST_REST + 0.1)
        for _ in range(2000):  # the browser repeats what was thrown before
            stage.browser.emit_in(stage.page, "Runtime.exceptionThrown", timestamp=5.0)

        assert during == ["Runtime.disable"]
        assert await stage.told() == ["Runtime.disable", "Runtime.enable", "Runtime.addBinding"]


async def test_a_rest_begins_once_a_busy_page_has_disabled_the_domain(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage:
        stage.browser.hold("Runtime.disable")
        for _ in range(USUAL_REPORTS[1] + 1):
            stage.browser.emit_in(stage.page, "Runtime.exceptionThrown", timestamp=5.0)
        await trio.sleep(10 * FIRST_REST)
        meanwhile = await stage.told()
        [disabling] = [one for one in stage.browser.sent if one.method == "Runtime.disable"]
        stage.browser.answer(disabling)
        await trio.sleep(FIRST_REST - 0.1)
        during = await stage.told()
        await trio.sleep(0.2)

        assert during == meanwhile == ["Runtime.disable"]
        assert await stage.told() == ["Runtime.disable", "Runtime.enable", "Runtime.addBinding"]


async def test_entries_of_the_log_without_measure_are_rested_from(
    autojump_clock: MockClock,
) -> None:
    async with open_stage() as stage:
        for _ in range(USUAL_REPORTS[1] + 1):
            stage.browser.emit_in(stage.page, "Log.entryAdded", entry={"timestamp": 5.0})
        await trio.sleep(FIRST_REST + 0.1)

        assert await stage.told() == ["Log.disable", "Log.clear", "Log.enable"]
