"""Resources: the status of the server, and the files of a session."""

import base64
import json
import mimetypes
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

import attrs
import trio
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    BlobResourceContents,
    ListResourcesResult,
    ListResourceTemplatesResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextResourceContents,
)

from charlotte.errors import CharlotteError
from charlotte.files import Roots
from charlotte.server.service import Context, SessionProvider

SESSION_URI = "charlotte://session/"
"""Prefix of the URI of a saved file for clients that name their session: name and path follow."""
STATUS: Final = "charlotte://status"
_MAX_FILES = 100
_MAX_BYTES = 30_000_000
_TEXT_TYPES = {"application/json", "image/svg+xml"}


@attrs.frozen
class Resources:
    """The SDK's resource handlers."""

    _sessions: SessionProvider

    async def list(self, context: Context, _: PaginatedRequestParams | None) -> ListResourcesResult:
        """Answer resources/list: the status and the newest files."""
        status = Resource(
            uri=STATUS,
            name="status",
            description="Process, browser, and the state of each actor",
            mime_type="application/json",
        )
        service, session = self._sessions.find_service(context), self._sessions.find_name(context)
        files = await trio.to_thread.run_sync(_newest, service.directories())
        resources = [_file_resource(file, session, service.hidden) for file in files]
        return ListResourcesResult(resources=[status, *resources])

    async def list_templates(
        self, context: Context, _: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """Answer resources/templates/list: saved files, for clients that name their session."""
        files = ResourceTemplate(
            uri_template=SESSION_URI + "{session}{+path}",
            name="saved file",
            description="A file saved by a session: a screenshot, a download, a PDF",
        )
        templates = [files] if self._sessions.extra_parameters(context) else []
        return ListResourceTemplatesResult(resource_templates=templates)

    async def read(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Answer resources/read. Raises `MCPError` (-32602) for an unknown resource."""
        session, address = None, params.uri
        if address.startswith(SESSION_URI):
            session, slash, path = address.removeprefix(SESSION_URI).partition("/")
            address = f"file://{slash}{path}"
        service = self._sessions.find_service(context, session)
        if params.uri == STATUS:
            text = json.dumps(service.status(), indent=1)
            status = TextResourceContents(uri=STATUS, mime_type="application/json", text=text)
            return ReadResourceResult(contents=[status])
        contents = await trio.to_thread.run_sync(
            _read_file, params.uri, address, service.directories(), service.hidden
        )
        return ReadResourceResult(contents=[contents])


def _newest(directories: Sequence[Path]) -> list[Path]:
    files = [
        file
        for directory in directories
        if directory.is_dir()
        for file in directory.iterdir()
        if file.is_file() and not file.is_symlink() and not file.name.startswith(".")
    ]
    return sorted(files, key=lambda file: file.stat().st_mtime, reverse=True)[:_MAX_FILES]


def file_uri(uri: str, session: str | None) -> str:
    """Return the URI with which a client reads a file (``file://…``) of its session.

    A file whose URI contains a redacted secret cannot be read.
    """
    uri = uri.replace("<", "%3C").replace(">", "%3E")
    return uri if session is None else f"{SESSION_URI}{session}{uri.removeprefix('file://')}"


def _file_resource(file: Path, session: str | None, hidden: Callable[[str], str]) -> Resource:
    return Resource(
        uri=file_uri(hidden(file.as_uri()), session),
        name=hidden(file.name),
        mime_type=_mime_type(file),
        size=file.stat().st_size,
    )


def _mime_type(file: Path) -> str:
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"


def _read_file(
    uri: str, address: str, directories: Sequence[Path], hidden: Callable[[str], str]
) -> TextResourceContents | BlobResourceContents:
    """Return a file of the session; text is redacted, whatever the file's name."""
    file = _find_file(uri, address, directories)
    data, mime_type = file.read_bytes(), _mime_type(file)
    if mime_type.startswith("text/") or mime_type in _TEXT_TYPES:
        text = hidden(data.decode(errors="replace"))
        return TextResourceContents(uri=uri, mime_type=mime_type, text=text)
    with suppress(UnicodeDecodeError):
        data = hidden(data.decode()).encode()
    blob = base64.b64encode(data).decode()
    return BlobResourceContents(uri=uri, mime_type=mime_type, blob=blob)


def _find_file(uri: str, address: str, directories: Sequence[Path]) -> Path:
    """Return the file of a ``file:`` URI. Raises `MCPError` if the session has no such file."""
    not_found = MCPError(INVALID_PARAMS, f"Resource {uri[:200]!r} not found.")
    roots = Roots(tuple(directory.resolve() for directory in directories))
    try:
        parts = urlsplit(address)
        (file,) = roots.files([unquote(parts.path)])
    except (CharlotteError, ValueError):
        raise not_found from None
    if parts.scheme != "file" or file.parent not in roots.directories:
        raise not_found
    if (size := file.stat().st_size) > _MAX_BYTES:
        problem = f"{file.name} must have at most {_MAX_BYTES} bytes, got {size}."
        raise MCPError(INVALID_PARAMS, problem)
    return file
