"""News of a tab, which is reported once, and the news that an undelivered batch has reported."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

import attrs

from charlotte.actors.state.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from charlotte.actors.browser.downloads import Download
    from charlotte.actors.state.dev_sites import Edit
    from charlotte.actors.state.records import TabRecord

T = TypeVar("T")


@attrs.define(eq=False, kw_only=True)
class News:
    """The news of a tab that one answer reports.

    ``notified`` is the number of the last notice, ``left_out`` counts earlier ones that were not
    kept. Each download has the state that is reported. ``heard`` is how far errors are reported.
    """

    record: TabRecord
    notices: Sequence[str]
    notified: int
    left_out: int
    opened: Sequence[TabRecord]
    edits: Sequence[Edit]
    downloads: Sequence[tuple[Download, str]]
    heard: Moment = attrs.field(factory=Moment)

    def consume(self) -> None:
        """Remove it from the record: the answer has been delivered."""
        record = self.record
        record.downloads.tell(self.downloads)
        record.notice_log.deliver(self.notified)
        record.opened[:] = _without(record.opened, self.opened)
        record.edits[:] = _without(record.edits, self.edits)
        record.heard = record.heard.later(self.heard)


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
        return [one for one in self._reported if one.record is record]

    def clear(self) -> None:
        """Remove all news, after the last step."""
        self._reported.clear()


current_ledger: ContextVar[Ledger | None] = ContextVar("ledger", default=None)
"""The ledger of the batch whose step is running; a `Request` takes it along to the actor's task."""


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
    """Return the news of a tab that neither an answer nor this batch has reported."""
    reported = _reported_of(record)
    downloads = {pair for one in reported for pair in one.downloads}
    log = record.notice_log
    last_reported = max([log.delivered, *(one.notified for one in reported)])
    notices = log.since(last_reported)
    return News(
        record=record,
        notices=notices,
        notified=log.added,
        left_out=log.added - last_reported - len(notices),
        opened=_without(record.opened, [each for one in reported for each in one.opened]),
        edits=_without(record.edits, [each for one in reported for each in one.edits]),
        downloads=[(one, one.state) for one in record.downloads.news(downloads)],
    )


def heard_of(record: TabRecord) -> Moment:
    """Return how far errors were reported, also by earlier steps of the same batch."""
    heard = record.heard
    for one in _reported_of(record):
        heard = heard.later(one.heard)
    return heard


def _reported_of(record: TabRecord) -> list[News]:
    ledger = current_ledger.get()
    return ledger.of(record) if ledger is not None else []


def _without(present: Iterable[T], reported: Iterable[T]) -> list[T]:
    """Return the items that were not reported: two answers may report one before either is sent."""
    known = {id(one) for one in reported}
    return [one for one in present if id(one) not in known]
