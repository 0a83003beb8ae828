"""Tools for cookies and localStorage of a tab's browser context."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Annotated, Any, Literal

from trio.to_thread import run_sync

from charlotte.actors.dispatcher import AgentSession, TabHandle
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab import site_data
from charlotte.answers.answer import Answer, Stored
from charlotte.answers.pages import json_answer, rows_from
from charlotte.base.errors import InvalidArgument
from charlotte.base.files import write
from charlotte.page.model import compact_json
from charlotte.protocol.network import Cookie
from charlotte.secrets.login_store import check_name
from charlotte.secrets.redaction import hidden_mark
from charlotte.tools.logins import load_login, save_login
from charlotte.tools.schema.arguments import Limits, PageCursor, Private, Rare, TabId, Uses
from charlotte.tools.schema.tool import tool
from charlotte.tools.states import NewCookie, as_json, as_param, as_state, read_file, read_state

Domain = Annotated[str | None, "Domain, including its subdomains; default: all."]
CookieName = Annotated[str | None, "Exact name; default: all."]
_cookie_tool = partial(tool, group="session", uses="cookies")


@_cookie_tool(title="Set cookies", position=570, destructive=True, idempotent=True)
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


@_cookie_tool(title="Read cookies", position=580, read_only=True)
async def get_cookies(
    tab: TabHandle, *, domain: Domain = None, name: CookieName = None, cursor: PageCursor = None
) -> Answer[tuple[Cookie, ...]]:
    """Return the cookies of the tab's context, with their values."""
    found = await tab.do(site_data.find_cookies, domain, name)
    login = tab.record.context.login
    hidden = {} if login is None else {"value": hidden_mark(login)}
    rows = [as_json(cookie) | hidden for cookie in found]
    listed = rows_from("cookies", rows, cursor, tab.record.session.settings.max_chars)
    return json_answer({**listed, "count": len(rows)}, tuple(found), tab_id=tab.record.id)


@_cookie_tool(title="Delete cookies", position=590, destructive=True, idempotent=True)
async def clear_cookies(
    tab: TabHandle, *, domain: Domain = None, name: CookieName = None
) -> Answer[int]:
    """Delete cookies of the tab's context, all or those of a domain or name; return how many."""
    deleted = await tab.do(site_data.delete_cookies, domain, name)
    return json_answer({"cleared": deleted}, deleted, tab_id=tab.record.id)


def _check_source(arguments: Mapping[str, Any]) -> None:
    path, state, name = arguments["path"], arguments["state"], arguments["name"]
    if name is not None:
        check_name(name)
        if path is not None or state is not None:
            raise InvalidArgument("name is not allowed with path or state.", "Pass one of them.")
    elif arguments["action"] == "load":
        if (path is None) is (state is None):
            raise InvalidArgument("load needs either path or state.", "Pass one of them, or name.")
        if state is not None:
            read_state(state)


@_cookie_tool(
    title="Save or load storage",
    position=610,
    destructive=True,
    deadline=120.0,
    check=_check_source,
    tab=False,
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
        Uses("files"),
        "Path of a .json file; save: relative to the output directory, load: inside the roots.",
    ] = None,
    state: Annotated[
        dict[str, Any] | None,
        Private(),
        "State to load, instead of path: {cookies, origins}, as save returns it.",
    ] = None,
    name: Annotated[
        str | None, Rare, "Name of a saved login, instead of path; its values stay secret."
    ] = None,
    tab_id: TabId | None = None,
) -> Answer[Stored]:
    """Save or load cookies and localStorage of a tab's context, in Playwright's format.

    Without path, save returns the state itself. load adds to the existing state; reload pages to
    apply it.
    """
    record = await session.tab(tab_id)
    settings = session.record.settings
    if action == "save":
        if name is not None:
            return await _save_login(session, record, name)
        return await _save(session, record, path)
    if name is not None:
        saved = await run_sync(load_login, settings, name, abandon_on_cancel=True)
    elif state is None:
        (file,) = settings.files.files([path or ""])
        saved = await run_sync(read_file, file)
    else:
        saved = read_state(state)
    missing = await record.tab.ask(
        site_data.write_site_data, session.open_hidden, saved.cookies, [*saved.items.items()]
    )
    record.context.login = name or record.context.login
    counts = _counts(len(saved.cookies), len(saved.items) - len(missing))
    value = Stored(**counts, not_reached=missing)
    return json_answer({"loaded": counts, **_not_reached(missing)}, value, tab_id=record.id)


def _counts(cookies: int, origins: int) -> dict[str, Any]:
    return {"cookies": cookies, "origins": origins}


def _not_reached(origins: Sequence[str]) -> dict[str, Any]:
    return {"not_reached": origins} if origins else {}


async def _save(session: AgentSession, record: TabRecord, path: str | None) -> Answer[Stored]:
    if record.context.login is not None:
        raise InvalidArgument(
            f"The context of {record.id} has the login {record.context.login!r}, whose values "
            "are neither returned nor written to other files.",
            "Pass name to save it as a login.",
        )
    settings = session.record.settings
    file = settings.writable.new_file(path, ".json") if path else None
    data = await record.tab.ask(site_data.read_site_data, session.open_hidden)
    state = as_state(data.cookies, data.items)
    counts = _counts(len(data.cookies), len(state["origins"]))
    not_reached = _not_reached(data.not_reached)
    value = Stored(**counts, **not_reached, path=file, state=None if file else state)
    if file is not None:
        await run_sync(write, file, json.dumps(state, indent=2).encode())
        return json_answer({"path": str(file), **counts, **not_reached}, value, tab_id=record.id)
    if len(compact_json(state)) > settings.max_chars:
        raise InvalidArgument(
            f"The state has more than {settings.max_chars} characters.",
            "Pass path to save it to a file.",
        )
    return json_answer(state | not_reached, value)


async def _save_login(session: AgentSession, record: TabRecord, name: str) -> Answer[Stored]:
    settings = session.record.settings
    data = await record.tab.ask(site_data.read_site_data, session.open_hidden)
    if not (data.cookies or any(data.items.values())):
        raise InvalidArgument(
            f"The context of {record.id} has no cookies or localStorage: there is no "
            "login to save.",
            "Log in in this tab first, or pass the tab_id of a tab in which you are logged in.",
        )
    replaces = name in settings.config.logins.names()
    saving = (settings, name, data.cookies, data.items)
    await run_sync(save_login, *saving, abandon_on_cancel=True)
    record.context.login = name
    counts = _counts(len(data.cookies), sum(map(bool, data.items.values())))
    value = Stored(**counts, not_reached=data.not_reached, login=name)
    body = {"login": name, **counts, **_not_reached(data.not_reached)}
    if replaces:
        body["replaced"] = True
    return json_answer(body, value, tab_id=record.id)
