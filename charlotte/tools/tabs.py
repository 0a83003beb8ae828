"""Tools for tabs: navigate, open, list, activate, close, and answer the dialogs that block them."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any

import attrs
from trio.to_thread import run_sync

from charlotte.actors.dispatcher import AgentSession, TabHandle
from charlotte.actors.state.context_record import DEFAULT
from charlotte.actors.state.owner_tabs import OwnerTab
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.tab.actor import BlockedByDialog, Look, TabActor
from charlotte.actors.tab.verbs import navigation
from charlotte.actors.tab.verbs.navigation import LOAD_MS
from charlotte.answers.answer import Answer, Page, TabRow, row_of
from charlotte.answers.answer_format import wants_text
from charlotte.answers.pages import (
    blocked_answer,
    dialog_answer,
    json_answer,
    lines_answer,
    nested_answer,
    page_answer,
    position,
    rows_from,
)
from charlotte.answers.remarks import (
    LONGEST_REMARK,
    fit_lines,
    tab_states,
    write_adoptable,
    write_tab,
)
from charlotte.base.errors import (
    DeadlineExceeded,
    InvalidArgument,
    NavigationBlocked,
    NavigationFailed,
    SessionProblem,
    TabHung,
    ellipsize,
)
from charlotte.browser.world.navigate import WaitFor
from charlotte.guard.host_patterns import HostList
from charlotte.guard.url_guard import quoted
from charlotte.page.model import Detail, PageDetail
from charlotte.tools.logins import load_login
from charlotte.tools.schema.arguments import (
    LoadedDetail,
    OnlyHosts,
    PageCursor,
    Private,
    Rare,
    RareDetail,
    TabId,
    Timeout,
    Url,
)
from charlotte.tools.schema.tool import Blocked, session_tool, tool

_CLOSED = "The tab was closed."
_HUNG_AND_CLOSED = f"{_CLOSED} To keep it, open a tab without a URL and navigate in it."
_AT_ERROR_PAGE = "The tab shows the browser's error page: back returns to the previous page."
_STAYED = "The tab still shows the previous page."
_CONTEXT = re.compile("[A-Za-z0-9_-]{1,40}")

DEADLINE = 330.0
"""Seconds; above the longest timeout that a caller can give, which ends the load."""


@tool(group="navigation", title="Open a URL", position=100, deadline=DEADLINE)
async def navigate(
    tab: TabHandle,
    url: Url,
    *,
    wait_for: Annotated[WaitFor, "Event to wait for."] = "load",
    timeout: Timeout = LOAD_MS,
    detail: LoadedDetail = "auto",
) -> Answer[Page]:
    """Load a URL and return the page, also for a status of 4xx or 5xx."""
    try:
        look = await tab.do(navigation.navigate, url, wait_for, timeout)
    except NavigationFailed as error:
        place = _AT_ERROR_PAGE if tab.record.error_page else _STAYED
        error.suggestion = f"{error.suggestion} {place}"
        raise
    return page_answer(tab.record, attrs.evolve(look, requested=url), detail)


@tool(group="navigation", title="Go back", position=110, deadline=DEADLINE)
async def back(
    tab: TabHandle, *, timeout: Timeout = LOAD_MS, detail: LoadedDetail = "auto"
) -> Answer[Page]:
    """Go back in the tab's history, or end a load that has no answer yet; return the page."""
    return page_answer(tab.record, await tab.do(navigation.go, -1, timeout), detail)


@tool(group="navigation", title="Go forward", position=120, deadline=DEADLINE)
async def forward(
    tab: TabHandle, *, timeout: Timeout = LOAD_MS, detail: LoadedDetail = "auto"
) -> Answer[Page]:
    """Go forward in the tab's history and return the page."""
    return page_answer(tab.record, await tab.do(navigation.go, 1, timeout), detail)


@tool(group="navigation", title="Reload the page", position=130, deadline=DEADLINE)
async def reload(
    tab: TabHandle,
    *,
    hard: Annotated[bool, "Bypass the HTTP cache."] = False,
    timeout: Timeout = LOAD_MS,
    detail: LoadedDetail = "auto",
) -> Answer[Page]:
    """Reload the page and return it; also ends a script that hangs the tab."""
    return page_answer(tab.record, await tab.do(navigation.reload, timeout, hard=hard), detail)


