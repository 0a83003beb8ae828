"""Many tabs of a person: most asleep, some in endless loops, some with an open dialog.

A dialog keeps its page waiting only while its tab is the selected one of a window, so each such tab
has its own window. Loops and dialogs have their own hosts: both stop all pages of their renderer.
"""

import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

import attrs
import trio
from starlette.responses import HTMLResponse, Response

from tests.cdp import Cdp, open_cdp, until
from tests.owner.browser import OwnerBrowser
from tests.site.routes import Handler, Request
from tests.site.server import Site

BUILD_DEADLINE = 90.0
_BATCH = 50
_POLL = 0.02
_BLOCKED = 0.3
"""Seconds without an answer after which a page that has opened a dialog waits for it."""
_HOSTS = 8

_REPORT = "const report = (what) => navigator.sendBeacon(`/crowd/${what}${location.search}`);"
_SCRIPTS = {
    "ordinary": "",
    "asleep": "document.addEventListener('resume', () => report('resumed'));",
    "loop": """onload = () => setTimeout(() => {
        report('looping');
        setTimeout(() => { while (true); }, 50);
    });""",
    "dialog": """onload = () => setTimeout(() => {
        report('asking');
        alert('?');
        report('answered');
    });""",
}

_ROWS = """(() => {
    const tab = document.querySelector('discards-main').shadowRoot.querySelector('discards-tab');
    return [...tab.shadowRoot.querySelectorAll('tbody tr')];
})()"""
_ADDRESS = "row.querySelector('.tab-url-cell').textContent.trim()"
_STATE = "row.cells[6].textContent.trim().split(' ')[0]"
_STATES = f"Object.fromEntries({_ROWS}.map((row) => [{_ADDRESS}, {_STATE}]))"
_PUT_TO_SLEEP = f"""((labels) => {{
    for (const row of {_ROWS}) {{
        const label = labels[{_ADDRESS}];
        const links = [...row.querySelectorAll('.actions-cell [is=action-link]')];
        if (label) links.find((link) => link.textContent.trim() === label).click();
    }}
}})"""


@attrs.frozen
class Sizes:
    """How many tabs there are in each state."""

    discarded: int = 130
    frozen: int = 20
    loops: int = 5
    dialogs: int = 5
    ordinary: int = 40

    @property
    def asleep(self) -> int:
        return self.discarded + self.frozen

    @property
    def total(self) -> int:
        return self.asleep + self.loops + self.dialogs + self.ordinary


SAMPLE = Sizes(discarded=8, frozen=4, loops=2, dialogs=2, ordinary=4)
"""A small crowd for the ordinary test run."""


@attrs.define(eq=False)
class CrowdPages:
    """The pages of the crowd, and how often each was requested and reported something."""

    counts: Counter[str] = attrs.field(factory=Counter[str])
    _arrival: trio.Event = attrs.field(factory=trio.Event)

    @property
    def routes(self) -> dict[str, Handler]:
        return {"/crowd/*": self._answer}

    async def _answer(self, request: Request) -> Response:
        kind = request.path.rpartition("/")[2]
        self.counts[f"{kind} {request.query.get('n')}"] += 1
        self._arrival.set()
        self._arrival = trio.Event()
        if kind not in _SCRIPTS:
            return Response(status_code=204)
        title = f"{kind} {request.query.get('n')}"
        script = f"<script>{_REPORT}{_SCRIPTS[kind]}</script>"
        return HTMLResponse(f"<!doctype html><title>{title}</title><p>{title}</p>{script}")

    def total(self, kind: str) -> int:
        return sum(n for name, n in self.counts.items() if name.startswith(f"{kind} "))

    async def reached(self, kind: str, count: int) -> None:
        """Wait until that many requests of a kind have arrived."""
        while self.total(kind) < count:
            await self._arrival.wait()


@attrs.define(eq=False)
class Crowd:
    """The tabs, by target id, as they were when the crowd was complete."""

    browser: OwnerBrowser
    site: Site
    pages: CrowdPages
    sizes: Sizes
    targets: dict[str, str]
    states: dict[str, str]
    requests: Counter[str]
    dialogs: range
    """Numbers of the pages that show a dialog."""

    def answered(self) -> int:
        """Return how many dialogs are no longer open."""
        return sum(self.pages.counts[f"answered {number}"] for number in self.dialogs)

    def woken(self) -> list[str]:
        """Return the asleep pages that loaded again or went on since then."""
        return [
            name
            for name, count in self.pages.counts.items()
            if name.startswith(("asleep ", "resumed ")) and count > self.requests[name]
        ]

    async def states_now(self) -> dict[str, str]:
        """Return the life-cycle states of asleep tabs by URL; opens a tab for a moment."""
        async with open_cdp(self.browser.endpoint) as cdp, _discards_page(cdp) as session:
            found = await cdp.run(session, _STATES)
        return {url: state for url, state in found.items() if "/crowd/asleep?" in url}


