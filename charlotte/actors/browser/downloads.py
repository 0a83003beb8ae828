"""Downloads: files that the browser saves in the output directory of a session.

The browser writes a file under an unguessable name; Charlotte renames it when it is complete.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import structlog

from charlotte.actors.browser.targets import is_unused_popup, withdraw_popup
from charlotte.actors.state.downloads import Download
from charlotte.actors.state.events import DownloadChanged
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import Registry
from charlotte.errors import StorageFailed
from charlotte.files import keep_as
from charlotte.protocol.connection import Subscription
from charlotte.protocol.target import DownloadProgress, DownloadWillBegin, SetDownloadBehavior

log = structlog.get_logger(__name__)

_PARTIAL = ".crdownload"
"""The suffix of an unfinished file that the browser leaves behind when a disk is full."""

DownloadEvent = DownloadWillBegin | DownloadProgress
FOLLOWED: tuple[type[DownloadEvent], ...] = (DownloadWillBegin, DownloadProgress)


def keeping_downloads(session: SessionRecord, context: str | None) -> SetDownloadBehavior:
    """Return the command by which the browser saves the downloads of a session."""
    return SetDownloadBehavior(
        behavior="allowAndName",
        browser_context_id=context,
        download_path=str(session.settings.output_path),
        events_enabled=True,
    )


class Downloads:
    """The downloads of one incarnation of the browser.

    ``close`` is called with a tab that was opened only for a download.
    """

    def __init__(self, registry: Registry, close: Callable[[TabRecord], object]) -> None:
        self._registry = registry
        self._close = close
        self._running = dict[str, tuple[Download, TabRecord, Path]]()

    async def follow(self, events: Subscription[DownloadEvent]) -> NoReturn:
        """Follow the browser's downloads; unfinished downloads are canceled at the end."""
        try:
            while True:
                match await events.next():
                    case DownloadWillBegin() as begun:
                        self._begin(begun)
                    case DownloadProgress() as progress if progress.guid in self._running:
                        download, *_ = self._running[progress.guid]
                        download.bytes = round(progress.received_bytes)
                        if progress.state != "inProgress":
                            self._end(progress.guid, progress.state)
                    case _:
                        pass
        finally:
            for guid in list(self._running):
                self._end(guid, "canceled")

    def _begin(self, event: DownloadWillBegin) -> None:
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
            self._running[event.guid] = download, record, directory
        record.downloads.add(download)
        _publish(record, download)
        popup = self._registry.by_target(event.frame_id)
        if popup is not None and is_unused_popup(popup):
            withdraw_popup(popup)
            self._close(popup)

    def _end(self, guid: str, state: str) -> None:
        download, tab, directory = self._running.pop(guid)
        try:
            if state == "completed":
                download.path = keep_as(directory / guid, download.name)
                download.name = download.path.name
            else:
                for unfinished in (guid, f"{guid}{_PARTIAL}"):
                    (directory / unfinished).unlink(missing_ok=True)
        except OSError as error:
            log.warning("a download could not be kept", name=download.name, error=str(error))
            state = "canceled"
        download.state = state
        tab.downloads.note_change()
        _publish(tab, download)


def _publish(record: TabRecord, download: Download) -> None:
    record.publish(
        DownloadChanged(
            tab_id=record.id,
            name=download.name,
            url=download.url,
            state=download.state,
            path=download.path,
        )
    )
