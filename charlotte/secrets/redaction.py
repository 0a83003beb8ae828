"""Redaction of secrets: values that agents type by name, and HTTP logins."""

import base64
import json
import math
import re
import struct
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from html.entities import codepoint2name
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import attrs

from charlotte.base.errors import InvalidArgument
from charlotte.base.patterns import Regex, longest_of
from charlotte.base.urls import origin_of
from charlotte.secrets.one_time_codes import SCHEME, OneTimeCodes, read_otpauth

REDACTED = "[redacted]"
"""The value that replaces a credential in saved requests."""

_LEAST = 4
"""Minimum characters of a secret; shorter values occur in many unrelated texts."""

_LONGEST_CHARACTER = 36
"""Maximum length of an encoded character: three UTF-8 bytes, each as ``%2525xx``, and more."""

_LOGIN = "HTTP_CREDENTIAL"
_CDP_HEADER = "CDP_HEADER"
_HEADER = re.compile(r"([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*([!-~](?:[\t -~]*[!-~])?)[ \t]*")
_CUT = r"(?:[%&\\][#0-9A-Za-z]{0,6})?(?:\.\.\.|\x{2026})"
_CUT_BEFORE = r"(?:\.\.\.|\x{2026})(?:u?[0-9A-Fa-f]{1,4}|#?[0-9A-Za-z]{0,6};)?"
"""The end and the start of a text that was cut, perhaps inside the encoding of a character."""

_DOTS = "…", "..."
_SHARED = "[0-9A-Za-z+/_-]?"
_BASE64 = {"+": r"(?:[+-]|%2[Bb])", "/": r"(?:\\*/|_|%2[Ff])"}
_LATIN, _ASTRAL = 0x100, 0x10000
_NAME = re.compile("[A-Za-z_][A-Za-z0-9_]*")
_REPEATED = re.compile(r"(<secret>login [\w-]+</secret>)\1+")
_GROUP = 500
"""Secrets of logins that are searched one by one if one pattern finds a run of any of them."""
_END = 12
"""Characters at the end of a run for which that pattern searches.

RE2 needs 100 times as long for the whole runs. Ends differ more than beginnings: all JSON web
tokens begin alike.
"""
_PIECE = 48
"""Characters of a pattern for a part of a long value: RE2 limits how deeply patterns nest."""


@attrs.frozen
class Credential:
    """An HTTP login for an origin such as ``https://shop.test``."""

    origin: str
    username: str = attrs.field(repr=False)
    password: str = attrs.field(repr=False)
    is_for_proxy: bool = False

    @property
    def reach(self) -> str:
        """Glob of the URLs that can require the login; a proxy can require it for all URLs."""
        return "*" if self.is_for_proxy else f"{self.origin}/*"

    @property
    def token(self) -> str:
        """The credentials of the scheme ``Basic`` (RFC 7617)."""
        return base64.b64encode(f"{self.username}:{self.password}".encode()).decode()


def read_credential(text: str, proxy: str | None = None) -> Credential:
    """Parse ``https://user:password@host``; ``proxy`` is the address of the proxy.

    Raises `InvalidArgument` without quoting the text.
    """
    origin = origin_of(text)
    parts = urlsplit(text if origin else "")
    if origin is None or not parts.username or parts.password is None or parts.path.strip("/"):
        raise InvalidArgument(
            "http_credential must be https://user:password@host:port, with special characters "
            "percent-encoded."
        )
    username, password = unquote(parts.username), unquote(parts.password)
    is_for_proxy = proxy is not None and proxy.rpartition("//")[2] == urlsplit(origin).netloc
    return Credential(origin, username, password, is_for_proxy)


def read_header(text: str) -> tuple[str, str]:
    """Parse ``Name: value``; raises `InvalidArgument` without quoting the text."""
    found = _HEADER.fullmatch(text)
    if found is None:
        raise InvalidArgument(
            "cdp_header must be an HTTP header, Name: value, in printable ASCII characters."
        )
    return found[1], found[2]


@attrs.frozen
class _Secret:
    """A secret value: ``pattern`` matches all its encodings.

    Every match contains one of ``runs``, which no encoding changes.
    """

    name: str
    value: str
    pattern: str
    runs: Sequence[str]


@attrs.frozen(eq=False)
class _Group:
    """Secrets of logins, and one pattern that finds the ends of all their runs."""

    secrets: Sequence[_Secret]
    ends: Regex


def _group_of(secrets: Sequence[_Secret]) -> _Group:
    ends = {run[-_END:] for secret in secrets for run in secret.runs}
    return _Group(secrets, longest_of(tuple(sorted(ends))))


