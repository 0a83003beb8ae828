"""A browser in the consent mode of Chrome 144: HTTP is 404, an upgrade waits for the user.

Once the test allows the upgrades, they go on to a real browser, or to an address of the test.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

import attrs
import trio

Answer = Literal["allow", "refuse", "hang up"]
_REFUSALS = {"refuse": b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n", "hang up": b""}
_NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"


def _found(text: str) -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(text)}\r\n\r\n{text}".encode()


@attrs.define(eq=False)
class ConsentFront:
    """Counts the connections and upgrades; ``directory`` has its port file.

    ``heads`` are the requests. With ``version``, the front answers HTTP as a browser that does not
    ask its user.
    """

    directory: Path
    browser: str = ""
    connections: int = 0
    upgrades: int = 0
    heads: list[str] = attrs.field(factory=list[str])
    port: int = 0
    version: str | None = None
    _answer: Answer | None = None
    _changed: trio.Event = attrs.field(factory=trio.Event)

    def answer(self, answer: Answer | None) -> None:
        """Answer the upgrades that wait, and those that follow; None lets them wait."""
        self._answer = answer
        self._change()

    def _change(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def write_port_file(self, number: int) -> None:
        """Write the port file as the browser does when it starts for the ``number``th time."""
        self.directory.mkdir(exist_ok=True)
        lines = f"{self.port}\n/devtools/browser/{number}"
        (self.directory / "DevToolsActivePort").write_text(lines)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition on the counters is met."""
        with trio.fail_after(60):
            while not condition():
                await self._changed.wait()

    async def serve(self, stream: trio.SocketStream) -> None:
        self.connections += 1
        self._change()
        async with stream:
            head = b""
            while b"\r\n\r\n" not in head:
                received = await stream.receive_some()
                if not received:
                    return
                head += received
            self.heads.append(head.decode())
            if b" /devtools/browser" not in head.splitlines()[0]:
                await stream.send_all(_NOT_FOUND if self.version is None else _found(self.version))
                return
            self.upgrades += 1
            self._change()
            await self._hold(stream, head)

    async def _hold(self, stream: trio.SocketStream, head: bytes) -> None:
        while self._answer is None:
            await self._changed.wait()
        if self._answer != "allow":
            await stream.send_all(_REFUSALS[self._answer])
            return
        address = urlsplit(self.browser)
        lines = head.split(b"\r\n")
        lines[0] = f"GET {address.path} HTTP/1.1".encode()
        browser = await trio.open_tcp_stream(address.hostname or "", address.port or 0)
        async with browser, trio.open_nursery() as nursery:
            await browser.send_all(b"\r\n".join(lines))
            nursery.start_soon(_pump, browser, stream, nursery.cancel_scope)
            nursery.start_soon(_pump, stream, browser, nursery.cancel_scope)


async def _pump(
    source: trio.SocketStream, drain: trio.SocketStream, scope: trio.CancelScope
) -> None:
    try:
        async for data in source:
            await drain.send_all(data)
    except trio.BrokenResourceError:
        pass
    scope.cancel()


@asynccontextmanager
async def open_front(
    directory: Path, browser: str = "", *, started: int = 1, port: int = 0
) -> AsyncGenerator[ConsentFront]:
    """Run a front during the block; at the end its connections break, and its file stays."""
    front = ConsentFront(directory, browser)
    async with trio.open_nursery() as nursery:
        serve = partial(trio.serve_tcp, front.serve, port, host="127.0.0.1")
        [listener] = await nursery.start(serve)
        front.port = listener.socket.getsockname()[1]
        front.write_port_file(started)
        yield front
        nursery.cancel_scope.cancel()
