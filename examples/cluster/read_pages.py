"""Sixteen sessions read pages at the same time, on the browsers of a Ray cluster.

Run it with ``python -m examples.cluster.read_pages [URL …]``. It connects to the cluster that
``RAY_ADDRESS`` names, else it starts one on this machine. Without URLs, it reads a page of its own
in each session. Each session has its own cookies; sessions share nothing but the machines.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, cast

import ray

from charlotte import CharlotteError, Config
from charlotte.aio import AsyncioCharlotte, AsyncioSession, open_charlotte

SESSIONS = 16
BROWSERS = 2
_PAGE = "data:text/html,<title>Page {0}</title><p>Read by session {0} of the cluster.</p>"


async def read(session: AsyncioSession, url: str) -> str:
    """Return the title of a page and the length of its text, or the reason why it failed."""
    try:
        page = await session.navigate(url)
        text = await session.evaluate("document.body.innerText.length")
    except CharlotteError as error:
        return f"{url}: {error.code}: {error.message}"
    return f"{page.title}: {text.value} characters"


async def read_all(charlotte: AsyncioCharlotte, urls: Sequence[str]) -> None:
    """Let each session take the next URL until all are read; print each result at once."""
    waiting = list(enumerate(urls))

    async def work() -> None:
        async with charlotte.open_session() as session:
            with suppress(IndexError):
                while True:
                    number, url = waiting.pop(0)
                    print(f"{number:>3}  {await read(session, url)}", flush=True)

    async with asyncio.TaskGroup() as group:
        for _ in range(min(SESSIONS, len(urls))):
            group.create_task(work())


async def main(urls: Sequence[str]) -> None:
    """Start the browsers and read the pages."""
    async with open_charlotte(Config(engine="ray", log_level="error")) as charlotte:
        await read_all(charlotte, urls)


if __name__ == "__main__":
    start = cast("Any", ray).init  # Ray has no complete types
    if "RAY_ADDRESS" in os.environ:
        start(log_to_driver=False)
    else:  # a cluster of one node, with a place for each browser
        start("local", num_cpus=BROWSERS, resources={"browser": BROWSERS}, log_to_driver=False)
    asyncio.run(main(sys.argv[1:] or [_PAGE.format(number) for number in range(2 * SESSIONS)]))
