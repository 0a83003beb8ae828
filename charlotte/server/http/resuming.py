"""Keeps what was said last on a client's streams, for one that lost its connection meanwhile.

A client of the handshake era comes back with the id of the last event that it has heard
(``Last-Event-ID``). It is told the rest, and what follows, until it has its answer.
"""

import re
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import attrs
import trio
from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.lowlevel import Server
from mcp.server.streamable_http import (
    GET_STREAM_KEY,
    EventCallback,
    EventMessage,
    EventStore,
    StreamableHTTPServerTransport,
)
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp_types import (
    CONNECTION_CLOSED,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCResponse,
)
from starlette.requests import Request
from starlette.types import Message, Send

KEPT = 2 * 2**20
"""Characters of events that a connection keeps; the newest is kept however long it is."""

DELIVERY: Final = "charlotte.delivery"
"""Where the scope of a request has its `Delivery`."""

_RESULT = b'"result":'
"""What answers have and notifications before them have not; in a text, its quotes are escaped."""

RETRY_MS = 500
"""When a client that lost its connection is to come back."""


_ID = re.compile(r"(\d{1,18})-(.*)")


@attrs.frozen
class Event:
    """A message on a stream, as it was sent or would have been."""

    number: int
    stream: str
    message: JSONRPCMessage
    size: int

    @property
    def id(self) -> str:
        """What the client knows it by."""
        return f"{self.number}-{self.stream}"

    @property
    def is_answer(self) -> bool:
        """Whether nothing follows on its stream."""
        message = self.message
        return isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None


@attrs.define(eq=False)
class Delivery:
    """What is to be done once the answer to a request has reached its client, at most once.

    That is when it is written, or when it is replayed from the ``memory`` of its connection.
    """

    memory: "Memory | None" = None
    _delivered: Callable[[], None] | None = None

    def expect(self, request_id: object, delivered: Callable[[], None]) -> None:
        """Have the callback called once the answer has been sent."""
        self._delivered = delivered
        if self.memory is not None:
            self.memory.expect(str(request_id), self)

    def complete(self) -> None:
        """Take note that the answer has been sent."""
        delivered, self._delivered = self._delivered, None
        if delivered is not None:
            delivered()

    def following(self, send: Send) -> Send:
        """Return a way to send a response that takes note when it has sent the answer.

        The end is sent apart: once that is written, the SDK takes the client for disconnected and
        cancels who sends.
        """

        async def send_it(message: Message) -> None:
            if self._delivered is None or _RESULT not in message.get("body", b""):
                await send(message)
                return
            await send({**message, "more_body": True})
            self.complete()
            if not message.get("more_body", False):
                await send({**message, "body": b""})

        return send_it


def delivery_of(request: Request | None) -> Delivery:
    """Return how the answer to a request is followed, as `Delivery` was put into its scope."""
    delivery: Delivery = request.scope[DELIVERY] if request else Delivery()
    return delivery


@attrs.define(eq=False)
class Memory(EventStore):
    """The newest events of one connection, and what waits for its answers to be sent."""

    _events: deque[Event] = attrs.field(factory=deque[Event])
    _deliveries: dict[str, Delivery] = attrs.field(factory=dict[str, Delivery])
    _open: set[str] = attrs.field(factory=lambda: {GET_STREAM_KEY})
    _number: int = 0
    _size: int = 0
    _news: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    async def store_event(self, stream_id: str, message: JSONRPCMessage | None) -> str:
        """Keep a message and return its id; without one, that of the stream's beginning."""
        self._number += 1
        if message is None:
            self._open.add(stream_id)
            return f"{self._number}-{stream_id}"
        event = Event(self._number, stream_id, message, len(message.model_dump_json()))
        if event.is_answer:
            self._open.discard(stream_id)
        else:
            self._open.add(stream_id)
        self._keep(event)
        self._news.unpark_all()
        return event.id

    async def replay_events_after(self, last_event_id: str, send_callback: EventCallback) -> None:
        """Tell what came on that event's stream since, and what comes, to the stream's end."""
        known = _ID.fullmatch(last_event_id)
        heard, stream = (int(known[1]), known[2]) if known else (0, "")
        while (event := await self._next(stream, heard)) is not None:
            await send_callback(EventMessage(event.message, event.id))
            if event.is_answer:
                if delivery := self._deliveries.pop(stream, None):
                    delivery.complete()
                return
            heard = event.number
        if stream != GET_STREAM_KEY:
            await send_callback(EventMessage(_forgotten(stream)))

    def expect(self, stream: str, delivery: Delivery) -> None:
        """Complete a delivery when the answer on that stream is replayed."""
        self._deliveries[stream] = delivery

    def close(self) -> None:
        """End the streams of those who came back: the connection is over.

        The SDK's transport is garbage in a cycle, which may be collected much later: the events
        are freed now.
        """
        self._open.clear()
        self._events.clear()
        self._deliveries.clear()
        self._news.unpark_all()

    def _keep(self, event: Event) -> None:
        self._events.append(event)
        self._size += event.size
        while self._size > KEPT and len(self._events) > 1:
            forgotten = self._events.popleft()
            self._size -= forgotten.size
            if forgotten.is_answer:
                self._deliveries.pop(forgotten.stream, None)

    async def _next(self, stream: str, heard: int) -> Event | None:
        """The stream's next event, as soon as there is one; None if there will be none."""
        while True:
            for event in self._events:
                if event.stream == stream and event.number > heard:
                    return event
            if stream not in self._open:
                return None
            await self._news.park()


def _forgotten(stream: str) -> JSONRPCError:
    """What ends the waiting for an answer that will not come."""
    told = "The answer is not kept any more. Look at the page before you repeat the call."
    return JSONRPCError(
        jsonrpc="2.0",
        id=int(stream) if stream.isdecimal() else stream,
        error=ErrorData(code=CONNECTION_CLOSED, message=told),
    )


class Connections(StreamableHTTPSessionManager):
    """The SDK's connections, each with a memory: none is told what was said to another."""

    def __init__(self, server: Server[Any], **options: Any) -> None:
        super().__init__(server, retry_interval=RETRY_MS, **options)
        self._memories: dict[str | None, Memory] = {}

    def delivery(self, connection: str) -> Delivery:
        """Return what is to follow the answer to a request on a connection, if it is on one."""
        return Delivery(self._memories.get(connection))

    def _admit_session(
        self, requestor: AuthorizationContext | None
    ) -> StreamableHTTPServerTransport | None:
        self.event_store = memory = Memory()
        transport = super()._admit_session(requestor)
        if transport is not None:
            self._memories[transport.mcp_session_id] = memory
        return transport

    async def _discard_session(
        self, session_id: str, transport: StreamableHTTPServerTransport
    ) -> None:
        if memory := self._memories.pop(session_id, None):
            memory.close()
        await super()._discard_session(session_id, transport)
