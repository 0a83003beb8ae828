"""A bare CDP client: JSON over a websocket, with as little overhead as possible."""

import itertools
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, NoReturn

import attrs
import trio
import trio_websocket

_MAX_MESSAGE = 2**28
_BUFFER = 2**16


class FloorFailed(Exception):
    """The browser answered a command with an error, or ended."""


@attrs.define(eq=False)
class _Slot:
    """The reply to one command, as soon as it arrives."""

    filled: trio.Event = attrs.field(factory=trio.Event)
    reply: dict[str, Any] = attrs.field(factory=dict[str, Any])


Listener = Callable[[dict[str, Any]], Awaitable[None]]


@attrs.define(eq=False)
class Cdp:
    """One websocket; every command names its CDP session, "" for the browser itself."""

    _socket: trio_websocket.WebSocketConnection
    _nursery: trio.Nursery
    _ids: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))
    _slots: dict[int, _Slot] = attrs.field(factory=dict[int, _Slot])
    _loaded: set[str] = attrs.field(factory=set[str])
    _load: trio.Event = attrs.field(factory=trio.Event)
    listeners: dict[str, Listener] = attrs.field(factory=dict[str, Listener])

    async def call(self, method: str, session: str = "", /, **params: Any) -> dict[str, Any]:
        """Send a command, wait for its result. Raises `FloorFailed`."""
        return await self._result(method, await self._post(method, session, params))

    async def call_all(self, method: str, session: str, params: list[dict[str, Any]]) -> None:
        """Send a command several times before waiting for any of the results."""
        for slot in [await self._post(method, session, each) for each in params]:
            await self._result(method, slot)

    async def loaded(self, loader_id: str) -> None:
        """Wait for the load event of the document that ``Page.navigate`` named."""
        while loader_id not in self._loaded:
            await self._load.wait()

    async def next_load(self) -> None:
        """Wait until the next document of any tab has loaded."""
        await self._load.wait()

    async def _post(self, method: str, session: str, params: dict[str, Any]) -> _Slot:
        number = next(self._ids)
        slot = self._slots[number] = _Slot()
        message = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        await self._socket.send_message(json.dumps(message))
        return slot

    async def _result(self, method: str, slot: _Slot) -> dict[str, Any]:
        await slot.filled.wait()
        if "error" in slot.reply:
            raise FloorFailed(f"{method}: {slot.reply['error']['message']}")
        result: dict[str, Any] = slot.reply["result"]
        return result

    async def read(self) -> NoReturn:
        """Read messages of the browser. Raises `FloorFailed` when it ends."""
        try:
            while True:
                self._take(json.loads(await self._socket.get_message()))
        except trio_websocket.ConnectionClosed as closed:
            raise FloorFailed(f"the browser ended: {closed}") from closed

    def _take(self, message: dict[str, Any]) -> None:
        if "id" in message:
            slot = self._slots.pop(message["id"])
            slot.reply = message
            slot.filled.set()
        elif message["method"] == "Page.lifecycleEvent":
            self._note(message["params"])
        elif listener := self.listeners.get(message["method"]):
            self._nursery.start_soon(listener, message["params"])

    def _note(self, lifecycle: dict[str, Any]) -> None:
        if lifecycle["name"] == "load":
            self._loaded.add(lifecycle["loaderId"])
            self._load.set()
            self._load = trio.Event()


@asynccontextmanager
async def open_cdp(endpoint: str) -> AsyncGenerator[Cdp]:
    """Connect to a browser's websocket; read from it until the block ends."""
    async with trio.open_nursery() as nursery:
        socket = await trio_websocket.connect_websocket_url(
            nursery, endpoint, max_message_size=_MAX_MESSAGE, receive_buffer_size=_BUFFER
        )
        cdp = Cdp(socket, nursery)
        nursery.start_soon(cdp.read)
        yield cdp
        nursery.cancel_scope.cancel("measured")
