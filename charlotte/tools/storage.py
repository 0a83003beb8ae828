"""Tools for cookies and localStorage of a tab's browser context."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, cast

import attrs
import cattrs
import trio

from charlotte.actors.dispatcher import AgentSession, TabHandle
from charlotte.actors.state.records import ContextRecord, TabRecord
from charlotte.actors.tab import site_data
from charlotte.browser.pending_items import Items
from charlotte.errors import InvalidArgument
from charlotte.files import write
from charlotte.page.model import compact_json
from charlotte.protocol.network import Cookie, CookieParam, SameSite
from charlotte.tools.answer import Answer, Stored
from charlotte.tools.pages import json_answer, rows_from
from charlotte.tools.schema.arguments import Limits, PageCursor, TabId, camel_case, explain, reader
from charlotte.tools.schema.tool import tool
from charlotte.urls import origin_of

_SESSION = -1

Domain = Annotated[str | None, "Domain, including its subdomains; default: all."]
CookieName = Annotated[str | None, "Exact name; default: all."]

_LARGEST_FILE = 50_000_000
_IGNORED_FIELDS = {"partitionKey", "_crHasCrossSiteAncestor", "indexedDB"}


@attrs.frozen(kw_only=True)
class NewCookie:
    """One cookie."""

    name: Annotated[str, "Name of the cookie."]
    value: Annotated[str, "Value of the cookie."]
    domain: Annotated[str, "Domain that the cookie belongs to."]
    path: Annotated[str, "Path prefix of URLs that get the cookie."] = "/"
    secure: Annotated[bool, "Send over HTTPS only."] = False
    http_only: Annotated[bool, "Hide from scripts of pages."] = False
    same_site: Annotated[SameSite | None, "SameSite attribute."] = None
    expires: Annotated[
        float | None,
        Limits(minimum=_SESSION),
        "Expiry in seconds since 1970; default: end of the browser session.",
    ] = None


@tool(group="session", title="Set cookies", destructive=True, position=570, idempotent=True)
async def set_cookies(
    tab: TabHandle,
    cookies: Annotated[
        Sequence[NewCookie],
        Limits(min_length=1, max_length=500),
        "Cookies to set; one with the same name, domain and path is replaced.",
    ],
) -> Answer[int]:
    """Set cookies in a tab's context, which other tabs may share, and return their number."""
    params = [as_param(cookie) for cookie in cookies]
    await tab.do(site_data.put_cookies, params)
    return json_answer({"set": len(params)}, len(params), tab_id=tab.record.id)


def as_param(cookie: NewCookie) -> CookieParam:
    """Convert a cookie to the browser's parameter."""
    expires = None if cookie.expires == _SESSION else cookie.expires
    return CookieParam(**attrs.asdict(attrs.evolve(cookie, expires=expires)))


@tool(group="session", title="Read cookies", position=580, read_only=True)
async def get_cookies(
    tab: TabHandle, *, domain: Domain = None, name: CookieName = None, cursor: PageCursor = None
) -> Answer[tuple[Cookie, ...]]:
    """Return the cookies of the tab's context, with their values."""
    found = await tab.do(site_data.find_cookies, domain, name)
    rows = [as_json(cookie) for cookie in found]
    listed = rows_from("cookies", rows, cursor, tab.record.session.settings.max_chars)
    return json_answer({**listed, "count": len(rows)}, tuple(found), tab_id=tab.record.id)


@tool(group="session", title="Delete cookies", position=590, destructive=True, idempotent=True)
async def clear_cookies(
    tab: TabHandle, *, domain: Domain = None, name: CookieName = None
) -> Answer[int]:
    """Delete cookies of the tab's context, all or those of a domain or name; return how many."""
    deleted = await tab.do(site_data.delete_cookies, domain, name)
    return json_answer({"cleared": deleted}, deleted, tab_id=tab.record.id)


def as_json(cookie: Cookie) -> dict[str, Any]:
    """Convert a cookie to an object of Playwright's storage-state files."""
    fields = attrs.asdict(cookie, filter=lambda field, _: field.name != "partition_key")
    named = {camel_case(name): value for name, value in fields.items()}
    return named | {"sameSite": cookie.same_site or "Lax"}


@attrs.frozen(kw_only=True)
class Item:
    """One entry of localStorage."""

    name: str
    value: str


@attrs.frozen(kw_only=True)
class OriginState:
    """The localStorage of one origin."""

    origin: str
    local_storage: Sequence[Item] = ()


@attrs.frozen(kw_only=True)
class StorageState:
    """Playwright's storage state."""

    cookies: Sequence[NewCookie] = ()
    origins: Sequence[OriginState] = ()


_read_state = reader(StorageState)


def _check_source(arguments: Mapping[str, Any]) -> None:
    if arguments["action"] == "load":
        if (arguments["path"] is None) is (arguments["state"] is None):
            raise InvalidArgument("load needs either path or state.", "Pass one of them.")
        if arguments["state"] is not None:
            read_state(arguments["state"])


