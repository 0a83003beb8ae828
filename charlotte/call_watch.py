"""Watching of calls: a line in the audit log for each."""

import itertools
import secrets
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import attrs
import trio

from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.audit import AuditLog
from charlotte.errors import CharlotteError
from charlotte.log import now
from charlotte.page.model import compact_json
from charlotte.tools.answer import Answer
from charlotte.tools.batch import Prepared
from charlotte.tools.schema.audited import audited_arguments
from charlotte.urls import origin_of, without_query_values

_LONGEST_NAME = 100
_RUN = secrets.token_hex(4)
_numbers = itertools.count(1)
_current: ContextVar[str | None] = ContextVar("call", default=None)


@attrs.define(eq=False)
class CallReport:
    """A call that is being watched; ``answer`` is set when it has one."""

    prepared: Prepared
    tab: TabRecord | None
    before: frozenset[str]
    at: str = attrs.field(factory=now)
    begun: float = attrs.field(factory=trio.current_time)
    id: str = attrs.field(factory=lambda: f"{_RUN}-{next(_numbers)}")
    caller: str | None = attrs.field(factory=_current.get)
    origin: str | None = None
    answer: Answer | None = None

    @property
    def outcome(self) -> str:
        """The outcome of a call that raised no exception."""
        return "failed" if self.answer is not None and self.answer.is_error else "ok"


@attrs.frozen(eq=False)
class CallWatch:
    """The audit log of a session."""

    _record: SessionRecord
    _audit: AuditLog

    def begin(self, prepared: Prepared) -> CallReport:
        """Begin to watch a call. Raises `AuditFailed` if its line could not be written."""
        self._audit.check()
        named = prepared.tab_id or prepared.arguments.get("tab_id")
        default = self._record.active if prepared.tool.tab else None
        tab = self._record.tabs.get(str(named or default))
        report = CallReport(prepared, tab, frozenset(self._record.tabs))
        report.origin = _origin(tab)
        return report

    @contextmanager
    def watching(self, report: CallReport) -> Generator[None]:
        """Watch the call of the block; at the end, queue its line."""
        outcome, characters = "cancelled", 0
        caller = _current.set(report.id)
        try:
            yield
            outcome = report.outcome
            characters = len(report.answer.text) if report.answer is not None else 0
        except CharlotteError as error:
            outcome, characters = error.code, len(error.text or compact_json(error.as_json()))
            raise
        except Exception:
            outcome = "crashed"
            raise
        finally:
            _current.reset(caller)
            self._audit.add(self._row(report, outcome, characters))

    def refuse(self, tool: str, arguments: Mapping[str, Any], outcome: str) -> None:
        """Log a call that is not made, with the names of its arguments.

        Raises `AuditFailed` if its line could not be written.
        """
        self._audit.check()
        about = {"session": self._record.id, "tool": tool[:_LONGEST_NAME]}
        names = [str(name)[:_LONGEST_NAME] for name in arguments]
        call = {"call": f"{_RUN}-{next(_numbers)}", "caller": _current.get()}
        row = {**call, **about, "arguments": names, "outcome": outcome}
        self._audit.add(self._finish(now(), row))

    def close(self) -> None:
        """Log the end of the session, with requests that no call has logged."""
        requests = list(_take_requests(self._record.tabs.values(), ""))
        row = {"event": "session closed", "session": self._record.id, "requests": requests}
        self._audit.add(self._finish(now(), row))

    def _row(self, report: CallReport, outcome: str, characters: int) -> Mapping[str, Any]:
        prepared, record, answer = report.prepared, self._record, report.answer
        tab = report.tab
        if tab is None and answer is not None:
            tab = record.tabs.get(str(answer.metadata.get("tab_id")))
        new = [each for name, each in record.tabs.items() if name not in report.before]
        tabs = [each for each in new if tab is not None and each.opener is tab]
        if tab is not None:
            tabs.insert(0, tab)
        to = _origin(tab)
        row = {
            "call": report.id,
            "caller": report.caller,
            "session": record.id,
            "tab": tab.id if tab is not None else None,
            "tool": prepared.tool.name,
            "arguments": audited_arguments(
                prepared.tool, prepared.arguments, record.settings.secrets.names
            ),
            "origin": report.origin,
            "to": to if to != report.origin else None,
            "outcome": outcome,
            "requests": list(_take_requests(tabs, report.at)),
            "characters": characters,
            "ms": round((trio.current_time() - report.begun) * 1000, 1),
            "trace": record.trace_id(),
        }
        return self._finish(report.at, row)

    def _finish(self, at: str, row: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a row without members that have no value, and without secrets."""
        known = {name: value for name, value in row.items() if value not in (None, [], {})}
        hidden: Mapping[str, Any] = self._record.settings.secrets.hidden_in({"at": at, **known})
        return hidden


def _origin(tab: TabRecord | None) -> str | None:
    """Return the origin of a tab's page, unless the browser's owner has not granted it."""
    return origin_of(tab.shown[0]) if tab is not None else None


def _take_requests(tabs: Iterable[TabRecord], since: str) -> Iterator[dict[str, Any]]:
    """Yield the state-changing requests of tabs that no line has; marked if from before a time."""
    for tab in tabs:
        changing = tab.request_log.changing
        while changing:
            request = changing.popleft()
            row: dict[str, Any] = {
                "method": request.method,
                "url": without_query_values(request.url),
                "status": request.status,
            }
            if error := tab.request_log.error_of(request):
                row["error"] = error
            if request.timestamp < since:
                row["earlier"] = True
            yield row
        if left_out := tab.request_log.take_left_out():
            yield {"left_out": left_out}
