"""The news of a tab that one answer reports."""

from collections.abc import Sequence

import attrs

from charlotte.actors.state.logs import Download
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.sites import Edit
from charlotte.page.model import PageView


@attrs.define(eq=False, kw_only=True)
class News:
    """The news of a tab that one answer reports.

    ``until`` is the number of the last one, ``left_out`` counts earlier ones that were not kept.
    ``errors`` is the number of the last error that the answer reports, ``view`` the page that it
    shows, ``sections`` are the texts of its complete margins. ``offered`` are the tools of the page
    with their digests, if they have changed.
    """

    record: TabRecord
    until: int
    left_out: int
    notices: Sequence[str]
    opened: Sequence[TabRecord]
    edits: Sequence[Edit]
    downloads: Sequence[Download]
    errors: int = 0
    view: PageView | None = None
    sections: Sequence[str] = ()
    offered: frozenset[tuple[str, str]] = frozenset()

    def consume(self) -> None:
        """Advance the present client, because the answer has been delivered to it."""
        log = self.record.news
        for reader in log.delivered():
            reader.news = max(reader.news, self.until)
            reader.knows_crash = False
            reader.errors = max(reader.errors, self.errors)
            reader.offered = self.offered or reader.offered
            reader.view = self.view or reader.view
        log.note_read(self.until)
        self.record.session.client.note_sections(self.sections)


def news_of(record: TabRecord) -> News:
    """Return the news of a tab that neither an answer nor the present batch has reported."""
    log, reader, offered = record.news, record.news.current, record.page_tools.present
    return News(
        record=record,
        until=log.added,
        left_out=max(log.dropped - reader.news, 0),
        notices=log.unread(str),
        opened=log.unread(TabRecord),
        edits=log.unread(Edit),
        downloads=log.unread(Download),
        offered=frozenset() if offered == reader.offered else offered,
    )
