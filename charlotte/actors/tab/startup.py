"""Startup of a tab incarnation: attach, prepare, run the target, restore its page.

Frames in other processes and workers have a CDP session each, below the session of their parent.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, NoReturn

import attrs
import structlog
import trio

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.state.events import Crashed, Restored
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.snapshots import SnapshotStore
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.page_connection import FOLLOWED, LivePage
from charlotte.actors.tab.page.page_tool_calls import FLOODS
from charlotte.actors.tab.site_data import back_up_storage
from charlotte.actors.tab.verbs.emulation import HELD, answer_held
from charlotte.base.blocks import kept_in
from charlotte.base.errors import DeadlineExceeded, NavigationFailed, TabCrashed, TabHung
from charlotte.browser.emulation import BINDINGS, prepare_frame, prepare_page, prepare_worker
from charlotte.browser.world.event_throttle import NETWORK, console_source, throttle
from charlotte.browser.world.navigate import navigate
from charlotte.protocol import network, page, runtime, target
from charlotte.protocol.connection import CdpSession, Connection, Subscription, open_session
from charlotte.protocol.errors import ProtocolError, Refused, SessionGone
from charlotte.protocol.wire import CdpEvent

log = structlog.get_logger(__name__)

_RESTORE_WAIT = 5.0
_PREPARE_WAIT = 10.0
_FIRST_DOCUMENT_WAIT = 60.0
"""A tab opened by a page has no renderer to prepare until its address has answered."""

_RELOADED = "The page crashed and was reloaded at {url}."
_REOPENED = "The browser was restarted; this tab was reopened at {url}."
_GIVEN_UP = (
    "The browser was restarted; this tab is blank now, for the browser ended each time {url} was "
    "reopened. Navigate there only if you must."
)
_FLOODED = (
    "The page streams thousands of messages or sends thousands of requests a second; while it "
    "does, some of its requests are neither waited for nor recorded."
)

_REQUESTS: tuple[type[CdpEvent], ...] = (
    network.RequestWillBeSent,
    network.ResponseReceived,
    network.LoadingFinished,
    network.LoadingFailed,
)

_OF_FRAMES: tuple[type[CdpEvent], ...] = (target.AttachedToTarget, *FOLLOWED)


@asynccontextmanager
async def open_tab(
    connection: Connection,
    record: TabRecord,
    snapshots: Mailbox[SnapshotStore],
    prepared: Callable[[], None] = lambda: None,
) -> AsyncGenerator[TabActor]:
    """Attach to the record's target; bring its page back first if its renderer had died.

    ``prepared`` is called once no other page needs to wait for this one any more.
    """
    async with open_session(connection, record.target_id) as session:
        with (
            session.events(*FOLLOWED) as events,
            session.events(target.TargetCrashed) as end,
            session.events(target.AttachedToTarget) as attached,
            session.events(*HELD) as held,
            kept_in(record.console_log.holders, session),
        ):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(_watch, record, end)
                nursery.start_soon(answer_held, session, record, held)
                if record.crashed:
                    with trio.move_on_after(_RESTORE_WAIT):  # its server may never answer
                        await _load_again(session, record)
                try:
                    main_frame = await _prepare(session, record)
                finally:
                    prepared()
                if record.has_begun:
                    record.url = main_frame.url + main_frame.url_fragment
                arriving = None
                if record.first_url is not None:
                    # The target has answered: a navigation that overtakes the preparation often
                    # kills the renderer.
                    url, record.first_url = record.first_url, None
                    arriving = await session.begin(page.Navigate(url=url))
                live = LivePage(connection, session, record, main_frame, arriving)
                children = _Children(connection, live, nursery)
                nursery.start_soon(live.deadlines.count, live.is_browser_behind)
                nursery.start_soon(live.follow, events)
                nursery.start_soon(children.throttle_floods, session)
                nursery.start_soon(children.follow, session, attached)
                nursery.start_soon(back_up_storage, live)
                await _restore(record, live)
                tab = TabActor(record, live, snapshots)
                nursery.start_soon(tab.frame_pump.listen)
                nursery.start_soon(tab.frame_pump.follow)
                yield tab
                nursery.cancel_scope.cancel("tab closed")


async def _watch(record: TabRecord, end: Subscription[target.TargetCrashed]) -> NoReturn:
    """Raise `TabCrashed` when the renderer dies, which may be while it is being prepared."""
    await end.next()
    if record.crashed and record.restore.url is None:  # it died during a restore
        record.restore.url, record.restore.of_renderer = record.url, True
    record.crashed, record.dialog = True, None
    record.page_tools.by_name.clear()
    record.publish(Crashed(tab_id=record.id, url=record.address))
    raise TabCrashed(
        f"The renderer of {record.id} crashed at {record.address}.",
        "The tab is being reloaded at that URL. Observe it, then decide whether to repeat what you "
        "did: it may or may not have happened.",
    )


async def _load_again(session: CdpSession, record: TabRecord) -> None:
    """Load a crashed page again; a POST must not be sent twice.

    Chromium reports a crash again when `Inspector` is enabled before a renderer exists, which may
    take until the page's server answers. So a tab with two reports becomes blank.
    """
    if record.restore.url is not None:
        await session.call(page.Navigate(url="about:blank"))
    elif record.posted:
        await session.call(page.Navigate(url=record.url))
    else:
        await session.call(page.Reload())


async def _prepare(session: CdpSession, record: TabRecord) -> page.FrameInfo:
    """Prepare the session; raises `TabHung` if a script keeps the renderer busy."""
    run = partial((record.control or session).begin, runtime.RunIfWaitingForDebugger())
    closed = record.session.settings.guard.debugging_port
    record.desired = attrs.evolve(
        record.desired,
        fills_storage=bool(record.context.pending.by_origin),
        closed_port=closed.port if closed is not None else None,
    )
    is_new = record.has_no_document
    late = record.has_begun or (is_new and record.noopener)
    wait = _FIRST_DOCUMENT_WAIT if is_new else _PREPARE_WAIT
    with trio.move_on_after(wait):
        return await prepare_page(session, record.desired, run, late=late)
    if is_new:
        raise DeadlineExceeded(
            f"{record.id} was opened for an address that has not answered for {wait:.0f} s.",
            "Navigate to the link's address to see its error.",
        )
    record.hung = True
    raise TabHung(
        f"{record.id} cannot be reached: a script of {record.url} has kept it busy since before it "
        f"was attached, for {_PREPARE_WAIT:.0f} s.",
        "Try again later, or close the tab and open another.",
    )


async def _restore(record: TabRecord, live: LivePage) -> None:
    """Complete the restore of a page after a crash of its renderer or browser."""
    if (url := record.restore.url) is not None:
        await _return(record, live, url)
    elif record.crashed:
        record.note_loss(_RELOADED.format(url=record.url), of_renderer=True)
        with trio.move_on_after(_RESTORE_WAIT):
            await live.activity.until(lambda: live.activity.reached("load"))
    else:
        return
    record.crashed = False
    record.publish(Restored(tab_id=record.id, url=record.url))


async def _return(record: TabRecord, live: LivePage, url: str) -> None:
    """Load the page again in a blank tab, unless the page has killed browsers."""
    restore, by_renderer = record.restore, record.restore.of_renderer
    if restore.is_given_up and not by_renderer:
        restore.end()
        record.note_loss(_GIVEN_UP.format(url=url))
        return
    if restore.strikes and not by_renderer:
        await record.tab.wait_for_message()
    restore.begin()
    with trio.move_on_after(_RESTORE_WAIT):
        try:
            depart = partial(live.session.call, page.Navigate(url=url))
            await navigate(live.activity, depart, url, "load")
        except (NavigationFailed, Refused) as error:  # its error page is shown to the agent
            log.warning("page could not be reopened", tab=record.id, error=str(error))
            await live.ping()  # by a renderer that died meanwhile, this is never answered
        restore.end()  # else it is still on its way, or has crashed on it
    notice = (_RELOADED if by_renderer else _REOPENED).format(url=url)
    if restore.is_saved:
        restore.is_saved = False
        record.notify([notice])
    else:
        record.note_loss(notice, of_renderer=by_renderer)


@attrs.frozen
class _Children:
    """The frames of a tab that live in other processes, and its workers, as deep as they nest."""

    connection: Connection
    live: LivePage
    nursery: trio.Nursery

    async def follow(self, session: CdpSession, events: Subscription[Any]) -> NoReturn:
        """Serve each new child of a session, and note other events."""
        while True:
            event = await events.next()
            if isinstance(event, target.AttachedToTarget):
                child = self.connection.session(event.session_id)
                serve = partial(self._serve, is_worker=event.target_info.type == "worker")
                self.nursery.start_soon(serve, child)
                self.nursery.start_soon(self.throttle_floods, child)
            else:
                await self.live.note(session, event)

    async def throttle_floods(self, session: CdpSession) -> None:
        """Unsubscribe for a while from a flood of messages, requests or exceptions of a page.

        Adds a notice if messages or requests are lost.
        """

        def begin() -> None:
            self.live.activity.requests.clear()
            self.live.record.notify([_FLOODED])

        lines = console_source(BINDINGS if session is self.live.session else ())
        self.nursery.start_soon(throttle, session, lines)
        if self.live.record.desired.page_tools and session is self.live.session:
            forget = self.live.record.page_tools.by_name.clear
            self.nursery.start_soon(partial(throttle, session, FLOODS, paused=forget))
        await throttle(session, NETWORK, begin, lambda: self.live.record.desired.needs_network)

    async def _serve(self, session: CdpSession, *, is_worker: bool) -> None:
        """Prepare and follow a child until it ends; a frame also if it moves to a new process."""
        live = self.live
        kinds = _REQUESTS if is_worker else _OF_FRAMES

        async def prepare() -> None:
            with suppress(ProtocolError):  # it went while it was being prepared
                prepare_child = prepare_worker if is_worker else prepare_frame
                await prepare_child(session, live.record.desired)

        with session.events(*kinds) as events, session.events(*HELD) as held:
            live.processes.append(session)
            self.nursery.start_soon(prepare)
            self.nursery.start_soon(answer_held, session, live.record, held)
            with suppress(SessionGone):
                await self.follow(session, events)
            live.processes.remove(session)
            live.frames.drop_session(session)
