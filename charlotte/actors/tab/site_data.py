"""Data of sites in a tab's context: verbs for cookies and localStorage, and their backup."""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import NoReturn

import attrs
import trio

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.page_connection import LivePage
from charlotte.browser.world import site_storage
from charlotte.browser.world.isolated_world import answer_of
from charlotte.browser.world.site_storage import Items, OriginPage, get_cookies, open_origin_page
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.network import Cookie
from charlotte.protocol.target import CloseTarget

PAUSE = 0.25
"""Seconds between a possible change and the copy."""


_VISITS_TAKE = 60.0
"""Seconds for visiting all origins, one after the other."""

OpenHidden = Callable[[str | None], Awaitable[tuple[str, CdpSession]]]
"""Opens a hidden page of a browser context; returns its target and a session on it."""


@attrs.frozen
class SiteData:
    """Cookies, localStorage by origin, and the origins that could not be visited."""

    cookies: Sequence[Cookie]
    items: Mapping[str, Items]
    not_reached: Sequence[str]


async def put_cookies(tab: TabActor, cookies: Sequence[Cookie]) -> None:
    """Set cookies in the tab's context."""
    await site_storage.set_cookies(tab.page.root, await tab.page.context(), cookies)
    tab.record.context.cookies.keep(cookies)


async def find_cookies(
    tab: TabActor, domain: str | None = None, name: str | None = None
) -> list[Cookie]:
    """Return the cookies of the tab's context, all or those of a domain or name."""
    return await site_storage.get_cookies(tab.page.root, await tab.page.context(), domain, name)


async def delete_cookies(tab: TabActor, domain: str | None, name: str | None) -> int:
    """Delete cookies of the tab's context; return how many."""
    deleted = await find_cookies(tab, domain, name)
    await site_storage.delete_cookies(tab.page.session, deleted)
    tab.record.context.cookies.forget(deleted)
    return len(deleted)


async def read_site_data(tab: TabActor, open_hidden: OpenHidden) -> SiteData:
    """Read the cookies and the localStorage of the tab's context."""
    cookies = await find_cookies(tab)
    items: dict[str, Items] = {}
    origins, pending = sorted(tab.record.context.origins), tab.record.context.pending
    if origins:
        with trio.move_on_after(_VISITS_TAKE):
            async with _open_visitor(tab, open_hidden) as visitor:
                for origin in origins:
                    found = pending.by_origin.get(origin) or await visitor.read(origin)
                    if found is not None:
                        items[origin] = found
    return SiteData(cookies, items, [origin for origin in origins if origin not in items])


async def write_site_data(
    tab: TabActor,
    open_hidden: OpenHidden,
    cookies: Sequence[Cookie],
    origins: Sequence[tuple[str, Items]],
) -> list[str]:
    """Add cookies and localStorage to the tab's context; return the origins not reached."""
    await put_cookies(tab, cookies)
    missing = [origin for origin, _ in origins]
    if origins:
        with trio.move_on_after(_VISITS_TAKE):
            async with _open_visitor(tab, open_hidden) as visitor:
                for origin, items in origins:
                    is_pending = tab.record.context.pending.add(origin, items)
                    if is_pending or await visitor.write(origin, items):
                        missing.remove(origin)
                        tab.record.context.origins.add(origin)
    return missing


@asynccontextmanager
async def _open_visitor(tab: TabActor, open_hidden: OpenHidden) -> AsyncGenerator[OriginPage]:
    """Open a hidden page in the tab's context."""
    context_id = await tab.page.context()
    async with (
        hidden_page(tab.page.root, open_hidden, context_id) as hidden,
        open_origin_page(hidden) as visitor,
    ):
        yield visitor


@asynccontextmanager
async def hidden_page(
    root: CdpSession, open_hidden: OpenHidden, context_id: str | None
) -> AsyncGenerator[CdpSession]:
    """Open a blank page outside all tabs, and close it at the end."""
    target_id, session = await open_hidden(context_id)
    try:
        yield session
    finally:
        with trio.CancelScope(shield=True):  # sends without waiting for the reply
            await root.begin(CloseTarget(target_id=target_id))


async def back_up_storage(live: LivePage) -> NoReturn:
    """Copy what the page's sites have stored shortly after each load or call.

    A restarted browser gets back all effects of actions that an agent has seen. Pages are not
    polled in between.
    """
    record, known = live.record, ("", 0)
    if record.context.is_owner_profile:
        await trio.sleep_forever()
    while True:
        await record.used.wait()
        record.used = trio.Event()
        await trio.sleep(PAUSE)
        with trio.move_on_after(2.0), suppress(ProtocolError):
            backup = record.context
            backup.cookies.note(await get_cookies(live.root, await live.context()))
            world = live.frames.get(live.frames.main_frame)
            if world is not None and record.dialog is None and not record.hung:
                checksum = known[1] if known[0] == world.context else 0
                if answer := answer_of(await (await world.begin("stored", checksum)).result()):
                    parts = json.loads(answer)
                    stored = json.loads(parts["snapshot"])
                    known = world.context, parts["checksum"]
                    backup.items.note(stored["origin"], stored["items"])
