"""The latest events of each connection, replayed to a client that reconnects.

A client of the handshake era reconnects with the id of the last event that it received
(``Last-Event-ID``). It receives the later events of that stream, up to the answer.
"""

import re
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import attrs
import trio
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import GET_STREAM_KEY, EventCallback, EventMessage, EventStore
from mcp_types import (
    CONNECTION_CLOSED,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCResponse,
)
from starlette.types import Message, Send

from charlotte.server.sdk import ConnectionManager

MAX_CHARACTERS = 2 * 2**20
"""Limit of the stored events of a connection; the newest is stored whatever its size."""

RETRY_MS = 500
"""Delay after which a client that lost its connection should reconnect."""

DELIVERY: Final = "charlotte.delivery"
"""Key of the `Delivery` in the scope of a request."""

_RESULT = b'"result":'
"""Present in answers but not in notifications; inside a string, the quotes are escaped."""

_ID = re.compile(r"(\d{1,18})-(.*)")


@attrs.frozen
class StoredEvent:
    """A message on a stream, sent or not."""

    number: int
    stream: str
    message: JSONRPCMessage
    size: int

    @property
    def id(self) -> str:
        """The id that the client receives."""
        return f"{self.number}-{self.stream}"

    @property
    def is_answer(self) -> bool:
        """Whether the message ends its stream."""
        message = self.message
        return isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None


@attrs.define(eq=False)
class Delivery:
    """A callback for the moment at which the client has the answer to a request; called once.

    That moment is the write of the answer, or its replay from the event log.
    """

    events: "EventLog | None" = None
    _delivered: Callable[[], None] | None = None

    def expect(self, request_id: object, delivered: Callable[[], None]) -> None:
        """Call ``delivered`` once the answer was sent."""
        self._delivered = delivered
        if self.events is not None:
            self.events.deliveries[str(request_id)] = self

    def complete(self) -> None:
        """Record that the answer was sent."""
        delivered, self._delivered = self._delivered, None
        if delivered is not None:
            delivered()

    def wrap_send(self, send: Send) -> Send:
        """Return a ``send`` that completes the delivery when it has sent the answer.

        It sends the end of the body separately: after the end, the SDK treats the client as
        disconnected and cancels the task that sends.
        """

        async def send_and_complete(message: Message) -> None:
            if self._delivered is None or _RESULT not in message.get("body", b""):
                await send(message)
                return
            await send({**message, "more_body": True})
            self.complete()
            if not message.get("more_body", False):
                await send({**message, "body": b""})

        return send_and_complete


@attrs.define(eq=False)
class EventLog(EventStore):
    """The latest events of one connection, and the deliveries that wait for its answers.

    A delivery is completed when the answer on its stream is replayed.
    """

    deliveries: dict[str, Delivery] = attrs.field(factory=dict[str, Delivery])
    _events: deque[StoredEvent] = attrs.field(factory=deque[StoredEvent])
    _open: set[str] = attrs.field(factory=lambda: {GET_STREAM_KEY})
    _number: int = 0
    _size: int = 0
    _changed: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Store a message and return its id; without a message, the id of the stream's start."""
        self._number += 1
        if message is None:
            self._open.add(stream_id)
            return f"{self._number}-{stream_id}"
        event = StoredEvent(self._number, stream_id, message, len(message.model_dump_json()))
        if event.is_answer:
            self._open.discard(stream_id)
        else:
            self._open.add(stream_id)
        self._events.append(event)
        self._size += event.size
        while self._size > MAX_CHARACTERS and len(self._events) > 1:
            evicted = self._events.popleft()
            self._size -= evicted.size
            if evicted.is_answer:
                self.deliveries.pop(evicted.stream, None)
        self._changed.unpark_all()
        return event.id

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> None:
        """Send the later events of that event's stream, including future ones, up to its end."""
        parts = _ID.fullmatch(last_event_id)
        last, stream = (int(parts[1]), parts[2]) if parts else (0, "")
        while (event := await self._wait_next(stream, last)) is not None:
            await send_callback(EventMessage(event.message, event.id))
            if event.is_answer:
                if delivery := self.deliveries.pop(stream, None):
                    delivery.complete()
                return
            last = event.number
        if stream != GET_STREAM_KEY:
            text = "The answer is no longer stored. Observe the page before you repeat the call."
            error = JSONRPCError(
                jsonrpc="2.0",
                id=int(stream) if stream.isdecimal() else stream,
                error=ErrorData(code=CONNECTION_CLOSED, message=text),
            )
            await send_callback(EventMessage(error))

    def close(self) -> None:
        """Discard the events and end the replays, because the connection has ended.

        The SDK's transport is in a reference cycle, which may be collected much later.
        """
        self._open.clear()
        self._events.clear()
        self.deliveries.clear()
        self._changed.unpark_all()

    async def _wait_next(self, stream: str, last: int) -> StoredEvent | None:
        """Wait for the stream's next event and return it; None if the stream has ended."""
        while True:
            for event in self._events:
                if event.stream == stream and event.number > last:
                    return event
            if stream not in self._open:
                return None
            await self._changed.park()


def build_manager(server: Server[Any], **options: Any) -> ConnectionManager:
    """Return the connections of a server, which can be resumed; ``options`` are the SDK's."""
    return ConnectionManager(server, EventLog, retry_interval=RETRY_MS, **options)
