"""The tabs that pages open: each is told of by the tab that opened it, up to a number."""

import attrs

from charlotte.actors.contexts import ContextRecord
from charlotte.actors.records import Registry, SessionRecord, TabRecord
from charlotte.protocol.target import TargetInfo

MOST_POPUPS = 20
"""Tabs of a session that its pages have opened and that are still open."""


def popup_record(
    registry: Registry, session: SessionRecord, context: ContextRecord, info: TargetInfo
) -> TabRecord | None:
    """A tab for what a page opened; None where there are too many, of which its opener tells."""
    opener = registry.by_target(info.opener_id or "")
    opener = opener or session.tabs.get(session.active or "")
    if opener and session.popups >= MOST_POPUPS:
        opener.notify([f"Pages have opened {MOST_POPUPS} tabs; more were closed at once."])
        return None
    record = registry.new_tab(session, context)
    record.target_id, record.url = info.target_id, info.url
    session.add(record, activate=False)
    if opener:
        record.desired = attrs.evolve(record.desired, device=opener.desired.device)
        record.opener = opener
        opener.opened.append(record)
    return record
