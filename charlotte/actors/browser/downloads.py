"""Downloads: each is kept in the output directory under its own name, and told once per state.

The browser writes a file under a name that nobody can guess; it gets its own when it is complete.
"""

from collections.abc import Callable, Container, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import attrs
import structlog
import trio

from charlotte.actors.browser.popups import is_spent, withdraw
from charlotte.actors.kernel.events import DownloadChanged
from charlotte.errors import LONGEST, StorageFailed
from charlotte.files import keep_as
from charlotte.protocol.browser import DownloadProgress, DownloadWillBegin, SetDownloadBehavior
from charlotte.protocol.session import Subscription

if TYPE_CHECKING:
    from charlotte.actors.state.records import Registry, SessionRecord, TabRecord

log = structlog.get_logger(__name__)

SAVE_WAIT = 3.0
BEGIN_WAIT = 0.5
MOST_TOLD = 20
_KEPT = 1000
_PARTIAL = ".crdownload"
"""What the browser leaves where a disk is full, to go on with some day."""

DownloadEvent = DownloadWillBegin | DownloadProgress
FOLLOWED: tuple[type[DownloadEvent], ...] = (DownloadWillBegin, DownloadProgress)


@attrs.define(eq=False)
class Download:
    """One download; ``state`` is ``in_progress``, ``completed`` or ``canceled``.

    ``path`` is where it is once it is complete, ``told`` the state that was last told.
    """

    url: str
    name: str
    state: str = "in_progress"
    bytes: int = 0
    path: Path | None = None
    told: str = ""

    def row(self) -> dict[str, Any]:
        """How it is told."""
        row: dict[str, Any] = {"name": self.name, "url": self.url[:LONGEST], "state": self.state}
        row["bytes"] = self.bytes
        return row | ({"path": str(self.path)} if self.path else {})


@attrs.define(eq=False)
class DownloadLog:
    """A tab's downloads of which there is more to tell; ``begun`` counts all there ever were."""

    begun: int = 0
    _open: list[Download] = attrs.field(factory=list[Download])
    _changed: trio.Event = attrs.field(factory=trio.Event)

    def add(self, download: Download) -> None:
        """Take note of a download that begins; beyond a thousand, the oldest is forgotten."""
        self._open = [*self._open[1 - _KEPT :], download]
        self.begun += 1
        self.note_change()

    def note_change(self) -> None:
        """Wake whoever waits for a download to begin or to end."""
        self._changed.set()
        self._changed = trio.Event()

    async def saved(self, since: int, *, begins: bool) -> None:
        """Wait for those that have begun since there were that many, but not for long.

        With ``begins``, something tells that one is about to begin.
        """
        if begins:
            with trio.move_on_after(BEGIN_WAIT):
                while self.begun == since:
                    await self._changed.wait()
        awaited = self._open[-(self.begun - since) :] if self.begun > since else []
        with trio.move_on_after(SAVE_WAIT):
            while any(one.state == "in_progress" for one in awaited):
                await self._changed.wait()

    def news(self, reported: Container[tuple[Download, str]] = ()) -> list[Download]:
        """Return the first `MOST_TOLD` downloads whose state was not reported yet."""
        return [
            one for one in self._open if one.state != one.told and (one, one.state) not in reported
        ][:MOST_TOLD]

    def tell(self, told: Sequence[tuple[Download, str]]) -> None:
        """Note which states were told; of what has ended there is no more to tell."""
        for download, state in told:
            download.told = state
        self._open = [one for one in self._open if one.told in {"", "in_progress"}]


def keeping_downloads(session: "SessionRecord", context: str | None) -> SetDownloadBehavior:
    """The command that has the browser keep what a session downloads."""
    return SetDownloadBehavior(
        behavior="allowAndName",
        browser_context_id=context,
        download_path=str(session.settings.output_path),
        events_enabled=True,
    )


class Downloads:
    """The downloads of one incarnation of the browser.

    ``close`` is called with a tab that was opened for a download and nothing else.
    """

    def __init__(self, registry: "Registry", close: "Callable[[TabRecord], object]") -> None:
        self._registry = registry
        self._close = close
        self._running: dict[str, tuple[Download, TabRecord, Path]] = {}

    async def follow(self, events: Subscription[DownloadEvent]) -> NoReturn:
        """Keep up with the browser's downloads; those that it leaves behind are canceled."""
        try:
            while True:
                match await events.next():
                    case DownloadWillBegin() as begun:
                        self._begins(begun)
                    case DownloadProgress() as progress:
                        self._goes_on(progress)
        finally:
            for guid in list(self._running):
                self._ends(guid, "canceled")

    def _begins(self, event: DownloadWillBegin) -> None:
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
        _tell(record, download)
        window = self._registry.by_target(event.frame_id)
        if window is not None and is_spent(window):
            withdraw(window)
            self._close(window)

    def _goes_on(self, event: DownloadProgress) -> None:
        if event.guid not in self._running:
            return
        download, *_ = self._running[event.guid]
        download.bytes = round(event.received_bytes)
        if event.state != "inProgress":
            self._ends(event.guid, event.state)

    def _ends(self, guid: str, state: str) -> None:
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
        _tell(tab, download)


def _tell(record: "TabRecord", download: Download) -> None:
    record.tell(
        DownloadChanged(
            tab_id=record.id,
            name=download.name,
            url=download.url,
            state=download.state,
            path=download.path,
        )
    )
