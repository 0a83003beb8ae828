"""Startup of a tab incarnation: attach, prepare, run the target, restore its page."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, NoReturn

import structlog
import trio

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.snapshots import SnapshotStore
from charlotte.actors.state.events import Crashed, Restored
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.child_targets import follow_processes, throttle_floods
from charlotte.actors.tab.faults import never_came
from charlotte.actors.tab.interception import HELD, answer_held
from charlotte.actors.tab.page_connection import FOLLOWED, LivePage
from charlotte.actors.tab.storage_backup import back_up_storage
from charlotte.browser.navigate import navigate
from charlotte.browser.target_setup import prepare
from charlotte.errors import Fatal, NavigationFailed, TabCrashed, TabHung
from charlotte.protocol import page, runtime, target
from charlotte.protocol.connection import Connection, Pending, Session, Subscription, open_session
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.wire import Command

log = structlog.get_logger(__name__)

_RESTORE_WAIT = 5.0
_PREPARE_WAIT = 10.0
_FIRST_DOCUMENT_WAIT = 60.0
"""A tab opened by a page has no renderer to prepare until its address has answered."""

_RELOADED = "The page crashed and was reloaded at {url}."
_REOPENED = "The browser was restarted; this tab was reopened at {url}."


async def _depart(session: Session, record: TabRecord) -> Pending[page.Navigated] | None:
    """Send a new target to its first URL, if it has one.

    It must have answered before: a navigation that overtakes the preparation often kills the
    renderer.
    """
    if record.first_url is None:
        return None
    url, record.first_url = record.first_url, None
    return await session.begin(page.Navigate(url=url))


async def _watch(record: TabRecord, end: Subscription[target.TargetCrashed]) -> NoReturn:
    """Raise `TabCrashed` when the renderer dies, which may be while it is being prepared."""
    await end.next()
    if record.crashed:
        record.restore.note_renderer_crash(record.url)
    record.crashed, record.dialog = True, None
    record.publish(Crashed(tab_id=record.id, url=record.address))
    raise TabCrashed(
        f"The renderer of {record.id} crashed at {record.address}.",
        "The tab is being reloaded at that URL. Observe it, then decide whether to repeat what you "
        "did: it may or may not have happened.",
    )


def _return_to(record: TabRecord) -> Command[Any]:
    """Return the command that loads a crashed page again; a POST must not be sent twice.

    Chromium reports a crash again when `Inspector` is enabled before a renderer exists, which may
    take until the page's server answers. So a tab with two reports becomes blank.
    """
    if record.restore.url is not None:
        return page.Navigate(url="about:blank")
    return page.Navigate(url=record.url) if record.posted else page.Reload()


async def _prepared(session: Session, record: TabRecord) -> page.Frame:
    """Prepare the session; raises `TabHung` if a script keeps the renderer busy."""
    run = partial((record.control or session).begin, runtime.RunIfWaitingForDebugger())
    is_new = record.has_no_document
    wait = _FIRST_DOCUMENT_WAIT if is_new else _PREPARE_WAIT
    with trio.move_on_after(wait):
        return await prepare(session, record.desired, run, late=is_new and record.noopener)
    if is_new:
        raise never_came(record, wait)
    record.hung = True
    raise TabHung(
        f"{record.id} cannot be reached: a script of {record.url} has kept it busy since before it "
        f"was attached, for {_PREPARE_WAIT:.0f} s.",
        "Try again later, or close the tab and open another.",
    )


@asynccontextmanager
async def open_tab(
    connection: Connection,
    record: TabRecord,
    snapshots: Mailbox[SnapshotStore],
    prepared: Callable[[], None] = lambda: None,
) -> AsyncGenerator[Tab]:
    """Attach to the record's target; bring its page back first if its renderer had died.

    ``prepared`` is called once no other page needs to wait for this one any more.
    """
    async with open_session(connection, record.target_id) as session:
        with (
            session.events(*FOLLOWED) as events,
            session.events(target.TargetCrashed) as end,
            session.events(target.AttachedToTarget) as processes,
            session.events(*HELD) as held,
            record.console_log.held_in(session),
        ):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_watch, record, end)
                nursery.start_soon(answer_held, session, record, held)
                if record.crashed:
                    with trio.move_on_after(_RESTORE_WAIT):  # its server may never answer
                        await session.call(_return_to(record))
                try:
                    main_frame = await _prepared(session, record)
                finally:
                    prepared()
                live = LivePage(
                    connection=connection,
                    session=session,
                    record=record,
                    main_frame=main_frame,
                    arriving=await _depart(session, record),
                )
                nursery.start_soon(live.patience.count, live.is_browser_behind)
                nursery.start_soon(live.follow, events)
                nursery.start_soon(throttle_floods, session, live)
                nursery.start_soon(follow_processes, connection, live, processes, nursery)
                nursery.start_soon(back_up_storage, live)
                await _restore(record, live)
                tab = Tab(record, live, snapshots)
                nursery.start_soon(tab.frame_pump.listen)
                nursery.start_soon(tab.frame_pump.follow)
                yield tab
                nursery.cancel_scope.cancel("tab closed")


async def _restore(record: TabRecord, live: LivePage) -> None:
    """Finish bringing the page back after its renderer or its browser had died."""
    if (url := record.restore.url) is not None:
        await _return(record, live, url)
    elif record.crashed:
        record.notify([_RELOADED.format(url=record.url)])
        await _loaded(live)
    else:
        return
    record.crashed = False
    record.publish(Restored(tab_id=record.id, url=record.url))


async def _return(record: TabRecord, live: LivePage, url: str) -> None:
    """Bring the page back to a blank tab, unless it has killed browsers."""
    by_renderer = record.restore.of_renderer
    if record.restore.is_given_up and not by_renderer:
        record.restore.end()
        blank = (
            f"The browser was restarted; this tab is blank now, for the browser ended each time "
            f"{url} was reopened. Navigate there only if you must."
        )
        record.notify([blank])
        return
    if record.restore.is_suspect and not by_renderer:
        await record.tab.wait_for_message()
    record.restore.begin()
    with trio.move_on_after(_RESTORE_WAIT):
        await _reopened(live, url)
        record.restore.end()  # else it is still on its way, or has crashed on it
    record.notify([(_RELOADED if by_renderer else _REOPENED).format(url=url)])


async def _reopened(live: LivePage, url: str) -> None:
    """Wait until the page has loaded; a page that fails to load is shown to the agent."""
    try:
        depart = partial(live.session.call, page.Navigate(url=url))
        await navigate(live.activity, depart, url, "load")
    except Fatal:
        raise
    except (NavigationFailed, ProtocolError) as error:
        log.warning("page could not be reopened", tab=live.record.id, error=str(error))
        await live.ping()  # by a renderer that died meanwhile, this is never answered


async def _loaded(live: LivePage) -> None:
    """Wait for the load, but not for long."""
    with trio.move_on_after(_RESTORE_WAIT):
        await live.activity.until(lambda: live.activity.reached("load"))
