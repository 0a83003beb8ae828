"""Messages on WebSockets as evidence: the reply to the message of an action is awaited."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.world.settle import REPLY_WAIT, SettleResult, checkpoint, settle
from tests.browser.stage import Stage, open_stage

AWAITED = ["WebSocket ws://a.test/chat"]


class SocketStage:
    def __init__(self, stage: Stage) -> None:
        self._stage = stage
        self._emit("webSocketCreated", url="ws://a.test/chat")

    def sends(self) -> None:
        self._emit("webSocketFrameSent", timestamp=0, response={"payloadData": "ping", "opcode": 1})

    def receives(self) -> None:
        self._emit(
            "webSocketFrameReceived", timestamp=0, response={"payloadData": "pong", "opcode": 1}
        )

    def closes(self) -> None:
        self._emit("webSocketClosed")

    def _emit(self, event: str, **more: object) -> None:
        self._stage.emit(f"Network.{event}", requestId="socket", **more)

    async def click(self, *, replies_after: float | None = None) -> tuple[SettleResult, float]:
        """Send a message, settle; return the result and the seconds that it took."""
        since, begun = checkpoint(self._stage.activity), trio.current_time()
        self.sends()
        await wait_all_tasks_blocked()
        async with trio.open_nursery() as nursery:
            if replies_after is not None:
                nursery.start_soon(self._reply, replies_after)
            result = await settle(self._stage.activity, self._stage.frames.ask, since)
            nursery.cancel_scope.cancel()
        return result, trio.current_time() - begun

    async def _reply(self, after: float) -> None:
        await trio.sleep(after)
        self.receives()


@asynccontextmanager
async def open_socket_stage() -> AsyncGenerator[SocketStage]:
    async with open_stage() as stage:
        socket = SocketStage(stage)
        await wait_all_tasks_blocked()
        yield socket


async def test_the_reply_to_a_message_is_awaited(autojump_clock: MockClock) -> None:
    async with open_socket_stage() as socket:
        result, took = await socket.click(replies_after=0.15)

    assert result == SettleResult(AWAITED)
    assert took == pytest.approx(0.15, abs=0.01)


async def test_a_message_without_a_reply_is_awaited_only_briefly_and_not_reported(
    autojump_clock: MockClock,
) -> None:
    async with open_socket_stage() as socket:
        result, took = await socket.click()

    assert result == SettleResult(AWAITED)
    assert took == pytest.approx(REPLY_WAIT, abs=0.01)


async def test_messages_that_arrive_unasked_are_no_evidence(autojump_clock: MockClock) -> None:
    async with open_stage() as stage:
        socket, since = SocketStage(stage), checkpoint(stage.activity)
        begun = trio.current_time()
        for _ in range(20):
            socket.receives()
        await wait_all_tasks_blocked()
        result = await settle(stage.activity, stage.frames.ask, since)

    assert (result, trio.current_time() - begun) == (SettleResult(), 0)


async def chatter(socket: SocketStage) -> None:
    """Send a message every 20 ms; the reply arrives at once."""
    while True:
        await trio.sleep(0.02)
        socket.sends()
        socket.receives()


async def test_of_endless_messages_that_an_action_begins_only_the_first_reply_is_awaited(
    autojump_clock: MockClock,
) -> None:
    async with open_socket_stage() as socket, trio.open_nursery() as nursery:
        nursery.start_soon(chatter, socket)
        result, took = await socket.click()
        nursery.cancel_scope.cancel()

    assert result == SettleResult(AWAITED)
    assert took < 0.05