async def look_at(
    record: TabRecord,
    detail: Detail,
    verb: Callable[[TabActor], Awaitable[Look]],
    blocked: Blocked | None = dialog_answer,
) -> Answer[Page]:
    """Run a verb in a tab of the session; return its page or the dialog that blocks it."""
    try:
        return page_answer(record, await record.tab.ask(TabActor.perform, verb), detail)
    except BlockedByDialog as error:
        return blocked_answer(error, blocked)


async def visit_url(record: TabRecord, url: str, detail: PageDetail) -> Answer[Page]:
    """Navigate a tab of the session; return its page or the dialog that opens meanwhile."""
    return await look_at(record, detail, partial(navigation.navigate, url=url), None)


@session_tool(title="List tabs", position=500, read_only=True)
async def tabs(
    session: AgentSession,
    *,
    cursor: PageCursor = None,
    adopt: Annotated[
        str | None, Rare, "Id of a tab of the browser's owner to work in, until tab_close."
    ] = None,
    wake: Annotated[bool, Rare, "With adopt: load a tab that is asleep."] = False,
) -> Answer[tuple[TabRow, ...]]:
    """List the open tabs, even if their pages hang.

    Rows: id, url, title, active, and whether loading, crashed, hung or blocked by a dialog.
    """
    if adopt is not None:
        await session.adopt_tab(adopt, wake=wake)
        return _tabs_answer(session, cursor)
    await session.read_owner_tabs()
    return _tabs_answer(session, cursor, session.record.adoptable())


def _tabs_answer(
    session: AgentSession,
    cursor: str | None = None,
    adoptable: Sequence[OwnerTab] = (),
    *remarks: str,
) -> Answer[tuple[TabRow, ...]]:
    """Return the session's tabs, and those that it can adopt; in text also remarks."""
    record = session.record
    value = (
        *map(row_of, record.tabs.values()),
        *(TabRow(id=tab.id, url=tab.url, title=tab.title, adoptable=True) for tab in adoptable),
    )
    if wants_text():
        return lines_answer([*_write_tabs(record, adoptable, cursor), *remarks], value)
    rows = [*session.rows(), *(tab.row(record.hidden) for tab in adoptable)]
    return json_answer(list_tabs(rows, cursor, record.settings.max_chars), value)


def _write_tabs(
    session: SessionRecord, adoptable: Sequence[OwnerTab], cursor: str | None
) -> list[str]:
    """Return the lines of the tabs from ``cursor`` on: as many as fit, and a next cursor."""
    offset = position(cursor or "0")
    lines = [write_tab(record, tab_states(record)) for record in session.tabs.values()]
    if adoptable:
        lines.append("tabs of the browser's owner that tabs{adopt: ID} lets you work in:")
        lines += [write_adoptable(tab, session.hidden) for tab in adoptable]
    lines = lines[offset:]
    shown = fit_lines(lines, session.settings.max_chars - LONGEST_REMARK)
    if more := len(lines) - len(shown):
        shown.append(f'… {more} more tabs: tabs{{cursor: "{offset + len(shown)}"}}')
    if not shown:
        owner = session.owner
        granted = f"; of the browser's owner, {owner.describe_grants()} is granted" if owner else ""
        shown.append(f"no tabs{granted}")
    return shown


def list_tabs(
    rows: list[dict[str, Any]], cursor: str | None, max_chars: int
) -> list[dict[str, Any]]:
    """Return the rows from ``cursor`` on that fit, and a truncation if they are not all."""
    found = rows_from("tabs", rows, cursor, max_chars)
    cut = found.get("truncation")
    return [*found["tabs"], *([{"type": "truncation", **cut}] if cut else [])]


def _check_opening(arguments: Mapping[str, Any]) -> None:
    context = arguments["context"]
    if context is not None and not _CONTEXT.fullmatch(context):
        raise InvalidArgument(
            f"context must be a name, got {ellipsize(context, 60)!r}.",
            "Use up to 40 letters, digits, hyphens and underscores.",
        )


