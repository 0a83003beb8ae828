"""A second client of a browser: commands with a deadline, and the events that arrived."""

import itertools
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any, cast

import attrs
import trio
from trio_websocket import ConnectionClosed, WebSocketConnection, open_websocket_url

Json = dict[str, Any]

DEADLINE = 90.0
_LONGEST_MESSAGE = 2**28
_POLL = 0.05
_DETACH_DEADLINE = 5.0


class CommandFailed(Exception):
    """The browser answered with an error, or an expression threw."""


@attrs.define(eq=False)
class Cdp:
    """A connection to the browser, without any domain enabled."""

    _socket: WebSocketConnection
    events: list[Json] = attrs.field(factory=list[Json])
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))
    _replies: dict[int, Json] = attrs.field(factory=dict[int, Json])
    _arrival: trio.Event = attrs.field(factory=trio.Event)

    async def call(self, method: str, session: str = "", /, **params: Any) -> Json:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        await self._socket.send_message(json.dumps(message | _session(session)))
        with trio.fail_after(DEADLINE):
            while number not in self._replies:
                await self._arrival.wait()
        reply = self._replies.pop(number)
        if "error" in reply:
            raise CommandFailed(f"{method}: {reply['error']['message']}")
        return cast("Json", reply["result"])

    async def targets(self) -> list[Json]:
        found = await self.call("Target.getTargets", filter=[{}])
        return cast("list[Json]", found["targetInfos"])

    @asynccontextmanager
    async def attached(self, target: str) -> AsyncGenerator[str]:
        """Yield a session of a target; detach it at the end."""
        attached = await self.call("Target.attachToTarget", targetId=target, flatten=True)
        try:
            yield attached["sessionId"]
        finally:
            with trio.move_on_after(_DETACH_DEADLINE, shield=True):
                await self.call("Target.detachFromTarget", sessionId=attached["sessionId"])

    async def run(
        self, session: str, expression: str, *, gesture: bool = False, **where: int
    ) -> Any:
        """Evaluate an expression in the page's own world, or elsewhere; return its value."""
        reply = await self.call(
            "Runtime.evaluate",
            session,
            expression=expression,
            returnByValue=True,
            awaitPromise=True,
            userGesture=gesture,
            **where,
        )
        if thrown := reply.get("exceptionDetails"):
            raise CommandFailed(thrown.get("exception", {}).get("description", thrown["text"]))
        return reply["result"].get("value")

    async def event(self, wanted: Callable[[Json], bool]) -> Json:
        """Return the first event that is wanted, once it has arrived."""
        with trio.fail_after(DEADLINE):
            while not (found := next(filter(wanted, self.events), None)):
                await self._arrival.wait()
        return found

    async def listen(self) -> None:
        """Receive messages until the connection closes."""
        try:
            while True:
                message: Json = json.loads(await self._socket.get_message())
                if "id" in message:
                    self._replies[message["id"]] = message
                else:
                    self.events.append(message)
                self._arrival.set()
                self._arrival = trio.Event()
        except ConnectionClosed:
            return


def _session(session: str) -> Json:
    return {"sessionId": session} if session else {}


@asynccontextmanager
async def open_cdp(endpoint: str) -> AsyncGenerator[Cdp]:
    """Connect to a browser until the block ends."""
    async with (
        open_websocket_url(endpoint, max_message_size=_LONGEST_MESSAGE) as socket,
        trio.open_nursery() as nursery,
    ):
        cdp = Cdp(socket)
        nursery.start_soon(cdp.listen)
        yield cdp
        nursery.cancel_scope.cancel("done")


async def until(condition: Callable[[], Awaitable[bool]]) -> None:
    """Ask again and again until something in the browser is so, for which there is no event."""
    while not await condition():  # noqa: ASYNC110 - asks another process
        await trio.sleep(_POLL)
