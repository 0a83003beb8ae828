"""The fixture web server, asked by a client of a few lines."""

import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import attrs
import h11
import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.demo.routes import Request, Response, always
from charlotte.demo.web import SITE, Site, open_site

PAGES = sorted(file.name for file in SITE.glob("*.html"))


@attrs.frozen
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes


@attrs.frozen
class Client:
    stream: trio.SocketStream
    http: h11.Connection = attrs.field(factory=lambda: h11.Connection(h11.CLIENT))

    async def ask(
        self,
        target: str,
        *,
        method: str = "GET",
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        headers = {"Host": "fixture", "Content-Length": str(len(body)), **(headers or {})}
        request = h11.Request(method=method, target=target, headers=[*headers.items()])
        await self.stream.send_all(self.http.send(request) or b"")
        await self.stream.send_all(self.http.send(h11.Data(data=body)) or b"")
        self.http.send(h11.EndOfMessage())
        return await self._reply()

    async def _reply(self) -> Reply:
        head: h11.Response | None = None
        body = b""
        while not isinstance(event := self.http.next_event(), h11.EndOfMessage):
            if event is h11.NEED_DATA:
                self.http.receive_data(await self.stream.receive_some())
            elif isinstance(event, h11.Response):
                head = event
            elif isinstance(event, h11.Data):
                body += event.data
        assert head is not None
        self.http.start_next_cycle()
        headers = {name.decode(): value.decode() for name, value in head.headers}
        return Reply(head.status_code, headers, body)


@asynccontextmanager
async def open_client(site: Site) -> AsyncGenerator[Client]:
    with trio.fail_after(5):
        stream = await trio.open_tcp_stream("127.0.0.1", site.port)
        async with stream:
            yield Client(stream)


async def ask(site: Site, target: str) -> Reply:
    async with open_client(site) as client:
        return await client.ask(target)


@pytest.fixture
def clock() -> MockClock:
    """Skip waiting, but give the bytes on real sockets time to arrive."""
    return MockClock(autojump_threshold=0.02)


@pytest.fixture
async def site() -> AsyncGenerator[Site]:
    async with open_site() as running:
        yield running


@pytest.mark.parametrize("name", PAGES)
async def test_every_page_of_the_demo_site_is_served_as_html(site: Site, name: str) -> None:
    reply = await ask(site, f"/{name}")

    assert reply.status == 200
    assert reply.headers["content-type"] == "text/html; charset=utf-8"
    assert reply.body == (SITE / name).read_bytes()


async def test_a_directory_answers_with_its_index(site: Site) -> None:
    assert (await ask(site, "/")).body == (SITE / "index.html").read_bytes()


async def test_a_url_names_the_port_and_any_host_that_means_this_machine(site: Site) -> None:
    assert site.url("/a?b=c") == f"http://127.0.0.1:{site.port}/a?b=c"
    assert site.url(host="b.localhost") == f"http://b.localhost:{site.port}/"


@pytest.mark.parametrize("target", ["/nothing.html", "/../web.py", "/%2e%2e/web.py"])
async def test_what_is_not_in_the_site_is_not_found(site: Site, target: str) -> None:
    assert (await ask(site, target)).status == 404


async def test_one_connection_carries_many_requests(site: Site) -> None:
    async with open_client(site) as client:
        replies = [await client.ask(target) for target in ("/form.html", "/stream?ms=0", "/echo")]

    assert [reply.status for reply in replies] == [200, 200, 200]


async def test_a_head_request_gets_the_headers_only(site: Site) -> None:
    async with open_client(site) as client:
        reply = await client.ask("/index.html", method="HEAD")
        assert (await client.ask("/status/204")).status == 204

    assert reply.body == b""
    assert int(reply.headers["content-length"]) == (SITE / "index.html").stat().st_size


async def test_a_slow_page_comes_after_its_time_under_its_name(
    site: Site, clock: MockClock
) -> None:
    before = trio.current_time()
    reply = await ask(site, "/slow?ms=1500&name=A%20%26%20B")

    assert trio.current_time() - before == pytest.approx(1.5)
    assert b"<title>A &amp; B</title>" in reply.body


async def test_slow_pages_are_answered_side_by_side(site: Site, clock: MockClock) -> None:
    before = trio.current_time()
    async with trio.open_nursery() as nursery:
        for _ in range(8):
            nursery.start_soon(ask, site, "/slow?ms=1000")

    assert trio.current_time() - before == pytest.approx(1.0)


async def test_status_pages_have_the_status_asked_for(site: Site) -> None:
    reply = await ask(site, "/status/503")

    assert reply.status == 503
    assert b"503 Service Unavailable" in reply.body


@pytest.mark.parametrize("target", ["/status/teapot", "/status/99", "/status/101", "/slow?ms=soon"])
async def test_a_request_without_sense_is_a_bad_request(site: Site, target: str) -> None:
    assert (await ask(site, target)).status == 400


async def test_echo_tells_the_request_as_it_was_seen(site: Site) -> None:
    async with open_client(site) as client:
        reply = await client.ask(
            "/echo?a=1&b=", method="POST", body=b"x=y", headers={"Referer": "/here"}
        )

    seen = json.loads(reply.body)
    assert (seen["method"], seen["path"], seen["body"]) == ("POST", "/echo", "x=y")
    assert seen["query"] == {"a": "1", "b": ""}
    assert seen["headers"]["referer"] == "/here"


async def test_redirects_lead_where_they_are_told(site: Site) -> None:
    reply = await ask(site, "/redirect?to=/slow%3Fms%3D5&status=307")

    assert (reply.status, reply.headers["location"]) == (307, "/slow?ms=5")


async def test_line_breaks_cannot_be_smuggled_into_headers(site: Site) -> None:
    for target in ("/redirect?to=/a%0D%0AB:c", "/download?name=a%0Db", "/cookie?name=a%0Ab"):
        assert (await ask(site, target)).status < 400


async def test_downloads_are_attachments(site: Site) -> None:
    reply = await ask(site, "/download?name=sales.csv")

    assert reply.headers["content-disposition"] == 'attachment; filename="sales.csv"'


async def test_cookies_are_set_and_shown(site: Site) -> None:
    async with open_client(site) as client:
        reply = await client.ask("/cookie?name=theme&value=dark", headers={"Cookie": "visits=3"})

    assert reply.headers["set-cookie"] == "theme=dark; Path=/"
    assert json.loads(reply.body) == {"visits": "3"}


async def test_a_stream_comes_in_chunks(site: Site, clock: MockClock) -> None:
    reply = await ask(site, "/stream?count=3")

    assert reply.headers["transfer-encoding"] == "chunked"
    assert reply.body.endswith(b"<p>Line 1</p>\n<p>Line 2</p>\n<p>Line 3</p>\n")


async def test_a_hanging_request_is_seen_but_not_answered_and_does_not_keep_the_site_open() -> None:
    async with open_site() as site, trio.open_nursery() as nursery:
        nursery.start_soon(ask, site, "/hang")
        with trio.fail_after(5):
            request = await site.requested("/hang")
        await wait_all_tasks_blocked()
        nursery.cancel_scope.cancel("seen enough")

    assert request.method == "GET"


async def test_requests_are_remembered_up_to_a_bound(site: Site) -> None:
    async with open_client(site) as client:
        for number in range(1001):
            await client.ask(f"/echo?number={number}", headers={"X-Number": str(number)})

    assert len(site.requests) == 1000
    assert site.requests[0].query == {"number": "1"}
    assert site.requests[-1].headers["x-number"] == "1000"


async def test_own_routes_and_files_come_beside_the_shipped_routes(tmp_path: Path) -> None:
    (tmp_path / "own.html").write_text("file", encoding="utf-8")

    async def shout(request: Request) -> Response:
        return Response(request.path.upper().encode())

    routes = {"/own.html": always(Response(b"route")), "/loud/*": shout, "/loud/a/*": shout}
    async with open_site(tmp_path, routes=routes) as site:
        bodies = [(await ask(site, target)).body for target in ("/own.html", "/loud/a/b", "/loud/")]
        statuses = [(await ask(site, target)).status for target in ("/echo", "/index.html")]

    assert bodies == [b"route", b"/LOUD/A/B", b"/LOUD/"]
    assert statuses == [200, 404]


@pytest.mark.parametrize("noise", [b"\x00\x01\r\n\r\n", b"GET / HTTP/1.1\r\nbroken", b""])
async def test_a_client_that_talks_nonsense_or_leaves_harms_nobody(
    site: Site, noise: bytes
) -> None:
    async with open_client(site) as client:
        await client.stream.send_all(noise)
        await client.stream.send_eof()
        assert await client.stream.receive_some() == b""

    assert (await ask(site, "/")).status == 200