@tool(
    group="session",
    title="Save or load storage",
    destructive=True,
    position=610,
    tab=False,
    deadline=120.0,
    check=_check_source,
)
async def storage(
    session: AgentSession,
    action: Annotated[
        Literal["save", "load"],
        "Save the state (to path, or into the answer), or load one from path or state.",
    ],
    *,
    path: Annotated[
        str | None,
        "Path of a .json file; save: relative to the output directory, load: inside the roots.",
    ] = None,
    state: Annotated[
        dict[str, Any] | None,
        "State to load, instead of path: {cookies, origins}, as save returns it.",
    ] = None,
    tab_id: TabId | None = None,
) -> Answer[Stored]:
    """Save or load cookies and localStorage of a tab's context, in Playwright's format.

    Without path, save returns the state itself. load adds to the existing state; reload pages to
    apply it.
    """
    record = await session.tab(tab_id)
    if action == "save":
        return await _save(session, record, path)
    if state is None:
        (file,) = session.record.settings.files.files([path or ""])
        saved = await trio.to_thread.run_sync(_read_file, file)
    else:
        saved = read_state(state)
    cookies = [as_param(cookie) for cookie in saved.cookies]
    origins = [(each.origin, _items(each)) for each in saved.origins]
    missing = await record.tab.ask(site_data.write_site_data, session.open_hidden, cookies, origins)
    counts: dict[str, Any] = {"cookies": len(cookies), "origins": len(origins) - len(missing)}
    not_reached = _not_reached(missing)
    value = Stored(**counts, **not_reached)
    return json_answer({"loaded": counts, **not_reached}, value, tab_id=record.id)


async def _save(session: AgentSession, record: TabRecord, path: str | None) -> Answer[Stored]:
    settings = session.record.settings
    file = settings.writable.new_file(path, ".json") if path else None
    data = await record.tab.ask(site_data.read_site_data, session.open_hidden)
    origins = [
        {"origin": origin, "localStorage": [{"name": k, "value": v} for k, v in items]}
        for origin, items in data.items.items()
        if items
    ]
    state = {"cookies": [as_json(cookie) for cookie in data.cookies], "origins": origins}
    counts: dict[str, Any] = {"cookies": len(data.cookies), "origins": len(origins)}
    not_reached = _not_reached(data.not_reached)
    value = Stored(**counts, **not_reached, path=file, state=None if file else state)
    if file is not None:
        await trio.to_thread.run_sync(write, file, json.dumps(state, indent=2).encode())
        return json_answer({"path": str(file), **counts, **not_reached}, value, tab_id=record.id)
    if len(compact_json(state)) > settings.max_chars:
        raise InvalidArgument(
            f"The state has more than {settings.max_chars} characters.",
            "Pass path to save it to a file.",
        )
    return json_answer(state | not_reached, value)


def _not_reached(origins: Sequence[str]) -> dict[str, Any]:
    return {"not_reached": origins} if origins else {}


def begin_with(context: ContextRecord, file: Path) -> None:
    """Set the state that a new context begins with; raises `InvalidArgument`."""
    state = _read_file(file)
    context.cookies.keep(as_param(cookie) for cookie in state.cookies)
    for saved in state.origins:
        context.items.note(saved.origin, _items(saved))
        context.origins.add(saved.origin)


def _items(state: OriginState) -> Items:
    return [(item.name, item.value) for item in state.local_storage]


def _read_file(file: Path) -> StorageState:
    if file.stat().st_size > _LARGEST_FILE:
        raise InvalidArgument(
            f"{file} has more than {_LARGEST_FILE} bytes.", "Pass a smaller file."
        )
    try:
        return read_state(json.loads(file.read_bytes()))
    except ValueError as error:
        raise InvalidArgument(f"{file} is not JSON: {error}", "Pass another file.") from error


def read_state(raw: Any) -> StorageState:
    """Read a storage state, without the parts that are ignored; raises `InvalidArgument`."""
    try:
        state = cast("StorageState", _read_state(_drop_ignored(raw)))
    except (cattrs.BaseValidationError, ValueError) as error:
        raise InvalidArgument(
            f"Invalid storage state: {explain(error, {})}",
            "Pass an object of cookies and origins, as storage{action: save} returns it.",
        ) from None
    origins = [saved.origin for saved in state.origins]
    if wrong := [origin for origin in origins if origin_of(origin) != origin]:
        raise InvalidArgument(
            f"Invalid origin: {', '.join(map(repr, wrong[:5]))}.",
            "Pass origins such as https://host.",
        )
    return state


def _drop_ignored(raw: Any) -> Any:
    """Return a storage state without the parts that other programs save and Charlotte ignores."""
    if not isinstance(raw, dict):
        return raw
    parts = cast("dict[str, Any]", raw)
    return {
        name: [_known_fields(row) for row in cast("Sequence[Any]", rows)]
        if isinstance(rows, list)
        else rows
        for name in ("cookies", "origins")
        if (rows := parts.get(name)) is not None
    }


def _known_fields(row: Any) -> Any:
    if not isinstance(row, dict):
        return row
    fields = cast("dict[str, Any]", row).items()
    return {name: value for name, value in fields if name not in _IGNORED_FIELDS}
