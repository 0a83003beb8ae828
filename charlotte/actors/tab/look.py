"""Looks: the page as a verb leaves it, with its changes, notes, and the errors of its document.

Notes are about messages shown for a moment, changes before the action, and changed looks.
"""

import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Self

import attrs

from charlotte.actors.state.logs import ConsoleMessage, LogPosition, RequestRecord
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.snapshots import Snapshot, delta_of
from charlotte.browser.settle import Activity, SettleResult
from charlotte.page.model import Change, PageView, SnapshotDiff

_ICON = "/favicon.ico"
"""The browser requests it from every site: a missing icon is not an error of the page."""

_REQUESTED = ("http:", "https:", "data:", "blob:", "file:")
"""Schemes of documents that are loaded by a request."""

_LONGEST = 300
_NUMBERS = re.compile(r"\d+")
FOCUS: set[str | None] = {"state.focused"}
_TEXTS = {"text", "label", "title"}


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


def action_notes(
    settled: SettleResult, reported: Snapshot | None, before: Snapshot, after: Snapshot
) -> list[str]:
    """Return notes on an action; ``reported`` is the page as the agent saw it last."""
    notes = message_notes(settled, before.view, after.view)
    if reported and reported.id and (earlier := _note_earlier_changes(reported, before)):
        notes.append(earlier)
    return notes


def note_restyling(
    delta: SnapshotDiff | None, settled: SettleResult
) -> tuple[SnapshotDiff | None, str | None]:
    """Return the delta and a note on changed looks, if nothing else changed but the focus."""
    if (
        delta is None
        or not settled.restyled_elements
        or {one.property for one in delta.changes} - FOCUS
    ):
        return delta, None
    summary = delta.summary if delta.changes else "No changes of text or controls."
    note = f"Looks may have changed: {'; '.join(settled.restyled_elements)}."
    return attrs.evolve(delta, summary=summary), note


def message_notes(settled: SettleResult, before: PageView, after: PageView) -> list[str]:
    """Return notes on messages that were shown only for a moment, and on repeated messages."""
    passing = _find_passing(settled.removed_messages, before, after)
    repeated = dict.fromkeys(settled.set_messages)
    for view in (before, after) if repeated else ():
        shown = {*view.alerts, *(line.text for line in view.lines)}
        repeated = {text: None for text in repeated if text in shown}
    notes: list[str] = []
    for how, texts in (("Said meanwhile", passing), ("Said again", repeated)):
        if texts:
            quoted = "; ".join(f'"{text}"' for text in texts)
            clipped = quoted if len(quoted) <= _LONGEST else f"{quoted[:_LONGEST]}…"
            notes.append(f"{how}: {clipped}")
    return notes


def _note_earlier_changes(reported: Snapshot, before: Snapshot) -> str | None:
    """Note changes that the page made since the last report: no delta contains them."""
    if reported.view is before.view:
        return None
    delta = delta_of(reported, before)
    if delta is None:
        where = before.view.url[:_LONGEST]
        return f"The page had gone to another document before this, {where}: observe shows it."
    if not any(map(_is_news, delta.changes)):
        return None
    return (
        f"The page had changed before this, since snapshot {reported.id}: "
        f"diff{{snapshot_id: {reported.id}}} lists the changes."
    )


def _is_news(change: Change) -> bool:
    """Return whether a change is more than a move or other numbers in a text, as of a clock."""
    if change.type == "moved":
        return False
    before, after = change.before, change.after
    is_text = change.property in _TEXTS
    return not is_text or _without_numbers(before or "") != _without_numbers(after or "")


def _find_passing(said: Sequence[str], before: PageView, after: PageView) -> list[str]:
    """Return the messages that are not on the page now and were not before.

    Of messages that differ only in numbers, as a countdown, the last one is returned.
    """
    shown = {_without_numbers(text) for view in (before, after) for text in view.alerts}
    shown |= {_without_numbers(line.text) for line in after.lines} if said else set()
    last = {_without_numbers(text): text for text in said}
    return [text for key, text in last.items() if key not in shown]


def _without_numbers(text: str) -> str:
    return _NUMBERS.sub("", text)
