"""Opening a tab's incarnation: attach, prepare, let the target run, bring its page back."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NoReturn

import trio

from charlotte.actors.live import FOLLOWED, LivePage
from charlotte.actors.mailbox import Mailbox
from charlotte.actors.records import TabRecord
from charlotte.actors.snapshots import SnapshotStore
from charlotte.actors.tab import Tab
from charlotte.browser.attach import prepare
from charlotte.errors import TabCrashed
from charlotte.protocol import inspector, page, runtime
from charlotte.protocol.connection import Connection, Pending
from charlotte.protocol.session import Session, Subscription, open_session

_RESTORE_WAIT = 5.0


class _Departure:
    """Lets a new target run, and sends it to its first URL without waiting for its renderer."""

    def __init__(self, session: Session, record: TabRecord) -> None:
        self._session = session
        self._record = record
        self.arriving: Pending[page.Navigated] | None = None

    async def release(self) -> None:
        record = self._record
        await (record.control or self._session).begin(runtime.RunIfWaitingForDebugger())
        if record.first_url is not None:
            self.arriving = await self._session.begin(page.Navigate(url=record.first_url))
            record.first_url = None


async def _watch(record: TabRecord, end: Subscription[inspector.TargetCrashed]) -> NoReturn:
    """Raise `TabCrashed` when the renderer dies, which may be while it is being prepared."""
    await end.next()
    record.crashed = True
    raise TabCrashed(
        f"The renderer of {record.id} crashed at {record.url}.",
        "The tab is being reloaded at that URL. Observe it, then decide whether to repeat what you "
        "did: it may or may not have happened.",
    )


@asynccontextmanager
async def open_tab(
    connection: Connection, record: TabRecord, snapshots: Mailbox[SnapshotStore]
) -> AsyncGenerator[Tab]:
    """Attach to the record's target; bring its page back first if its renderer had died."""
    async with open_session(connection, record.target_id) as session:
        with session.events(*FOLLOWED) as events, session.events(inspector.TargetCrashed) as end:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_watch, record, end)
                if record.crashed:
                    await session.call(page.Reload())
                departure = _Departure(session, record)
                main_frame = await prepare(session, record.viewport, departure.release)
                live = LivePage(
                    connection=connection,
                    session=session,
                    record=record,
                    main_frame=main_frame,
                    arriving=departure.arriving,
                )
                nursery.start_soon(live.follow, events)
                await _restore(record, live)
                yield Tab(record, live, snapshots)
                nursery.cancel_scope.cancel("tab closed")


async def _restore(record: TabRecord, live: LivePage) -> None:
    """Finish bringing the page back after its renderer or its browser had died."""
    if record.crashed:
        record.notices.append(f"The page crashed and was reloaded at {record.url}.")
    elif record.restore_url is not None:
        record.notices.append(
            f"The browser was restarted; this tab was reopened at {record.restore_url}."
        )
        await live.session.call(page.Navigate(url=record.restore_url))
    else:
        return
    with trio.move_on_after(_RESTORE_WAIT):
        await live.activity.until(lambda: live.activity.reached("load"))
    record.crashed, record.restore_url = False, None
