"""A shop with a database: every route by which its checkout can reach the server."""

import itertools
import json
import sqlite3
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, closing
from typing import Any
from urllib.parse import parse_qsl

import attrs
import trio
from starlette.responses import HTMLResponse, Response
from trio_websocket import ConnectionClosed, WebSocketRequest, serve_websocket

from tests.site.routes import Handler, Request
from tests.site.server import Site, open_site

FIELDS = {"total": "49.90", "name": "Ada", "street": "Harbour 1"}
KINDS = ("form", "fetch", "beacon", "popup", "worker", "shared", "service", "frame", "socket")
"""The ways in which the checkout sends an order; each is a button."""

_COMMON = """
const data = () => Object.fromEntries(new FormData(document.querySelector('#order')))
const json = () => JSON.stringify(data())
const post = (url) => fetch(url, {method: 'POST', body: json(), keepalive: true,
  headers: {'content-type': 'application/json'}}).then(() => 'sent', () => 'failed')
const say = (text) => { document.querySelector('#said').textContent = text }
const on = {
  form: () => document.querySelector('#order').submit(),
  fetch: async () => say(await post('/orders')),
  beacon: () => say(navigator.sendBeacon('/orders', json())),
  popup: () => { const f = document.querySelector('#order'); f.target = '_blank'; f.rel = 'noopener'
    f.submit(); f.target = '' },
}
document.addEventListener('click', (event) => on[event.target.id]?.())
"""
_PLAIN = "say('ready')"
_SCRIPT = """
const worker = new Worker('/worker.js'), shared = new SharedWorker('/shared.js').port
const socket = new WebSocket('SOCKET')
shared.start()
navigator.serviceWorker.register('/service.js')
Promise.all([
  new Promise((done) => { worker.onmessage = done }),
  new Promise((done) => { shared.onmessage = done }),
  new Promise((done) => { socket.onopen = done }),
  navigator.serviceWorker.ready,
]).then(() => say('ready'))
Object.assign(on, {
  worker: () => worker.postMessage(json()),
  shared: () => shared.postMessage(json()),
  service: async () => (await navigator.serviceWorker.ready).active.postMessage(json()),
  frame: () => document.querySelector('iframe').contentWindow.postMessage(json(), '*'),
  socket: () => socket.send(json()),
})
"""
_POST = "fetch('/orders', {method: 'POST', body: e.data}).catch(() => 0)"
_SCRIPTS = {
    "/worker.js": f"onmessage = (e) => {_POST}; postMessage(1)",
    "/shared.js": (
        f"onconnect = ({{ports: [p]}}) => {{ p.onmessage = (e) => {_POST}; p.postMessage(1) }}"
    ),
    "/sender.js": "const s = new WebSocket(name); s.onopen = () => s.send('order')",
    "/service.js": (
        "oninstall = () => skipWaiting(); onactivate = (e) => e.waitUntil(clients.claim());"
        f"onmessage = (e) => {_POST}"
    ),
}


@attrs.define(eq=False)
class Shop:
    """The shop: its ``database``, and the messages that reached its WebSocket."""

    database: sqlite3.Connection
    site: Site = attrs.field(init=False)
    messages: list[str] = attrs.field(factory=list[str])
    heard: trio.Event = attrs.field(factory=trio.Event)
    socket: str = ""
    delay: str = ""
    _tokens: Iterator[int] = attrs.field(factory=itertools.count)

    def url(self, path: str = "/checkout") -> str:
        return self.site.url(path)

    def orders(self) -> list[dict[str, str]]:
        return [json.loads(row) for (row,) in self.database.execute("SELECT data FROM orders")]

    async def checkout(self, request: Request) -> Response:
        """Return the form with a new token, as a shop does against forgery.

        ``?plain`` is without workers, frames and sockets.
        """
        inputs = "".join(f'<input name="{name}" value="{value}">' for name, value in FIELDS.items())
        buttons = "".join(f'<button id="{kind}" type="button">{kind}</button>' for kind in KINDS)
        frame = f'<iframe src="{self.site.url("/frame", host="frame.localhost")}"></iframe>'
        script = _SCRIPT.replace("SOCKET", self.socket)
        if "plain" in request.query:
            frame, script = "", _PLAIN
        return HTMLResponse(
            f"""<!DOCTYPE html><title>Checkout</title><p id=said>loading</p>
            <form id=order action=/orders method=post>{inputs}
            <input type=hidden name=csrf value="token-{next(self._tokens)}">
            <button>Pay</button></form>
            {buttons}{frame}<script>{_COMMON}{script}{self.delay}</script>"""
        )

    async def frame(self, _: Request) -> Response:
        """Return a frame of another site that sends orders."""
        target = self.site.url("/orders")
        return HTMLResponse(
            f"<script>onmessage = (e) => navigator.sendBeacon('{target}', e.data)</script>"
        )

    async def order(self, request: Request) -> Response:
        text = request.body.decode()
        is_json = text.startswith("{")
        data = json.loads(text) if is_json else dict(parse_qsl(text, keep_blank_values=True))
        self.database.execute("INSERT INTO orders VALUES (?)", [json.dumps(data)])
        return HTMLResponse("<title>Thanks</title><h1>Thank you</h1>")

    async def listen(self, request: WebSocketRequest) -> None:
        socket = await request.accept()
        try:
            while True:
                self.messages.append(str(await socket.get_message()))
                self.heard.set()
        except ConnectionClosed:
            pass


@asynccontextmanager
async def open_shop(*, delay: str = "") -> AsyncGenerator[Shop]:
    """Serve the shop; ``delay`` is a script that its checkout also runs."""
    async with trio.open_nursery() as nursery:
        with closing(sqlite3.connect(":memory:")) as database:
            database.execute("CREATE TABLE orders (data TEXT)")
            shop = Shop(database, delay=delay)
            server = await nursery.start(serve_websocket, shop.listen, "127.0.0.1", 0, None)
            shop.socket = f"ws://127.0.0.1:{server.port}/"
            routes: dict[str, Handler] = {
                "/checkout": shop.checkout,
                "/orders": shop.order,
                "/frame": shop.frame,
            }
            for path, text in _SCRIPTS.items():
                routes[path] = _script(text)
            async with open_site(routes=routes) as shop.site:
                yield shop
        nursery.cancel_scope.cancel()


def _script(text: str) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    async def answer(_: Request) -> Response:
        return Response(text, media_type="text/javascript")

    return answer
