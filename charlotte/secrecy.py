"""What agents may use but never see: values that are typed by name, and logins of HTTP."""

import base64
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote, quote_plus, unquote, urlsplit

import attrs

from charlotte.addresses import origin_of
from charlotte.errors import InvalidArgument

_LEAST = 4
"""Characters of a value: whatever is shorter stands in many texts that betray nothing."""

_LOGIN = "HTTP_CREDENTIAL"
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")


@attrs.frozen
class Credential:
    """Who logs in at an origin (as ``https://shop.test``), by whatever scheme of HTTP it asks."""

    origin: str
    username: str = attrs.field(repr=False)
    password: str = attrs.field(repr=False)
    is_proxys: bool = False

    @property
    def reach(self) -> str:
        """The glob of the addresses for which it may be asked; for all of them by a proxy."""
        return "*" if self.is_proxys else f"{self.origin}/*"

    @property
    def token(self) -> str:
        """What a request shows in the scheme ``Basic`` (RFC 7617)."""
        return base64.b64encode(f"{self.username}:{self.password}".encode()).decode()


def read_credential(text: str, proxy: str | None = None) -> Credential:
    """Read ``https://user:password@host``, which may be that of the proxy at an address.

    Raises `InvalidArgument`, which does not quote it.
    """
    origin = origin_of(text)
    parts = urlsplit(text if origin else "")
    if origin is None or not parts.username or parts.password is None or parts.path.strip("/"):
        raise InvalidArgument(
            "http_credential is as https://user:password@host:port, with special characters in "
            "percent encoding."
        )
    username, password = unquote(parts.username), unquote(parts.password)
    is_proxys = proxy is not None and proxy.rpartition("//")[2] == urlsplit(origin).netloc
    return Credential(origin, username, password, is_proxys)


@attrs.frozen
class Secrets:
    """Values by name; what is shown has the names instead."""

    values: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    _hidden: "re.Pattern[str] | None" = attrs.field(default=None, repr=False)
    _names: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)

    @classmethod
    def of(cls, values: Mapping[str, str], credentials: Sequence[Credential] = ()) -> "Secrets":
        """Hide these values, and what requests show to log in."""
        logins = [text for one in credentials for text in (one.token, one.password)]
        hidden = [*values.items(), *((_LOGIN, text) for text in logins if len(text) >= _LEAST)]
        names = {form: name for name, value in reversed(hidden) for form in _forms(value)}
        longest = sorted(names, key=len, reverse=True)
        pattern = "|".join(re.escape(one) for one in longest)
        return cls(values, re.compile(pattern) if pattern else None, names)

    def spelled(self, text: str) -> str:
        """What is typed for a text: the value, if it is the name of one."""
        return self.values.get(text, text)

    def hidden(self, text: str) -> str:
        """A text as it may be shown; one that is JSON stays JSON."""
        if self._hidden is None or self._hidden.search(text) is None:
            return text
        try:
            value = json.loads(text)
        except ValueError:
            return self._named(text)
        return json.dumps(self.hidden_in(value), ensure_ascii=False, separators=(",", ":"))

    def hidden_in(self, value: Any) -> Any:
        """What could be JSON, as it may be shown."""
        items: Any = value
        if self._hidden is None:
            return value
        if isinstance(value, str):
            return self._named(value)
        if isinstance(value, dict):
            return {self.hidden_in(key): self.hidden_in(one) for key, one in items.items()}
        if isinstance(value, list | tuple):
            return [self.hidden_in(one) for one in items]
        return self._named(str(value)) if str(value) in self._names else value

    def _named(self, text: str) -> str:
        if self._hidden is None:
            return text
        return self._hidden.sub(lambda found: f"<secret>{self._names[found[0]]}</secret>", text)


NO_SECRETS = Secrets()


def _forms(value: str) -> Iterator[str]:
    """How a value may be written in what is shown: as it is, in JSON, in an address, cut short."""
    for form in dict.fromkeys((value, json.dumps(value, ensure_ascii=False)[1:-1])):
        yield form
        for length in range(max(_LEAST, len(form) // 2), len(form)):
            yield f"{form[:length]}…"
            yield f"{form[:length]}..."
    yield from (quote(value, safe=""), quote(value), quote_plus(value))
    yield json.dumps(value)[1:-1]


def read_secrets(file: Path) -> dict[str, str]:
    """Read lines as ``NAME=value``; raises `InvalidArgument`, which quotes no value."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"The secrets in {file} cannot be read: {error}.") from error
    kept = {
        number: line.strip().removeprefix("export ")
        for number, line in enumerate(lines, 1)
        if line.strip() and not line.lstrip().startswith("#")
    }
    pairs = [_pair(file, number, line) for number, line in kept.items()]
    return dict(pairs)


def _pair(file: Path, number: int, line: str) -> tuple[str, str]:
    name, sign, value = (part.strip() for part in line.partition("="))
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        value = value[1:-1]
    where = f"Line {number} of {file}"
    if not (sign and _NAME.fullmatch(name)):
        raise InvalidArgument(f"{where} is not as NAME=value.")
    if len(value) < _LEAST:
        raise InvalidArgument(f"{where}: {name} has less than {_LEAST} characters.")
    return name, value
