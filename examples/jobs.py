"""The jobs of the workers, which only await tabs: the same code works under trio and asyncio."""

import os
import signal
from collections.abc import Awaitable, Callable
from urllib.parse import urldefrag, urljoin

from charlotte import CharlotteError, Field, Tab
from tests.whole.processes import renderers

Job = Callable[[], Awaitable[str]]

WORKERS = 8
VICTIM = 3
"""The number of the worker whose tab crashes."""

MOST_PAGES = 8
_WEIGHT = 64 * 2**20


async def visit(tab: Tab, url: str, site: str) -> tuple[str, set[str]]:
    """Load a page; return its title, and the pages of its site that it links to."""
    page = await tab.navigate(url)
    links = {urldefrag(urljoin(page.url, one.href)).url for one in page.elements if one.href}
    return page.title, {link for link in links if link.startswith(site)}


async def sign_up(tab: Tab, site: str, name: str, *, crashes: bool = False) -> str:
    """Fill in and send the form of the reading club; return its answer."""
    page = await tab.navigate(f"{site}/form.html")
    values = {
        "Full name": name,
        "Email": "reader@example.org",
        "Password": "correct horse",
        "Books a month": "3",
    }
    await tab.fill_form([Field(page.element(label).id, text) for label, text in values.items()])
    if crashes:
        await crash(tab)
    sent = await tab.click(page.element("Join the club", "button").id)
    return next(line for line in sent.text.splitlines() if line.startswith("Welcome"))


async def twice_at_most(first: Job, again: Job) -> str:
    """Do a job; if its tab crashes and is restored, do it again from the start.

    Charlotte repeats no action: only the program knows whether its last action took effect.
    """
    try:
        return await first()
    except CharlotteError as error:
        if error.code != "TAB_CRASHED":
            raise
        return f"{await again()} (after a crash)"


async def crash(tab: Tab) -> None:
    """Kill the renderer of a tab: it grows when its page allocates memory.

    The next action in the tab fails with TAB_CRASHED, also if the page has been restored by then.
    """
    before = renderers(os.getpid())
    await tab.evaluate(f"globalThis.weight = new Uint8Array({_WEIGHT}).fill(1); 0")
    now = renderers(os.getpid())
    [pid] = [pid for pid in now if now[pid] - before.get(pid, 0) > 0.9 * _WEIGHT]
    os.kill(pid, signal.SIGKILL)
