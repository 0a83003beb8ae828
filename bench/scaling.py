"""Pages per second by number of agents, compared with peers on the same work.

Agents share one session with a tab each, or have a session each. Each agent loads one page after
another, which takes the site 100 ms, and checks the title in the answer. Agents of a peer without
tab parameters take turns; a peer without sessions gets one process for each agent.
"""

import itertools
import socket
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import attrs
import httpx2
import trio

from bench import peers
from bench.agents import PROGRAM, HttpCaller, WrongAnswer, open_http_server
from bench.plot import plot
from bench.report import save
from tests.site.server import Site, open_site
from tests.stdio_client import Client, Message, RequestFailed, open_client

COUNTS: Final = (1, 2, 4, 8, 16, 32)
_MOST_PROCESSES: Final = 8
_PAGE_MS: Final = 100
_SECONDS: Final = 4.0
_PATIENCE: Final = 75.0
_CLOSE_WAIT: Final = 5.0
_RESULTS: Final = Path(__file__).with_name("results")
_HEADERS: Final = {"accept": "application/json, text/event-stream"}

Load = Callable[[str], Awaitable[Message]]
"""A function that loads a URL; the result contains the page's title."""

Enlist = Callable[[], Awaitable[Load]]
"""A function that creates another agent."""

Commands = Mapping[str, Sequence[str]]


@attrs.frozen
class Side:
    """A measured server, with at most ``most`` agents."""

    name: str
    opened: Callable[[Commands], AbstractAsyncContextManager[Enlist]]
    most: int = COUNTS[-1]


@asynccontextmanager
async def _our_tabs(_: Commands) -> AsyncGenerator[Enlist]:
    async with open_client(PROGRAM, stderr=subprocess.DEVNULL) as client:
        await client.initialize()

        async def enlist() -> Load:
            opened = await client.call("tab_open", detail="minimal")
            tab_id = opened["_meta"]["charlotte/metadata"]["tab_id"]
            return lambda url: client.call("navigate", tab_id=tab_id, url=url)

        yield enlist


@asynccontextmanager
async def _our_sessions(_: Commands) -> AsyncGenerator[Enlist]:
    async with open_http_server() as (url, _process), _callers(url) as connected:

        async def enlist() -> Load:
            caller = await connected()
            return lambda url: caller.call("navigate", url=url)

        yield enlist


@asynccontextmanager
async def _pages_of_devtools(commands: Commands) -> AsyncGenerator[Enlist]:
    command = commands[peers.CHROME_DEVTOOLS]
    async with open_client(command, stderr=subprocess.DEVNULL) as client:
        await client.initialize()
        numbers = itertools.count(2)  # page 1 exists from the start

        async def enlist() -> Load:
            await client.call("new_page", url="about:blank")
            return _page_of_devtools(client, next(numbers))

        yield enlist


def _page_of_devtools(client: Client, number: int) -> Load:
    return lambda url: client.call("navigate_page", pageId=number, type="url", url=url)


@asynccontextmanager
async def _processes_of_devtools(commands: Commands) -> AsyncGenerator[Enlist]:
    command = commands[peers.CHROME_DEVTOOLS]
    async with AsyncExitStack() as stack:

        async def enlist() -> Load:
            opening = open_client(command, stderr=subprocess.DEVNULL)
            client = await stack.enter_async_context(opening)
            await client.initialize()
            return _page_of_devtools(client, 1)

        yield enlist


@asynccontextmanager
async def _tabs_of_playwright(commands: Commands) -> AsyncGenerator[Enlist]:
    """Yield agents that select their tab before each navigation, because it has a current tab."""
    async with open_client(commands[peers.PLAYWRIGHT], stderr=subprocess.DEVNULL) as client:
        await client.initialize()
        turn, numbers = trio.Lock(), itertools.count()

        async def load(number: int, url: str) -> Message:
            async with turn:
                await client.call("browser_tabs", action="select", index=number)
                return await client.call("browser_navigate", url=url)

        async def enlist() -> Load:
            await client.call("browser_tabs", action="new")
            number = next(numbers)
            return lambda url: load(number, url)

        yield enlist


