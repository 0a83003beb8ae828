"""A CDP websocket as the two methods the connection needs."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol

import trio
import trio_websocket

from charlotte.errors import ConnectionLost

_MAX_MESSAGE = 2**28
_RECEIVE_BUFFER = 65_536
_CONNECT_WAIT = 10.0


class TransportClosed(Exception):
    """The other side is gone, or this side was closed."""


class Transport(Protocol):
    """Whole text messages, both ways; raises `TransportClosed` once either side has ended."""

    async def send_message(self, message: str) -> None:
        """Send one message."""
        ...

    async def get_message(self) -> str | bytes:
        """Wait for the next message."""
        ...


class _WebSocket:
    def __init__(self, socket: trio_websocket.WebSocketConnection) -> None:
        self._socket = socket

    async def send_message(self, message: str) -> None:
        try:
            await self._socket.send_message(message)
        except trio_websocket.ConnectionClosed as closed:
            raise TransportClosed from closed

    async def get_message(self) -> str | bytes:
        try:
            return await self._socket.get_message()
        except trio_websocket.ConnectionClosed as closed:
            raise TransportClosed from closed


@asynccontextmanager
async def open_websocket(endpoint: str) -> AsyncGenerator[Transport]:
    """Connect to ``ws://…``; raises `ConnectionLost` when nobody answers there."""
    async with trio.open_nursery() as nursery:
        yield _WebSocket(await _connect(nursery, endpoint))
        nursery.cancel_scope.cancel("websocket closed")


async def _connect(nursery: trio.Nursery, endpoint: str) -> trio_websocket.WebSocketConnection:
    try:
        with trio.fail_after(_CONNECT_WAIT):
            return await trio_websocket.connect_websocket_url(
                nursery,
                endpoint,
                max_message_size=_MAX_MESSAGE,
                receive_buffer_size=_RECEIVE_BUFFER,
            )
    except (trio_websocket.HandshakeError, OSError, trio.TooSlowError) as error:
        raise ConnectionLost(f"No browser answers at {endpoint}: {error!r}.") from error
