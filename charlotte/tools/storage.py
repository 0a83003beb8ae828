"""The tool that saves what sites have stored, and gives it to others."""

import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import attrs
import cattrs
import trio

from charlotte.actors.session import AgentSession
from charlotte.actors.state.contexts import ContextRecord
from charlotte.actors.state.session_settings import Settings
from charlotte.actors.tab.actor import Tab
from charlotte.browser import cookies as jar
from charlotte.browser.origin_storage import Items, Visitor, open_visitor
from charlotte.errors import InvalidArgument
from charlotte.files import write
from charlotte.page.record_base import compact_json
from charlotte.protocol.target import CloseTarget
from charlotte.tools.answer import Answer
from charlotte.tools.cookies import NewCookie, as_json, as_param
from charlotte.tools.pages import json_answer
from charlotte.tools.results import Stored
from charlotte.tools.schema.arguments import reader, tab_name
from charlotte.tools.schema.json_schema import Lenient
from charlotte.tools.schema.problems import explain
from charlotte.tools.schema.tool import tool
from charlotte.urls import origin_of

_LARGEST = 50_000_000
_ALL_TAKE = 60.0
"""Seconds in which the origins are visited, one after the other."""

_NOT_KEPT = {"partitionKey", "_crHasCrossSiteAncestor", "indexedDB"}


@attrs.frozen(kw_only=True)
class Item:
    """One entry of localStorage."""

    name: str
    value: str


@attrs.frozen(kw_only=True)
class OriginState:
    """What one origin has stored."""

    origin: str
    local_storage: Sequence[Item] = ()


@attrs.frozen(kw_only=True)
class State:
    """Playwright's storage state."""

    cookies: Sequence[NewCookie] = ()
    origins: Sequence[OriginState] = ()


_read_state = reader(State)


def _check_source(arguments: Mapping[str, Any]) -> None:
    given = [name for name in ("path", "state") if arguments[name] is not None]
    if arguments["action"] == "load" and len(given) != 1:
        raise InvalidArgument("load takes either path or state.", "Give one of them.")
    if arguments["action"] == "load" and arguments["state"] is not None:
        read_state(arguments["state"])


@tool(group="session", position=610, tab=False, deadline=120.0, check=_check_source)
async def storage(
    session: AgentSession,
    action: Literal["save", "load"],
    *,
    path: Annotated[str | None, "A .json file; save: relative to the output directory"] = None,
    state: Annotated[dict[str, Any] | None, "State to load, instead of path"] = None,
    tab_id: Annotated[str | None, Lenient(tab_name)] = None,
) -> Answer[Stored]:
    """Save or load cookies and localStorage of a tab's context, in Playwright's format.

    Without path, save returns the state itself. load adds to the existing state; reload pages to
    apply it.
    """
    record = await session.tab(tab_id)
    if action == "save":
        return await record.tab.ask(_save, session, path)
    wanted = await _wanted(session, path, state)
    return await record.tab.ask(_load, session, wanted)


async def _save(tab: Tab, session: AgentSession, path: str | None) -> Answer[Stored]:
    settings = session.record.settings
    place = settings.writable.new_file(path, ".json") if path else None
    found = await jar.found(tab.page.root, await tab.page.context())
    origins, missing = await _read_origins(tab, session)
    state = {"cookies": [as_json(one) for one in found], "origins": origins}
    counts: dict[str, Any] = {"cookies": len(found), "origins": len(origins)}
    if place is None:
        return _inline(state, Stored(**counts, state=state, not_reached=missing), settings)
    await trio.to_thread.run_sync(write, place, json.dumps(state, indent=2).encode())
    return json_answer(
        {"path": str(place), **counts, **_told(missing)},
        Stored(path=place, **counts, not_reached=missing),
        tab_id=tab.record.id,
    )


def _told(missing: Sequence[str]) -> dict[str, Any]:
    return {"not_reached": missing} if missing else {}


def _inline(state: dict[str, Any], value: Stored, settings: Settings) -> Answer[Stored]:
    if len(compact_json(state)) > settings.max_chars:
        raise InvalidArgument(
            f"The state has more than {settings.max_chars} characters.",
            "Save it to a file: give path.",
        )
    return json_answer(state | _told(value.not_reached), value)