@attrs.define(eq=False)
class Secrets:
    """Secret values by name; redaction replaces the values in shown texts by their names.

    Values are found in all encodings (see `_build_secret`). A search for runs of letters first
    keeps redaction cheap for texts without secrets. A value ``otpauth://totp/…`` stands for the
    code of the moment. Saved logins add many values: one pattern searches for hundreds of them.
    """

    _values: Mapping[str, str] = attrs.field(factory=dict[str, str], repr=False)
    _secrets: Sequence[_Secret] = attrs.field(default=(), repr=False)
    _clock: Callable[[], float] = time.monotonic
    _codes: Mapping[str, OneTimeCodes] = attrs.field(factory=dict[str, OneTimeCodes], repr=False)
    _lock: threading.Lock = attrs.field(init=False, factory=threading.Lock, repr=False)
    _of_logins: Sequence[_Group] = attrs.field(init=False, default=(), repr=False)

    @classmethod
    def of(
        cls,
        values: Mapping[str, str],
        credentials: Sequence[Credential] = (),
        headers: Sequence[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> "Secrets":
        """Build redaction for named values, for HTTP logins and for the values of headers.

        ``clock`` returns the seconds since 1970; the default is for secrets without one-time codes.
        """
        codes = {
            name: read_otpauth(value)
            for name, value in values.items()
            if value.lower().startswith(SCHEME)
        }
        logins = [text for login in credentials for text in (login.token, login.password)]
        hidden = [*values.items(), *((name, code.seed) for name, code in codes.items())]
        tokens = [text for value in headers for text in {value, value.split()[-1]}]
        hidden += [(_LOGIN, text) for text in logins if len(text) >= _LEAST]
        hidden += [(_CDP_HEADER, text) for text in tokens if len(text) >= _LEAST]
        return cls(values, [_build_secret(name, value) for name, value in hidden], clock, codes)

    @property
    def names(self) -> list[str]:
        """The names that agents can type."""
        return [*self._values]

    def spelled(self, text: str) -> str:
        """Return the secret value if ``text`` is the name of one, else ``text``."""
        if text in self._codes:
            return self._codes[text].at(self._clock())
        return self._values.get(text, text)

    def hide_login(self, login: str, values: Sequence[str]) -> None:
        """Redact values of a saved login from now on; those of earlier calls remain.

        May be called in any thread.
        """
        name = _login_name(login)
        pieces = dict.fromkeys(piece for value in values for piece in split_value(value))
        with self._lock:
            kept = [secret for group in self._of_logins for secret in group.secrets]
            known = {secret.value for secret in kept if secret.name == name}
            added = [_build_secret(name, text) for text in pieces if text not in known]
            if added:
                kept += added
                batches = [kept[at : at + _GROUP] for at in range(0, len(kept), _GROUP)]
                self._of_logins = [*map(_group_of, batches)]

    def hidden(self, text: str) -> str:
        """Redact a text; JSON stays valid JSON."""
        found = self._found_in(text)
        if not found:
            return text
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return _named(text, found)
        return json.dumps(_walked(value, found), ensure_ascii=False, separators=(",", ":"))

    def hidden_in(self, value: Any) -> Any:
        """Redact a JSON-like value."""
        if value is None or isinstance(value, bool) or not (self._secrets or self._of_logins):
            return value
        text = (
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
        )
        found = self._found_in(text)
        return _walked(value, found) if found else value

    @property
    def reach(self) -> int:
        """Characters around an occurrence that decide if it is part of a secret; 0 without any."""
        of_logins = [secret for group in self._of_logins for secret in group.secrets]
        longest = max((len(each.value) for each in (*self._secrets, *of_logins)), default=0)
        return longest * _LONGEST_CHARACTER

    def shows(self, occurrences: Any) -> bool:
        """Whether a text occurs outside of secrets, given the probe's answer of `occurrencesIn`.

        Without this check, searches for parts of a secret would reveal it letter by letter.
        """
        if isinstance(occurrences, bool):
            return occurrences
        for before, text, after in occurrences:
            whole, start, end = before + text + after, len(before), len(before) + len(text)
            found = self._found_in(whole)
            spans = _compiled(found).spans(whole) if found else ()
            if not any(first < end and start < last for first, last in spans):
                return True
        return False

    def _found_in(self, text: str) -> Sequence[_Secret]:
        """Return the secrets that a text contains."""
        known = [*self._secrets]
        for name, codes in self._codes.items():
            known += [_build_code(name, code) for code in codes.around(self._clock())]
        for group in self._of_logins:
            known += group.secrets if group.ends.finds(text) else ()
        likely = [secret for secret in known if any(run in text for run in secret.runs)]
        return likely if likely and _compiled(likely).finds(text) else ()


def _login_name(login: str) -> str:
    return f"login {login}"


def hidden_mark(login: str) -> str:
    """Return the text that replaces values of a saved login."""
    return f"<secret>{_login_name(login)}</secret>"


def _compiled(secrets: Sequence[_Secret]) -> Regex:
    return longest_of(tuple(secret.pattern for secret in secrets))


def _walked(value: Any, secrets: Sequence[_Secret]) -> Any:
    """Return JSON with the values of secrets replaced, also in keys and numbers."""
    items: Any = value
    if isinstance(value, str):
        return _named(value, secrets)
    if isinstance(value, dict):
        return {_walked(key, secrets): _walked(one, secrets) for key, one in items.items()}
    if isinstance(value, list | tuple):
        return [_walked(one, secrets) for one in items]
    if value is None or isinstance(value, bool):
        return value
    written = str(value)
    return _named(written, secrets) if _compiled(secrets).matches(written) else value


def _named(text: str, secrets: Sequence[_Secret]) -> str:
    def name(found: str) -> str:
        secret = next(each for each in secrets if _compiled([each]).matches(found))
        mark = f"<secret>{secret.name}</secret>"
        return "…" * found.startswith(_DOTS) + mark + "…" * found.endswith(_DOTS)

    for _ in range(2):  # the ellipsis at the end of a value may be at the start of another
        text = _compiled(secrets).replaced(text, name)
    return _REPEATED.sub(r"\1", text)  # of the pieces of a long value


NO_SECRETS = Secrets()


def _build_secret(name: str, value: str) -> _Secret:
    """Return a secret with the pattern of all encodings that browsers and Charlotte use.

    A character matches itself, with any backslashes before it (JSON, ``repr``, Markdown), and its
    percent encoding, HTML entities and escapes of JSON and JavaScript, also encoded twice. Each
    character may be encoded or not, so that all percent-encode sets are covered. Up to half of a
    value may be cut off, with an ellipsis, and it may be part of a text in base64.
    """
    spaced = re.sub(r"\s+", " ", value)  # as pages show it
    least = max(_LEAST, len(spaced) // 2)
    characters = [_character(character) for character in spaced]
    head = tail = ""
    for one in characters[:-least]:
        head = f"(?:{head}{one}|{_CUT_BEFORE})"
    for one in reversed(characters[least:]):
        tail = f"(?:{one}{tail}|{_CUT})"
    patterns = ["".join(characters[:least]) + tail, head + "".join(characters[-least:])]
    kept = [spaced[:least], spaced[-least:]]
    data = value.encode()
    for before in range(3):  # the first character is left out if it has bits of the text before
        bits = (before + len(data)) * 8
        encoded = base64.b64encode(bytes(before) + data).decode()
        core = encoded[math.ceil(before * 8 / 6) : bits // 6]
        patterns.append("".join(_BASE64.get(c, c) for c in core) + _SHARED * (bits % 6 > 0))
        kept.append(core)
    runs = [max(re.findall("[0-9A-Za-z]+", text), key=len, default="") for text in kept]
    return _Secret(name, value, "|".join(patterns), runs)


_build_code = lru_cache(maxsize=100)(_build_secret)


def split_value(value: str) -> list[str]:
    """Split a long value into pieces that are redacted one by one; none is short."""
    count = max(len(value) // _PIECE, 1)
    size = math.ceil(len(value) / count)
    return [value[start : start + size] for start in range(0, len(value), size)]


def _character(character: str) -> str:
    """Return a pattern of the spellings of one character; a space stands for any white space.

    No encoder changes ASCII letters and digits: leaving them out keeps the pattern small.
    """
    if character.isascii() and character.isalnum():
        return character
    code = ord(character)
    units = struct.unpack(f"<{'H' if code < _ASTRAL else 'HH'}", character.encode("utf-16-le"))
    spellings = [
        "".join(f"%(?:25)*(?i:{byte:02x})" for byte in character.encode()),
        rf"&(?:amp;)*#(?:0*{code}|(?i:x0*{code:x}));",
        "".join(rf"(?:\\+|%)u(?i:{unit:04x})" for unit in units),
    ]
    if code < _LATIN:
        spellings.append(rf"(?:\\+x|%)(?i:{code:02x})")
    if name := codepoint2name.get(code, {"'": "apos"}.get(character)):
        spellings.append(f"&(?:amp;)*{name};")
    if character.isalnum():
        spellings.append(character)
    elif character == " ":
        spellings += [r"[+\s\x{a0}]", "&nbsp;", r"\\+[nrt]"]
        return f"(?:{'|'.join(spellings)})+"
    else:
        spellings.append(rf"\\*\x{{{code:x}}}")
    return f"(?:{'|'.join(spellings)})"


def read_secrets(file: Path) -> dict[str, str]:
    """Read ``NAME=value`` lines; raises `InvalidArgument` without quoting values."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except (OSError, ValueError) as error:
        raise InvalidArgument(f"The secrets in {file} cannot be read: {error}.") from error
    secrets: dict[str, str] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        pair = line.strip().removeprefix("export ")
        name, sign, value = (part.strip() for part in pair.partition("="))
        if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
            value = value[1:-1]
        where = f"Line {number} of {file}"
        if not (sign and _NAME.fullmatch(name)):
            raise InvalidArgument(f"{where} must be NAME=value.")
        if len(value) < _LEAST:
            raise InvalidArgument(f"{where}: {name} must have at least {_LEAST} characters.")
        if value.lower().startswith(SCHEME):
            try:
                read_otpauth(value)
            except InvalidArgument as error:
                raise InvalidArgument(f"{where}: {name} {error.message}.") from None
        secrets[name] = value
    return secrets
