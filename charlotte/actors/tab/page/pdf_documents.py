"""PDF documents: the browser gets their text as an HTML document, the session the file.

The response is replaced before the browser shows or downloads it. So the file is loaded with the
page's cookies and logins, and links, frames, reload and history work as for any document.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping
from contextlib import suppress
from email.message import Message
from pathlib import Path
from urllib.parse import unquote, urlsplit

import trio

from charlotte.actors.state.logs import Download
from charlotte.actors.state.records import TabRecord
from charlotte.base.errors import StorageFailed
from charlotte.base.files import keep_as, write
from charlotte.browser.pdf import TYPES, read_pdf
from charlotte.page.pdf_document import LARGEST, render_pdf, render_problem
from charlotte.protocol import network
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.network import CloseStream, ReadStream

_CHUNK = 1024 * 1024
_read_limiter = trio.CapacityLimiter(4)
"""Documents that are loaded and read at the same time: each needs memory, and a process."""
_POLICY = "default-src 'none'"


def is_shown_as_text(event: network.RequestPaused, record: TabRecord) -> bool:
    """Return whether a response is a PDF document that the browser is to show.

    An attachment is one if a call navigates the tab to it; otherwise the browser downloads it.
    """
    headers = _headers_of(event)
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in TYPES or event.response_status_code != network.OK:
        return False
    if not headers.get("content-disposition", "").strip().lower().startswith("attachment"):
        return True
    return record.opens_files and event.frame_id == record.target_id


async def show_as_text(
    session: CdpSession, record: TabRecord, event: network.RequestPaused
) -> None:
    """Answer a paused response, which is a PDF document, with its text."""
    async with _read_limiter:
        html = await _read(session, record, event)
    headers = {"content-type": "text/html; charset=utf-8", "content-security-policy": _POLICY}
    answer = network.FulfillRequest(
        request_id=event.request_id,
        response_code=network.OK,
        response_headers=[network.HeaderEntry(name, value) for name, value in headers.items()],
        body=base64.b64encode(html.encode(errors="replace")).decode(),
    )
    await session.call(answer)


async def _read(session: CdpSession, record: TabRecord, event: network.RequestPaused) -> str:
    """Save a PDF document; return its text as HTML."""
    name = _name_of(event.request.url, _headers_of(event))
    data, problem = None, "too slow"
    with trio.move_on_after(60.0):
        data, problem = await _take_body(session, event), "too large"
    if data is None:
        return render_problem(name, problem)
    await _save(record, event.request.url, name, data)
    text = await read_pdf(data)
    if text.problem:
        return render_problem(name, text.problem)
    return render_pdf(name, text.title, text.pages, count=text.count)


async def _take_body(session: CdpSession, event: network.RequestPaused) -> bytes | None:
    """Return the body of a paused response; None if it is larger than `LARGEST`."""
    if int(_headers_of(event).get("content-length", "0") or 0) > LARGEST:
        return None
    stream = await session.call(network.TakeResponseBodyAsStream(request_id=event.request_id))
    body = bytearray()
    try:
        while len(body) <= LARGEST:
            part = await session.call(ReadStream(handle=stream, size=_CHUNK))
            body += base64.b64decode(part.data) if part.base64_encoded else part.data.encode()
            if part.eof:
                return bytes(body)
    finally:
        with trio.CancelScope(shield=True), suppress(SessionGone):
            await session.begin(CloseStream(handle=stream))
    return None


async def _save(record: TabRecord, url: str, name: str, data: bytes) -> None:
    """Save the file as a download, unless the tab has saved it before."""
    digest = hashlib.sha256(data).digest()
    if digest in record.saved_documents:
        return
    download = Download(url, name, state="completed", bytes=len(data))
    try:
        directory = record.session.settings.output_dir()
        download.path = await trio.to_thread.run_sync(_write, directory, name, data)
    except (StorageFailed, OSError) as error:
        record.notify([f"The PDF document {name!r} was not saved. {error}"])
        return
    record.saved_documents.add(digest)
    download.name = download.path.name
    record.note_download(download)


def _write(directory: Path, name: str, data: bytes) -> Path:
    file = directory / secrets.token_hex(8)
    write(file, data)
    return keep_as(file, name)


def _headers_of(event: network.RequestPaused) -> dict[str, str]:
    return {header.name.lower(): header.value for header in event.response_headers}


def _name_of(url: str, headers: Mapping[str, str]) -> str:
    """Return the file name in the headers, or the end of the URL, with the suffix ``.pdf``."""
    message = Message()
    message["content-disposition"] = headers.get("content-disposition", "")
    name = message.get_filename() or unquote(urlsplit(url).path.rpartition("/")[2]) or "document"
    return name if name.lower().endswith(".pdf") else f"{name}.pdf"