@asynccontextmanager
async def _discards_page(cdp: Cdp) -> AsyncGenerator[str]:
    """Yield a session of chrome://discards with a complete table."""
    created = await cdp.call("Target.createTarget", url="chrome://discards/", background=True)
    async with cdp.attached(created["targetId"]) as session:
        with trio.fail_after(BUILD_DEADLINE):
            await until(lambda: _has_rows(cdp, session))
        yield session
    await cdp.call("Target.closeTarget", targetId=created["targetId"])


async def _has_rows(cdp: Cdp, session: str) -> bool:
    ready = "customElements.get('discards-tab') && document.querySelector('discards-main')"
    return bool(await cdp.run(session, f"Boolean({ready}) && {_ROWS}.length > 0"))


@attrs.frozen
class _Builder:
    cdp: Cdp
    site: Site
    pages: CrowdPages

    async def open(self, kind: str, count: int, host: Callable[[int], str], **where: bool) -> None:
        """Open tabs of a kind and wait until all have been requested."""
        first = self.pages.total(kind)
        for number in range(first, first + count):
            url = self.site.url(f"/crowd/{kind}?n={number}", host=host(number))
            await self.cdp.call("Target.createTarget", url=url, **where)
        await self.pages.reached(kind, first + count)

    async def open_dialogs(self, count: int) -> range:
        """Open windows whose pages wait for the answers to their alerts; return their numbers.

        Chromium ends the wait when another window comes in front, unless the tab has a session.
        """
        first = self.pages.total("dialog")
        numbers = range(first, first + count)
        async with AsyncExitStack() as stack:
            for number in numbers:
                created = await self.cdp.call(
                    "Target.createTarget", url="about:blank", newWindow=True
                )
                attaching = self.cdp.attached(created["targetId"])
                session = await stack.enter_async_context(attaching)
                url = self.site.url(f"/crowd/dialog?n={number}", host=f"d{number}.localhost")
                await self.cdp.call("Page.navigate", session, url=url)
                await self.pages.reached("asking", number + 1)
                await until(partial(self._is_blocked, session))
        return numbers

    async def crowd_pages(self) -> dict[str, str]:
        """Return the URLs of the crowd's tabs by target id."""
        return {
            info["targetId"]: info["url"]
            for info in await self.cdp.targets()
            if info["type"] == "page" and "/crowd/" in info["url"]
        }

    async def _is_blocked(self, session: str) -> bool:
        with trio.move_on_after(_BLOCKED) as answer:
            await self.cdp.call("Page.getFrameTree", session)
        return answer.cancelled_caught

    async def put_to_sleep(self, labels: dict[str, str]) -> dict[str, str]:
        """Press the given link of each tab on chrome://discards; return the states of tabs."""
        async with _discards_page(self.cdp) as session:
            listed: dict[str, str] = {}
            while not labels.keys() <= listed.keys():
                listed = await self.cdp.run(session, _STATES)
                await trio.sleep(_POLL)
            await self.cdp.run(session, f"{_PUT_TO_SLEEP}({json.dumps(labels)})")
            while {listed[url] for url in labels} - {"discarded", "frozen"}:
                await trio.sleep(_POLL)
                listed = await self.cdp.run(session, _STATES)
        return {url: listed[url] for url in labels}

    async def open_asleep(self, sizes: Sizes) -> dict[str, str]:
        """Open tabs and put them to sleep, some at a time because loaded pages take memory."""
        states: dict[str, str] = {}
        for first in range(0, sizes.asleep, _BATCH):
            numbers = range(first, min(first + _BATCH, sizes.asleep))
            await self.open("asleep", len(numbers), lambda _: "asleep.localhost", background=True)
            states |= await self.put_to_sleep(
                {
                    self.site.url(f"/crowd/asleep?n={number}", host="asleep.localhost"): (
                        "[Urgent Discard]" if number < sizes.discarded else "[Freeze]"
                    )
                    for number in numbers
                }
            )
        return states


async def build_crowd(browser: OwnerBrowser, site: Site, pages: CrowdPages, sizes: Sizes) -> Crowd:
    """Open all tabs; no session is left afterwards."""
    with trio.fail_after(BUILD_DEADLINE):
        async with open_cdp(browser.endpoint) as cdp:
            builder = _Builder(cdp, site, pages)
            states = await builder.open_asleep(sizes)
            await builder.open(
                "ordinary",
                sizes.ordinary,
                lambda number: f"o{number % _HOSTS}.localhost",
                background=True,
            )
            await builder.open("loop", sizes.loops, "l{}.localhost".format, background=True)
            await pages.reached("looping", sizes.loops)
            dialogs = await builder.open_dialogs(sizes.dialogs)
            targets = await builder.crowd_pages()
    if pages.total("answered"):
        raise RuntimeError("The browser closed a dialog by itself.")
    return Crowd(browser, site, pages, sizes, targets, states, Counter(pages.counts), dialogs)
