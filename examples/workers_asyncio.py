"""The workers of ``examples.workers``, orchestrated from asyncio.

Run it with ``python -m examples.workers_asyncio``.
"""

import asyncio
from collections.abc import Coroutine, Iterable
from contextlib import AsyncExitStack
from functools import partial
from itertools import cycle
from typing import Any, TypeVar

from charlotte import Config, Crashed, Event, Restored, Tab
from charlotte.aio import AsyncioEventStream, open_bridge, open_charlotte
from examples.jobs import MOST_PAGES, VICTIM, WORKERS, sign_up, twice_at_most, visit
from tests.site.server import open_site

T = TypeVar("T")


async def together(jobs: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Run all jobs concurrently; if one fails, cancel the others, in the browser too."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(job) for job in jobs]
    return [task.result() for task in tasks]


async def crawl(tabs: list[Tab], site: str) -> dict[str, str]:
    """Load pages that can be reached, as many at once as there are tabs; return their titles.

    Calls on one tab wait for each other, those on different tabs do not.
    """
    titles: dict[str, str] = {}
    wave = [f"{site}/list.html"]
    while wave:
        pages = await together(
            visit(tab, url, site) for tab, url in zip(cycle(tabs), wave, strict=False)
        )
        titles |= {url: title for url, (title, _) in zip(wave, pages, strict=True)}
        found = set[str]().union(*(links for _, links in pages))
        wave = sorted(found - titles.keys())[: MOST_PAGES - len(titles)]
    return titles


async def fill_form(number: int, tab: Tab, site: str) -> str:
    """Fill in the form as one worker; return the answer of the page."""
    job = partial(sign_up, tab, site, f"Reader {number}")
    return await twice_at_most(partial(job, crashes=number == VICTIM), job)


async def watch(events: AsyncioEventStream[Event]) -> None:
    """Print crashes as they happen."""
    async for event in events:
        if isinstance(event, Crashed | Restored):
            print(f"{event.time}  {event.tab_id}: {type(event).__name__}")


async def run(site: str) -> None:
    """Crawl, then fill in forms, with a separate session for each worker."""
    async with open_charlotte(Config(log_level="error")) as charlotte, AsyncExitStack() as stack:
        watching = asyncio.create_task(watch(charlotte.events()))
        sessions = [
            await stack.enter_async_context(charlotte.open_session()) for _ in range(WORKERS)
        ]
        tabs = await together(session.open_tab() for session in sessions)
        titles = await crawl(tabs, site)
        print(f"{len(titles)} pages:", *sorted(titles.values()), sep="\n  ")
        forms = (fill_form(number, tab, site) for number, tab in enumerate(tabs))
        print(*await together(forms), sep="\n")
        watching.cancel()


async def main() -> None:
    """Serve the test site, a trio program, and run on it."""
    async with open_bridge() as bridge, bridge.entered(open_site) as served:
        await run(served.url(""))


if __name__ == "__main__":
    asyncio.run(main())
