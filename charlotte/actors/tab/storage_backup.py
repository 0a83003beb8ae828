"""Backup of what sites have stored, so that a restarted browser gets it back.

Cookies and localStorage are copied shortly after a page was loaded or a call was served, so all
effects of actions that an agent has seen are restored. Pages are not polled in between.
"""

from contextlib import suppress
from typing import NoReturn

import trio

from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.site_storage import StorageReader, get_cookies
from charlotte.protocol.errors import ProtocolError

PAUSE = 0.25
"""Seconds between a possible change and the copy."""

_COPY_WAIT = 2.0


async def back_up_storage(live: LivePage) -> NoReturn:
    """Copy what the page's sites have stored whenever the tab has been used."""
    record, asker = live.record, StorageReader()
    while True:
        await record.used.wait()
        record.used = trio.Event()
        await trio.sleep(PAUSE)
        with trio.move_on_after(_COPY_WAIT), suppress(ProtocolError):
            backup = record.context
            backup.cookies.note(await get_cookies(live.root, await live.context()))
            context = live.world.context
            if context is not None and record.dialog is None and not record.hung:
                stored = await asker.ask(live.session, context)
                if stored is not None:
                    backup.items.note(*stored)