@asynccontextmanager
async def _sessions_of_playwright(commands: Commands) -> AsyncGenerator[Enlist]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [*commands[peers.PLAYWRIGHT], "--host", "127.0.0.1", "--port", str(port)]
    command += ["--allowed-hosts", "*"]
    process = await trio.lowlevel.open_process(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        await _listening(port)
        async with _callers(f"http://127.0.0.1:{port}/mcp") as connected:

            async def enlist() -> Load:
                caller = await connected()
                return lambda url: caller.call("browser_navigate", url=url)

            yield enlist
    finally:
        with trio.move_on_after(_CLOSE_WAIT, shield=True):
            process.terminate()
            await process.wait()
        process.kill()


async def _listening(port: int) -> None:
    with trio.fail_after(_PATIENCE):
        while True:
            try:
                await (await trio.open_tcp_stream("127.0.0.1", port)).aclose()
            except OSError:
                await trio.sleep(0.1)
            else:
                return


@asynccontextmanager
async def _callers(url: str) -> AsyncGenerator[Callable[[], Awaitable[HttpCaller]]]:
    async with AsyncExitStack() as stack:

        async def connected() -> HttpCaller:
            http = httpx2.AsyncClient(headers=_HEADERS, timeout=_PATIENCE)
            caller = HttpCaller(url, await stack.enter_async_context(http))
            await caller.connect()
            return caller

        yield connected


_TABS: Final = (
    Side("Charlotte", _our_tabs),
    Side("Playwright MCP", _tabs_of_playwright),
    Side("chrome-devtools-mcp", _pages_of_devtools),
)
_SESSIONS: Final = (
    Side("Charlotte", _our_sessions),
    Side("Playwright MCP", _sessions_of_playwright),
    Side("chrome-devtools-mcp (processes)", _processes_of_devtools, _MOST_PROCESSES),
)
_KINDS: Final = {"tabs of one session": _TABS, "sessions": _SESSIONS}


@attrs.define
class _Run:
    """Agents that load pages until their time is over."""

    site: Site
    until: float
    loaded: int = 0
    errors: list[str] = attrs.field(factory=list[str])
    _numbers: "itertools.count[int]" = attrs.field(factory=itertools.count)

    async def work(self, load: Load) -> None:
        """Load pages as one agent. Raises `WrongAnswer` for an answer about another page."""
        while trio.current_time() < self.until:
            title = f"page number {next(self._numbers)} of it"
            path = f"/slow?ms={_PAGE_MS}&name={title.replace(' ', '+')}"
            answer = await load(self.site.url(path))
            content = str(answer["content"])
            if answer.get("isError"):
                self.errors.append(content)
            elif title not in content:
                raise WrongAnswer(f"{title!r} is not in {content[:300]}")
            else:
                self.loaded += 1


async def _rate(site: Site, loads: Sequence[Load]) -> float:
    """Return the pages per second of all agents together."""
    begun = trio.current_time()
    run = _Run(site, begun + _SECONDS)
    async with trio.open_nursery() as nursery:
        for load in loads:
            nursery.start_soon(run.work, load)
    if run.errors:
        print(f"{len(run.errors)} errors, such as {run.errors[0][:200]}")
    return run.loaded / (trio.current_time() - begun)


async def _rates(side: Side, site: Site, commands: Commands) -> dict[int, float]:
    """Return the rates by number of agents, as far as the time allows."""
    rates: dict[int, float] = {}
    try:
        with trio.fail_after(_PATIENCE):
            async with side.opened(commands) as enlist:
                loads: list[Load] = []
                for count in (count for count in COUNTS if count <= side.most):
                    loads += [await enlist() for _ in range(count - len(loads))]
                    rates[count] = await _rate(site, loads)
                    print(f"{side.name:<34}{count:>4} {rates[count]:>8.1f}", flush=True)
    except* (WrongAnswer, RequestFailed, httpx2.HTTPError, trio.TooSlowError) as failed:
        print(f"{side.name}: no more than {max(rates, default=0)}: {failed.exceptions[0]!r:.200}")
    return rates


async def measure() -> None:
    """Measure all sides one after the other; write ``scaling.json`` and a plot of each kind."""
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as scratch:
        async with open_site() as site:
            commands = await _commands(Path(scratch))
            for kind, sides in _KINDS.items():
                print(f"pages of {_PAGE_MS} ms loaded per second, by number of {kind}")
                present = [one for one in sides if commands or one.name == "Charlotte"]
                rates = {one.name: await _rates(one, site, commands) for one in present}
                rows.append({"by": kind, "pages_per_second": rates})
                _draw(kind, rates)
    save(_RESULTS / "scaling.json", rows, runs=1, peers=peers.VERSIONS)


async def _commands(scratch: Path) -> Commands:
    try:
        return await peers.commands(scratch)
    except peers.NoPeers as reason:
        print(f"Without peers: {reason}.")
        return {}


def _draw(kind: str, rates: Mapping[str, Mapping[int, float]]) -> None:
    lines = {name: list(found.items()) for name, found in rates.items()}
    image = plot(f"Throughput by number of {kind}", kind, "pages per second", lines)
    _RESULTS.mkdir(exist_ok=True)
    name = f"scaling-{kind.split(maxsplit=1)[0]}.svg"
    (_RESULTS / name).write_text(image, encoding="utf-8")
