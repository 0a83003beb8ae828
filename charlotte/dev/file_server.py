"""Web application that serves the files of a directory for development.

Responses are revalidated on each request: an unchanged file returns status 304.
"""

import html
import mimetypes
import os
from http import HTTPStatus
from pathlib import Path
from socket import socket
from urllib.parse import quote, urlsplit

import trio
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import FileResponse, HTMLResponse, RedirectResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import ASGIApp, Scope

from charlotte.base.asgi_server import host
from charlotte.base.urls import is_this_machine

_FAVICON = "/favicon.ico"
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
"""Types that the table of the system can lack or define differently."""

_TEXTS = {"application/json", "application/manifest+json", "image/svg+xml"}


def files_app(root: Path) -> ASGIApp:
    """Build the application that serves the files below ``root``, a resolved path."""
    app = Starlette(routes=[Mount("/", Files(root))])
    app.router.redirect_slashes = False
    return app


class Files(StaticFiles):
    """The files below ``root``, except hidden ones."""

    def __init__(self, root: Path) -> None:
        super().__init__(directory=root, check_dir=False)
        self._root = root

    async def check_config(self) -> None:
        """Accept a missing directory, because it can be created again."""

    async def get_response(self, path: str, scope: Scope) -> Response:  # noqa: ARG002 - normalised
        """Answer a request; raises `HTTPException`, which becomes a text."""
        try:
            return await trio.to_thread.run_sync(self._response, scope)
        except (OSError, ValueError) as error:
            reason = f"{scope['path']} cannot be read: {error}."
            raise HTTPException(HTTPStatus.FORBIDDEN, reason) from error

    def _response(self, scope: Scope) -> Response:
        """Answer a request; reads the file system, so it runs in a thread."""
        host = urlsplit(f"//{Headers(scope=scope).get('host', '')}").hostname or ""
        if not is_this_machine(host):  # DNS rebinding
            raise HTTPException(HTTPStatus.MISDIRECTED_REQUEST, f"This server is not {host}.")
        if scope["method"] not in {"GET", "HEAD"}:
            allowed = {"Allow": "GET, HEAD"}
            raise HTTPException(HTTPStatus.METHOD_NOT_ALLOWED, "Files can only be read.", allowed)
        path: str = scope["path"]
        segments = path.split("/")
        if any(segment.startswith(".") for segment in segments) or "\0" in path:
            reason = "Hidden files and paths with dots are not served."
            raise HTTPException(HTTPStatus.FORBIDDEN, reason)
        place = self._inside(self._root.joinpath(*filter(None, segments)))
        if place.is_dir():
            if not path.endswith("/"):
                return RedirectResponse(quote(f"/{path.strip('/')}/"), HTTPStatus.FOUND)
            index = place / "index.html"
            if not index.is_file():
                return _listing(place, path)
            place = self._inside(index)
        if place.is_file():
            return self._send(place, scope)
        if path == _FAVICON:
            return Response(status_code=HTTPStatus.NO_CONTENT)
        raise HTTPException(HTTPStatus.NOT_FOUND, f"{path} not found.")

    def _inside(self, place: Path) -> Path:
        """Resolve a path; its links must not leave the directory or lead to a hidden file."""
        try:
            resolved = place.resolve()
        except RuntimeError:  # Python before 3.13 raises this for circular links
            raise HTTPException(HTTPStatus.NOT_FOUND, "The link is circular.") from None
        if not resolved.is_relative_to(self._root):
            reason = "The link leads out of the served directory."
            raise HTTPException(HTTPStatus.FORBIDDEN, reason)
        if any(part.startswith(".") for part in resolved.relative_to(self._root).parts):
            reason = "The link leads to a hidden file, which is not served."
            raise HTTPException(HTTPStatus.FORBIDDEN, reason)
        return resolved

    def _send(self, file: Path, scope: Scope) -> Response:
        """Return a file, or status 304 if the client has its present version."""
        if not os.access(file, os.R_OK):
            raise HTTPException(HTTPStatus.FORBIDDEN, f"{scope['path']} is not readable.")
        headers = {"Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff"}
        kind = content_type(file.name)
        response = FileResponse(file, headers=headers, media_type=kind, stat_result=file.stat())
        if self.is_not_modified(response.headers, Headers(scope=scope)):
            return NotModifiedResponse(response.headers)
        return response


def _listing(directory: Path, path: str) -> Response:
    """Return a page that lists a directory without an index page."""
    names = sorted(
        entry.name + ("/" if entry.is_dir() else "")
        for entry in directory.iterdir()
        if not entry.name.startswith(".")
    )
    rows = [f'<li><a href="{quote(name)}">{html.escape(name)}</a></li>' for name in names]
    page = document(f"Files in {path}", f"<ul>{''.join(rows)}</ul>")
    return HTMLResponse(page, headers={"Cache-Control": "no-store"})


def content_type(name: str) -> str:
    """Return the media type of a file by its name; text is UTF-8."""
    suffix = Path(name).suffix.lower()
    kind = _TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    is_text = kind.startswith("text/") or kind in _TEXTS
    return f"{kind}; charset=utf-8" if is_text else kind


def document(title: str, markup: str = "") -> str:
    """Return an HTML page with that title and heading; ``markup`` is not escaped."""
    name = html.escape(title)
    head = f'<!DOCTYPE html>\n<html lang="en"><head><title>{name}</title></head>'
    return f"{head}<body><h1>{name}</h1>{markup}</body></html>\n"


async def serve(listener: socket, root: Path) -> None:
    """Serve the files below a directory until cancelled."""
    await host(files_app(root), listener)
