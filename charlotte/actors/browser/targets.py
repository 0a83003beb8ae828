"""New pages of the browser, popups, and downloads.

The browser writes a downloaded file under an unguessable name; Charlotte renames it when it is
complete.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import NoReturn, get_args

import attrs
import structlog
import trio

from charlotte.actors.state.context_record import ContextRecord
from charlotte.actors.state.logs import Download
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import ProfileRecord, Registry
from charlotte.base.errors import LONGEST, CharlotteError, SessionProblem, StorageFailed, ellipsize
from charlotte.base.files import keep_as
from charlotte.protocol import runtime, target
from charlotte.protocol.connection import CdpSession, Connection, Subscription

log = structlog.get_logger(__name__)

MOST_POPUPS = 20
"""Open tabs of a session that were opened by its pages."""

_ABANDONED_WAIT = 120.0
"""Seconds for which a creation is still expected to arrive after its caller has left."""

_PARTIAL = ".crdownload"
"""The suffix of an unfinished file that the browser leaves behind when a disk is full."""

DownloadEvent = target.DownloadWillBegin | target.DownloadProgress
DOWNLOAD_EVENTS: tuple[type[DownloadEvent], ...] = get_args(DownloadEvent)


def add_popup(
    registry: Registry, session: SessionRecord, context: ContextRecord, info: target.TargetInfo
) -> TabRecord | None:
    """Add a tab for a popup; return None if there are too many or the session is closing."""
    if session.closing.is_set():
        return None
    opener = session.by_target(info.opener_id or "")
    opener = opener or session.tabs.get(session.active or "")
    if opener and session.popups >= MOST_POPUPS:
        opener.notify([f"Pages have opened {MOST_POPUPS} tabs; more were closed at once."])
        return None
    if refusal := session.find_refusal():
        if opener:
            opener.notify([f"A tab that the page opened was closed: {refusal.message}"])
        return None
    record = registry.new_tab(session, context)
    record.target_id, record.url = info.target_id, info.url
    session.add(record)
    if opener:
        record.desired = attrs.evolve(record.desired, device=opener.desired.device)
        record.opener, record.noopener = opener, not info.can_access_opener
        opener.news.add(record)
    return record


@attrs.frozen
class NewPage:
    """A page that appeared; the browser holds it if it has attached the session ``session_id``."""

    info: target.TargetInfo
    session_id: str | None = None


@attrs.define(eq=False)
class _Creation:
    """A requested page: ``page`` once it has arrived, ``error`` if it will not arrive."""

    command: target.CreateTarget
    page: NewPage | None = None
    error: CharlotteError | None = None
    settled: trio.Event = attrs.field(factory=trio.Event)
    is_abandoned: bool = False


@attrs.define(eq=False)
class NewPages:
    """Assigns each new page to its creator, or starts ``add_popup`` if a page opened it.

    ``is_held``: the browser attaches to new pages and holds them until they are resumed.
    Each creation has its own task, so a caller may leave at any time. A page that arrives after
    its caller has left is closed, never a popup.
    """

    _connection: Connection
    _nursery: trio.Nursery
    _add_popup: Callable[[NewPage], Awaitable[None]]
    _is_held: bool
    _creations: set[_Creation] = attrs.field(factory=set[_Creation])
    _unclaimed: dict[str, NewPage] = attrs.field(factory=dict[str, NewPage])
    _arrived: trio.lowlevel.ParkingLot = attrs.field(factory=trio.lowlevel.ParkingLot)

    def add(self, page: NewPage) -> None:
        """Add a new page."""
        self._unclaimed[page.info.target_id] = page
        self._arrived.unpark_all()
        self._add_others()

    async def create(self, context: str | None, *, in_front: bool = False) -> NewPage:
        """Create a blank page in a context.

        ``in_front`` raises its window above others. That helps only people who watch, and costs the
        browser much work. Raises `SessionProblem` if the page does not arrive in time.
        """
        creation = _Creation(
            target.CreateTarget(
                url="about:blank", browser_context_id=context, background=not in_front
            )
        )
        self._creations.add(creation)
        self._nursery.start_soon(self._serve, creation)
        page = None
        try:
            with trio.move_on_after(10.0):
                await creation.settled.wait()
                page = creation.page
        finally:
            if page is None:
                self._abandon(creation)
        if creation.error is not None:
            raise creation.error
        if page is None:
            raise SessionProblem("The browser did not open a tab in time.", "Repeat the call.")
        return page

    async def _serve(self, creation: _Creation) -> None:
        """Send the command and wait for its page, even if the caller has left."""
        try:
            with trio.move_on_after(_ABANDONED_WAIT):
                target_id = await self._connection.root.call(creation.command)
                while self._is_held and target_id not in self._unclaimed:
                    await self._arrived.park()
                blank = target.TargetInfo(target_id, "page", "", creation.command.url)
                creation.page = self._unclaimed.pop(target_id, NewPage(blank))
        except CharlotteError as error:
            creation.error = error
        finally:
            self._creations.discard(creation)
            creation.settled.set()
            self._add_others()
        if creation.is_abandoned:
            self._abandon(creation)

    def _abandon(self, creation: _Creation) -> None:
        """Close a page without a caller, now or when it arrives."""
        creation.is_abandoned = True
        if creation.page is not None:
            page, creation.page = creation.page, None
            self._nursery.start_soon(self.close, page)

    async def control(self, page: NewPage) -> CdpSession:
        """Return the first session on a page, which is attached if the browser did not."""
        session_id = page.session_id
        if session_id is None:
            attach = target.AttachToTarget(target_id=page.info.target_id)
            session_id = await self._connection.root.call(attach)
        return self._connection.session(session_id)

    async def close(self, page: NewPage) -> None:
        """Close a page; first resume it, because its opener is blocked until then."""
        try:
            if page.session_id is not None:
                session = self._connection.session(page.session_id)
                await session.begin(runtime.RunIfWaitingForDebugger())
            target_id = page.info.target_id
            await self._connection.root.begin(target.CloseTarget(target_id=target_id))
        except CharlotteError as error:
            log.debug("page was not closed", error=str(error))

    def _add_others(self) -> None:
        """Add each page that has an opener, or that no pending creation can claim.

        The context None of a creation stands for the browser's own profile, which also has an id.
        """
        contexts = {creation.command.browser_context_id for creation in self._creations}
        for target_id, page in tuple(self._unclaimed.items()):
            info = page.info
            if info.opener_id or not contexts & {None, info.browser_context_id}:
                del self._unclaimed[target_id]
                self._nursery.start_soon(self._add_popup, page)


@attrs.frozen(eq=False)
class _RunningDownload:
    """A download: the browser writes ``file``, which is moved to ``directory`` at the end."""

    download: Download
    tab: TabRecord
    file: Path
    directory: Path


@attrs.define(eq=False)
class Downloads:
    """The downloads of one incarnation of the browser.

    ``close`` is called with a tab that was opened only for a download.
    """

    _registry: Registry
    _close: Callable[[TabRecord], object]
    _running: dict[str, _RunningDownload] = attrs.field(
        init=False, factory=dict[str, _RunningDownload]
    )

    async def follow(self, events: Subscription[DownloadEvent]) -> NoReturn:
        """Follow the browser's downloads; unfinished downloads are canceled at the end."""
        try:
            while True:
                match await events.next():
                    case target.DownloadWillBegin() as begun:
                        self._begin(begun)
                    case target.DownloadProgress() as progress if progress.guid in self._running:
                        download = self._running[progress.guid].download
                        download.bytes = round(progress.received_bytes)
                        if progress.state != "inProgress":
                            self._end(progress.guid, progress.state)
                    case _:
                        pass
        finally:
            for guid in list(self._running):
                self._end(guid, "canceled")

    def _begin(self, event: target.DownloadWillBegin) -> None:
        record = self._registry.by_frame(event.frame_id)
        if record is None:
            log.warning("a download belongs to no tab", url=event.url)
            return
        download = Download(event.url, event.suggested_filename)
        try:
            directory = record.session.settings.output_dir()
        except StorageFailed as error:  # Chromium cannot write there either
            download.state = "canceled"
            record.notify([f"A download was canceled. {error.message}"])
        else:
            context = record.context
            written = context.downloads if isinstance(context, ProfileRecord) else directory
            self._running[event.guid] = _RunningDownload(
                download, record, written / event.guid, directory
            )
        if not record.session.settings.config.rules.allows_downloads:
            url = ellipsize(event.url, LONGEST)
            record.notify([f"{url} was not downloaded: policy rule 'no-downloads'."])
        record.note_download(download)
        popup = self._registry.by_target(event.frame_id)
        if popup and popup.has_no_document:
            self._close_unused(popup)

    def _close_unused(self, popup: TabRecord) -> None:
        """Close a popup that was opened only for a download; report that if the popup was."""
        if popup.session.active == popup.id or popup.tab.statistics().doing:
            return
        if popup.opener and popup.opener.news.withdraw(popup):
            popup.opener.notify([f"{popup.id} was closed: it was opened only for a download."])
        self._close(popup)

    def _end(self, guid: str, state: str) -> None:
        running = self._running.pop(guid)
        download, tab, file = running.download, running.tab, running.file
        try:
            if state == "completed":
                download.path = keep_as(file, download.name, running.directory)
                download.name = download.path.name
            else:
                for unfinished in (file, file.with_name(f"{guid}{_PARTIAL}")):
                    unfinished.unlink(missing_ok=True)
        except OSError as error:
            log.warning("a download could not be kept", name=download.name, error=str(error))
            state = "canceled"
        download.state = state
        tab.note_download(download)
