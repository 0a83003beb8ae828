"""Looks: the page as a verb leaves it, with its changes and the errors of its document."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, Self

import attrs

from charlotte.actors.state.logs import ConsoleMessage, LogPosition, RequestRecord
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.snapshots import Snapshot
from charlotte.browser.settle import Activity, SettleResult
from charlotte.page.model import SnapshotDiff

_ICON = "/favicon.ico"
"""The browser requests it from every site: a missing icon is not an error of the page."""

_REQUESTED = ("http:", "https:", "data:", "blob:", "file:")
"""Schemes of documents that are loaded by a request."""


@attrs.frozen
class DocumentErrors:
    """Errors of one document until a moment; a failed request is not also a console message."""

    console: Sequence[ConsoleMessage] = ()
    failed: Sequence[RequestRecord] = ()
    until: LogPosition = attrs.field(factory=LogPosition)


@attrs.frozen
class Look:
    """The page as stored; after an action, also its changes and how the page settled.

    ``note`` has sentences about the action, ``invalid`` the fields for which the browser refuses to
    submit a form.
    """

    snapshot: Snapshot
    delta: SnapshotDiff | None = None
    settled: SettleResult | None = None
    note: str | None = None
    since: LogPosition = attrs.field(factory=LogPosition)
    errors: DocumentErrors = attrs.field(factory=DocumentErrors)
    invalid: Sequence[Mapping[str, Any]] = ()

    def with_note(self, note: str) -> Self:
        """Return the look with one more sentence in its note."""
        return attrs.evolve(self, note=" ".join(filter(None, (self.note, note))))


def find_errors(record: TabRecord, activity: Activity) -> DocumentErrors:
    """Return the errors of the present document and its frames."""
    log = record.console_log
    failed = _failed_requests(record, activity)
    failed_urls = {request.url for request in failed}
    return DocumentErrors(
        console=[
            message
            for message in log.errors_since(0)
            if message.document == log.documents
            if message.failed_url not in failed_urls
            if not (message.failed_url or "").endswith(_ICON)
        ],
        failed=failed,
        until=record.log_position(),
    )


def _failed_requests(record: TabRecord, activity: Activity) -> list[RequestRecord]:
    """Return the failed requests since the document's own request.

    Requests of an earlier document that fail later have the loader of that document.
    """
    document = record.request_log.records.get(activity.loader)
    if document is not None:
        first: float = document.number
    else:
        first = 0 if activity.url.startswith(_REQUESTED) else math.inf
    return [
        request
        for request in record.request_log.errors_since(0)
        if request.exchange.loader == activity.loader
        or (request.number >= first and not activity.has_arrived(request.exchange.loader))
        if not request.url.endswith(_ICON)
    ]
