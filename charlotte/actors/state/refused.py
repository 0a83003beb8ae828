"""Connections that the proxy of a context refused, in the request log of a tab.

Most of them are of requests, which the log has. Preconnects, TURN servers and prefetches have no
request there, so they are listed as connections. The proxy knows the context, but not the tab: a
refusal belongs to the tab in which a call runs, or else to the active tab.
"""

from charlotte.actors.state.context_record import ContextRecord
from charlotte.actors.state.logs import CONNECTION, RequestRecord
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.base.log import now
from charlotte.guard.host_patterns import place_of
from charlotte.guard.url_guard import REFUSED

_MOST = 100


def note_refused(session: SessionRecord, context: ContextRecord, host: str, port: int) -> None:
    """Remember a refused connection for the tab that probably caused it."""
    tabs = [tab for tab in session.tabs.values() if tab.context is context]
    ranked = sorted(
        tabs, key=lambda tab: (bool(tab.tab.statistics().doing), tab.id == session.active)
    )
    if ranked and len(refused := ranked[-1].refused) < _MOST:
        refused.setdefault((host, port), now())


def list_refused(record: TabRecord) -> None:
    """Add the refused connections to the log that have no request in a tab of the context."""
    if not record.refused:
        return
    log, known = record.request_log, _requested_by(record)
    for (host, port), time in record.refused.items():
        if (host, port) not in known:
            name = f"[{host}]" if ":" in host else host
            request = RequestRecord(
                url=log.hidden(f"{name}:{port}"),
                method="CONNECT",
                resource_type=CONNECTION,
                timestamp=time,
                number=log.added + 1,
                status=0,
                error=REFUSED,
            )
            log.begin(f"{CONNECTION} {log.added + 1}", request)
            log.note_end(request)
    record.refused.clear()


def _requested_by(record: TabRecord) -> set[tuple[str, int]]:
    """Return the hosts and ports to which the tabs of a context sent requests."""
    return {
        place_of(request.url)
        for tab in record.session.tabs.values()
        if tab.context is record.context
        for request in tab.request_log.records.values()
    }
