"""Connections are limited, and their requests have to arrive in time."""

import struct
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from socket import SO_LINGER, SOL_SOCKET, socket

import pytest
import trio
from starlette.responses import PlainTextResponse
from trio.testing import MockClock

from charlotte.hosting import HEAD, Hosting, host

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
Address = tuple[str, int]


@asynccontextmanager
async def open_host(most: int = 100) -> AsyncGenerator[Address]:
    listener = socket()
    listener.bind(("127.0.0.1", 0))
    hosting = Hosting(listener)
    hosting.most_connections = most
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(host, PlainTextResponse("hello"), hosting))
        yield listener.getsockname()
        nursery.cancel_scope.cancel()


async def ended(stream: trio.SocketStream) -> bool:
    return not await stream.receive_some()


async def answer(stream: trio.SocketStream) -> bytes:
    await stream.send_all(REQUEST + b"\r\n")
    data = b""
    while not data.endswith(b"hello"):
        data += await stream.receive_some()
    return data


@pytest.mark.parametrize("sent", [b"", REQUEST])
async def test_a_connection_without_a_whole_request_is_closed(
    sent: bytes, autojump_clock: MockClock
) -> None:
    async with open_host() as address, await trio.open_tcp_stream(*address) as stream:
        begun = trio.current_time()
        if sent:
            await stream.send_all(sent)
        assert await ended(stream)
        assert trio.current_time() == pytest.approx(begun + HEAD)


async def test_half_open_connections_make_room_for_others() -> None:
    with trio.fail_after(HEAD / 2):
        async with open_host(most=5) as address, AsyncExitStack() as stack:
            for _ in range(20):
                half = await stack.enter_async_context(await trio.open_tcp_stream(*address))
                await half.send_all(REQUEST)
            async with await trio.open_tcp_stream(*address) as stream:
                assert b"200" in await answer(stream)


@pytest.mark.parametrize("reset", [False, True])
async def test_a_connection_ends_with_its_client(reset: bool) -> None:  # noqa: FBT001
    async with open_host() as address:
        tasks = trio.lowlevel.current_statistics().tasks_living
        stream = await trio.open_tcp_stream(*address)
        await answer(stream)
        if reset:
            stream.setsockopt(SOL_SOCKET, SO_LINGER, struct.pack("ii", 1, 0))
        await stream.aclose()
        with trio.fail_after(HEAD / 2):
            while trio.lowlevel.current_statistics().tasks_living > tasks:  # noqa: ASYNC110
                await trio.sleep(0.005)


async def test_http_2_is_not_offered() -> None:
    async with open_host() as address, await trio.open_tcp_stream(*address) as stream:
        await stream.send_all(
            REQUEST + b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
            b"HTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"
        )
        assert (await stream.receive_some()).startswith(b"HTTP/1.1 200")
