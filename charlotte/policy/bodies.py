"""Bodies of requests: their fields, whether they contain files, and a description for people."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any
from urllib.parse import parse_qsl

import attrs

from charlotte.errors import ellipsize, valid_unicode
from charlotte.redaction import REDACTED

LONGEST_READ = 1_000_000
"""Bytes of the longest body whose fields are read."""

_DEEPEST = 50
_MOST_FIELDS = 5_000
_MOST_SHOWN = 6
_LONGEST_SHOWN = 80
_SENSITIVE = re.compile(
    r"authorization|cookie|token|secret|passw|api-?_?key|csrf|xsrf|session|nonce|cvc|cvv|"
    r"card.?n|iban|(?:^|[._-])pin$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:[.,][0-9]{1,9})?")
_MULTIPART = re.compile(
    r"""multipart/form-data;\s*boundary="?([\w'()+,./:=?-]{1,70})"?""", re.ASCII | re.IGNORECASE
)
_PART = re.compile(
    rb'\r\nContent-Disposition: form-data; name="([^"\r\n]*)"(?:; filename="([^"\r\n]*)")?\r\n'
    rb"(?:Content-Type: [^\r\n]*\r\n)?\r\n(.*)",
    re.DOTALL | re.IGNORECASE,
)
"""A part of a form as browsers write it."""

Field = tuple[str, str]


@attrs.frozen
class Body:
    """The body of a request: its fields by dotted path, in order.

    A body that is not ``is_readable`` may have any fields. ``has_files`` is None if that is
    unknown. ``text`` is a body without fields.
    """

    fields: Sequence[Field] = ()
    is_readable: bool = True
    has_files: bool | None = False
    text: str = ""
    size: int = 0

    def shown_fields(self) -> list[Field]:
        """Return the fields for people and agents: values of credentials are redacted."""
        return [
            (name, REDACTED if value and _SENSITIVE.search(name) else value)
            for name, value in self.fields
        ]

    def describe(self) -> str:
        """Return the main fields as ``, total 49.90, name "Ada"``, or the size of the body."""
        if not self.fields:
            if not self.size:
                return ""
            files = " with files" if self.has_files else ""
            quoted = f" {_quote(self.text)}" if self.text else ""
            return f", {self.size:,} bytes{files}{quoted}"
        filled = [field for field in self.shown_fields() if field[1] not in {"", REDACTED}]
        shown = [
            f"{ellipsize(_line(name), _LONGEST_SHOWN)} {_quote(value)}"
            for name, value in filled[:_MOST_SHOWN]
        ]
        if more := len(self.fields) - len(shown):
            shown.append(f"{more} more field{'s' if more > 1 else ''}")
        if self.has_files:
            shown.append("with files")
        return "".join(f", {text}" for text in shown)


EMPTY = Body()


def read_body(parts: Sequence[bytes | None], content_type: str = "", *, encoding: str = "") -> Body:
    """Read the parts of a body; a part that is None is a file or a stream.

    ``encoding`` is the header Content-Encoding.
    """
    known = [part for part in parts if part is not None]
    is_partial = len(known) < len(parts)
    data = b"".join(known)
    kind = content_type.partition(";")[0].strip().lower()
    has_files = True if is_partial else None
    unreadable = Body(is_readable=False, has_files=has_files, size=len(data))
    if encoding or len(data) > LONGEST_READ:
        return unreadable
    if kind == "multipart/form-data":
        return _read_multipart(data, content_type, unreadable)
    if is_partial:
        return unreadable
    if not data:
        return EMPTY
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return unreadable
    return _read_text(text, kind, unreadable)


def _read_text(text: str, kind: str, unreadable: Body) -> Body:
    size = unreadable.size
    if kind == "application/x-www-form-urlencoded":
        try:
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
        except ValueError:
            return unreadable
        return Body(pairs, size=size)
    if (fields := _read_json(text)) is not None:  # beacons send JSON as text/plain
        return Body(fields, size=size)
    if kind in {"", "text/plain"}:
        return Body(is_readable=False, text=text, size=size)
    return attrs.evolve(unreadable, has_files=False)


@attrs.frozen
class _Object:
    """The members of a JSON object in order; repeated names are kept."""

    members: list[tuple[str, Any]]


def _read_json(text: str) -> list[Field] | None:
    """Return the fields of a JSON object or array by dotted path.

    Returns None for another value, and for one that is too deep or has too many fields.
    """
    try:
        value = json.loads(text, object_pairs_hook=_Object, parse_int=str, parse_float=str)
        fields = [*islice(_walk(value, "", 0), _MOST_FIELDS + 1)]
    except (ValueError, RecursionError):
        return None
    is_known = isinstance(value, _Object | list) and len(fields) <= _MOST_FIELDS
    return fields if is_known else None


def _walk(value: Any, path: str, depth: int) -> Iterator[Field]:
    """Yield the leaves of a JSON value; raises ``ValueError`` if they are too deep."""
    if depth > _DEEPEST:
        raise ValueError("too deep")
    items: Any = value
    if isinstance(value, _Object):
        for name, member in value.members:
            yield from _walk(member, f"{path}.{name}" if path else name, depth + 1)
    elif isinstance(value, list):
        for number, item in enumerate(items):
            yield from _walk(item, f"{path}.{number}" if path else str(number), depth + 1)
    else:
        text = value if isinstance(value, str) else json.dumps(value)
        yield valid_unicode(path), valid_unicode(text)


def _read_multipart(data: bytes, content_type: str, unreadable: Body) -> Body:
    """Read a form as browsers write it; the bytes of its files may be missing.

    Pages can send any other body: the parser of the standard library fails for some of them, and
    needs many seconds for others.
    """
    if (header := _MULTIPART.fullmatch(content_type.strip())) is None:
        return unreadable
    before, *parts = (b"\r\n" + data).split(b"\r\n--" + header[1].encode())
    if before or not 0 < len(parts) <= _MOST_FIELDS:
        return unreadable
    fields: list[Field] = []
    has_files = bool(unreadable.has_files)
    for part in parts:
        if part.startswith(b"--"):  # the end; Chromium does not always report it after a file
            break
        if (found := _PART.fullmatch(part)) is None:
            return unreadable
        name, filename, content = found.groups()
        has_files = has_files or bool(filename)
        value = content if filename is None else filename
        fields.append((name.decode("utf-8", "replace"), value.decode("utf-8", "replace")))
    return Body(fields, has_files=has_files, size=len(data)) if fields else unreadable


def as_report(body: Body) -> Mapping[str, Any] | str | None:
    """Return a body for an answer: its fields by name, its text, or its size; None if empty."""
    if body.fields:
        report: dict[str, Any] = {}
        for name, value in body.shown_fields():
            known = report.get(name)
            if known is None:
                report[name] = value
            else:
                report[name] = [*(known if isinstance(known, list) else [known]), value]
        return report
    if body.text:
        return body.text
    return f"{body.size:,} bytes" if body.size else None


def _quote(value: str) -> str:
    """Return a value of a page on one line; all but numbers in quotation marks."""
    if _NUMBER.fullmatch(value):
        return value
    return json.dumps(ellipsize(_line(value), _LONGEST_SHOWN), ensure_ascii=False)


def _line(text: str) -> str:
    return " ".join(text.split())
