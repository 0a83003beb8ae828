"""All rows of the table, with their bounds."""

import itertools
import json
import sys
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from functools import partial
from subprocess import PIPE
from typing import Final, cast

import attrs
import trio

from bench.floor import Floor, FloorTab, open_floor
from bench.ours import Server, open_server
from bench.row import Bound, Pair, Row, Sample, ms_since, timed
from tests.site.server import Site

_CHANGE: Final = "document.querySelector('h1').textContent = 'Round %d'"
COUNTER: Final = "/counter.html"
SLOW_TABS: Final = 8


@attrs.frozen
class Warm:
    """A running floor and a running server, each with one tab on the same page."""

    floor: Floor
    tab: FloorTab
    server: Server


@asynccontextmanager
async def _warm(url: str) -> AsyncGenerator[Warm]:
    async with open_floor() as floor, open_server() as server:
        tab = await floor.tab()
        await tab.navigate(url)
        await tab.enter()
        await server.initialize()
        await server.call("navigate", url=url, detail="minimal")
        yield Warm(floor, tab, server)


@asynccontextmanager
async def _tabs(site: Site) -> AsyncGenerator[Pair]:
    async with _warm(site.url(COUNTER)) as warm:
        yield Pair(
            floor=partial(timed, warm.floor.tabs),
            ours=partial(timed, partial(warm.server.call, "tabs")),
        )


@asynccontextmanager
async def _observe(site: Site, *, path: str) -> AsyncGenerator[Pair]:
    """Observe a page that has changed since the last look."""
    rounds = itertools.count(1)

    async def floor() -> Sample:
        await warm.tab.run(_CHANGE % next(rounds))
        return await timed(warm.tab.observe)

    async def ours() -> Sample:
        await warm.server.call("evaluate", expression=_CHANGE % next(rounds))
        return await timed(partial(warm.server.call, "observe"))

    async with _warm(site.url(path)) as warm:
        yield Pair(floor, ours)


@asynccontextmanager
async def _trees(site: Site) -> AsyncGenerator[tuple[Warm, Callable[..., Awaitable[Sample]]]]:
    """Yield a function that reads a tree of 35,000 nodes, after a change or from the cache."""
    rounds = itertools.count(1)

    async def read(*, changed: bool, **options: str) -> Sample:
        if changed:
            await warm.server.call("evaluate", expression=_CHANGE % next(rounds))
        return await timed(partial(warm.server.call, "observe", mode="tree", **options))

    async with _warm(site.url(_PAGES["table"])) as warm:
        await read(changed=False)
        yield warm, read


@asynccontextmanager
async def _tree(site: Site, *, changed: bool) -> AsyncGenerator[Pair]:
    async with _trees(site) as (warm, read):
        yield Pair(partial(timed, warm.tab.observe), partial(read, changed=changed))


@asynccontextmanager
async def _tree_grep(site: Site) -> AsyncGenerator[Pair]:
    """Compare with our own full tree as the floor."""
    async with _trees(site) as (_, read):
        yield Pair(partial(read, changed=True), partial(read, changed=True, grep="Order Book 7"))


@asynccontextmanager
async def _click(site: Site, *, path: str, text: str, css: str) -> AsyncGenerator[Pair]:
    """Click the element with a text; the floor finds the same element by CSS."""
    async with _warm(site.url(path)) as warm:
        found = json.loads(await warm.server.call("find", text=text))
        click = partial(warm.server.call, "click", element_id=found[0]["id"])
        yield Pair(floor=partial(timed, partial(warm.tab.click, css)), ours=partial(timed, click))


def _slow_urls(site: Site) -> list[str]:
    """Return a URL per tab, each on its own host: Chromium opens six connections per host."""
    path = "/slow?ms=1000&name=Slow"
    return [site.url(f"{path}{n}", host=f"slow{n}.localhost") for n in range(SLOW_TABS)]


@asynccontextmanager
async def _slow_tabs(site: Site) -> AsyncGenerator[Pair]:
    urls = _slow_urls(site)
    async with _warm(site.url(COUNTER)) as warm:
        yield Pair(
            floor=partial(_floor_opens, warm.floor, urls),
            ours=partial(_server_opens, warm.server, urls),
        )


