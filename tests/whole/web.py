"""The test site in its own thread, with pages that the tests write."""

import itertools
import queue
import threading
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager

import attrs
import trio
from starlette.responses import HTMLResponse, Response

from tests.site.routes import Handler, Request
from tests.site.server import Site, open_site

WRITTEN = "/written/"
HELD = "/held/"
PATIENCE = 60.0


@attrs.define(eq=False, repr=False)
class Web:
    token: trio.lowlevel.TrioToken = attrs.field(factory=trio.lowlevel.current_trio_token)
    site: Site = attrs.field(init=False)
    end: trio.Event = attrs.field(factory=trio.Event)
    pages: dict[str, Response] = attrs.field(factory=dict[str, Response])
    handlers: dict[str, Handler] = attrs.field(factory=dict[str, Handler])
    gates: dict[str, trio.Event] = attrs.field(factory=dict[str, trio.Event])
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))

    def url(self, path: str, *, host: str = "127.0.0.1") -> str:
        return self.site.url(path, host=host)

    def write(
        self,
        markup: str,
        *,
        title: str = "Written",
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> str:
        """Publish a page with that body; return its path."""
        text = f'<!DOCTYPE html><html lang="en"><title>{title}</title><body>{markup}</body></html>'
        return self.publish(HTMLResponse(text.encode(), status_code=status, headers=headers or {}))

    def publish(self, response: Response) -> str:
        """Publish a response; return its path."""
        path = f"{WRITTEN}{next(self._numbers)}"
        self.pages[path] = response
        return path

    def handle(self, handler: Handler) -> str:
        """Answer requests with a function; return their path."""
        path = f"{WRITTEN}{next(self._numbers)}"
        self.handlers[path] = handler
        return path

    def hold(self, response: Response) -> str:
        """Publish a response that is sent only after `release`; return its path."""
        path = f"{HELD}{next(self._numbers)}"
        self.pages[path], self.gates[path] = response, trio.Event()
        return path

    def release(self, path: str) -> None:
        """Send the answers of a held path."""
        trio.from_thread.run_sync(self.gates[path].set, trio_token=self.token)

    def wait_for_request(self, path: str) -> Request:
        """Wait for a request for a path; return the newest."""

        async def requested() -> Request:
            with trio.fail_after(PATIENCE):
                return await self.site.requested(path)

        return trio.from_thread.run(requested, trio_token=self.token)

    def asked(self, path: str) -> list[Request]:
        everything = trio.from_thread.run_sync(list, self.site.requests, trio_token=self.token)
        return [request for request in everything if request.path == path]

    async def answer(self, request: Request) -> Response:
        """Answer requests for written pages; ``?ms=100`` delays the answer."""
        await trio.sleep(float(request.query.get("ms", "0")) / 1000)
        if (gate := self.gates.get(request.path)) is not None:
            await gate.wait()
        if (handler := self.handlers.get(request.path)) is not None:
            return await handler(request)
        return self.pages.get(request.path, HTMLResponse(b"Not written.", status_code=404))

    async def serve(self, ready: queue.Queue["Web"]) -> None:
        routes = {f"{WRITTEN}*": self.answer, f"{HELD}*": self.answer}
        async with open_site(routes=routes) as self.site:
            ready.put(self)
            await self.end.wait()


@contextmanager
def open_web() -> Generator[Web]:
    """Serve the test site until the block ends."""
    ready: queue.Queue[Web] = queue.Queue()

    async def serve() -> None:
        await Web().serve(ready)

    thread = threading.Thread(target=trio.run, args=(serve,), daemon=True)
    thread.start()
    web = ready.get(timeout=120)
    try:
        yield web
    finally:
        trio.from_thread.run_sync(web.end.set, trio_token=web.token)
        thread.join(PATIENCE)
