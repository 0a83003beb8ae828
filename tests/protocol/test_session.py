"""Sessions attach and detach; subscriptions keep events in order, within bounds, and end."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.base.errors import ConnectionLost
from charlotte.protocol import page, target
from charlotte.protocol.connection import CdpSession, Connection, open_connection, open_session
from charlotte.protocol.errors import SessionGone, TargetGone
from charlotte.protocol.runtime import Evaluate
from tests.fake_page import FakeTarget, Refused
from tests.fakes import FakeBrowser


@pytest.fixture
def browser() -> FakeBrowser:
    return FakeBrowser()


@pytest.fixture
def shown(browser: FakeBrowser) -> FakeTarget:
    return browser.open("context-1", "about:blank")


@asynccontextmanager
async def attached(
    browser: FakeBrowser, shown: FakeTarget
) -> AsyncGenerator[tuple[Connection, CdpSession]]:
    with trio.fail_after(60):
        async with (
            open_connection(browser) as connection,
            open_session(connection, shown.id) as session,
        ):
            yield connection, session


def moved(browser: FakeBrowser, session: CdpSession, url: str) -> None:
    browser.emit("Page.navigatedWithinDocument", session.id, frameId="F", url=url)


def stopped(browser: FakeBrowser, session: CdpSession) -> None:
    browser.emit("Page.frameStoppedLoading", session.id, frameId="F")


async def test_a_session_is_attached_flat_and_detached_at_the_end(
    browser: FakeBrowser, shown: FakeTarget
) -> None:
    async with attached(browser, shown) as (_, session):
        await session.call(page.EnablePage())
        assert session.id == shown.sessions[-1]
    attach, enable, detach = browser.sent
    assert attach.params == {"targetId": shown.id, "flatten": True}
    assert enable.session == session.id
    assert (detach.method, detach.params) == ("Target.detachFromTarget", {"sessionId": session.id})


async def test_attaching_to_a_closed_target_fails(browser: FakeBrowser) -> None:
    with trio.fail_after(60), pytest.RaisesGroup(TargetGone):
        async with open_connection(browser) as connection, open_session(connection, "unknown"):
            pass


async def test_detaching_does_not_block(
    browser: FakeBrowser, shown: FakeTarget, autojump_clock: MockClock
) -> None:
    browser.hold("Target.detachFromTarget")
    before = trio.current_time()
    async with attached(browser, shown):
        pass
    assert trio.current_time() - before < 0.5


@pytest.mark.parametrize("end", ["refused", "lost"])
async def test_leaving_a_session_that_has_ended_raises_nothing(
    browser: FakeBrowser, shown: FakeTarget, end: str
) -> None:
    def refuse(_: object) -> None:
        if end == "lost":
            browser.drop()
        raise Refused("No session with given id")

    browser.on["Target.detachFromTarget"] = refuse
    if end == "refused":
        async with attached(browser, shown):
            pass
    else:
        with pytest.RaisesGroup(ConnectionLost):
            async with attached(browser, shown):
                pass


async def test_a_subscription_gets_its_event_types_in_order(
    browser: FakeBrowser, shown: FakeTarget
) -> None:
    async with attached(browser, shown) as (_, session):
        with session.events(page.NavigatedWithinDocument, page.FrameStoppedLoading) as events:
            moved(browser, session, "http://a.test/#1")
            browser.emit("Inspector.targetCrashed", session.id)
            stopped(browser, session)
            moved(browser, session, "http://a.test/#2")
            assert [await events.next() for _ in range(3)] == [
                page.NavigatedWithinDocument("F", "http://a.test/#1"),
                page.FrameStoppedLoading("F"),
                page.NavigatedWithinDocument("F", "http://a.test/#2"),
            ]


async def test_an_event_reaches_all_subscribers_of_its_session_only(
    browser: FakeBrowser, shown: FakeTarget
) -> None:
    async with (
        attached(browser, shown) as (connection, session),
        open_session(connection, shown.id) as other,
    ):
        with (
            session.events(page.FrameStoppedLoading) as one,
            session.events(page.FrameStoppedLoading) as two,
            other.events(page.FrameStoppedLoading) as elsewhere,
        ):
            stopped(browser, session)
            assert await one.next() == await two.next()
            with trio.move_on_after(0) as nothing_came:
                await elsewhere.next()
            assert nothing_came.cancelled_caught


async def test_events_beyond_the_backlog_are_counted_without_blocking_the_reader(
    browser: FakeBrowser, shown: FakeTarget
) -> None:
    async with attached(browser, shown) as (_, session):
        with session.events(page.NavigatedWithinDocument, backlog=2) as events:
            for number in range(5):
                moved(browser, session, f"#{number}")
            await session.call(page.EnablePage())
            assert events.take_lost() == 3
            assert events.take_lost() == 0
            assert [(await events.next()).url for _ in range(2)] == ["#0", "#1"]
            moved(browser, session, "#5")
            assert (await events.next()).url == "#5"
            assert events.take_lost() == 0


async def test_an_event_that_cannot_be_parsed_is_logged_and_dropped(
    browser: FakeBrowser, shown: FakeTarget
) -> None:
    async with attached(browser, shown) as (_, session):
        with session.events(page.FrameNavigated, page.FrameStoppedLoading) as events:
            with capture_logs() as logs:
                browser.emit("Page.frameNavigated", session.id, frame={"id": "F"})
                browser.emit("Page.frameNavigated", session.id, frame=None, other=1)
                stopped(browser, session)
                assert await events.next() == page.FrameStoppedLoading("F")
            assert [entry["event"] for entry in logs] == ["event could not be parsed"] * 2
            assert events.take_lost() == 2


async def test_a_detached_session_ends_its_subscriptions_after_queued_events(
    browser: FakeBrowser, shown: FakeTarget
) -> None:
    async with attached(browser, shown) as (_, session):
        with session.events(target.TargetCrashed, page.FrameStoppedLoading) as events:
            stopped(browser, session)
            browser.close(shown)
            assert await events.next() == page.FrameStoppedLoading("F")
            with pytest.raises(SessionGone):
                await events.next()
            with pytest.raises(SessionGone):
                await session.call(Evaluate(expression="1"))


@pytest.mark.parametrize("asked_for", ["before", "after"])
async def test_subscribing_to_a_detached_session_fails_at_once_and_leaves_nothing(
    browser: FakeBrowser, shown: FakeTarget, asked_for: str
) -> None:
    with trio.fail_after(60):
        async with open_connection(browser) as connection:
            await wait_all_tasks_blocked()
            session = connection.session(shown.sessions[0]) if asked_for == "before" else None
            browser.close(shown)
            await wait_all_tasks_blocked()
            session = session or connection.session(shown.sessions[0])

            with session.events(target.TargetCrashed) as events, pytest.raises(SessionGone):
                await events.next()
            assert (connection.attached, connection.subscriptions) == (0, 0)


async def test_child_sessions_end_with_their_parent(
    browser: FakeBrowser, shown: FakeTarget
) -> None:
    async with attached(browser, shown) as (connection, session):
        for inside, around in (("frame", session.id), ("nested", "frame")):
            browser.emit("Target.attachedToTarget", around, sessionId=inside)
        await wait_all_tasks_blocked()
        nested = connection.session("nested")
        with nested.events(target.TargetCrashed) as events:
            browser.emit("Target.detachedFromTarget", session.id, sessionId="frame")
            with pytest.raises(SessionGone):
                await events.next()
