"""The test site, requested by an HTTP client."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import httpx2
import pytest
import trio
from starlette.responses import Response, StreamingResponse
from trio.testing import MockClock, wait_all_tasks_blocked

from tests.site.routes import Request, always
from tests.site.server import PAGES, Site, open_site

NAMES = sorted(file.name for file in PAGES.glob("*.html"))


def open_client(site: Site) -> httpx2.AsyncClient:
    return httpx2.AsyncClient(base_url=site.url(""), timeout=5, trust_env=False)


async def get(site: Site, target: str) -> httpx2.Response:
    async with open_client(site) as client:
        return await client.get(target)


@pytest.fixture
def clock() -> MockClock:
    """Skip waiting, but give the bytes on real sockets time to arrive."""
    return MockClock(autojump_threshold=0.02)


@pytest.fixture
async def site() -> AsyncGenerator[Site]:
    async with open_site() as running:
        yield running


@pytest.mark.parametrize("name", NAMES)
async def test_every_page_is_served_as_html(site: Site, name: str) -> None:
    reply = await get(site, f"/{name}")

    assert reply.status_code == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.content == (PAGES / name).read_bytes()


async def test_a_directory_answers_with_its_index(site: Site) -> None:
    assert (await get(site, "/")).content == (PAGES / "index.html").read_bytes()


async def test_a_url_contains_the_port_and_any_loopback_host(site: Site) -> None:
    assert site.url("/a?b=c") == f"http://127.0.0.1:{site.port}/a?b=c"
    assert site.url(host="b.localhost") == f"http://b.localhost:{site.port}/"


@pytest.mark.parametrize("target", ["/nothing.html", "/../server.py", "/%2e%2e/server.py"])
async def test_files_outside_the_site_are_not_found(site: Site, target: str) -> None:
    assert (await get(site, target)).status_code == 404


async def test_a_head_request_gets_only_the_headers(site: Site) -> None:
    async with open_client(site) as client:
        reply = await client.head("/index.html")
        assert (await client.get("/status/204")).status_code == 204

    assert reply.content == b""
    assert int(reply.headers["content-length"]) == (PAGES / "index.html").stat().st_size


async def test_responses_have_no_cache_validators(site: Site) -> None:
    headers = (await get(site, "/index.html")).headers

    assert not {"etag", "last-modified"} & {*headers}


async def test_a_slow_page_arrives_after_its_delay_with_its_name(
    site: Site, clock: MockClock
) -> None:
    before = trio.current_time()
    reply = await get(site, "/slow?ms=1500&name=A%20%26%20B")

    assert trio.current_time() - before == pytest.approx(1.5)
    assert "<title>A &amp; B</title>" in reply.text


async def test_slow_pages_are_answered_concurrently(site: Site, clock: MockClock) -> None:
    before = trio.current_time()
    async with trio.open_nursery() as nursery:
        for _ in range(8):
            nursery.start_soon(get, site, "/slow?ms=1000")

    assert trio.current_time() - before == pytest.approx(1.0)


async def test_status_pages_have_the_requested_status(site: Site) -> None:
    reply = await get(site, "/status/503")

    assert reply.status_code == 503
    assert "503 Service Unavailable" in reply.text


@pytest.mark.parametrize("target", ["/status/teapot", "/status/99", "/status/101", "/slow?ms=soon"])
async def test_a_request_with_wrong_parameters_is_a_bad_request(site: Site, target: str) -> None:
    assert (await get(site, target)).status_code == 400


async def test_echo_returns_the_request(site: Site) -> None:
    async with open_client(site) as client:
        reply = await client.post("/echo?a=1&b=", content=b"x=y", headers={"Referer": "/here"})

    received = reply.json()
    assert (received["method"], received["path"], received["body"]) == ("POST", "/echo", "x=y")
    assert received["query"] == {"a": "1", "b": ""}
    assert received["headers"]["referer"] == "/here"


async def test_requests_to_a_proxy_are_answered_by_their_path(site: Site) -> None:
    async with httpx2.AsyncClient(proxy=site.url("")) as client:
        reply = await client.get("http://shop.test/echo?a=1")

    assert (reply.json()["path"], reply.json()["query"]) == ("/echo", {"a": "1"})


async def test_redirects_lead_to_the_requested_location(site: Site) -> None:
    reply = await get(site, "/redirect?to=/slow%3Fms%3D5&status=307")

    assert (reply.status_code, reply.headers["location"]) == (307, "/slow?ms=5")


async def test_line_breaks_cannot_be_smuggled_into_headers(site: Site) -> None:
    for target in ("/redirect?to=/a%0D%0AB:c", "/download?name=a%0Db", "/cookie?name=a%0Ab"):
        assert (await get(site, target)).status_code < 400


async def test_downloads_are_attachments(site: Site) -> None:
    reply = await get(site, "/download?name=sales.csv")

    assert reply.headers["content-disposition"] == 'attachment; filename="sales.csv"'


async def test_cookies_are_set_and_returned(site: Site) -> None:
    async with open_client(site) as client:
        reply = await client.get("/cookie?name=theme&value=dark", headers={"Cookie": "visits=3"})

    assert reply.headers["set-cookie"] == "theme=dark; Path=/"
    assert reply.json() == {"visits": "3"}


async def test_a_stream_arrives_in_chunks(site: Site, clock: MockClock) -> None:
    reply = await get(site, "/stream?count=3")

    assert reply.headers["transfer-encoding"] == "chunked"
    assert reply.text.endswith("<p>Line 1</p>\n<p>Line 2</p>\n<p>Line 3</p>\n")


async def test_a_hanging_request_is_stored_and_does_not_keep_the_site_open() -> None:
    async with open_site() as site, trio.open_nursery() as nursery:
        nursery.start_soon(get, site, "/hang")
        with trio.fail_after(5):
            request = await site.requested("/hang")
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel("request arrived")

    assert request.method == "GET"


async def test_a_client_that_does_not_read_does_not_keep_the_site_open() -> None:
    async def endless() -> AsyncGenerator[bytes]:
        while True:
            yield b"x" * 2**16

    with trio.fail_after(5):
        async with (
            aclosing(endless()) as body,  # Starlette does not close it
            open_site(routes={"/endless": always(StreamingResponse(body))}) as site,
        ):
            stream = await trio.open_tcp_stream("127.0.0.1", site.port)
            await stream.send_all(b"GET /endless HTTP/1.1\r\nHost: x\r\n\r\n")
            await site.requested("/endless")
            await wait_all_tasks_blocked(0.1)
        await stream.aclose()


async def test_requests_are_stored_up_to_a_limit(site: Site) -> None:
    async with open_client(site) as client:
        for number in range(1001):
            await client.get(f"/echo?number={number}", headers={"X-Number": str(number)})

    assert len(site.requests) == 1000
    assert site.requests[0].query == {"number": "1"}
    assert site.requests[-1].headers["x-number"] == "1000"


async def test_own_routes_and_files_are_served_next_to_the_common_routes(tmp_path: Path) -> None:
    (tmp_path / "own.html").write_text("file", encoding="utf-8")

    async def shout(request: Request) -> Response:
        return Response(request.path.upper())

    routes = {"/own.html": always(Response("route")), "/loud/*": shout, "/loud/a/*": shout}
    async with open_site(tmp_path, routes=routes) as site:
        bodies = [(await get(site, target)).text for target in ("/own.html", "/loud/a/b", "/loud/")]
        statuses = [(await get(site, target)).status_code for target in ("/echo", "/index.html")]

    assert bodies == ["route", "/LOUD/A/B", "/LOUD/"]
    assert statuses == [200, 404]
