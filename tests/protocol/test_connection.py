"""Replies, failures and clean-up of calls on a connection."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from structlog.testing import capture_logs
from trio.testing import wait_all_tasks_blocked

from charlotte.base.errors import ConnectionLost
from charlotte.protocol import page
from charlotte.protocol.connection import Connection, open_connection
from charlotte.protocol.errors import SessionGone, TargetGone
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.target import CloseTarget, GetTargets, GetVersion, Version
from tests.fakes import FakeBrowser

VERSION = {"product": "Fake/2", "protocolVersion": "1.3"}


@pytest.fixture
def browser() -> FakeBrowser:
    return FakeBrowser()


@asynccontextmanager
async def connected(browser: FakeBrowser) -> AsyncGenerator[Connection]:
    with trio.fail_after(60):
        async with open_connection(browser) as connection:
            yield connection
            assert connection.in_flight == 0


async def expect(error: type[Exception], work: Callable[[], Awaitable[Any]]) -> None:
    with pytest.raises(error):
        await work()


async def test_a_command_is_sent_with_its_method_parameters_and_session(
    browser: FakeBrowser,
) -> None:
    shown = browser.open("context-1", "about:blank")
    async with connected(browser) as connection:
        await connection.session(shown.sessions[0]).call(page.Navigate(url="http://a.test/"))
        await connection.root.call(GetTargets())

    in_session, on_browser = browser.sent
    assert (in_session.method, in_session.session) == ("Page.navigate", shown.sessions[0])
    assert in_session.params == {"url": "http://a.test/"}
    assert (on_browser.method, on_browser.params, on_browser.session) == (
        "Target.getTargets",
        {},
        None,
    )
    assert in_session.id != on_browser.id


async def test_replies_in_any_order_reach_their_calls(browser: FakeBrowser) -> None:
    browser.hold("Browser.getVersion")
    products: dict[int, str] = {}

    async def ask(number: int) -> None:
        products[number] = (await connection.root.call(GetVersion())).product

    async with connected(browser) as connection, trio.open_nursery() as nursery:
        for number in range(3):
            nursery.start_soon(ask, number)
            await browser.until_sent("Browser.getVersion", number + 1)
        for number in (1, 2, 0):
            browser.answer(browser.sent[number], product=f"{number}", protocolVersion="1")
            await wait_all_tasks_blocked()
            assert number in products
    assert products == {0: "0", 1: "1", 2: "2"}


async def test_a_cancelled_call_is_not_pending_and_its_late_reply_is_dropped(
    browser: FakeBrowser,
) -> None:
    browser.hold("Browser.getVersion")
    async with connected(browser) as connection:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(connection.root.call, GetVersion())
            late = await browser.until_sent("Browser.getVersion")
            assert connection.in_flight == 1
            nursery.cancel_scope.cancel()
        assert connection.in_flight == 0

        with capture_logs() as logs:
            browser.answer(late, **VERSION)
            await wait_all_tasks_blocked()
        assert [(entry["event"], entry["id"]) for entry in logs] == [
            ("late reply dropped", late.id)
        ]
        assert await connection.root.call(GetTargets()) == []


async def test_a_refusal_raises_its_exception_and_the_connection_stays_open(
    browser: FakeBrowser,
) -> None:
    async with connected(browser) as connection:
        with pytest.raises(TargetGone) as refused:
            await connection.root.call(CloseTarget(target_id="unknown"))
        assert refused.value.method == "Target.closeTarget"
        assert refused.value.refusal_code == -32602
        assert await connection.root.call(GetVersion()) == Version("Fake/1", "1.3")


async def test_many_commands_take_one_round_trip_and_return_ordered_results(
    browser: FakeBrowser,
) -> None:
    browser.hold("Browser.getVersion")
    results: list[Any] = []

    async def ask() -> None:
        results.extend(await connection.root.call_all(GetVersion(), GetTargets(), GetVersion()))

    async with connected(browser) as connection, trio.open_nursery() as nursery:
        nursery.start_soon(ask)
        second = await browser.until_sent("Browser.getVersion", 2)
        browser.answer(second, product="second", protocolVersion="1")
        await wait_all_tasks_blocked()
        assert results == []
        browser.answer(browser.sent[0], product="first", protocolVersion="1")
    first, targets, last = results
    assert (first.product, targets, last.product) == ("first", [], "second")


async def test_a_disconnect_fails_all_pending_calls_with_the_reason_and_ends_the_block(
    browser: FakeBrowser,
) -> None:
    browser.hold("Browser.getVersion")
    failures: list[str] = []

    async def ask(connection: Connection) -> None:
        with trio.CancelScope(shield=True), pytest.raises(ConnectionLost) as lost:
            await connection.root.call(GetVersion())
        failures.append(lost.value.message)

    with trio.fail_after(60), pytest.RaisesGroup(ConnectionLost):
        async with open_connection(browser) as connection, trio.open_nursery() as nursery:
            for number in range(3):
                nursery.start_soon(ask, connection)
                await browser.until_sent("Browser.getVersion", number + 1)
            browser.drop("It sent too much.")
    assert failures == ["The connection to the browser ended. It sent too much."] * 3


async def test_a_call_on_an_ended_connection_fails_at_once(browser: FakeBrowser) -> None:
    with trio.fail_after(60), pytest.RaisesGroup(ConnectionLost):
        async with open_connection(browser) as connection:
            browser.drop()
            with trio.CancelScope(shield=True), pytest.raises(ConnectionLost):
                await connection.root.call(GetVersion())
            assert connection.in_flight == 0
            await trio.sleep_forever()


@pytest.mark.parametrize("frame", ["{", "", "nonsense", '{"id": 1'])
async def test_a_message_that_is_not_json_ends_the_connection(
    browser: FakeBrowser, frame: str
) -> None:
    with trio.fail_after(60), pytest.RaisesGroup(ConnectionLost):
        async with open_connection(browser):
            browser.say_text(frame)
            await trio.sleep_forever()


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"method": "Page.frameNavigated"},
        {"method": "Unknown.method", "params": {}},
        {"method": "Page.frameNavigated", "params": {}, "sessionId": "unknown"},
        {"id": 4711, "result": {}},
        {"id": 4711, "error": {"code": 1, "message": "late"}},
    ],
)
async def test_messages_without_a_recipient_are_dropped(
    browser: FakeBrowser, message: dict[str, Any]
) -> None:
    async with connected(browser) as connection:
        browser.say(**message)
        assert await connection.root.call(GetVersion()) == Version("Fake/1", "1.3")


async def test_pending_calls_of_a_detached_session_fail(browser: FakeBrowser) -> None:
    shown, other = browser.open("c", "about:blank"), browser.open("c", "about:blank")
    browser.hold("Runtime.evaluate")
    async with connected(browser) as connection:
        mine, neighbour = (connection.session(one.sessions[0]) for one in (shown, other))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(expect, SessionGone, lambda: mine.call(Evaluate(expression="1")))
            nursery.start_soon(neighbour.call, Evaluate(expression="2"))
            waiting = await browser.until_sent("Runtime.evaluate", having="2")
            await browser.until_sent("Runtime.evaluate", 2)
            browser.close(shown)
            await wait_all_tasks_blocked()
            assert connection.in_flight == 1
            browser.answer(waiting, result={"type": "undefined"})


async def test_a_reply_that_arrived_before_the_detachment_is_returned(browser: FakeBrowser) -> None:
    shown = browser.open("c", "about:blank")
    browser.hold("Runtime.evaluate")
    async with connected(browser) as connection:
        session = connection.session(shown.sessions[0])
        async with trio.open_nursery() as nursery:
            nursery.start_soon(session.call, Evaluate(expression="1"))
            waiting = await browser.until_sent("Runtime.evaluate")
            browser.answer(waiting, result={"type": "undefined"})
            browser.close(shown)


async def test_the_result_of_a_begun_command_can_be_awaited_later(browser: FakeBrowser) -> None:
    async with connected(browser) as connection:
        begun = await connection.root.begin(GetVersion())
        await wait_all_tasks_blocked()
        assert connection.in_flight == 0
        assert await begun.result() == Version("Fake/1", "1.3")
        assert await begun.result() == Version("Fake/1", "1.3")


async def test_then_runs_between_sending_and_waiting(browser: FakeBrowser) -> None:
    async with connected(browser) as connection:

        async def release() -> None:
            assert browser.methods() == ["Browser.getVersion", "Target.getTargets"]
            browser.answer(browser.sent[0], product="held", protocolVersion="1")

        browser.hold("Browser.getVersion")
        version, _ = await connection.root.call_all(GetVersion(), GetTargets(), then=release)
        assert version.product == "held"


async def test_a_batch_is_sent_completely_although_its_caller_is_cancelled(
    browser: FakeBrowser,
) -> None:
    """A mouse button that was pressed must be released."""
    async with connected(browser) as connection:
        with trio.CancelScope() as leaving:

            def leave(_: object) -> None:
                leaving.cancel()

            browser.on["Browser.getVersion"] = leave
            await connection.root.call_all(GetVersion(), GetTargets())
        assert browser.methods() == ["Browser.getVersion", "Target.getTargets"]