async def _read_origins(
    tab: Tab, session: AgentSession
) -> tuple[list[dict[str, Any]], Sequence[str]]:
    """What the context's origins have stored, and those that time did not allow or cannot be."""
    found: dict[str, Items] = {}
    origins = sorted(tab.record.context.origins)
    if origins:
        with trio.move_on_after(_ALL_TAKE):
            async with _visitor(tab, session) as visitor:
                for origin in origins:
                    if (items := await visitor.read(origin)) is not None:
                        found[origin] = items
    rows = [
        {"origin": origin, "localStorage": [{"name": k, "value": v} for k, v in items]}
        for origin, items in found.items()
        if items
    ]
    return rows, [origin for origin in origins if origin not in found]


async def _load(tab: Tab, session: AgentSession, state: State) -> Answer[Stored]:
    cookies = [as_param(one) for one in state.cookies]
    await jar.put(tab.page.root, await tab.page.context(), cookies)
    tab.record.context.cookies.keep(cookies)
    missing = [one.origin for one in state.origins]
    if missing:
        with trio.move_on_after(_ALL_TAKE):
            async with _visitor(tab, session) as visitor:
                for one in state.origins:
                    if await visitor.write(one.origin, _items(one)):
                        missing.remove(one.origin)
                        tab.record.context.origins.add(one.origin)
    counts: dict[str, Any] = {"cookies": len(cookies), "origins": len(state.origins) - len(missing)}
    return json_answer(
        {"loaded": counts, **_told(missing)},
        Stored(**counts, not_reached=missing),
        tab_id=tab.record.id,
    )


def begin_with(context: ContextRecord, file: Path) -> None:
    """Have a context that is not there yet begin with a saved state; raises `InvalidArgument`."""
    state = _read_file(file)
    context.cookies.keep(as_param(one) for one in state.cookies)
    for one in state.origins:
        context.items.note(one.origin, _items(one))
        context.origins.add(one.origin)


def _items(state: OriginState) -> Items:
    return [(item.name, item.value) for item in state.local_storage]


@asynccontextmanager
async def _visitor(tab: Tab, session: AgentSession) -> AsyncGenerator[Visitor]:
    """A hidden page in the tab's context."""
    target_id, hidden = await session.open_hidden(await tab.page.context())
    try:
        async with open_visitor(hidden) as visitor:
            yield visitor
    finally:
        with trio.CancelScope(shield=True):  # only sent
            await tab.page.root.begin(CloseTarget(target_id=target_id))


async def _wanted(session: AgentSession, path: str | None, state: dict[str, Any] | None) -> State:
    if state is not None:
        return read_state(state)
    (file,) = session.record.settings.files.files([path or ""])
    return await trio.to_thread.run_sync(_read_file, file)


def _read_file(file: Path) -> State:
    if file.stat().st_size > _LARGEST:
        raise InvalidArgument(f"{file} has more than {_LARGEST} bytes.", "Give another file.")
    try:
        return read_state(json.loads(file.read_bytes()))
    except ValueError as error:
        raise InvalidArgument(f"{file} is no JSON: {error}", "Give another file.") from error


def read_state(raw: Any) -> State:
    """A storage state, what Charlotte does not keep left out; raises `InvalidArgument`."""
    try:
        state: Any = _read_state(_known(raw))
    except (cattrs.BaseValidationError, ValueError) as error:
        raise InvalidArgument(
            f"That is no storage state: {explain(error, {})}",
            "It is an object of cookies and origins, as storage{action: save} makes it.",
        ) from None
    found: State = state
    wrong = [one.origin for one in found.origins if origin_of(one.origin) != one.origin]
    if wrong:
        raise InvalidArgument(
            f"No origin: {', '.join(map(repr, wrong[:5]))}.", "Origins are as https://host."
        )
    return found


def _known(raw: Any) -> Any:
    if not isinstance(raw, dict):
        return raw
    given = cast("dict[str, Any]", raw)
    parts = {name: given[name] for name in ("cookies", "origins") if name in given}
    return {name: _each_known(rows) for name, rows in parts.items() if rows is not None}


def _each_known(rows: Any) -> Any:
    if not isinstance(rows, list):
        return rows
    return [_without(one) for one in cast("list[object]", rows)]


def _without(row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    fields = cast("dict[str, Any]", row)
    return {name: value for name, value in fields.items() if name not in _NOT_KEPT}
