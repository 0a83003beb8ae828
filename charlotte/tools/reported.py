"""The errors that an answer about a page reports: those of the document that is there."""

import json
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from charlotte.actors.monitors.transcript import ConsoleMessage
from charlotte.actors.state.news import heard_of
from charlotte.actors.state.request_log import RequestRecord
from charlotte.actors.tab.actor import Tab
from charlotte.page.render.envelope import PageErrors

_ICON = "/favicon.ico"
"""The browser requests it from every site by itself: that it is missing is no error of a page."""

_REQUESTED = ("http:", "https:", "data:", "blob:", "file:")
"""Schemes of documents that are brought by a request."""


def errors_for(tab: Tab, *, is_delta: bool) -> PageErrors:
    """Return the errors of the present document; for a delta, only those not reported before.

    A failed request is listed once, under ``network``, though the browser logs it too. Equal errors
    are one row with a ``count``.
    """
    heard = heard_of(tab.record)
    failed = _of_document(tab)
    failed_urls = {request.url for request in failed}
    told = [
        message
        for message in _logged(tab)
        if not is_delta or message.number > heard.messages
        if message.failed_url not in failed_urls
    ]
    news = [one for one in failed if not is_delta or one.failure > heard.failures]
    return PageErrors(
        console=_counted({"level": one.level, "text": one.text} for one in told),
        network=_counted(
            {"url": one.url, "status": one.status, "statusText": one.error or one.status_text}
            for one in news
        ),
    )


def _logged(tab: Tab) -> list[ConsoleMessage]:
    log = tab.record.console_log
    return [
        message
        for message in log.errors_since(0)
        if message.document == log.documents and not (message.failed_url or "").endswith(_ICON)
    ]


def _of_document(tab: Tab) -> list[RequestRecord]:
    """Failed requests of the present document and its frames.

    The document's own request comes first; whatever an earlier document requested meanwhile has
    the loader of that one.
    """
    activity, log = tab.page.activity, tab.record.request_log
    document = log.document(activity.loader)
    if document is not None:
        first: float = document.number
    else:
        first = 0 if activity.url.startswith(_REQUESTED) else math.inf
    return [
        request
        for request in log.errors_since(0)
        if request.exchange.loader == activity.loader
        or (request.number >= first and not activity.has_come(request.exchange.loader))
        if not request.url.endswith(_ICON)
    ]


def _counted(rows: Iterable[dict[str, Any]]) -> Sequence[dict[str, Any]]:
    """Rows without repetitions, in the order of their last occurrence."""
    counts: Counter[str] = Counter()
    last: dict[str, dict[str, Any]] = {}
    for row in rows:
        key = json.dumps(row)
        counts[key] += 1
        last.pop(key, None)
        last[key] = row
    return [row if counts[key] == 1 else {**row, "count": counts[key]} for key, row in last.items()]
