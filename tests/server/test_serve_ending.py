"""The end of serving: running calls, clients that do not read, answers being written."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import pytest
import trio
from mcp_types import PARSE_ERROR
from structlog.testing import capture_logs
from trio.testing import (
    MockClock,
    memory_stream_one_way_pair,
    memory_stream_pair,
    wait_all_tasks_blocked,
)

from charlotte.answers.answer import Answer
from charlotte.server.serve import LazyService, serve
from charlotte.server.stdio import DRAIN_TIMEOUT, UNREAD_WARNING, WRITE_TIMEOUT, connect
from tests.server.clients import RawClient, call, cancel, open_raw, request, text_of
from tests.server.fake_server import CONFIG, FakeService, lazy

both_eras = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


async def test_at_the_end_of_stdin_calls_in_flight_are_answered(autojump_clock: MockClock) -> None:
    async with open_raw(FakeService()) as client:
        await client.initialize()
        await client.send(call(1, "late", seconds=DRAIN_TIMEOUT / 2), b"garbage")
        await client.stream.send_eof()
        answers = {
            answer["id"]: answer for answer in [await client.receive(), await client.receive()]
        }
        await wait_all_tasks_blocked()
    assert text_of(answers[1]) == "late"
    assert answers[None]["error"]["code"] == PARSE_ERROR
    assert client.ended_at == pytest.approx(DRAIN_TIMEOUT / 2)


async def test_at_the_end_of_stdin_unfinished_calls_are_cancelled(
    autojump_clock: MockClock,
) -> None:
    service = FakeService()
    async with open_raw(service) as client:
        await client.initialize()
        await client.send(call(1, "wait"))
        await client.stream.send_eof()
        answer = await client.receive()
        await wait_all_tasks_blocked()
    assert answer["error"]["message"] == "Connection closed"
    assert service.ended == ["wait"]
    assert service.callbacks == []
    assert client.ended_at == pytest.approx(DRAIN_TIMEOUT)


class Lingering(FakeService):
    """Has a call that takes its time to clean up, and notes when the service is left."""

    left_at: float | None = None

    async def do_linger(self) -> Answer:
        try:
            await trio.sleep_forever()
        finally:
            with trio.move_on_after(5 * DRAIN_TIMEOUT, shield=True):
                await trio.sleep_forever()

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[Any]:
        try:
            yield self
        finally:
            self.left_at = trio.current_time()


async def test_at_the_end_of_stdin_the_service_ends_while_calls_still_clean_up(
    autojump_clock: MockClock,
) -> None:
    ours, theirs = memory_stream_pair()
    service, client = Lingering(), RawClient(ours)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, LazyService(service.opened), CONFIG, *connect(theirs, theirs))
        await client.initialize()
        await client.send(call(1, "linger"))
        await ours.send_eof()
    assert service.left_at == pytest.approx(DRAIN_TIMEOUT)


@pytest.mark.req("S-ERR-07")
@pytest.mark.parametrize("how", ["eof", "cancel"])
async def test_a_client_that_does_not_read_cannot_delay_the_end(
    how: str, autojump_clock: MockClock
) -> None:
    to_server, incoming = memory_stream_one_way_pair()
    outgoing, _unread = trio.testing.lockstep_stream_one_way_pair()
    client = RawClient(trio.StapledStream(to_server, _unread))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, lazy(FakeService()), CONFIG, *connect(incoming, outgoing))
        await client.send(request(1, "ping"), request(2, "ping"), b"garbage")
        await wait_all_tasks_blocked()
        if how == "eof":
            await to_server.aclose()
        else:
            nursery.cancel_scope.cancel()
    expected = WRITE_TIMEOUT + (DRAIN_TIMEOUT if how == "eof" else 0)
    assert trio.current_time() == pytest.approx(expected)


async def test_a_cancellation_does_not_truncate_an_answer() -> None:
    to_server, incoming = memory_stream_one_way_pair()
    outgoing, unread = trio.testing.lockstep_stream_one_way_pair()
    client = RawClient(trio.StapledStream(to_server, unread))
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve, lazy(FakeService()), CONFIG, *connect(incoming, outgoing))
        await client.send(request(1, "ping"))
        await wait_all_tasks_blocked()
        await client.send(cancel(1), request(2, "ping"))
        await wait_all_tasks_blocked()
        assert [(await client.receive())["id"], (await client.receive())["id"]] == [1, 2]
        nursery.cancel_scope.cancel()


async def test_a_client_that_does_not_read_is_logged_once_and_answered_when_it_does(
    autojump_clock: MockClock,
) -> None:
    to_server, incoming = memory_stream_one_way_pair()
    outgoing, unread = trio.testing.lockstep_stream_one_way_pair()
    service, client = FakeService(), RawClient(trio.StapledStream(to_server, unread))
    with capture_logs() as logs:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(serve, lazy(service), CONFIG, *connect(incoming, outgoing))
            await client.initialize()
            await client.send(request(1, "ping"), request(2, "ping"))
            await trio.sleep(UNREAD_WARNING * 2)
            await client.send(call(3, "wait"), request(4, "ping"))
            await wait_all_tasks_blocked()
            begun = service.started.copy()
            service.gate.set()
            await wait_all_tasks_blocked()
            answered = [(await client.receive())["id"] for _ in range(4)]
            nursery.cancel_scope.cancel()

    assert begun == ["wait"]
    assert answered == [1, 2, 4, 3]
    assert [(one["event"], one["waiting"]) for one in logs] == [
        ("the client does not read its answers", 2)
    ]
