"""MCP's stdio transport on trio's own file descriptors: no threads, cancelled at once.

Once it is open, fd 0 is empty and fd 1 is stderr, so that neither a stray ``print`` nor a child
process can touch the wire. Lines are written whole: a request that is cancelled while its answer is
on its way out does not tear it, and only the end of serving (`Writer.hurry`) bounds how long a
client may take to read.
"""

import math
import os
import sys
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Any

import anyio
import attrs
import structlog
import trio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import ServerMessageMetadata, SessionMessage
from mcp_types import (
    PROTOCOL_VERSION_META_KEY,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from charlotte.server.framing import LineReader, Malformed, decode, encode

MOST_UNANSWERED = 256
MOST_WAITING = 4096
DRAIN = 0.5
"""Seconds that calls in flight have to finish once the client has closed stdin."""
LAST_WORDS = 0.25
"""Seconds for everything that is still to be written when serving ends."""
UNREAD = 10.0
"""Seconds after which it is logged that an answer is not read while others wait."""

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class Unanswered:
    """The requests accepted and not yet answered; at most ``limit`` of them are worked on.

    The others wait in their own tasks, so that cancellations behind them are read. Only a client
    with `MOST_WAITING` more of them has to wait itself.
    """

    limit: int = MOST_UNANSWERED
    _ids: Counter[RequestId | None] = attrs.field(factory=Counter[RequestId | None])
    _begun: Counter[RequestId | None] = attrs.field(factory=Counter[RequestId | None])
    _delivered: dict[RequestId | None, Callable[[], None]] = attrs.field(
        factory=dict["RequestId | None", "Callable[[], None]"]
    )
    _settled: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)
    _line: trio.StrictFIFOLock = attrs.field(factory=trio.StrictFIFOLock)

    async def admit(self, request_id: RequestId | None) -> None:
        """Accept a request; None is a line whose id could not be read."""
        while self._ids.total() >= self.limit + MOST_WAITING:
            await self._settled.park()
        self._ids[request_id] += 1

    async def begin(self, request_id: RequestId | None) -> None:
        """Wait until the request may be worked on, after those that came before it."""
        if self._begun.total() >= self.limit or self._line.locked():
            async with self._line:
                while self._begun.total() >= self.limit:
                    await self._settled.park()
        self._begun[request_id] += 1

    def when_sent(self, request_id: RequestId | None, delivered: Callable[[], None]) -> None:
        """Have a callback called once a request was answered, but not if it never is."""
        self._delivered[request_id] = delivered

    def sent(self, request_id: RequestId | None) -> None:
        """Take note that the answer to a request is written."""
        if delivered := self._delivered.pop(request_id, None):
            delivered()

    def settle(self, request_id: RequestId | None) -> None:
        """Give the place back, if there is one: the request was answered, or never will be."""
        self._delivered.pop(request_id, None)
        if self._begun[request_id] > 1:
            self._begun[request_id] -= 1
        else:
            self._begun.pop(request_id, None)
        if self._ids[request_id] > 1:
            self._ids[request_id] -= 1
        else:
            self._ids.pop(request_id, None)
        self._settled.unpark_all()

    async def none_left(self) -> None:
        """Wait until every request has been answered."""
        while self._ids:
            await self._settled.park()


