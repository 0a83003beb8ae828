"""Bodies of requests: their fields, whether they contain files, and a description for people."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from email import policy as email_policy
from email.message import EmailMessage
from email.parser import BytesParser
from typing import Any, cast
from urllib.parse import parse_qsl

import attrs

from charlotte.errors import ellipsize
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
    is_unread = is_partial or bool(encoding) or len(data) > LONGEST_READ
    kind = content_type.partition(";")[0].strip().lower()
    has_files = True if is_partial else None
    unreadable = Body(is_readable=False, has_files=has_files, size=len(data))
    if kind == "multipart/form-data":
        is_read = not encoding and len(data) <= LONGEST_READ
        # without the bytes of files, the parts are still headers and fields
        found = _read_multipart(data, content_type) if is_read else None
        if found is None:
            return unreadable
        fields, names_files = found
        return Body(fields, has_files=names_files or is_partial, size=len(data))
    if is_unread:
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
    """Return the fields of a JSON object or array by dotted path; None if it is neither."""
    try:
        value = json.loads(text, object_pairs_hook=_Object, parse_int=str, parse_float=str)
        fields = [*_walk(value, "", 0)]
    except (ValueError, RecursionError):
        return None
    return fields if isinstance(value, _Object | list) else None


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
        yield path, _json_text(value)


def _json_text(value: object) -> str:
    if isinstance(value, str):
        return value
    return json.dumps(value)


def _read_multipart(data: bytes, content_type: str) -> tuple[list[Field], bool] | None:
    """Return the fields of a form and whether it has files; None if it is malformed."""
    head = f"Content-Type: {content_type}\r\n\r\n".encode("latin-1", "replace")
    form = BytesParser(EmailMessage, policy=email_policy.HTTP).parsebytes(head + data)
    # between the bytes of files, which are missing, the body has no closing boundary
    if not form.is_multipart():
        return None
    fields: list[Field] = []
    has_files = False
    for part in cast("list[EmailMessage]", form.get_payload()):
        name = part.get_param("name", header="content-disposition")
        if not isinstance(name, str):
            return None
        filename = part.get_filename()
        if filename is not None:
            has_files = has_files or bool(filename)
            fields.append((name, filename))
            continue
        content = cast("bytes", part.get_payload(decode=True))
        fields.append((name, content.decode("utf-8", "replace")))
    return fields, has_files


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
