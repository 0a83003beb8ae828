"""Programs of `run` reach nothing but the tools, whatever they try, and harm no tab."""

from collections.abc import Generator

import pytest

from tests.sampling import one_in
from tests.whole.client import Server, open_server
from tests.whole.escapes import LOADS, PLACES, REQUESTS, Escape, Sink, open_sink
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

PAGE = """<h1>Page</h1><script>
document.cookie = 'kept=1'; localStorage.setItem('kept', '1'); globalThis.got = [];
new BroadcastChannel('pages').onmessage = (event) => got.push(event.data);
</script>"""
PATIENCE = 60.0


@pytest.fixture(scope="module")
def sink() -> Generator[Sink]:
    with open_sink() as opened:
        yield opened


@pytest.fixture(scope="module")
def page(web: Web) -> Generator[Tab]:
    """A tab of a server, with a page that a program could reach."""
    with open_server("--profile", "full") as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        tab.open(PAGE)
        yield tab


def attempt(server: Server, escape: Escape, sink: Sink, timeout: int) -> str:
    code = escape.program(sink.host)
    return server.start("run", code=code, timeout=timeout).reply(PATIENCE).text


def check_untouched(page: Tab) -> None:
    rows = page.server.call("tabs").json
    assert [(row["id"], row["title"]) for row in rows] == [(page.id, "Written")]
    assert page.js("[got.length, document.cookie, localStorage.length]") == [0, "kept=1", 1]


def test_numbers_of_attempts_are_unique() -> None:
    numbers = [each.number for each in (*REQUESTS, *PLACES, *LOADS)]
    assert numbers == list(range(1, len(numbers) + 1))


def test_the_sink_sees_a_page_with_a_network(page: Tab) -> None:
    with open_sink() as sink:
        page.js(f"fetch('http://{sink.host}/').catch(() => 0)")
        page.js(
            f"const one = new RTCPeerConnection({{iceServers: [{{urls: 'stun:{sink.host}'}}]}});"
            "one.createDataChannel('x');"
            "one.createOffer().then((offer) => one.setLocalDescription(offer))"
        )
        eventually(lambda: {"connection", "datagram"} <= set(sink.seen))
    page.open(PAGE)


@pytest.mark.parametrize(
    "escape", one_in(8, (*REQUESTS, *PLACES)), ids=lambda each: f"{each.number} {each.name}"
)
def test_a_program_reaches_nothing_but_the_tools(page: Tab, sink: Sink, escape: Escape) -> None:
    text = attempt(page.server, escape, sink, 10_000)

    assert "ESCAPED" not in text
    assert "TIMEOUT" not in text
    assert sink.seen == []
    check_untouched(page)


@pytest.mark.fault
@pytest.mark.parametrize("escape", LOADS, ids=lambda each: f"{each.number} {each.name}")
@pytest.mark.extended
def test_a_program_takes_nothing_from_others(page: Tab, sink: Sink, escape: Escape) -> None:
    before = page.js("globalThis.mark = Math.random()")

    text = attempt(page.server, escape, sink, 4_000)

    assert "ESCAPED" not in text
    assert len(text) < 50_000
    assert sink.seen == []
    assert page.js("globalThis.mark") == before  # neither browser nor page were restarted
    check_untouched(page)
