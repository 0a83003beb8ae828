"""Eight workers on trio crawl a site and fill in a form, concurrently; one tab crashes on purpose.

Run it with ``python -m examples.workers``.
"""

from contextlib import AsyncExitStack
from functools import partial
from itertools import cycle

import trio

from charlotte import Charlotte, Config, Crashed, Event, EventStream, Restored, Tab, open_charlotte
from examples.jobs import MOST_PAGES, VICTIM, WORKERS, sign_up, twice_at_most, visit
from tests.site.server import open_site


async def crawl(tabs: list[Tab], site: str) -> dict[str, str]:
    """Load pages that can be reached, as many at once as there are tabs; return their titles.

    Calls on one tab wait for each other, those on different tabs do not.
    """
    titles: dict[str, str] = {}
    wave = [f"{site}/list.html"]

    async def load(tab: Tab, url: str) -> None:
        titles[url], links = await visit(tab, url, site)
        found.update(links)

    while wave:
        found = set[str]()
        async with trio.open_nursery() as nursery:
            for tab, url in zip(cycle(tabs), wave, strict=False):
                nursery.start_soon(load, tab, url)
        wave = sorted(found - titles.keys())[: MOST_PAGES - len(titles)]
    return titles


async def fill_forms(tabs: list[Tab], site: str) -> list[str]:
    """Let every worker fill in the form; return the answers of the pages."""
    answers = [""] * len(tabs)

    async def work(number: int, tab: Tab) -> None:
        job = partial(sign_up, tab, site, f"Reader {number}")
        answers[number] = await twice_at_most(partial(job, crashes=number == VICTIM), job)

    async with trio.open_nursery() as nursery:
        for number, tab in enumerate(tabs):
            nursery.start_soon(work, number, tab)
    return answers


async def watch(events: EventStream[Event]) -> None:
    """Print crashes as they happen."""
    async for event in events:
        if isinstance(event, Crashed | Restored):
            print(f"{event.time}  {event.tab_id}: {type(event).__name__}")


async def open_tabs(charlotte: Charlotte, stack: AsyncExitStack) -> list[Tab]:
    """Open a tab for each worker in its own session, so that cookies stay separate."""
    sessions = [await stack.enter_async_context(charlotte.open_session()) for _ in range(WORKERS)]
    tabs: dict[int, Tab] = {}

    async def open_one(number: int) -> None:
        tabs[number] = await sessions[number].open_tab()

    async with trio.open_nursery() as nursery:
        for number in range(WORKERS):
            nursery.start_soon(open_one, number)
    return [tabs[number] for number in range(WORKERS)]


async def main() -> None:
    """Crawl, then fill in forms."""
    async with open_site() as served, open_charlotte(Config(log_level="error")) as charlotte:
        site = served.url("")
        async with AsyncExitStack() as stack, trio.open_nursery() as nursery:
            nursery.start_soon(watch, charlotte.events())
            tabs = await open_tabs(charlotte, stack)
            titles = await crawl(tabs, site)
            print(f"{len(titles)} pages:", *sorted(titles.values()), sep="\n  ")
            print(*await fill_forms(tabs, site), sep="\n")
            nursery.cancel_scope.cancel("done")


if __name__ == "__main__":
    trio.run(main)
