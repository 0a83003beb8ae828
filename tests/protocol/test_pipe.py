"""The pipe to a browser, against a stream in memory."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
import trio
from trio.testing import MemoryReceiveStream, MemorySendStream, memory_stream_pair
from trio.testing import wait_all_tasks_blocked as all_is_quiet

from charlotte.protocol import transport
from charlotte.protocol.connection import open_connection
from charlotte.protocol.runtime import Evaluate
from charlotte.protocol.transport import Transport, TransportClosed, open_pipe

Peer = trio.StapledStream[MemorySendStream, MemoryReceiveStream]


@asynccontextmanager
async def opened() -> AsyncGenerator[tuple[Transport, Peer]]:
    """A pipe and the browser's end of it."""
    ours, theirs = memory_stream_pair()
    with trio.fail_after(60):
        async with open_pipe(ours) as pipe:
            yield pipe, theirs


async def test_messages_end_with_nul_in_both_directions() -> None:
    async with opened() as (pipe, peer):
        await pipe.send_message("ä€𝄞")
        assert await peer.receive_some() == "ä€𝄞\0".encode()
        await peer.send_all("ä€𝄞\0\0{".encode())
        assert await pipe.get_message() == "ä€𝄞".encode()
        assert await pipe.get_message() == b""
        await peer.send_all(b"}\0")
        assert await pipe.get_message() == b"{}"


async def test_a_message_of_many_megabytes_is_received_in_pieces() -> None:
    long = b"x" * 12_000_000
    async with opened() as (pipe, peer):
        await peer.send_all(long + b"\0next\0")
        assert await pipe.get_message() == long
        assert await pipe.get_message() == b"next"


async def test_messages_that_arrive_at_once_are_read_no_faster_than_others_handle_them() -> None:
    async with opened() as (pipe, peer), trio.open_nursery() as nursery:
        await peer.send_all(b"{}\0" * 100)
        nursery.start_soon(count, turns := list[int]())
        for number in range(100):
            await pipe.get_message()
            assert len(turns) >= number
        nursery.cancel_scope.cancel("done")


async def count(turns: list[int]) -> None:
    while True:
        turns.append(1)
        await trio.lowlevel.checkpoint()


async def test_all_queued_messages_are_one_write() -> None:
    async with opened() as (pipe, peer), trio.open_nursery() as nursery:
        for text in ("one", "two", "three"):
            nursery.start_soon(pipe.send_message, text)
        await all_is_quiet()
        assert sorted((await peer.receive_some()).split(b"\0")) == [b"", b"one", b"three", b"two"]


async def test_no_caller_waits_for_a_browser_that_does_not_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def never(*_: object) -> None:
        await trio.sleep_forever()

    monkeypatch.setattr(transport, "_MAX_MESSAGE", 1000)
    async with opened() as (pipe, _):
        monkeypatch.setattr(MemorySendStream, "send_all", never)
        await pipe.send_message("written")
        await all_is_quiet()
        await pipe.send_message("x" * 1001)
        with pytest.raises(TransportClosed, match="does not read"):
            await pipe.send_message("y")


async def test_a_message_that_is_too_long_ends_the_connection_with_a_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(transport, "_MAX_MESSAGE", 1000)
    async with opened() as (pipe, peer):
        await peer.send_all(b"x" * 1001)
        with pytest.raises(TransportClosed, match="sent a message of more than"):
            await pipe.get_message()


async def test_the_end_of_the_browser_follows_its_last_message() -> None:
    async with opened() as (pipe, peer):
        await peer.send_all(b"last\0cut")
        await peer.aclose()
        assert await pipe.get_message() == b"last"
        with pytest.raises(TransportClosed):
            await pipe.get_message()
        await pipe.send_message("{}")
        with pytest.raises(TransportClosed):
            await pipe.get_message()


async def test_a_command_is_sent_although_its_caller_is_cancelled() -> None:
    async with opened() as (pipe, peer), open_connection(pipe) as connection:
        with trio.move_on_after(0):
            await connection.root.call(Evaluate(expression="1"))
        assert b"Runtime.evaluate" in await peer.receive_some()
