"""The errors that pages come with: those an agent has to hear of now."""

from charlotte.actors.records import TabRecord
from charlotte.actors.tab import Tab
from charlotte.page.envelope import Errors
from charlotte.page.render import Detail

_EVERYTHING = {"summary", "full"}
_ICON = "/favicon.ico"
"""What the browser asks every site for by itself: that there is none is no error of a page."""


def errors_for(tab: Tab, detail: Detail, *, is_delta: bool) -> Errors:
    """What went wrong on a tab, as far as an answer at this detail tells it.

    A delta tells what the agent has not heard of; a page that is shown at ``minimal`` or ``auto``
    also what is wrong with its document. Only one that is asked for in full comes with everything
    since the logs were cleared (C-ERR-07): what happened on pages long left would be told for ever.
    """
    record = tab.record
    document = record.request_log.document(tab.page.activity.loader)
    if detail in _EVERYTHING or (document is None and not is_delta):
        return _since(record, 0, 0, "")
    timestamp = document.timestamp if document and not is_delta else ""
    return _since(record, record.heard.messages, record.heard.failures, timestamp)


def _since(record: TabRecord, messages: int, failures: int, timestamp: str) -> Errors:
    """Errors after so many messages and failures; with a ``timestamp``, all since then."""

    def is_told(number: int, heard: int, when: str) -> bool:
        return number > heard or (timestamp != "" and when >= timestamp)

    return Errors(
        console=[
            {"level": one.level, "text": one.text}
            for one in record.console_log.errors_since(0)
            if is_told(one.number, messages, one.timestamp) and not one.text.endswith(f"{_ICON})")
        ],
        network=[
            {"url": one.url, "status": one.status, "statusText": one.error or one.status_text}
            for one in record.request_log.errors_since(0)
            if is_told(one.failure, failures, one.timestamp) and not one.url.endswith(_ICON)
        ],
    )
