"""What the fixture server answers besides its files: pages that are slow, hang, fail, redirect."""

import html
import json
from collections.abc import AsyncGenerator, Mapping
from http import HTTPStatus
from http.cookies import SimpleCookie
from typing import Final
from urllib.parse import quote

import attrs
import trio

from charlotte.demo.http import Handler, Request, Response, page, problem

__all__ = ["ROUTES", "Handler", "Request", "Response", "always", "page", "problem"]


def always(response: Response) -> Handler:
    """Return a handler that gives this response to every request."""

    async def answer(_request: Request) -> Response:
        return response

    return answer


def _as_json(value: object, **headers: str) -> Response:
    text = json.dumps(value, indent=2).encode()
    return Response(text, content_type="application/json", headers=headers)


async def slow(request: Request) -> Response:
    """``?ms=1000&name=Slow``: a page with that title, after that time."""
    wait = float(request.query.get("ms", "1000"))
    await trio.sleep(wait / 1000)
    title = request.query.get("name", "Slow")
    return page(title, f"<p>Answered after {wait:g} ms.</p><button>{html.escape(title)}</button>")


async def status(request: Request) -> Response:
    """``/status/404``: a page with that status."""
    code = int(request.path.rpartition("/")[2])
    if code < HTTPStatus.OK:
        raise ValueError(f"{code} is no final status")
    return problem(code, "As you asked.")


async def echo(request: Request) -> Response:
    """Return the request itself as JSON: method, path, query, headers, body."""
    return _as_json(attrs.asdict(request) | {"body": request.body.decode(errors="replace")})


async def hang(_request: Request) -> Response:
    """Never answer."""
    await trio.sleep_forever()


async def redirect(request: Request) -> Response:
    """``?to=/counter.html&status=302``: send the browser elsewhere."""
    location = quote(request.query.get("to", "/"), safe="/?&=#:%+,;@[]")
    code = int(request.query.get("status", "302"))
    return attrs.evolve(problem(code, location), headers={"Location": location})


async def download(request: Request) -> Response:
    """``?name=report.csv``: a file for the disk, not for the window."""
    name = quote(request.query.get("name", "report.csv"))
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(b"title,copies\nTides,12\n", content_type="text/csv", headers=headers)


async def cookie(request: Request) -> Response:
    """``?name=theme&value=dark``: set that cookie; show those that came in as JSON."""
    jar = SimpleCookie(request.headers.get("cookie", ""))
    name = quote(request.query.get("name", "visited"))
    value = quote(request.query.get("value", "yes"))
    seen = {key: morsel.value for key, morsel in jar.items()}
    return _as_json(seen, **{"Set-Cookie": f"{name}={value}; Path=/"})


async def stream(request: Request) -> Response:
    """``?count=5&ms=100``: a page that arrives line by line, with that pause between."""
    count = int(request.query.get("count", "5"))
    pause = float(request.query.get("ms", "100")) / 1000
    return Response(_lines(count, pause))


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
    "/cookie": cookie,
    "/stream": stream,
    "/favicon.ico": always(Response(status=204)),
}