@attrs.define(eq=False)
class Writer(ObjectSendStream[SessionMessage]):
    """Where the SDK's dispatcher puts its messages, one line at a time.

    ``answered`` is set once the first answer is out.
    """

    _stream: trio.abc.SendStream
    unanswered: Unanswered
    answered: trio.Event = attrs.field(factory=trio.Event, init=False)
    _turn: trio.Lock = attrs.field(factory=trio.Lock)
    _is_read: bool = True
    _begun: float = math.inf
    _deadline: float = math.inf
    _writing: trio.CancelScope = attrs.field(factory=trio.CancelScope)

    async def send(self, item: SessionMessage) -> None:
        """Write a message. Raises `anyio.BrokenResourceError` when nobody reads any more."""
        message = item.message
        try:
            self._say_if_nobody_reads()
            async with self._turn:
                await self._write(message)
            if isinstance(message, JSONRPCResponse):
                self.unanswered.sent(message.id)
        finally:
            if isinstance(message, JSONRPCResponse | JSONRPCError):
                self.unanswered.settle(message.id)
                self.answered.set()

    def _say_if_nobody_reads(self) -> None:
        """Log it once: who does not read now may do so later, so that all is kept."""
        if self._is_read and self._turn.locked() and trio.current_time() > self._begun + UNREAD:
            self._is_read = False
            waiting = self._turn.statistics().tasks_waiting + 1
            log.warning("the client does not read its answers", waiting=waiting)

    async def _write(self, message: JSONRPCMessage) -> None:
        self._begun = trio.current_time()
        with trio.CancelScope(shield=True, deadline=self._deadline) as self._writing:
            try:
                await self._stream.send_all(encode(message))
                self._is_read = True
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                raise anyio.BrokenResourceError from None
        if self._writing.cancelled_caught:  # half a line may be out: nothing can follow it
            await trio.aclose_forcefully(self._stream)
            raise anyio.BrokenResourceError

    def hurry(self) -> None:
        """From now on, a client that does not read is given up after `LAST_WORDS` seconds."""
        self._deadline = trio.current_time() + LAST_WORDS
        self._writing.deadline = self._deadline

    async def aclose(self) -> None:
        """Do nothing: whoever opened the stream closes it."""


@attrs.define(eq=False)
class Reader(ObjectReceiveStream[SessionMessage | Exception]):
    """Where the SDK's dispatcher gets its messages, and `Malformed` among them.

    ``closed`` is set once no more is read.
    """

    _lines: LineReader
    _unanswered: Unanswered
    _writer: Writer
    closed: trio.Event = attrs.field(factory=trio.Event, init=False)

    async def receive(self) -> SessionMessage | Exception:
        """Return the next message. Raises `anyio.EndOfStream` after the last one."""
        while True:
            try:
                line = await self._lines.next()
                if line is None:
                    await self._drain()
                    raise anyio.EndOfStream
                return await self._accept(decode(line))
            except Malformed as error:
                log.warning("malformed line on stdin", reason=str(error), line=error.excerpt)
                if error.reply is not None:
                    await self._unanswered.admit(error.reply.id)
                    return error

    async def _drain(self) -> None:
        with trio.move_on_after(DRAIN):
            await self._unanswered.none_left()

    async def _accept(self, message: JSONRPCMessage) -> SessionMessage:
        if not isinstance(message, JSONRPCRequest):
            return SessionMessage(message)
        if message.method != "subscriptions/listen":  # answered when the subscription ends
            await self._unanswered.admit(message.id)

        async def never_answered() -> None:
            self._unanswered.settle(message.id)

        metadata = ServerMessageMetadata(
            on_request_unanswered=never_answered,
            can_send_request=not is_enveloped(message.params),
        )
        return SessionMessage(message, metadata)

    async def aclose(self) -> None:
        """End serving: the dispatcher has left its reading loop, at EOF or because of a cancel."""
        self._writer.hurry()
        self.closed.set()


def is_enveloped(params: Mapping[str, Any] | None) -> bool:
    """Tell whether a request speaks protocol 2026-07-28, which says so in each one's ``_meta``."""
    meta = params.get("_meta") if params else None
    return isinstance(meta, Mapping) and PROTOCOL_VERSION_META_KEY in meta


def wire(
    incoming: trio.abc.ReceiveStream, outgoing: trio.abc.SendStream, limit: int = MOST_UNANSWERED
) -> tuple[Reader, Writer]:
    """Return the two ends the SDK wants, over a pair of byte streams."""
    unanswered = Unanswered(limit)
    writer = Writer(outgoing, unanswered)
    return Reader(LineReader(incoming), unanswered, writer), writer


@asynccontextmanager
async def open_stdio() -> AsyncGenerator[tuple[Reader, Writer]]:
    """Take stdin and stdout from the rest of the process, for good."""
    source, sink = _take_over()
    async with (
        trio.lowlevel.FdStream(source) as incoming,
        trio.lowlevel.FdStream(sink) as outgoing,
    ):
        yield wire(incoming, outgoing)


def _take_over() -> tuple[int, int]:
    """Return duplicates of fds 0 and 1; from now on, 0 is empty and 1 is stderr.

    They are not given back: what is printed while the process ends must not reach the client
    either, nor block on a pipe that the client no longer reads.
    """
    sys.stdout.flush()
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink
