"""A running browser has a debugging port: no page of it gets there, by any route or spelling."""

import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager, suppress
from socket import SHUT_WR, create_connection, socket
from typing import cast
from urllib.parse import quote
from urllib.request import Request, urlopen

import attrs
import pytest

from tests.browser.raw_cdp import chromium
from tests.whole.cases import case
from tests.whole.client import Server, open_server
from tests.whole.escapes import PRELUDE, REQUESTS
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

SPELLINGS = (
    *("127.0.0.1", "localhost", "LOCALHOST.", "127.1", "127.0.1", "0x7f.1", "0177.0.0.1"),
    *(
        "2130706433",
        "127.0.0.1.",
        "0.0.0.0",  # noqa: S104
        "0",
        "[::1]",
        "[::]",
        "[::ffff:127.0.0.1]",
    ),
    *(
        "[::ffff:7f00:1]",
        "a.b.localhost",
        "user:word@127.0.0.1",
        "\uff11\uff12\uff17.0.0.1",
        "%31%327.0.0.1",
    ),
)


@attrs.frozen
class Front:
    """A port through which Charlotte reaches the browser; ``heads`` are the requests there."""

    port: int
    heads: list[str]

    @property
    def from_pages(self) -> list[str]:
        """The requests but those of Charlotte, which have no origin; sockets are refused."""
        return [
            head
            for head in self.heads
            if not head.startswith("GET /devtools/browser/") and "Upgrade: websocket" not in head
        ]


@contextmanager
def opened_front(browser: int) -> Generator[Front]:
    front = Front(0, [])

    class Relay(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            client, head = cast("socket", self.request), b""
            while b"\r\n\r\n" not in head and (data := client.recv(65536)):
                head += data
            front.heads.append(head.decode())
            with create_connection(("127.0.0.1", browser)) as upstream, suppress(OSError):
                upstream.sendall(head)
                threading.Thread(target=carry, args=(upstream, client), daemon=True).start()
                carry(client, upstream)

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Relay) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield attrs.evolve(front, port=server.server_address[1])
        server.shutdown()


def carry(source: socket, sink: socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(SHUT_WR)


@pytest.fixture(scope="module")
def front() -> Generator[Front]:
    with chromium() as endpoint, opened_front(int(endpoint.split(":")[2].split("/")[0])) as front:
        front.heads.append(endpoint.partition("/devtools")[2])
        yield front


@pytest.fixture(scope="module", params=["--cdp-endpoint", "--attach"])
def agent(front: Front, web: Web, request: pytest.FixtureRequest) -> Generator[Tab]:
    """A tab of an agent, for which all pages at 127.0.0.1 are granted."""
    path, flag = front.heads[0], cast("str", request.param)
    grants = ("--adopt", "http://127.0.0.1/*") if flag == "--attach" else ()
    with open_server(flag, f"ws://127.0.0.1:{front.port}/devtools{path}", *grants) as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        del front.heads[1:]
        yield tab


def close_others(tab: Tab) -> None:
    server: Server = tab.server
    for row in server.call("tabs").json:
        if row["id"].startswith("tab-") and row["id"] != tab.id:
            server.call("tab_close", tab_id=row["id"])


def test_no_spelling_of_the_port_is_opened(agent: Tab, front: Front) -> None:
    for host in SPELLINGS:
        for tool in ("navigate", "tab_open"):
            with case(f"{tool} {host}"):
                error = agent.server.call(tool, url=f"http://{host}:{front.port}/json/list").error
                assert error["code"] in {"NAVIGATION_BLOCKED", "INVALID_ARGUMENT"}
    redirect = agent.web.url(f"/redirect?to=http://127.0.0.1:{front.port}/json/list")
    assert agent.refused("navigate", url=redirect)["code"] == "NAVIGATION_BLOCKED"
    close_others(agent)
    assert front.from_pages == [front.heads[0]]


def test_no_route_of_a_page_leads_to_the_port(agent: Tab, front: Front) -> None:
    for attempt in REQUESTS:
        if attempt.name != "speculation rules":
            with case(attempt.name):
                agent.open("<h1>Tries</h1>")
                code = PRELUDE + attempt.code.replace("return 'ESCAPED'", "return")
                code = code.replace("SINK", f"127.0.0.1:{front.port}")
                agent.reply("evaluate", expression=f"(async () => {{ {code}; await wait() }})()")
                assert front.from_pages == [front.heads[0]]
                close_others(agent)


def test_a_document_that_a_page_has_prefetched_stays_empty(agent: Tab, front: Front) -> None:
    """Chromium neither holds these requests nor the navigation that uses them."""
    spied = agent.web.url("/counter.html")
    script = f"addEventListener('load', () => new Image().src = '{spied}?' + document.URL"
    script += " + (document.documentElement?.innerHTML ?? 'EMPTY'))"
    tab = agent.beside()
    tab.open("<h1>Tries</h1>")
    tab.reply("dev_inject", script=script, persist=True)
    url = f"http://127.0.0.1:{front.port}/json/list"
    rules = f"JSON.stringify({{prefetch: [{{urls: ['{url}'], eagerness: 'immediate'}}]}})"
    tab.js(f"{PRELUDE} add('script', {{type: 'speculationrules', text: {rules}}}); 1")
    eventually(lambda: any("prefetch" in head for head in front.from_pages))

    tab.reply("evaluate", expression=f"location.href = '{url}'; 1")
    eventually(lambda: "not granted" in tab.row["title"])

    for tool in ("observe", "screenshot", "evaluate", "console", "requests"):
        arguments = {"expression": "document.body.innerText"} if tool == "evaluate" else {}
        with case(tool):
            assert tab.refused(tool, **arguments)["code"] == "NAVIGATION_BLOCKED"
    assert "devtoolsFrontendUrl" not in str(agent.web.asked("/counter.html"))
    close_others(agent)


def test_the_users_own_tabs_do_not_reach_the_port(agent: Tab, front: Front) -> None:
    port = f"http://127.0.0.1:{front.port}/json"
    script = f"fetch('{port}').then(() => 1, () => 0)"
    script += ".then((got) => fetch('/counter.html?got=' + got))"
    path = agent.web.write(f"<iframe src={port}></iframe><script>{script}</script>")
    address = quote(agent.web.url(path), safe="")
    before = len(front.from_pages)

    urlopen(Request(f"{port}/new?{address}", method="PUT")).close()  # noqa: S310

    eventually(lambda: {"got": "0"} in [one.query for one in agent.web.asked("/counter.html")])
    assert [head.split()[0] for head in front.from_pages[before:]] == ["PUT"]


def test_a_refused_request_is_reported(agent: Tab, front: Front) -> None:
    agent.open("<h1>Tries</h1>")
    url = f"http://127.0.0.1:{front.port}/json"
    answer = agent.call("evaluate", expression=f"fetch('{url}').catch(String)")
    assert answer["refused"] == [
        f"GET {url} refused: it leads to the debugging port of this browser"
    ]
