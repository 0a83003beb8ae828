"""Watching of calls: a line in the audit log for each."""

import itertools
import secrets
from collections.abc import Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import attrs
import trio

from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.base.errors import ellipsize
from charlotte.base.log import now
from charlotte.base.urls import origin_of, without_query_values
from charlotte.page.tokens import plural
from charlotte.telemetry.audit import AuditLog
from charlotte.tools.batch import Prepared
from charlotte.tools.schema.arguments import Private, find_note, public_name

_LONGEST = 2_000
_LONGEST_NAME = 100
_RUN = secrets.token_hex(4)
_numbers = itertools.count(1)
_current: ContextVar[str | None] = ContextVar("call", default=None)


@attrs.define(eq=False)
class RunningCall:
    """A call from ``since`` to ``ended`` in trio's time; ``failed`` if its answer is an error.

    ``answered_by`` is the tab of the answer, which has so many ``characters``.
    """

    session: str
    tool: str
    tab_id: str | None
    since: float = attrs.field(factory=trio.current_time)
    failed: bool = False
    outcome: str = "cancelled"
    ended: float = 0.0
    answered_by: str | None = None
    characters: int = 0


@attrs.frozen(eq=False)
class CallWatch:
    """The audit log of a session."""

    _record: SessionRecord
    _audit: AuditLog

    def check(self) -> None:
        """Raise `AuditFailed` if the line of a call could not be written."""
        self._audit.check()

    @contextmanager
    def watching(self, prepared: Prepared, call: RunningCall) -> Generator[None]:
        """Queue a line about the call of the block."""
        named = prepared.tab_id or prepared.arguments.get("tab_id")
        default = self._record.active if prepared.tool.tab else None
        tab = self._record.tabs.get(str(named or default))
        at, before, origin = now(), {*self._record.tabs}, _origin(tab)
        row: dict[str, Any] = {"call": f"{_RUN}-{next(_numbers)}", "caller": _current.get()}
        token = _current.set(row["call"])
        try:
            yield
        finally:
            _current.reset(token)
            tab = tab or self._record.tabs.get(call.answered_by or "")
            new = [each for name, each in self._record.tabs.items() if name not in before]
            changed = [tab, *(each for each in new if each.opener is tab)] if tab else []
            names, to = self._record.settings.secrets.names, _origin(tab)
            row |= {
                "session": self._record.id,
                "tab": tab and tab.id,
                "tool": prepared.tool.name,
                "arguments": {
                    public_name(field.name): _shown(value, find_note(field.type, Private), names)
                    for field in attrs.fields(prepared.tool.arguments)
                    if (value := prepared.arguments.get(field.name)) not in (None, field.default)
                },
                "origin": origin,
                "to": to if to != origin else None,
                "outcome": call.outcome,
                "requests": list(_take_requests(changed, at)),
                "characters": call.characters,
                "ms": round((call.ended - call.since) * 1000, 1),
                "trace": self._record.trace_id(),
            }
            self._audit.add(self._finish(at, row))

    def refuse(self, tool: str, arguments: Mapping[str, Any], outcome: str) -> None:
        """Log a call that is not made, with the names of its arguments.

        Raises `AuditFailed` if its line could not be written.
        """
        self._audit.check()
        about = {"session": self._record.id, "tool": ellipsize(tool, _LONGEST_NAME)}
        names = [ellipsize(str(name), _LONGEST_NAME) for name in arguments]
        call = {"call": f"{_RUN}-{next(_numbers)}", "caller": _current.get()}
        row = {**call, **about, "arguments": names, "outcome": outcome}
        self._audit.add(self._finish(now(), row))

    def close(self) -> None:
        """Log the end of the session, with requests that no call has logged."""
        requests = list(_take_requests(self._record.tabs.values(), ""))
        row = {"event": "session closed", "session": self._record.id, "requests": requests}
        self._audit.add(self._finish(now(), row))

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
            if error := request.error or tab.request_log.refusal_of(request):
                row["error"] = error
            if request.timestamp < since:
                row["earlier"] = True
            yield row
        if left_out := tab.request_log.take_left_out():
            yield {"left_out": left_out}


def _shown(value: Any, mark: Private | None, secrets: Collection[str]) -> Any:
    """Return a value with its texts cut; of a private one, the sizes of its texts and lists."""
    if isinstance(value, str):
        return _shown_text(value, mark, secrets)
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {str(name): _shown(entry, mark, secrets) for name, entry in entries.items()}
    if isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        if mark is not None and not all(isinstance(item, str) for item in items):
            return f"[{len(items)} items]"
        return [_shown(item, mark, secrets) for item in items]
    kind = cast("type[attrs.AttrsInstance]", type(value))
    if mark is None and attrs.has(kind):
        fields = attrs.fields(attrs.resolve_types(kind, include_extras=True))
        members = {field.name: (getattr(value, field.name), field.type) for field in fields}
        return {
            public_name(name): _shown(member, find_note(hint, Private), secrets)
            for name, (member, hint) in members.items()
            if member is not None
        }
    return value if mark is None or isinstance(value, bool) else "[number]"


def _shown_text(text: str, mark: Private | None, secrets: Collection[str]) -> str:
    """Return a text, of a private one its size or the name of a secret."""
    if mark is None:
        return ellipsize(without_query_values(text), _LONGEST)
    if text in secrets:
        return f"<secret>{text}</secret>"
    return text if mark.keeps(text) else f"[{len(text)} {plural(len(text), 'character')}]"
