"""The downloads of a tab that have news to report."""

from collections.abc import Container, Sequence
from pathlib import Path
from typing import Any

import attrs
import trio

from charlotte.errors import LONGEST

SAVE_WAIT = 3.0
BEGIN_WAIT = 0.5
MOST_REPORTED = 20
_CAPACITY = 1000


@attrs.define(eq=False)
class Download:
    """A download; ``state`` is ``in_progress``, ``completed`` or ``canceled``.

    ``path`` is set when the download is complete. ``reported`` is the last reported state.
    """

    url: str
    name: str
    state: str = "in_progress"
    bytes: int = 0
    path: Path | None = None
    reported: str = ""

    def row(self) -> dict[str, Any]:
        """Return the row of the download in answers."""
        row: dict[str, Any] = {"name": self.name, "url": self.url[:LONGEST], "state": self.state}
        row["bytes"] = self.bytes
        return row | ({"path": str(self.path)} if self.path else {})


@attrs.define(eq=False)
class DownloadLog:
    """The unfinished or unreported downloads of a tab; ``begun`` counts all there ever were."""

    begun: int = 0
    _open: list[Download] = attrs.field(factory=list[Download])
    _changed: trio.Event = attrs.field(factory=trio.Event)

    def add(self, download: Download) -> None:
        """Add a download that begins, dropping the oldest beyond 1,000."""
        self._open = [*self._open[1 - _CAPACITY :], download]
        self.begun += 1
        self.note_change()

    def note_change(self) -> None:
        """Wake the tasks that wait for a download to begin or to end."""
        self._changed.set()
        self._changed = trio.Event()

    async def wait_until_saved(self, since: int, *, begins: bool) -> None:
        """Wait up to `SAVE_WAIT` seconds for the downloads after the first ``since``.

        With ``begins``, first wait up to `BEGIN_WAIT` seconds for a download to begin.
        """
        if begins:
            with trio.move_on_after(BEGIN_WAIT):
                while self.begun == since:
                    await self._changed.wait()
        awaited = self._open[-(self.begun - since) :] if self.begun > since else []
        with trio.move_on_after(SAVE_WAIT):
            while any(download.state == "in_progress" for download in awaited):
                await self._changed.wait()

    def news(self, reported: Container[tuple[Download, str]] = ()) -> list[Download]:
        """Return the first `MOST_REPORTED` downloads with a state that was not reported."""
        news = [
            download
            for download in self._open
            if download.state != download.reported and (download, download.state) not in reported
        ]
        return news[:MOST_REPORTED]

    def deliver(self, reported: Sequence[tuple[Download, str]]) -> None:
        """Record the reported states and drop downloads whose end was reported."""
        for download, state in reported:
            download.reported = state
        self._open = [one for one in self._open if one.reported in {"", "in_progress"}]
