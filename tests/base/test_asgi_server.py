"""Connections are limited, and their requests have to arrive in time."""

import errno
import struct
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from resource import RLIMIT_NOFILE, getrlimit
from socket import SO_LINGER, SOL_SOCKET, socket
from typing import Any, cast

import pytest
import trio
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from structlog.testing import capture_logs
from trio.testing import MockClock

from charlotte.base.asgi_server import BODY, HEAD, PATIENCE, Connections, host, most_connections

REQUEST = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
UPLOAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n"
PIECE = 100_000
PIECES = 30
LONG_UPLOAD = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % (PIECE * PIECES)
HELLO = PlainTextResponse("hello")
LONG = PlainTextResponse("x" * 2**24)
Address = tuple[str, int]


@asynccontextmanager
async def open_host(most: int = 100, app: ASGIApp = HELLO) -> AsyncGenerator[Address]:
    listener = socket()
    listener.bind(("127.0.0.1", 0))
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(host, app, listener, limit=most))
        yield listener.getsockname()
        nursery.cancel_scope.cancel()


async def uploads(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer when the body has arrived."""
    with suppress(ClientDisconnect):
        await Request(scope, receive).body()
        await HELLO(scope, receive, send)


async def exhaustive(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a GET with more than is sent to a client that does not read."""
    answer = LONG if scope["method"] == "GET" else HELLO
    await answer(scope, receive, send)


async def hesitates(scope: Scope, receive: Receive, send: Send) -> None:
    """Read the body after a while."""
    await trio.sleep(3 * PATIENCE)
    await uploads(scope, receive, send)


async def glances(scope: Scope, receive: Receive, send: Send) -> None:
    """Stop reading the body at once, and read it after a while."""
    with trio.move_on_after(0):
        await receive()
    await hesitates(scope, receive, send)


async def crashes(_: Scope, __: Receive, ___: Send) -> None:
    """Fail before an answer."""
    await trio.lowlevel.checkpoint()
    raise ValueError


class Exhausted:
    """A listener that finds no descriptor for its second connection, once."""

    def __init__(self, listener: trio.SocketListener) -> None:
        self._listener = listener
        self.socket = listener.socket
        self._attempts = 0

    async def accept(self) -> trio.SocketStream:
        self._attempts += 1
        if self._attempts == 2:
            raise OSError(errno.EMFILE, "Too many open files")
        return await self._listener.accept()


class Gated:
    """An application that answers once ``gate`` is set."""

    def __init__(self) -> None:
        self.begun = trio.Event()
        self.gate = trio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.begun.set()
        await self.gate.wait()
        await HELLO(scope, receive, send)


async def late(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer after a while, whatever else is sent."""
    await trio.sleep(1)
    await HELLO(scope, receive, send)


async def slowly(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with pauses."""

    async def parts() -> AsyncIterator[bytes]:
        for part in (b"hel", b"lo"):
            await trio.sleep(1)
            yield part

    await StreamingResponse(parts())(scope, receive, send)


async def ticks(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a GET with an event several times a second, as the dashboard does."""

    async def events() -> AsyncIterator[bytes]:
        while True:
            yield b"data: tick\n\n"
            await trio.sleep(PATIENCE / 4)

    stream = StreamingResponse(events(), media_type="text/event-stream")
    await (stream if scope["method"] == "GET" else HELLO)(scope, receive, send)


async def ended(stream: trio.SocketStream) -> bool:
    return not await stream.receive_some()


async def answer(stream: trio.SocketStream) -> bytes:
    await stream.send_all(REQUEST + b"\r\n")
    return await greeting(stream)


async def greeting(stream: trio.SocketStream) -> bytes:
    data = b""
    while not data.endswith(b"hello"):
        more = await stream.receive_some()
        assert more
        data += more
    return data


async def rest(stream: trio.SocketStream) -> bytes:
    data = b""
    with suppress(trio.BrokenResourceError):
        async for more in stream:
            data += more
    return data


async def slow_rest(stream: trio.SocketStream) -> bytes:
    """Read steadily, but not as fast as possible."""
    data = b""
    with suppress(trio.BrokenResourceError):
        while more := await stream.receive_some(2**19):
            data += more
            await trio.sleep(PATIENCE / 10)
    return data


async def is_greeted(address: Address, after: float = 0) -> None:
    await trio.sleep(after)
    async with await trio.open_tcp_stream(*address) as stream:
        await stream.send_all(UPLOAD + b"hello")
        assert b"200" in await greeting(stream)


@pytest.mark.parametrize(("sent", "seconds"), [(b"", HEAD), (REQUEST, HEAD), (UPLOAD + b"h", BODY)])
async def test_a_connection_without_a_complete_request_is_closed(
    sent: bytes, seconds: float, autojump_clock: MockClock
) -> None:
    async with open_host(app=uploads) as address, await trio.open_tcp_stream(*address) as stream:
        begun = trio.current_time()
        await stream.send_all(sent)
        assert await ended(stream)
        assert trio.current_time() == pytest.approx(begun + seconds)


def test_connections_use_at_most_half_of_the_descriptors() -> None:
    assert 2 * most_connections() <= getrlimit(RLIMIT_NOFILE)[0]


async def test_half_open_connections_make_room_for_others() -> None:
    with trio.fail_after(HEAD / 2):
        async with open_host(most=5) as address, AsyncExitStack() as stack:
            for _ in range(20):
                half = await stack.enter_async_context(await trio.open_tcp_stream(*address))
                await half.send_all(REQUEST)
            async with await trio.open_tcp_stream(*address) as stream:
                assert b"200" in await answer(stream)


@pytest.mark.parametrize(
    ("app", "sent"),
    [
        (HELLO, 5 * (REQUEST + b"\r\n")),
        (HELLO, 500 * (REQUEST + b"\r\n")),
        (uploads, UPLOAD + b"h"),
        (exhaustive, REQUEST + b"\r\n"),
        (ticks, REQUEST + b"\r\n"),
    ],
    ids=["pipelined", "much pipelined", "incomplete body", "answer not read", "events"],
)
async def test_a_full_server_closes_the_client_that_keeps_it_waiting(
    app: ASGIApp, sent: bytes, autojump_clock: MockClock
) -> None:
    async with open_host(most=5, app=app) as address, AsyncExitStack() as stack:
        for _ in range(7):
            greedy = await stack.enter_async_context(await trio.open_tcp_stream(*address))
            await greedy.send_all(sent)
        with trio.fail_after(2 * PATIENCE):
            await is_greeted(address)


async def streams(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a GET with an endless stream of events, of which one comes after a while."""

    async def events() -> AsyncIterator[bytes]:
        yield b"data: begun\n\n"
        await trio.sleep(3 * PATIENCE)
        yield b"data: hello"
        await trio.sleep_forever()

    stream = StreamingResponse(events(), media_type="text/event-stream")
    await (stream if scope["method"] == "GET" else HELLO)(scope, receive, send)


@pytest.mark.parametrize("idle", [0, 1])
async def test_a_full_server_closes_an_idle_connection_or_the_stream_that_has_waited_longest(
    idle: int, autojump_clock: MockClock
) -> None:
    async with open_host(most=2 + idle, app=streams) as address, AsyncExitStack() as stack:
        waiting = [
            await stack.enter_async_context(await trio.open_tcp_stream(*address)) for _ in range(2)
        ]
        for stream in waiting:
            await stream.send_all(REQUEST + b"\r\n")
            await trio.sleep(PATIENCE / 2)
        for _ in range(idle):
            await stack.enter_async_context(await trio.open_tcp_stream(*address))
            await trio.sleep(PATIENCE / 2)
        with trio.fail_after(2 * PATIENCE):
            await is_greeted(address)
        if not idle:
            assert b"hello" not in await rest(waiting[0])
        await streamed_greeting(waiting[not idle])


async def streamed_greeting(stream: trio.SocketStream) -> None:
    data = b""
    while b"hello" not in data:
        more = await stream.receive_some()
        assert more
        data += more


async def test_a_full_server_finishes_running_requests_before_it_closes_connections(
    autojump_clock: MockClock,
) -> None:
    app = Gated()
    async with open_host(most=1, app=app) as address, await trio.open_tcp_stream(*address) as first:
        await first.send_all(REQUEST + b"\r\n")
        await app.begun.wait()
        async with await trio.open_tcp_stream(*address) as second:
            await second.send_all(REQUEST + b"\r\n")
            with trio.move_on_after(2 * BODY):
                assert not await second.receive_some()
                pytest.fail("closed instead of waiting")
            app.gate.set()
            answered = await greeting(first)
            assert b"connection: close" in answered
            assert await ended(first)
            await greeting(second)


@pytest.mark.parametrize(
    ("app", "pause"),
    [(uploads, PATIENCE / 10), (hesitates, 0), (glances, 0)],
    ids=["steady", "not yet read", "reading cancelled"],
)
async def test_a_full_server_does_not_close_a_running_upload(
    app: ASGIApp, pause: float, autojump_clock: MockClock
) -> None:
    async with (
        open_host(most=1, app=app) as address,
        trio.open_nursery() as others,
        await trio.open_tcp_stream(*address) as stream,
    ):
        others.start_soon(is_greeted, address, 1.5 * PATIENCE)
        await stream.send_all(LONG_UPLOAD)
        for _ in range(PIECES):
            await trio.sleep(pause)
            await stream.send_all(bytes(PIECE))
        assert b"200" in await greeting(stream)


async def test_a_full_server_does_not_cut_an_answer_that_is_being_read(
    autojump_clock: MockClock,
) -> None:
    async with (
        open_host(most=1, app=exhaustive) as address,
        trio.open_nursery() as others,
        await trio.open_tcp_stream(*address) as stream,
    ):
        others.start_soon(is_greeted, address, 1.5 * PATIENCE)
        await stream.send_all(REQUEST + b"\r\n")
        assert (await slow_rest(stream)).endswith(bytes(LONG.body))


async def test_without_a_descriptor_for_a_new_connection_an_idle_one_is_closed(
    autojump_clock: MockClock,
) -> None:
    (listener,) = await trio.open_tcp_listeners(0, host="127.0.0.1")
    address = listener.socket.getsockname()
    accept = Connections(HELLO, most_connections()).accept
    async with listener, trio.open_nursery() as nursery:
        nursery.start_soon(accept, cast("Any", Exhausted(listener)), nursery)
        async with await trio.open_tcp_stream(*address) as idle:
            await answer(idle)
            await trio.sleep(PATIENCE)
            async with await trio.open_tcp_stream(*address) as stream:
                assert b"200" in await answer(stream)
                with trio.fail_after(PATIENCE):
                    assert await ended(idle)
        nursery.cancel_scope.cancel()


async def test_an_answer_that_is_being_sent_is_not_cut_by_an_error_in_the_body(
    autojump_clock: MockClock,
) -> None:
    async with open_host(app=LONG) as address, await trio.open_tcp_stream(*address) as stream:
        await stream.send_all(REQUEST + b"Transfer-Encoding: chunked\r\n\r\n")
        await trio.sleep(1)
        await stream.send_all(b"not a chunk\r\n")
        await trio.sleep(1)
        assert (await rest(stream)).endswith(bytes(LONG.body))


async def test_a_part_of_an_answer_is_completed_if_sending_it_is_cancelled(
    mock_clock: MockClock,
) -> None:
    sending = trio.CancelScope()

    async def hurries(_: Scope, __: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200})
        with sending:
            await send({"type": "http.response.body", "body": LONG.body, "more_body": True})
        await send({"type": "http.response.body", "body": b"hello"})

    async with open_host(app=hurries) as address, await trio.open_tcp_stream(*address) as stream:
        await stream.send_all(REQUEST + b"Connection: close\r\n\r\n")
        while b"xxx" not in await stream.receive_some():
            pass
        sending.cancel()
        assert (await rest(stream)).endswith(b"hello\r\n0\r\n\r\n")
    assert sending.cancelled_caught


async def test_the_query_of_a_request_that_crashed_is_not_logged() -> None:
    with capture_logs() as logged:
        async with (
            open_host(app=crashes) as address,
            await trio.open_tcp_stream(*address) as stream,
        ):
            await stream.send_all(b"GET /a?token=b HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b" 500 " in await stream.receive_some()
    assert [one["path"] for one in logged] == ["/a"]
    assert "token" not in str(logged)


async def test_serving_ends_in_time_whatever_requests_run(autojump_clock: MockClock) -> None:
    app, stop, listener = Gated(), trio.Event(), socket()
    listener.bind(("127.0.0.1", 0))
    async with trio.open_nursery() as nursery:
        await nursery.start(partial(host, app, listener, stop, grace=5))
        async with await trio.open_tcp_stream(*listener.getsockname()) as stream:
            await stream.send_all(REQUEST + b"\r\n")
            await app.begun.wait()
            stop.set()
            with trio.fail_after(6):
                assert await ended(stream)


async def test_the_last_answer_is_complete_whatever_follows_its_request(
    autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    last = REQUEST + b"Connection: close\r\n\r\n"
    async with open_host(app=slowly) as address, await trio.open_tcp_stream(*address) as stream:
        await stream.send_all(last + REQUEST + b"\r\n")
        await stream.send_all(REQUEST + b"\r\n")
        answered = await rest(stream)
    assert answered.count(b"HTTP/1.1 200") == 1
    assert answered.endswith(b"0\r\n\r\n")
    assert not caplog.records


async def test_an_idle_connection_is_closed_after_a_streamed_answer(
    autojump_clock: MockClock,
) -> None:
    async with open_host(app=slowly) as address, await trio.open_tcp_stream(*address) as stream:
        await stream.send_all(REQUEST + b"\r\n")
        with trio.fail_after(100):
            assert b"200" in await rest(stream)


@pytest.mark.parametrize("stays", [True, False])
async def test_a_connection_ends_with_its_answer_if_the_application_ignored_the_body(
    *, stays: bool, autojump_clock: MockClock
) -> None:
    async with open_host(app=late) as address:
        tasks = trio.lowlevel.current_statistics().tasks_living
        async with await trio.open_tcp_stream(*address) as stream:
            chunks = 30 * b"1\r\na\r\n"
            await stream.send_all(REQUEST + b"Transfer-Encoding: chunked\r\n\r\n" + chunks)
            if stays:
                with trio.fail_after(BODY):
                    assert b"200" in await rest(stream)
        await trio.sleep(BODY)
        assert trio.lowlevel.current_statistics().tasks_living == tasks


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