async def _floor_opens(floor: Floor, urls: list[str]) -> Sample:
    tabs: list[FloorTab] = []

    async def show(url: str) -> str:
        tab = await floor.tab()
        tabs.append(tab)
        await tab.navigate(url)
        await tab.enter()
        return await tab.observe()

    sample = await timed(partial(_all, [partial(show, url) for url in urls]))
    for tab in tabs:
        await tab.close()
    return sample


async def _server_opens(server: Server, urls: list[str]) -> Sample:
    before = {tab["id"] for tab in json.loads(await server.call("tabs"))}
    opening = [partial(server.call, "tab_open", url=url) for url in urls]
    sample = await timed(partial(_all, opening))
    for tab in json.loads(await server.call("tabs")):
        if tab["id"] not in before:
            await server.call("tab_close", tab_id=tab["id"])
    return sample


async def _all(works: Iterable[Callable[[], Awaitable[str]]]) -> str:
    """Run all at once; return the concatenated answers."""
    texts: list[str] = []

    async def keep(work: Callable[[], Awaitable[str]]) -> None:
        texts.append(await work())

    async with trio.open_nursery() as nursery:
        for work in works:
            nursery.start_soon(keep, work)
    return "".join(texts)


@asynccontextmanager
async def _spawn(site: Site) -> AsyncGenerator[Pair]:
    del site
    yield Pair(floor=_import_sdk, ours=_initialize)


async def _import_sdk() -> Sample:
    command = [sys.executable, "-c", "import mcp.server.lowlevel; print('imported', flush=True)"]
    started = time.perf_counter()
    process = await trio.lowlevel.open_process(command, stdout=PIPE)
    async with cast("trio.abc.ReceiveStream", process.stdout) as stdout:
        output = await stdout.receive_some()
        sample = Sample(ms_since(started), len(output))
        await process.wait()
    return sample


async def _initialize() -> Sample:
    started = time.perf_counter()
    async with open_server() as server:
        greeting = await server.initialize()
        return Sample(ms_since(started), len(greeting))


@asynccontextmanager
async def _first_navigate(site: Site) -> AsyncGenerator[Pair]:
    url = site.url(COUNTER)
    yield Pair(floor=partial(_start_and_load, url), ours=partial(_navigate_at_once, url))


async def _start_and_load(url: str) -> Sample:
    started = time.perf_counter()
    async with open_floor() as floor:
        tab = await floor.tab()
        await tab.navigate(url)
        return Sample(ms_since(started), 0)


async def _navigate_at_once(url: str) -> Sample:
    async with open_server() as server:
        await server.initialize()
        return await timed(partial(server.call, "navigate", url=url))


_PAGES: Final = {
    "counter": COUNTER,
    "links": "/links.html",
    "library": "/library.html",
    "table": "/table.html?rows=2500",
}
_OBSERVE: Final = Bound(ratio=1.5, plus=5.0)
_OBSERVE_SOME: Final = {
    "links": Bound(ms=15.0, ratio=1.5, plus=5.0),
    "table": Bound(ms=50.0, ratio=1.5),
}

ROWS: Final = (
    Row("tabs", Bound(ms=1.5), _tabs, calls=50),
    *(
        Row(
            f"observe {name}",
            _OBSERVE_SOME.get(name, _OBSERVE),
            partial(_observe, path=path),
            calls=3,
        )
        for name, path in _PAGES.items()
    ),
    Row("tree table", Bound(ms=400.0), partial(_tree, changed=True), calls=3),
    Row("tree again", Bound(ms=5.0), partial(_tree, changed=False), calls=3),
    Row("tree grep", Bound(ratio=1.1), _tree_grep, calls=3),
    Row(
        "click",
        Bound(ms=80.0, ratio=1.5),
        partial(_click, path=COUNTER, text="Clicked", css="#count"),
        calls=3,
    ),
    Row(
        "click table",
        Bound(ms=120.0, ratio=1.5),
        partial(_click, path=_PAGES["table"], text="Pick Book 777", css="[name=pick-777]"),
        calls=3,
    ),
    Row("8 slow tabs", Bound(ms=1500.0), _slow_tabs),
    Row("initialize", Bound(ms=1000.0, ratio=1.3), _spawn),
    Row("first navigate", Bound(ms=1200.0, ratio=1.5), _first_navigate),
)