@session_tool(title="Open a tab", position=510, deadline=DEADLINE, check=_check_opening)
async def tab_open(
    session: AgentSession,
    url: Url | None = None,
    *,
    context: Annotated[
        str | None,
        "Name of a context with its own cookies, created if new. Default: the session's.",
    ] = None,
    login: Annotated[
        str | None, Rare, "Name of a saved login with which a new context begins."
    ] = None,
    only_hosts: OnlyHosts = None,
    detail: LoadedDetail = "auto",
) -> Answer[Page]:
    """Open a tab, make it active and return its page.

    To use several tabs at once, pass `tab_id` to other tools.
    """
    context = session.record.context_named(context)
    was_active = session.record.active
    only = session.record.settings.narrowed(only_hosts) if only_hosts else None
    state = None
    if login is not None:
        state = await run_sync(load_login, session.record.settings, login, abandon_on_cancel=True)
    address = None
    if url is not None:
        address = await _check_address(session.record, url, context or DEFAULT, only)
    elif context is not None and session.record.is_owner_profile(context):
        raise InvalidArgument(
            "url is required for a tab in the profile of the browser's owner.",
            "Pass a granted address.",
        )
    record = await session.open_tab(address, context or DEFAULT, state=state, only=only)
    try:
        if address is None:
            return await look_at(record, detail, TabActor.look)
        return await visit_url(record, address, detail)
    except DeadlineExceeded:  # the load goes on
        raise
    except BaseException as error:  # also an internal error, and that the caller has left
        session.undo_open(record, was_active)
        if isinstance(error, TabHung):
            raise TabHung(error.message, _HUNG_AND_CLOSED) from error  # noqa: ASYNC104 - no Cancelled
        if isinstance(error, NavigationFailed):
            error.suggestion = f"{error.suggestion} {_CLOSED}"
        raise


async def _check_address(
    session: SessionRecord, url: str, context: str, only: HostList | None
) -> str:
    """Return a complete URL for a new tab; raises `NavigationBlocked`."""
    address = session.settings.guard.checked(url)
    if only is not None and not only.permits_url(address):
        raise NavigationBlocked(
            f"{quoted(address)} is not among only_hosts ({only}).", "Add its host, or omit url."
        )
    if refusal := await session.refusal(address, context):
        raise NavigationBlocked(refusal, "Use another address.")
    return address


@session_tool(title="Switch to a tab", position=520, idempotent=True)
async def tab_switch(
    session: AgentSession,
    tab_id: Annotated[TabId, "Id of the tab."],
    *,
    detail: LoadedDetail = "auto",
) -> Answer[Page]:
    """Make a tab active (the default of other tools) and return its page."""
    record = session.record.find(tab_id)
    session.record.active = record.id
    return await look_at(record, detail, TabActor.look)


@session_tool(title="Close a tab", position=530, destructive=True)
async def tab_close(
    session: AgentSession, tab_id: Annotated[TabId, "Id of the tab."]
) -> Answer[tuple[TabRow, ...]]:
    """Close a tab, whatever its page is doing, and list the remaining tabs."""
    record = session.record.find(tab_id)
    if record.adopted is not None and record.dialog is not None:
        raise BlockedByDialog(record, opened_before=True)  # it would stay in the owner's way
    released = [f"! {record.id} stays open for its owner"] if record.adopted is not None else ()
    await session.close_tab(tab_id)
    return _tabs_answer(session, None, (), *released)


@tool(group="dialog", title="Answer a dialog", position=440, destructive=True, tab=False)
async def dialog(
    session: AgentSession,
    *,
    accept: Annotated[bool, "True presses OK, false presses Cancel."],
    prompt_text: Annotated[
        str | None,
        Private(),
        "Text for a prompt, or the name of a secret. Default: its suggestion.",
    ] = None,
    tab_id: TabId | None = None,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Answer the alert, confirm, prompt or beforeunload dialog that blocks a tab.

    The answer to the call that it blocks describes it. Returns what changed.
    """
    record = await session.tab(tab_id)
    record.check_granted()
    pending = record.dialog
    if pending is None:
        raise SessionProblem(
            f"No dialog is open in {record.id}.", "Call observe to see what the page shows."
        )
    text = pending.default_value
    if prompt_text is not None:
        text = session.record.settings.secrets.spelled(prompt_text)
    await session.answer_dialog(record, accept=accept, text=text)
    handled = {
        "type": pending.type,
        "message": session.record.hidden(pending.message),
        "action": "accepted" if accept else "dismissed",
    }
    page = await look_at(record, detail, TabActor.look_since_last)
    return nested_answer({"dialog_handled": handled}, "page", page)
