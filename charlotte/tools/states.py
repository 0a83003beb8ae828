"""Playwright's storage state: cookies and localStorage as JSON."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, cast

import attrs
import cattrs

from charlotte.base.errors import InvalidArgument
from charlotte.base.urls import origin_of
from charlotte.browser.world.site_storage import InitialState, Items
from charlotte.protocol.network import Cookie, SameSite
from charlotte.tools.schema.arguments import Limits, Private, camel_case, explain, reader

_SESSION = -1
_LARGEST_FILE = 50_000_000
_IGNORED_FIELDS = {"partitionKey", "_crHasCrossSiteAncestor", "indexedDB"}


@attrs.frozen(kw_only=True)
class NewCookie:
    """One cookie."""

    name: Annotated[str, "Name of the cookie."]
    value: Annotated[str, Private(), "Value of the cookie."]
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


def as_param(cookie: NewCookie) -> Cookie:
    """Convert a cookie to the browser's parameter."""
    expires = _SESSION if cookie.expires is None else cookie.expires
    return Cookie(**attrs.asdict(attrs.evolve(cookie, expires=expires)))


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


def as_state(cookies: Iterable[Cookie], items: Mapping[str, Items]) -> dict[str, Any]:
    """Convert cookies and localStorage to a storage state."""
    origins = [
        {"origin": origin, "localStorage": [{"name": k, "value": v} for k, v in stored]}
        for origin, stored in items.items()
        if stored
    ]
    return {"cookies": [as_json(cookie) for cookie in cookies], "origins": origins}


def read_file(file: Path) -> InitialState:
    """Read a file with a storage state; raises `InvalidArgument`."""
    if file.stat().st_size > _LARGEST_FILE:
        raise InvalidArgument(
            f"{file} has more than {_LARGEST_FILE} bytes.", "Pass a smaller file."
        )
    try:
        return read_state(json.loads(file.read_bytes()))
    except ValueError as error:
        raise InvalidArgument(f"{file} is not JSON: {error}", "Pass another file.") from error


def read_state(raw: Any) -> InitialState:
    """Read a storage state, without the parts that are ignored; raises `InvalidArgument`."""
    try:
        state = cast("StorageState", _read_state(_drop_ignored(raw)))
    except (cattrs.BaseValidationError, ValueError) as error:
        raise InvalidArgument(
            f"Invalid storage state: {explain(error)}",
            "Pass an object of cookies and origins, as storage{action: save} returns it.",
        ) from None
    origins = [saved.origin for saved in state.origins]
    if wrong := [origin for origin in origins if origin_of(origin) != origin]:
        raise InvalidArgument(
            f"Invalid origin: {', '.join(map(repr, wrong[:5]))}.",
            "Pass origins such as https://host.",
        )
    return InitialState(
        cookies=[as_param(cookie) for cookie in state.cookies],
        items={
            saved.origin: [(item.name, item.value) for item in saved.local_storage]
            for saved in state.origins
        },
    )


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
