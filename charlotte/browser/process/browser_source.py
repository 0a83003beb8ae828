"""Launching a browser with its proxies, and asking a running browser for its websocket."""

import json
import ssl
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, suppress
from http import HTTPStatus
from importlib import import_module
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import getproxies

import attrs
import httpx2
import trio

from charlotte.base.errors import CharlotteError, SessionProblem
from charlotte.base.files import Roots
from charlotte.browser.process.launch import open_chromium
from charlotte.config.config import Config
from charlotte.guard.host_patterns import HostList
from charlotte.guard.socks_proxy import (
    CONTAINED,
    EGRESS_HOST,
    FOR_LOOPBACK,
    FOR_WEBRTC,
    Route,
    open_egress,
)
from charlotte.guard.upstream import Upstream, read_upstream
from charlotte.guard.url_guard import Guard
from charlotte.protocol.transport import Connect, Headers, Transport, open_pipe

_ENDPOINT_WAIT = 5.0
_LONGEST_ANSWER = 65_536
_ADVICE = (
    "Start the browser with --remote-debugging-port, or start Charlotte without a CDP endpoint."
)


async def endpoint_of(address: str, headers: Headers = ()) -> str:
    """Return the browser's websocket: ``address`` itself if it is ``ws://`` with a path.

    The websocket of any other ``ws://`` or ``http://`` address is requested there, with some HTTP
    ``headers``. Raises `SessionProblem` if no browser answers.
    """
    parts = urlsplit(address)
    if parts.scheme in {"ws", "wss"} and parts.path.strip("/"):
        return address
    scheme = "https" if parts.scheme in {"wss", "https"} else "http"
    url = f"{scheme}://{parts.netloc}{parts.path.rstrip('/')}/json/version"
    try:
        with trio.fail_after(_ENDPOINT_WAIT):
            return await _request_websocket(url, headers)
    except trio.TooSlowError:
        reason = f"no answer within {_ENDPOINT_WAIT:g} s"
    except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:
        reason = str(error) or type(error).__name__
    raise SessionProblem(f"No browser answers at {url}: {reason}.", _ADVICE)


async def _request_websocket(url: str, headers: Headers) -> str:
    """Return the websocket in the answer to a GET; proxies of the environment are not used.

    Raises ``ValueError`` with the difference if the answer is not that of a browser.
    """
    body = bytearray()
    tls = ssl.create_default_context()
    async with (
        httpx2.AsyncClient(trust_env=False, timeout=None, verify=tls) as http,
        http.stream("GET", url, headers=[*headers]) as response,
    ):
        if response.status_code != HTTPStatus.OK:
            raise ValueError(f"HTTP status {response.status_code}")
        with trio.CancelScope() as reading:  # leaving the loop would not finish httpx2's generators
            async for data in response.aiter_raw():  # decompression could multiply the size
                body += data
                if len(body) >= _LONGEST_ANSWER:
                    reading.cancel("long enough")
    with suppress(LookupError, TypeError, ValueError):
        endpoint = json.loads(body[:_LONGEST_ANSWER])["webSocketDebuggerUrl"]
        if isinstance(endpoint, str) and endpoint.startswith(("ws://", "wss://")):
            return endpoint
    raise ValueError("the answer is not a browser's")


def guard_of(config: Config, roots: tuple[Path, ...]) -> Guard:
    """Build the URL guard of the configuration.

    Private hosts are allowed only if the server is reachable from this machine alone.
    """
    only = HostList.read(config.only_host) if config.only_host else None
    return Guard(
        blocked=config.block_host,
        allowed=config.allow_host,
        public_only=config.serves_other_machines,
        files=Roots(roots) if config.allow_file else None,
        # a contained browser uses only a proxy that is configured
        by_proxy=config.proxy_server is not None or (only is None and bool(getproxies())),
        attached=config.is_foreign,
        only=only,
    )


def upstream_of(config: Config) -> Upstream | None:
    """Return the proxy behind the egress proxy, if one is configured."""
    address = config.proxy_server
    return read_upstream(address, config.credentials()) if address is not None else None


def own_browser(config: Config) -> Connect:
    """Return a function that launches a browser with the configured settings."""
    guard = guard_of(config, ())

    @asynccontextmanager
    async def launched() -> AsyncGenerator[Transport]:
        async with AsyncExitStack() as stack:
            stack.enter_context(_bare_problem())
            proxy: str | None
            if guard.only is not None:  # contexts of sessions have routes of their own
                route = Route(guard, upstream_of(config))
                port = await stack.enter_async_context(open_egress(route))
                proxy, arguments = f"socks5://{EGRESS_HOST}:{port}", [*CONTAINED]
            else:
                proxy, arguments = await _usual_switches(stack, config, guard)
            arguments += config.chromium_arg
            asked = attrs.evolve(config, proxy_server=proxy, chromium_arg=tuple(arguments))
            chromium = await stack.enter_async_context(open_chromium(asked))
            yield await stack.enter_async_context(open_pipe(chromium.stream))

    return launched


async def _usual_switches(
    stack: AsyncExitStack, config: Config, guard: Guard
) -> tuple[str | None, list[str]]:
    """Open proxies and relays on the stack; return the browser's proxy and further switches."""
    proxy = config.proxy_server
    arguments = [f"--host-resolver-rules={guard.resolver_rules()}"]
    if (guard.public_only and proxy is None) or not guard.by_proxy:
        port = await stack.enter_async_context(open_egress(Route(guard)))
        proxy = f"socks5://127.0.0.1:{port}"
        if guard.public_only:
            arguments += FOR_LOOPBACK, FOR_WEBRTC
        elif guard.blocks_addresses or config.ignore_https_errors:
            arguments.append(FOR_LOOPBACK)
        else:
            proxy = f"http={proxy}"
    if config.client_certificate:  # imported on demand, because few users need relays
        relays = import_module("charlotte.browser.client_cert_relay").open_relays(
            config.certificates(), guard, verify=not config.ignore_https_errors
        )
        arguments += await stack.enter_async_context(relays)
    return proxy, arguments


@contextmanager
def _bare_problem() -> Generator[None]:
    """Raise the only exception of nested groups by itself: nurseries wrap it in groups."""
    try:
        yield
    except BaseExceptionGroup as group:
        problem: BaseException = group
        inside: Sequence[BaseException] = group.exceptions
        while len(inside) == 1:
            problem = inside[0]
            inside = getattr(problem, "exceptions", ())
        if isinstance(problem, CharlotteError):
            raise problem from None  # noqa: ASYNC123 - the group says nothing more
        raise


class PrelaunchedBrowser:
    """A browser that starts while the rest of the server is still being imported."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._send, self._receive = trio.open_memory_channel[Transport | CharlotteError](1)
        self._left, self._gone = trio.Event(), trio.Event()
        self._taken = False

    async def run(self) -> None:
        """Run the browser until it is closed; `open` raises the error if it cannot start."""
        try:
            async with AsyncExitStack() as stack:
                try:
                    await self._send.send(await stack.enter_async_context(self._connect()))
                except CharlotteError as error:
                    await self._send.send(error)
                await self._left.wait()
        finally:
            self._gone.set()

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Transport]:
        """Provide the started browser to the first caller; later callers start their own."""
        if self._taken:
            async with self._connect() as transport:
                yield transport
            return
        self._taken = True
        try:
            begun = await self._receive.receive()
            if isinstance(begun, CharlotteError):
                raise begun
            yield begun
        finally:
            self._left.set()
            with trio.CancelScope(shield=True):  # ending a browser takes a bounded time
                await self._gone.wait()
