"""News of a tab: what an answer reports once, and what the steps of a batch have reported."""

from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TypeVar

import attrs

from charlotte.actors.kernel.mailbox import carry
from charlotte.actors.state import logs
from charlotte.actors.state.page_tools import Place
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.sites import Edit
from charlotte.page.model import PageView

T = TypeVar("T")


@attrs.define(eq=False, kw_only=True)
class News:
    """The news of a tab that one answer reports.

    ``notified`` is the number of the last notice, ``left_out`` counts earlier notices that were not
    kept. Each download has the state that is reported. ``position`` is how far errors are reported,
    ``view`` the page that the answer shows, ``sections`` the texts of its complete margins.
    ``offered`` are the tools of the page with their digests, if they have changed.
    """

    record: TabRecord
    notices: Sequence[str]
    notified: int
    left_out: int
    opened: Sequence[TabRecord]
    edits: Sequence[Edit]
    downloads: Sequence[tuple[logs.Download, str]]
    position: logs.LogPosition = attrs.field(factory=logs.LogPosition)
    view: PageView | None = None
    sections: Sequence[str] = ()
    offered: frozenset[tuple[Place, str]] = frozenset()

    def consume(self) -> None:
        """Remove the news of the client, because the answer has been delivered to it."""
        record = self.record
        for baseline in record.baselines.delivered():
            baseline.downloads.update(self.downloads)
            baseline.notified = max(baseline.notified, self.notified)
            baseline.opened[:] = _without(baseline.opened, self.opened)
            baseline.edits[:] = _without(baseline.edits, self.edits)
            baseline.reported = baseline.reported.later(self.position)
            baseline.offered = self.offered or baseline.offered
        record.downloads.drop_reported([each.downloads for each in record.baselines.all()])
        record.notice_log.report(self.notified)
        if self.view is not None:
            record.note_delivered(self.view)
        record.session.client.note_sections(self.sections)


@attrs.define(eq=False)
class Ledger:
    """The news that the steps of one batch have reported; tabs keep it until delivery."""

    _reported: list[News] = attrs.field(factory=list[News])

    def note(self, news: News) -> None:
        """Record news as reported, so that later steps leave it out."""
        news.record.notice_log.report(news.notified)
        self._reported.append(news)

    def of(self, record: TabRecord) -> list[News]:
        """Return the news of a tab that was reported."""
        return [news for news in self._reported if news.record is record]

    @property
    def sections(self) -> list[str]:
        """The margins of pages that were reported."""
        return [text for news in self._reported for text in news.sections]

    def clear(self) -> None:
        """Remove all news, after the last step."""
        self._reported.clear()


current_ledger: ContextVar[Ledger | None] = carry(ContextVar("ledger", default=None))
"""The ledger of the batch whose step is running."""


@contextmanager
def keeping_ledger() -> Generator[Ledger]:
    """Provide the ledger of a batch whose steps run inside the block."""
    ledger = Ledger()
    token = current_ledger.set(ledger)
    try:
        yield ledger
    finally:
        current_ledger.reset(token)
        ledger.clear()  # tasks that were started meanwhile still refer to it


def news_of(record: TabRecord) -> News:
    """Return the news of a tab that neither an answer nor the present batch has reported."""
    reported = _reported_of(record)
    downloads = {pair for news in reported for pair in news.downloads}
    notices_log, baseline = record.notice_log, record.baselines.current
    last_reported = max([baseline.notified, *(news.notified for news in reported)])
    notices = notices_log.since(last_reported)
    offered, known = record.page_tools.present, [news.offered for news in reported]
    return News(
        record=record,
        notices=notices,
        notified=notices_log.added,
        left_out=notices_log.added - last_reported - len(notices),
        opened=_without(baseline.opened, [tab for news in reported for tab in news.opened]),
        edits=_without(baseline.edits, [edit for news in reported for edit in news.edits]),
        downloads=[
            (download, download.state)
            for download in record.downloads.news(baseline.downloads, downloads)
        ],
        offered=frozenset() if offered in (baseline.offered, *known) else offered,
    )


def reported_position(record: TabRecord) -> logs.LogPosition:
    """Return how far errors were reported, also by earlier steps of the present batch."""
    position = record.baselines.current.reported
    for news in _reported_of(record):
        position = position.later(news.position)
    return position


def reported_sections(session: SessionRecord) -> Collection[str]:
    """Return the margins of pages that the agent has, also of earlier steps of this batch."""
    ledger = current_ledger.get()
    earlier = ledger.sections if ledger is not None else ()
    return {*session.client.sections, *earlier}


def reported_view(record: TabRecord) -> PageView | None:
    """Return the page as the last answer shows it, also an earlier step of the present batch."""
    views = [news.view for news in _reported_of(record) if news.view is not None]
    return views[-1] if views else record.delivered


def _reported_of(record: TabRecord) -> list[News]:
    ledger = current_ledger.get()
    return ledger.of(record) if ledger is not None else []


def _without(present: Iterable[T], reported: Iterable[T]) -> list[T]:
    """Return the items that were not reported, compared by identity."""
    known = {id(item) for item in reported}
    return [item for item in present if id(item) not in known]
