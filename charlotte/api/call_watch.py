"""Watching of calls: a line in the audit log for each."""

import itertools
import secrets
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, cast

import attrs
import trio

from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.answers.answer import Answer
from charlotte.base.errors import CharlotteError, ellipsize
from charlotte.base.log import now
from charlotte.base.urls import origin_of, without_query_values
from charlotte.page.model import compact_json
from charlotte.page.tokens import plural
from charlotte.telemetry.audit import AuditLog
from charlotte.tools.batch import Prepared
from charlotte.tools.schema.arguments import Private, find_note, public_name
from charlotte.tools.schema.tool import Tool

_LONGEST = 2_000
_LONGEST_NAME = 100
_RUN = secrets.token_hex(4)
_numbers = itertools.count(1)
_current: ContextVar[str | None] = ContextVar("call", default=None)


@attrs.frozen(eq=False)
class CallWatch:
    """The audit log of a session."""

    _record: SessionRecord
    _audit: AuditLog

    def check(self) -> None:
        """Raise `AuditFailed` if the line of a call could not be written."""
        self._audit.check()

    @contextmanager
    def watching(self, prepared: Prepared) -> Generator[Callable[[Answer], None]]:
        """Queue a line about the call of the block, which passes its answer to the function."""
        named = prepared.tab_id or prepared.arguments.get("tab_id")
        default = self._record.active if prepared.tool.tab else None
        tab = self._record.tabs.get(str(named or default))
        at, begun, before, origin = now(), trio.current_time(), {*self._record.tabs}, _origin(tab)
        call = {"call": f"{_RUN}-{next(_numbers)}", "caller": _current.get()}
        answers = list[Answer]()
        outcome, characters = "cancelled", 0
        token = _current.set(call["call"])
        try:
            yield answers.append
            outcome = "failed" if any(answer.is_error for answer in answers) else "ok"
            characters = sum(len(answer.text) for answer in answers)
        except CharlotteError as error:
            outcome, characters = error.code, len(error.text or compact_json(error.as_json()))
            raise
        except Exception:
            outcome = "crashed"
            raise
        finally:
            _current.reset(token)
            if tab is None and answers:
                tab = self._record.tabs.get(str(answers[0].metadata.get("tab_id")))
            end = {
                "outcome": outcome,
                "requests": list(_take_requests(self._changed_tabs(tab, before), at)),
                "characters": characters,
                "ms": round((trio.current_time() - begun) * 1000, 1),
                "trace": self._record.trace_id(),
            }
            self._audit.add(self._finish(at, call | self._describe(prepared, tab, origin) | end))

    def _describe(
        self, prepared: Prepared, tab: TabRecord | None, origin: str | None
    ) -> dict[str, Any]:
        names, to = self._record.settings.secrets.names, _origin(tab)
        return {
            "session": self._record.id,
            "tab": tab.id if tab is not None else None,
            "tool": prepared.tool.name,
            "arguments": _audited(prepared.tool, prepared.arguments, names),
            "origin": origin,
            "to": to if to != origin else None,
        }

    def _changed_tabs(self, tab: TabRecord | None, before: Collection[str]) -> list[TabRecord]:
        """Return the tab of a call, and the new tabs that it has opened."""
        new = [each for name, each in self._record.tabs.items() if name not in before]
        return [tab, *(each for each in new if each.opener is tab)] if tab is not None else []

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


def _audited(tool: Tool, arguments: Mapping[str, Any], secrets: Collection[str]) -> dict[str, Any]:
    """Return the arguments that differ from their defaults; ``secrets`` are names of secrets.

    Parameters marked `Private` show only the size of their value, or the name of a secret.
    """
    shown: dict[str, Any] = {}
    for name, default, mark in tool.audited:
        value = arguments.get(name)
        if value is not None and value != default:
            shown[public_name(name)] = _shown(value, mark, secrets)
    return shown


def _shown(value: Any, mark: Private | None, secrets: Collection[str]) -> Any:
    if mark is not None:
        return _masked(value, mark, secrets)
    if isinstance(value, str):
        return ellipsize(without_query_values(value), _LONGEST)
    kind = cast("type[attrs.AttrsInstance]", type(value))
    if attrs.has(kind):
        fields = attrs.fields(attrs.resolve_types(kind, include_extras=True))
        members = {field.name: (getattr(value, field.name), field.type) for field in fields}
        return {
            public_name(name): _shown(member, find_note(hint, Private), secrets)
            for name, (member, hint) in members.items()
            if member is not None
        }
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {str(name): _shown(entry, None, secrets) for name, entry in entries.items()}
    if isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        return [_shown(item, None, secrets) for item in items]
    return value


def _masked(value: Any, mark: Private, secrets: Collection[str]) -> Any:
    """Return the size of a private value."""
    if isinstance(value, str):
        if value in secrets:
            return f"<secret>{value}</secret>"
        return value if mark.keeps(value) else f"[{len(value)} {plural(len(value), 'character')}]"
    if isinstance(value, Mapping):
        entries = cast("Mapping[str, Any]", value)
        return {str(name): _masked(entry, mark, secrets) for name, entry in entries.items()}
    if isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        if all(isinstance(item, str) for item in items):
            return [_masked(item, mark, secrets) for item in items]
        return f"[{len(items)} items]"
    return value if isinstance(value, bool) else "[number]"
