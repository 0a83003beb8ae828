"""What an owner does in a browser, and everything the pages and the owner notice meanwhile."""

from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any

import attrs
import trio

from tests.cdp import Cdp, open_cdp, until
from tests.owner.browser import OwnerBrowser, Watcher, open_owner_browser, watching
from tests.owner.effects import REPORT, OwnerPages
from tests.site.server import Site, open_site

UNTOUCHED = ("reader", "opener", "behind", "front")
"""The pages that are never adopted: three are each the selected tab of a window."""

_DOWNLOAD_DEADLINE = 30.0
_POPUP_DEADLINE = 30.0
_PRERENDER_DEADLINE = 30.0
_LEFT_BY_WORK = {
    "events",
    "document",
    "form entries",
    "history",
    "keyboard focus",
    "scroll position",
    "storage",
    "window focus",
}
"""Effects that the work of an agent in a page may have."""

_PACE = 1.2
"""Seconds in which timers are counted."""

_STAYS_OPEN = 1.2
"""Seconds in which a dialog must not be closed by others."""

_CHOOSE = """new Promise((done) => {
    file.addEventListener('cancel', () => done('cancelled'));
    setTimeout(() => done('no answer'), 3000);
    file.showPicker();
})"""

Seen = dict[str, Any]


@attrs.define(eq=False)
class Owner:
    """An owner with a browser, and the observations by effect."""

    browser: OwnerBrowser
    site: Site
    pages: OwnerPages
    seen: Seen = attrs.field(factory=dict[str, Any])
    targets: dict[str, str] = attrs.field(factory=dict[str, str])

    def url(self, name: str) -> str:
        """Return the address of a recording page; each has its own renderer."""
        return self.site.url(f"/owner/record?name={name}", host=f"{name}.localhost")

    async def _open(self, cdp: Cdp, name: str, **where: bool) -> None:
        created = await cdp.call("Target.createTarget", url=self.url(name), **where)
        self.targets[name] = created["targetId"]
        await self.pages.order(name, "prepare")

    async def open_tabs(self) -> None:
        """Open three windows, the last with three tabs: one selected, one earlier, one never."""
        async with open_cdp(self.browser.endpoint) as cdp:
            for name in ("reader", "opener", "adopted"):
                await self._open(cdp, name, newWindow=True)
            await self._open(cdp, "front")
            await self._open(cdp, "behind", background=True)
        for name in UNTOUCHED:
            await self.pages.order(name, "mark")

    async def use_the_browser(self) -> None:
        """Let the pages open popups, download and navigate to a prerendered page."""
        with trio.move_on_after(_PRERENDER_DEADLINE):
            await self.pages.order("reader", "prerender")
            await self.pages.prerendered.wait()
        await self.pages.begin("reader", "go")
        self.seen["prerendering"] = await self.pages.report("reader")
        for action in ("prepare", "mark"):
            await self.pages.order("reader", action)
        await self.pages.order("front", "download")
        self.seen["downloads"] = await self._downloaded()
        self.seen |= {"popups": "blocked", "windows of links": "blocked"}
        with trio.move_on_after(_POPUP_DEADLINE):
            self.seen["popups"] = await self.pages.order("opener", "popup")
            self.seen["windows of links"] = await self.pages.order("opener", "noopener")

    async def _downloaded(self) -> list[tuple[str, bool]]:
        """Return names of files in the owner's directory, and whether they are complete."""
        with trio.move_on_after(_DOWNLOAD_DEADLINE):
            await until(self._has_report)
        return [
            (file.name, file.read_bytes() == REPORT) for file in self.browser.downloads.iterdir()
        ]

    async def _has_report(self) -> bool:
        return await trio.Path(self.browser.downloads / "report.csv").exists()

    async def note_pages(self, watcher: Watcher) -> None:
        """Record what the untouched pages notice, and the order of tabs."""
        await trio.sleep(_PACE)
        for name in ("front", "behind", "reader"):
            found = await self.pages.order(name, "effects")
            found |= await self.pages.order(name, "pace")
            self.seen |= {f"{effect} ({name})": value for effect, value in found.items()}
        strip, pages = await watcher.strip(), await watcher.pages()
        known = {target: name for name, target in self.targets.items()}
        attached = watcher.ever_attached()
        self.seen |= {
            "tab order": {name: strip.get(self.url(name)) for name in ("front", "behind")},
            "window bounds": await watcher.window(self.targets["front"]),
            "targets": sorted(known[target] for target in pages if target in known),
            "sessions": sorted(
                known[target] for target in attached & known.keys() if known[target] in UNTOUCHED
            ),
        }

    async def note_dialog(self) -> None:
        """Let a page in a window of its own ask something, which only the owner may answer."""
        async with open_cdp(self.browser.endpoint) as cdp:
            await self._open(cdp, "asking", newWindow=True)
        await self.pages.begin("asking", "confirm")
        self.seen["dialogs"] = "open"
        with trio.move_on_after(_STAYS_OPEN):
            self.seen["dialogs"] = await self.pages.report("asking")

    async def note_chooser(self, name: str) -> None:
        """Open a file chooser like the owner; without windows, it is cancelled at once."""
        async with (
            open_cdp(self.browser.endpoint) as cdp,
            cdp.attached(self.targets[name]) as session,
        ):
            self.seen[f"file chooser ({name})"] = await cdp.run(session, _CHOOSE, gesture=True)

    async def note_released(self) -> None:
        """Record whether a page is as before after an agent has worked in it."""
        await self.pages.order("adopted", "mark")
        await trio.sleep(_PACE)
        found = await self.pages.order("adopted", "effects")
        found |= await self.pages.order("adopted", "pace")
        for effect in found.keys() - _LEFT_BY_WORK:
            self.seen[f"{effect} (adopted, released)"] = found[effect]
        await self.note_chooser("adopted")
        await self._look_at("adopted")
        seen = await self.pages.order("adopted", "effects")
        self.seen["window focus (adopted, released)"] = seen["window focus"]

    async def _look_at(self, name: str) -> None:
        """Select a tab for a moment, as the owner does.

        Chromium gives focus to a page that gets input, even in the background, until then.
        """
        async with open_cdp(self.browser.endpoint) as cdp:
            for selected in (name, "front"):
                await cdp.call("Target.activateTarget", targetId=self.targets[selected])
                await self.pages.order(selected, "drawn")


@asynccontextmanager
async def open_owner() -> AsyncGenerator[Owner]:
    pages = OwnerPages()
    async with (
        open_site(routes=pages.routes) as site,
        open_owner_browser("--disable-popup-blocking") as browser,
    ):
        owner = Owner(browser, site, pages)
        await owner.open_tabs()
        yield owner


Company = Callable[[Owner], AbstractAsyncContextManager[None]]
"""Opens another client of the owner's browser."""


@asynccontextmanager
async def alone(_owner: Owner) -> AsyncGenerator[None]:
    """Open no other client."""
    yield


async def observe(company: Company) -> Seen:
    """Return what an owner and the pages notice while another client is there, and after it."""
    async with open_owner() as owner, watching(owner.browser) as watcher:
        async with company(owner):
            await owner.use_the_browser()
            await owner.note_pages(watcher)
            await owner.note_chooser("front")
            await owner.note_dialog()
        if "adopted" in owner.targets:
            await owner.note_released()
    return owner.seen
