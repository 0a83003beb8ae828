"""Answers requests with the files below a directory, as a site under development wants them.

Nothing is cached unasked: a browser asks every time, and hears 304 while a file is the same.
"""

import html
import mimetypes
import os
import re
from collections.abc import AsyncGenerator, Mapping
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from http import HTTPStatus
from pathlib import Path
from urllib.parse import quote, urlsplit

import attrs
import trio

from charlotte.dev.http import Request, Response, is_here, page, problem

_PIECE = 2**18
_ASKED_UNASKED = "/favicon.ico"
_RANGE = re.compile(r"bytes=([0-9]*)-([0-9]*)")
_TYPES = {
    ".js": "text/javascript",
    ".mjs": "text/javascript",
    ".json": "application/json",
    ".map": "application/json",
    ".webmanifest": "application/manifest+json",
    ".wasm": "application/wasm",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".avif": "image/avif",
    ".woff": "font/woff",
    ".woff2": "font/woff2",
    ".md": "text/markdown",
}
"""What the system's own table may not know, or knows otherwise."""

_TEXTS = {"application/json", "application/manifest+json", "image/svg+xml"}


@attrs.frozen
class Refused(Exception):
    """The request gets an error page."""

    status: int
    text: str
    headers: Mapping[str, str] = attrs.field(factory=dict[str, str])


@attrs.frozen
class Files:
    """The files below ``root``, which is resolved; hidden ones are not there for anybody."""

    root: Path

    async def answer(self, request: Request) -> Response:
        """Answer a request; whatever is wrong with it is an error page."""
        try:
            return await trio.to_thread.run_sync(self._answer, request)
        except Refused as refused:
            return attrs.evolve(problem(refused.status, refused.text), headers=refused.headers)
        except (OSError, ValueError) as error:
            return problem(HTTPStatus.FORBIDDEN, f"{request.path} cannot be read: {error}.")

    def _answer(self, request: Request) -> Response:
        _check(request)
        place = self._place(request.path)
        if place.is_dir():
            if not request.path.endswith("/"):
                return _moved(request.path + "/")
            index = place / "index.html"
            if not index.is_file():
                return _listing(place, request.path)
            place = self._inside(index)
        if not place.is_file():
            if request.path == _ASKED_UNASKED:
                return Response(status=HTTPStatus.NO_CONTENT)
            raise Refused(HTTPStatus.NOT_FOUND, f"There is no {request.path} here.")
        return _file(place, request)

    def _place(self, path: str) -> Path:
        segments = path.split("/")
        if any(segment.startswith(".") for segment in segments) or "\0" in path:
            raise Refused(HTTPStatus.FORBIDDEN, "Hidden files and paths with dots are not served.")
        return self._inside(self.root.joinpath(*filter(None, segments)))

    def _inside(self, place: Path) -> Path:
        """Where a path leads, links followed."""
        found = place.resolve()
        if not found.is_relative_to(self.root):
            raise Refused(HTTPStatus.FORBIDDEN, "That leads out of the directory that is served.")
        return found


def _check(request: Request) -> None:
    """A page elsewhere must not get at the files by a name of its own for this machine."""
    host = urlsplit(f"//{request.headers.get('host', '')}").hostname or ""
    if not is_here(host):
        raise Refused(HTTPStatus.MISDIRECTED_REQUEST, f"This server is not {host}.")
    if request.method not in {"GET", "HEAD"}:
        allowed = {"Allow": "GET, HEAD"}
        raise Refused(HTTPStatus.METHOD_NOT_ALLOWED, "Files can only be read.", allowed)


def _moved(path: str) -> Response:
    location = quote("/" + path.lstrip("/"))
    return attrs.evolve(problem(HTTPStatus.FOUND, path), headers={"Location": location})


def _listing(directory: Path, path: str) -> Response:
    """What is in a directory without an index page."""
    names = sorted(
        one.name + ("/" if one.is_dir() else "")
        for one in directory.iterdir()
        if not one.name.startswith(".")
    )
    rows = [f'<li><a href="{quote(name)}">{html.escape(name)}</a></li>' for name in names]
    listed = page(f"Files in {path}", f"<ul>{''.join(rows)}</ul>")
    return attrs.evolve(listed, headers={"Cache-Control": "no-store"})


def content_type(name: str) -> str:
    """The media type of a file by its name; text is UTF-8."""
    suffix = Path(name).suffix.lower()
    kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    is_text = kind.startswith("text/") or kind in _TEXTS
    return f"{kind}; charset=utf-8" if is_text else kind


def _file(file: Path, request: Request) -> Response:
    if not os.access(file, os.R_OK):
        raise Refused(HTTPStatus.FORBIDDEN, f"{request.path} is not readable.")
    about = file.stat()
    tag = f'"{about.st_mtime_ns:x}-{about.st_size:x}"'
    modified = datetime.fromtimestamp(int(about.st_mtime), UTC)
    headers = {
        "Cache-Control": "no-cache",
        "ETag": tag,
        "Last-Modified": format_datetime(modified, usegmt=True),
        "Accept-Ranges": "bytes",
        "X-Content-Type-Options": "nosniff",
    }
    if _is_known(request, tag, modified):
        return Response(status=HTTPStatus.NOT_MODIFIED, headers=headers)
    kind = content_type(file.name)
    part = _part(request, tag, about.st_size)
    if part is None:
        headers["Content-Length"] = str(about.st_size)
        return Response(_pieces(file, 0, about.st_size), content_type=kind, headers=headers)
    headers["Content-Range"] = f"bytes {part.start}-{part.stop - 1}/{about.st_size}"
    headers["Content-Length"] = str(len(part))
    return Response(
        _pieces(file, part.start, len(part)),
        status=HTTPStatus.PARTIAL_CONTENT,
        content_type=kind,
        headers=headers,
    )


def _is_known(request: Request, tag: str, modified: datetime) -> bool:
    """Whether the client has the file as it is now (RFC 9110, section 13.2.2)."""
    if tags := request.headers.get("if-none-match"):
        return tags.strip() == "*" or tag in {one.strip() for one in tags.split(",")}
    try:
        return modified <= parsedate_to_datetime(request.headers.get("if-modified-since", ""))
    except (TypeError, ValueError):  # none, or one that is no date, or in no time zone
        return False


def _part(request: Request, tag: str, size: int) -> range | None:
    """The bytes that are asked for; None for all of them, as for several parts at once."""
    asked = _RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    if asked is None or not any(asked.groups()):
        return None
    if request.headers.get("if-range", tag) != tag:
        return None
    first, last = asked.groups()
    if first:
        part = range(int(first), min(int(last) + 1, size) if last else size)
    else:
        part = range(max(size - int(last), 0), size)
    if not part:
        told, whole = f"There are {size} bytes.", {"Content-Range": f"bytes */{size}"}
        raise Refused(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, told, whole)
    return part


async def _pieces(file: Path, start: int, size: int) -> AsyncGenerator[bytes]:
    """Read a part of a file; one that cannot be read to the end breaks the connection off."""
    end = start + size
    while start < end:
        piece = await trio.to_thread.run_sync(_read, file, start, min(end - start, _PIECE))
        start += len(piece)
        yield piece


def _read(file: Path, start: int, size: int) -> bytes:
    try:
        with file.open("rb") as opened:
            opened.seek(start)
            piece = opened.read(size)
    except OSError as error:
        raise trio.BrokenResourceError(f"{file} could not be read") from error
    if not piece:
        raise trio.BrokenResourceError(f"{file} became shorter while it was sent")
    return piece
