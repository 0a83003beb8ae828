"""Answers of the test site that are not files: slow, hanging and failing pages, redirects, …"""

import html
import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from http import HTTPStatus
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import quote

import attrs
import trio
from starlette.responses import HTMLResponse, Response, StreamingResponse

from charlotte.dev.file_server import document
from tests.pdf import write_pdf


@attrs.frozen
class Request:
    """A complete request: ``path`` without the query, header names in lower case."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes


Handler = Callable[[Request], Awaitable[Response]]


def page(title: str, markup: str = "") -> Response:
    """Return a small HTML page with that title and heading; ``markup`` is not escaped."""
    return HTMLResponse(document(title, markup))


def problem(status: int, text: str, headers: Mapping[str, str] | None = None) -> Response:
    """Return an error page with a heading like ``404 Not Found``."""
    page = document(f"{status} {HTTPStatus(status).phrase}", f"<p>{html.escape(text)}</p>")
    return HTMLResponse(page, status, headers)


def always(response: Response) -> Handler:
    """Return a handler that gives this response to every request."""

    async def answer(_request: Request) -> Response:
        return response

    return answer


def _as_json(value: object) -> Response:
    return Response(json.dumps(value, indent=2), media_type="application/json")


async def slow(request: Request) -> Response:
    """Return a page after a delay: ``?ms=1000&name=Slow``."""
    wait = float(request.query.get("ms", "1000"))
    await trio.sleep(wait / 1000)
    title = request.query.get("name", "Slow")
    return page(title, f"<p>Answered after {wait:g} ms.</p><button>{html.escape(title)}</button>")


async def status(request: Request) -> Response:
    """Return a page with the status of the path: ``/status/404``."""
    code = int(request.path.rpartition("/")[2])
    if code < HTTPStatus.OK:
        raise ValueError(f"{code} is not a final status")
    return problem(code, "As requested.")


async def echo(request: Request) -> Response:
    """Return the request as JSON: method, path, query, headers, body."""
    return _as_json(attrs.asdict(request) | {"body": request.body.decode(errors="replace")})


async def hang(_request: Request) -> Response:
    """Never answer."""
    await trio.sleep_forever()


async def redirect(request: Request) -> Response:
    """Redirect the browser: ``?to=/counter.html&status=302``."""
    location = quote(request.query.get("to", "/"), safe="/?&=#:%+,;@[]")
    code = int(request.query.get("status", "302"))
    return problem(code, location, {"Location": location})


async def download(request: Request) -> Response:
    """Return a file to be saved: ``?name=report.csv``."""
    name = quote(request.query.get("name", "report.csv"))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(b"title,copies\nTides,12\n", headers=headers, media_type="text/csv")


async def report(_: Request) -> Response:
    """Return a PDF document of two pages."""
    pages = [
        "Annual report\nBooks sold: 4,711\nReturned: 12",
        "Outlook\nA second harbour opens in May.",
    ]
    return Response(write_pdf(pages, title="Annual report"), media_type="application/pdf")


async def cookie(request: Request) -> Response:
    """Set a cookie, ``?name=theme&value=dark``, and return the cookies of the request as JSON."""
    jar = SimpleCookie(request.headers.get("cookie", ""))
    name = quote(request.query.get("name", "visited"))
    value = quote(request.query.get("value", "yes"))
    received = {key: morsel.value for key, morsel in jar.items()}
    response = _as_json(received)
    # in capitals, as most servers write it: starlette writes names in lower case
    response.raw_headers.append((b"Set-Cookie", f"{name}={value}; Path=/".encode()))
    return response


async def stream(request: Request) -> Response:
    """Return a page that arrives line by line with pauses: ``?count=5&ms=100``."""
    count = int(request.query.get("count", "5"))
    pause = float(request.query.get("ms", "100")) / 1000
    return StreamingResponse(_lines(count, pause), media_type="text/html")


async def _lines(count: int, pause: float) -> AsyncGenerator[bytes]:
    yield b'<!DOCTYPE html>\n<html lang="en"><head><title>Stream</title></head><body>\n'
    for number in range(1, count + 1):
        await trio.sleep(pause)
        yield f"<p>Line {number}</p>\n".encode()


ROUTES: Final[Mapping[str, Handler]] = {
    "/slow": slow,
    "/status/*": status,
    "/echo": echo,
    "/hang": hang,
    "/redirect": redirect,
    "/download": download,
    "/report.pdf": report,
    "/cookie": cookie,
    "/stream": stream,
    "/favicon.ico": always(Response(status_code=204)),
}
