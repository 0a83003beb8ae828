"""What is told of a tab only once, and what a batch has told that is not delivered yet."""

from __future__ import annotations

from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

import attrs

from charlotte.actors.moments import Moment

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Sequence

    from charlotte.actors.downloads import Download
    from charlotte.actors.records import TabRecord
    from charlotte.actors.served import Edit

T = TypeVar("T")


@attrs.define(eq=False, kw_only=True)
class News:
    """What an answer tells of a tab only once.

    ``notified`` is the number of the last notice, ``left_out`` counts earlier ones that were not
    kept. Downloads are told with their state. ``heard`` is how far errors are reported.
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
    """What the steps of one batch have told; it stays on record until the batch is delivered."""

    _told: list[News] = attrs.field(factory=list[News])

    def note(self, news: News) -> None:
        """Have later steps leave it out."""
        news.record.notice_log.tell(news.notified)
        self._told.append(news)

    def of(self, record: TabRecord) -> list[News]:
        """Return what was told of a tab."""
        return [one for one in self._told if one.record is record]

    def clear(self) -> None:
        """Forget all: no step follows."""
        self._told.clear()


current_ledger: ContextVar[Ledger | None] = ContextVar("ledger", default=None)
"""The ledger of the batch whose step is running; a `Request` takes it along to the actor's task."""


@contextmanager
def keeping_ledger() -> Generator[Ledger]:
    """Make the steps of a batch inside the block."""
    kept = Ledger()
    token = current_ledger.set(kept)
    try:
        yield kept
    finally:
        current_ledger.reset(token)
        kept.clear()  # tasks that were started meanwhile still refer to it


def news_of(record: TabRecord) -> News:
    """Return what happened since the last answer, without what the same batch has told."""
    told = _told_of(record)
    downloads = {pair for one in told for pair in one.downloads}
    log = record.notice_log
    last_told = max([log.delivered, *(one.notified for one in told)])
    notices = log.since(last_told)
    return News(
        record=record,
        notices=notices,
        notified=log.added,
        left_out=log.added - last_told - len(notices),
        opened=_without(record.opened, [each for one in told for each in one.opened]),
        edits=_without(record.edits, [each for one in told for each in one.edits]),
        downloads=[(one, one.state) for one in record.downloads.news(downloads)],
    )


def heard_of(record: TabRecord) -> Moment:
    """Return how far errors were reported, also by earlier steps of the same batch."""
    heard = record.heard
    for one in _told_of(record):
        heard = heard.later(one.heard)
    return heard


def _told_of(record: TabRecord) -> list[News]:
    kept = current_ledger.get()
    return kept.of(record) if kept is not None else []


def _without(present: Iterable[T], told: Iterable[T]) -> list[T]:
    """Return what was added since: two answers may report the same before either is written."""
    known = {id(one) for one in told}
    return [one for one in present if id(one) not in known]
