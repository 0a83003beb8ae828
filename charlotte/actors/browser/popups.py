"""The tabs that pages open: each is told of by the tab that opened it, up to a number."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs
import trio

from charlotte.actors.kernel.events import DownloadChanged, Navigated, TabClosed

if TYPE_CHECKING:
    from charlotte.actors.state.contexts import ContextRecord
    from charlotte.actors.state.records import Registry, SessionRecord, TabRecord
    from charlotte.protocol.target import TargetInfo

MOST_POPUPS = 20
"""Tabs of a session that its pages have opened and that are still open."""

_ARRIVAL_WAIT = 1.0
_NOTHING_YET = {"", ":"}
"""Where a tab is that was opened for an address; one that was opened blank is at about:blank."""


def popup_record(
    registry: Registry, session: SessionRecord, context: ContextRecord, info: TargetInfo
) -> TabRecord | None:
    """Add a tab for what a page opened; None if there are too many or the session is closing."""
    if session.closing.is_set():
        return None
    opener = session.by_target(info.opener_id or "")
    opener = opener or session.tabs.get(session.active or "")
    if opener and session.popups >= MOST_POPUPS:
        opener.notify([f"Pages have opened {MOST_POPUPS} tabs; more were closed at once."])
        return None
    record = registry.new_tab(session, context)
    record.target_id, record.url = info.target_id, info.url
    session.add(record, activate=False)
    if opener:
        record.desired = attrs.evolve(record.desired, device=opener.desired.device)
        record.opener, record.noopener = opener, not info.can_access_opener
        opener.opened.append(record)
    return record


def has_no_document(record: TabRecord) -> bool:
    """Whether it was opened for an address from which nothing has come."""
    return record.opener is not None and record.url in _NOTHING_YET


async def arrived(opener: TabRecord) -> None:
    """Wait until the tabs that a page has just opened show something, but not for long.

    What they were opened for may turn out to be a download: then they are closed.
    """

    def is_awaited() -> bool:
        return any(has_no_document(one) for one in opener.opened if one.id in opener.session.tabs)

    news = opener.session.feed.listen(Navigated, DownloadChanged, TabClosed)
    with trio.move_on_after(_ARRIVAL_WAIT):
        while is_awaited():
            await anext(news)


def is_spent(record: TabRecord) -> bool:
    """Whether it never had a document, and nobody works in it."""
    is_at_work = record.session.active == record.id or record.tab.statistics().doing
    return has_no_document(record) and not is_at_work


def withdraw(record: TabRecord) -> None:
    """Have it told to nobody; where it was told of already, have told that it is gone."""
    opener = record.opener
    if opener is None:
        return
    if record in opener.opened:
        opener.opened.remove(record)
    else:
        opener.notify([f"{record.id} was closed: it was opened for a download and nothing else."])
