"""Saved logins as states of contexts, and the values of a login that are redacted."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast
from urllib.parse import unquote

import attrs
import structlog

from charlotte.actors.state.session_settings import Settings
from charlotte.browser.world.site_storage import InitialState, Items
from charlotte.page.model import count_fitting
from charlotte.protocol.network import Cookie
from charlotte.tools.states import as_state, read_state

log = structlog.get_logger(__name__)

SHORTEST_HIDDEN_COOKIE = 8
"""Characters of a value that scripts cannot read: pages hardly ever show it by chance."""
SHORTEST = 20
LONGEST = 8_192
MOST_CHARACTERS = 200_000
"""Characters of all redacted values of a login; each answer is searched for all of them."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d[T ][\d:.,Z+-]+")
_ADDRESS = re.compile(r"https?://.*|[^@]+@[^@]+\.\w+", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s=&;,|]+")
_KINDS = [re.compile("[a-z]"), re.compile("[A-Z]"), re.compile("[0-9]")]


def load_login(settings: Settings, name: str) -> InitialState:
    """Read a saved login and redact its values from now on; blocks.

    Raises `InvalidArgument` for an unknown name, `SessionProblem` for a wrong key.
    """
    state = settings.config.logins.read(name, _read_login)
    settings.secrets.hide_login(name, state.secrets)
    return attrs.evolve(state, login=name)


def save_login(
    settings: Settings, name: str, cookies: Sequence[Cookie], items: Mapping[str, Items]
) -> None:
    """Save a login and redact its values from now on; blocks. Raises `SessionProblem`."""
    settings.config.logins.write(name, as_state(cookies, items))
    settings.secrets.hide_login(name, secret_values(cookies, items))


def _read_login(body: Any) -> InitialState:
    state = read_state(body)
    return attrs.evolve(state, secrets=secret_values(state.cookies, state.items))


def secret_values(cookies: Sequence[Cookie], items: Mapping[str, Items]) -> Sequence[str]:
    """Return the values of a login that are distinctive enough to be redacted."""
    found = dict.fromkeys(
        cookie.value
        for cookie in cookies
        if cookie.http_only and SHORTEST_HIDDEN_COOKIE <= len(cookie.value) <= LONGEST
    )
    texts = [cookie.value for cookie in cookies]
    texts += [unquote(text) for text in texts if "%" in text]
    texts += [value for stored in items.values() for _, value in stored]
    found |= dict.fromkeys(word for text in texts for word in _words(text) if is_distinctive(word))
    values = [*found][: count_fitting(found, MOST_CHARACTERS)]
    if len(values) < len(found):
        log.warning("only a part of a login is redacted", values=len(values), of=len(found))
    return values


def _words(text: str) -> Iterator[str]:
    """Yield the parts of a text, or of all texts in its JSON, between spaces and ``=&;,|``."""
    parts: list[Any] = [text]
    while parts:
        part = parts.pop()
        if isinstance(part, dict):
            parts += cast("dict[str, Any]", part).values()
        elif isinstance(part, list):
            parts += part
        elif isinstance(part, str):
            value = _parse(part)
            if value is None:
                yield from _BETWEEN.split(part)
            else:
                parts.append(value)


def _parse(text: str) -> Any:
    """Return the value of a text that is JSON of a composite value or a text, else None."""
    if text[:1] not in {"{", "[", '"'}:
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def is_distinctive(word: str) -> bool:
    """Return whether a word is long and irregular enough to be a token, not text of pages."""
    kinds = sum(bool(kind.search(word)) for kind in _KINDS)
    return (
        SHORTEST <= len(word) <= LONGEST
        and (kinds > 1 or word.isdigit())
        and not _DATE.fullmatch(word)
        and not _ADDRESS.fullmatch(word)
    )
