"""Tools for the cookies of a tab's browser context."""

from collections.abc import Sequence
from typing import Annotated, Any

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import site_data
from charlotte.protocol.network import Cookie, CookieParam, SameSite
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.paging import rows_from
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import PageCursor
from charlotte.tools.schema.tool import tool

_SESSION = -1

Domain = Annotated[str | None, "Domain, including its subdomains"]
CookieName = Annotated[str | None, "Exact name"]


@attrs.frozen(kw_only=True)
class NewCookie:
    """One cookie."""

    name: str
    value: str
    domain: str
    path: str = "/"
    secure: bool = False
    http_only: bool = False
    same_site: SameSite | None = None
    expires: Annotated[
        float | None, Limits(minimum=_SESSION), "Seconds since 1970; default: end of the session"
    ] = None


@tool(group="session", position=570)
async def set_cookies(
    tab: TabHandle, cookies: Annotated[Sequence[NewCookie], Limits(min_length=1, max_length=500)]
) -> Answer[int]:
    """Set cookies in a tab's context, which other tabs may share, and return their number."""
    params = [as_param(cookie) for cookie in cookies]
    await tab.do(site_data.put_cookies, params)
    return json_answer({"set": len(params)}, len(params), tab_id=tab.record.id)


def as_param(cookie: NewCookie) -> CookieParam:
    """Convert a cookie to the browser's parameter."""
    return CookieParam(
        name=cookie.name,
        value=cookie.value,
        domain=cookie.domain,
        path=cookie.path,
        secure=cookie.secure,
        http_only=cookie.http_only,
        same_site=cookie.same_site,
        expires=None if cookie.expires == _SESSION else cookie.expires,
    )


@tool(group="session", position=580, read_only=True)
async def get_cookies(
    tab: TabHandle, *, domain: Domain = None, name: CookieName = None, cursor: PageCursor = None
) -> Answer[tuple[Cookie, ...]]:
    """Return the cookies of the tab's context, with their values."""
    found = await tab.do(site_data.find_cookies, domain, name)
    rows = [as_json(cookie) for cookie in found]
    listed = rows_from("cookies", rows, cursor, tab.record.session.settings.max_chars)
    return json_answer({**listed, "count": len(rows)}, tuple(found), tab_id=tab.record.id)


@tool(group="session", position=590, destructive=True)
async def clear_cookies(
    tab: TabHandle, *, domain: Domain = None, name: CookieName = None
) -> Answer[int]:
    """Delete cookies of the tab's context, all or those of a domain or name; return how many."""
    deleted = await tab.do(site_data.delete_cookies, domain, name)
    return json_answer({"cleared": deleted}, deleted, tab_id=tab.record.id)


def as_json(cookie: Cookie) -> dict[str, Any]:
    """Convert a cookie to an object of Playwright's storage-state files."""
    return {
        "name": cookie.name,
        "value": cookie.value,
        "domain": cookie.domain,
        "path": cookie.path,
        "expires": cookie.expires,
        "httpOnly": cookie.http_only,
        "secure": cookie.secure,
        "sameSite": cookie.same_site or "Lax",
    }
