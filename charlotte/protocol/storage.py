"""CDP Storage domain: cookies of a browser context, by default the first."""

from typing import Any, Literal

import attrs

from charlotte.protocol.wire import Command, Nothing

SameSite = Literal["Strict", "Lax", "None"]


@attrs.frozen(kw_only=True)
class Cookie:
    """A stored cookie; ``expires`` in seconds since the epoch, -1 for a session cookie."""

    name: str
    value: str
    domain: str
    path: str
    expires: float
    http_only: bool
    secure: bool
    same_site: SameSite | None = None
    partition_key: Any = None


@attrs.frozen(kw_only=True)
class CookieParam:
    """A cookie to set."""

    name: str
    value: str
    domain: str
    path: str = "/"
    secure: bool = False
    http_only: bool = False
    same_site: SameSite | None = None
    expires: float | None = None
    partition_key: Any = None


@attrs.frozen
class Cookies:
    """All cookies of a context."""

    cookies: list[Cookie]


@attrs.frozen(kw_only=True)
class GetCookies(Command[Cookies]):
    """Get all cookies of a context."""

    method = "Storage.getCookies"
    browser_context_id: str | None = None


@attrs.frozen(kw_only=True)
class SetCookies(Command[Nothing]):
    """Set cookies in a context."""

    method = "Storage.setCookies"
    cookies: list[CookieParam]
    browser_context_id: str | None = None
