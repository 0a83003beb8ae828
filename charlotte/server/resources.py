"""What the server offers to be read: its own status, and the files that a session has kept."""

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
from charlotte.server.content import SESSION_URI, file_uri
from charlotte.server.visits import Context, Desk

STATUS: Final = "charlotte://status"
_MOST_FILES = 100
_LARGEST = 30_000_000
_TEXTS = {"application/json", "image/svg+xml"}


@attrs.frozen
class Resources:
    """The SDK's resource handlers."""

    _desk: Desk

    async def list(self, context: Context, _: PaginatedRequestParams | None) -> ListResourcesResult:
        """Answer resources/list: the status, and the newest files."""
        status = Resource(
            uri=STATUS,
            name="status",
            description="The process, the browser, and what each actor is doing since when",
            mime_type="application/json",
        )
        service, session = self._desk.glance(context), self._desk.name(context)
        files = await trio.to_thread.run_sync(_newest, service.directories())
        resources = [_resource(one, session, service.hidden) for one in files]
        return ListResourcesResult(resources=[status, *resources])

    async def list_templates(
        self, context: Context, _: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """Answer resources/templates/list: files by session, where clients name their session."""
        files = ResourceTemplate(
            uri_template=SESSION_URI + "{session}{+path}",
            name="saved file",
            description="A file saved by a session: a screenshot, a download, a PDF",
        )
        templates = [files] if self._desk.parameters(context) else []
        return ListResourceTemplatesResult(resource_templates=templates)

    async def read(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """Answer resources/read. Raises `MCPError` (-32602) for what is not there."""
        session, file = _split(params.uri)
        service = self._desk.glance(context, session)
        if params.uri == STATUS:
            text = json.dumps(service.status(), indent=1)
            status = TextResourceContents(uri=STATUS, mime_type="application/json", text=text)
            return ReadResourceResult(contents=[status])
        directories = service.directories()
        contents = await trio.to_thread.run_sync(
            _contents, params.uri, file, directories, service.hidden
        )
        return ReadResourceResult(contents=[contents])


def _newest(places: Sequence[Path]) -> list[Path]:
    there = [place for place in places if place.is_dir()]
    files = [one for place in there for one in place.iterdir() if _is_kept(one)]
    return sorted(files, key=lambda one: one.stat().st_mtime, reverse=True)[:_MOST_FILES]


def _is_kept(file: Path) -> bool:
    return file.is_file() and not file.is_symlink() and not file.name.startswith(".")


def _split(uri: str) -> tuple[str | None, str]:
    """Split an address into the session that it names, if any, and the ``file:`` address."""
    if uri.startswith(SESSION_URI):
        session, slash, path = uri.removeprefix(SESSION_URI).partition("/")
        return session, f"file://{slash}{path}"
    return None, uri


def _resource(file: Path, session: str | None, hidden: Callable[[str], str]) -> Resource:
    return Resource(
        uri=file_uri(hidden(file.as_uri()), session),
        name=hidden(file.name),
        mime_type=_kind(file),
        size=file.stat().st_size,
    )


def _kind(file: Path) -> str:
    return mimetypes.guess_type(file.name)[0] or "application/octet-stream"


def _contents(
    uri: str, file_uri: str, places: Sequence[Path], hidden: Callable[[str], str]
) -> TextResourceContents | BlobResourceContents:
    """Return a file; every text, whatever its name says, without the secrets."""
    file = _found(uri, file_uri, places)
    data, kind = file.read_bytes(), _kind(file)
    if kind.startswith("text/") or kind in _TEXTS:
        text = hidden(data.decode(errors="replace"))
        return TextResourceContents(uri=uri, mime_type=kind, text=text)
    with suppress(UnicodeDecodeError):
        data = hidden(data.decode()).encode()
    return BlobResourceContents(uri=uri, mime_type=kind, blob=base64.b64encode(data).decode())


def _found(uri: str, file_uri: str, places: Sequence[Path]) -> Path:
    """The file that an address names; raises `MCPError` for what is none of the session's."""
    missing = MCPError(INVALID_PARAMS, f"There is no resource {uri[:200]!r}.")
    roots = Roots(tuple(place.resolve() for place in places))
    try:
        parts = urlsplit(file_uri)
        (file,) = roots.files([unquote(parts.path)])
    except (CharlotteError, ValueError):
        raise missing from None
    if parts.scheme != "file" or file.parent not in roots.directories:
        raise missing
    if file.stat().st_size > _LARGEST:
        raise MCPError(INVALID_PARAMS, f"{file.name} has more than {_LARGEST} bytes.")
    return file
