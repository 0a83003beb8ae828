"""Keeping what sites have stored, so that a browser that was started again can be given it.

Cookies and localStorage are taken shortly after a page was loaded or a call was served: what an
agent has seen come of its actions is there again. Pages are not asked in between.
"""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from typing import NoReturn

import structlog
import trio

from charlotte.actors.state.contexts import ContextRecord
from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.cookies import found
from charlotte.browser.local_storage import Asker
from charlotte.browser.origin_storage import open_visitor
from charlotte.errors import Fatal
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.session import Session
from charlotte.protocol.target import CloseTarget
from charlotte.urls import origin_of

log = structlog.get_logger(__name__)

PAUSE = 0.25
"""Seconds between what may have changed something and taking it."""

_TAKES = 2.0
_RESTORE_WAIT = 3.0


async def keep_stored(live: LivePage) -> NoReturn:
    """Take what the page's sites have stored whenever the tab has been used."""
    record, asker = live.record, Asker()
    while True:
        await record.used.wait()
        record.used = trio.Event()
        await trio.sleep(PAUSE)
        with trio.move_on_after(_TAKES), suppress(ProtocolError):
            await _take(live, asker)


async def _take(live: LivePage, asker: Asker) -> None:
    stored = live.record.context
    stored.cookies.note(await found(live.root, await live.context()))
    context = live.world.context
    if context is not None and live.record.dialog is None and not live.record.hung:
        told = await asker.ask(live.session, context)
        if told is not None:
            stored.items.note(*told)


@asynccontextmanager
async def _hidden(root: Session, page: tuple[str, Session]) -> AsyncGenerator[Session]:
    """A blank page that is nobody's, closed at the end."""
    target_id, session = page
    try:
        yield session
    finally:
        with trio.CancelScope(shield=True):  # only sent
            await root.begin(CloseTarget(target_id=target_id))


async def give_back(
    stored: ContextRecord, shown: Iterable[str], root: Session, page: tuple[str, Session]
) -> None:
    """Give a new context the localStorage that is kept, by a hidden page of it.

    What the addresses in ``shown`` need comes first.
    """
    first = [origin for origin in map(origin_of, shown) if origin is not None]
    try:
        async with _hidden(root, page) as hidden, open_visitor(hidden) as visitor:
            await stored.items.restore(visitor, first, _RESTORE_WAIT)
    except Fatal:
        raise
    except ProtocolError as error:
        log.warning("localStorage could not be restored", error=str(error))
