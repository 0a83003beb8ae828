"""A WebSocket server in its own thread; each path of it behaves in another way."""

import json
import threading
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager, suppress
from functools import partial
from queue import Queue

import trio
from trio_websocket import ConnectionClosed, WebSocketConnection, WebSocketRequest, serve_websocket

Behaviour = Callable[[WebSocketConnection], Awaitable[object]]
REPLY_AFTER = 0.15
"""Seconds until ``/reply`` answers."""


async def _echo(socket: WebSocketConnection) -> None:
    """Return each message at once, binary ones in reverse."""
    while True:
        message = await socket.get_message()
        await socket.send_message(message if isinstance(message, str) else message[::-1])


async def _reply(socket: WebSocketConnection) -> None:
    """Answer each message after a while."""
    while True:
        message = await socket.get_message()
        await trio.sleep(REPLY_AFTER)
        await socket.send_message(f"re: {message!s}")


async def _silent(socket: WebSocketConnection) -> None:
    """Take messages without any answer."""
    with suppress(ConnectionClosed):
        while True:
            await socket.get_message()


async def _tick(socket: WebSocketConnection) -> None:
    """Send twenty messages a second without being asked; take messages without an answer."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_silent, socket)
        with suppress(ConnectionClosed):
            for number in range(10_000):
                await socket.send_message(f"tick {number}")
                await trio.sleep(0.05)


async def _count(socket: WebSocketConnection) -> None:
    """Send as many messages as the first message asks for, each with so many characters."""
    wanted = json.loads(await socket.get_message())
    for number in range(wanted["count"]):
        await socket.send_message(f"{number}:".ljust(wanted["length"], "x"))
    await _silent(socket)


_BEHAVIOURS: dict[str, Behaviour] = {
    "/echo": _echo,
    "/reply": _reply,
    "/silent": _silent,
    "/tick": _tick,
    "/count": _count,
}


async def _answer(request: WebSocketRequest) -> None:
    behaviour = _BEHAVIOURS.get(request.path.partition("?")[0])
    if behaviour is None:
        await request.reject(404)
        return
    socket = await request.accept()
    with suppress(ConnectionClosed):
        await behaviour(socket)


@contextmanager
def open_sockets() -> Generator[str]:
    """Serve until the block ends; yield the URL to which paths such as ``/echo`` are added."""
    ready = Queue[tuple[int, trio.lowlevel.TrioToken, trio.CancelScope]]()

    async def serve() -> None:
        async with trio.open_nursery() as nursery:
            start = partial(serve_websocket, _answer, "127.0.0.1", 0, None)
            server = await nursery.start(start)
            token = trio.lowlevel.current_trio_token()
            ready.put((server.port, token, nursery.cancel_scope))

    thread = threading.Thread(target=trio.run, args=(serve,), daemon=True)
    thread.start()
    port, token, scope = ready.get(timeout=120)
    try:
        yield f"ws://127.0.0.1:{port}"
    finally:
        trio.from_thread.run_sync(scope.cancel, trio_token=token)
        thread.join(10)
