"""Pages that misbehave: their tab returns typed errors in time, other tabs are not affected."""

from collections.abc import AsyncGenerator, Generator

import pytest
import trio
from starlette.responses import HTMLResponse, StreamingResponse

from tests.whole.answers import new_texts
from tests.whole.client import Server, open_server
from tests.whole.processes import resident
from tests.whole.tabs import Tab, eventually, is_usable

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

FEW_MEGABYTES = "--js-flags=--max-old-space-size=48"
"""A small heap, so that a renderer runs out of memory quickly."""

EATS = "const eaten = []; while (true) eaten.push(new Array(100000).fill(eaten.length))"


@pytest.fixture(scope="module")
def own_server() -> Generator[Server]:
    """A server whose pages get little memory."""
    with open_server(f"--chromium-arg={FEW_MEGABYTES}") as server:
        yield server


@pytest.fixture
def tab(own_tab: Tab) -> Tab:
    return own_tab


def test_a_renderer_out_of_memory_is_reported_as_a_crash_and_restored(tab: Tab) -> None:
    tab.open(f"<button onclick='{EATS}'>Eat</button>")
    neighbour = tab.beside()
    neighbour.call("navigate", url=tab.web.url("/counter.html", host="neighbour.localhost"))

    reply = tab.reply("click", element_id=tab.find("Eat"))
    answer = tab.call("observe")

    assert reply.error["code"] in {"TAB_CRASHED", "TAB_HUNG"}  # it fills its memory first
    assert tab.find("Eat")
    assert any("crashed" in notice for notice in answer.get("notices", ["crashed"]))
    assert neighbour.js("clicks") == 0
    assert is_usable(tab)


def test_a_page_that_loops_while_loading_times_out(tab: Tab) -> None:
    path = tab.web.write("<h1>Loops</h1><script>while (true);</script>")

    reply = tab.reply("navigate", url=tab.web.url(path), timeout=1000)

    assert reply.error["code"] in {"TIMEOUT", "TAB_HUNG"}
    assert is_usable(tab)


def test_what_has_come_of_an_endless_page_is_returned_at_the_timeout(tab: Tab) -> None:
    path = tab.web.publish(
        StreamingResponse(endless(b"<p>And on, and on.</p>" * 200), media_type="text/html")
    )

    reply = tab.reply("navigate", url=tab.web.url(path), timeout=1000)

    assert "And on, and on." in reply.text
    assert reply.json["unsettled"] == "still loading: the document"
    assert reply.metadata["settled"] is False
    assert is_usable(tab)


def test_a_document_of_ten_gigabytes_is_not_stored(tab: Tab) -> None:
    headers = {"Content-Length": str(10 * 2**30)}
    path = tab.web.publish(
        StreamingResponse(
            endless(b"<!--%s-->" % (b"x" * 50_000)), headers=headers, media_type="text/html"
        )
    )
    server = tab.server.process.pid
    before = resident(server)

    reply = tab.reply("navigate", url=tab.web.url(path), timeout=2000)

    assert reply.json["unsettled"] == "still loading: the document"
    assert resident(server) - before < 32 * 2**20
    assert is_usable(tab)


async def endless(piece: bytes) -> AsyncGenerator[bytes]:
    while True:
        yield piece
        await trio.sleep(0.01)


def test_a_click_that_starts_an_endless_response_returns(tab: Tab) -> None:
    path = tab.web.publish(StreamingResponse(endless(b"x" * 1000), media_type="text/plain"))
    tab.open(f"""<p id=at></p><button onclick="at.textContent = 'Begun';
      fetch('{path}').then((reply) => reply.text())">Fetch</button>""")

    reply = tab.start("click", element_id=tab.find("Fetch")).reply()

    assert "Begun" in new_texts(reply.json)
    assert is_usable(tab)


def test_endless_redirects_fail_with_their_reason(tab: Tab) -> None:
    circle = tab.web.publish(HTMLResponse(status_code=302, headers={"Location": "/written/circle"}))
    tab.web.pages["/written/circle"] = HTMLResponse(status_code=302, headers={"Location": circle})

    error = tab.refused("navigate", url=tab.web.url(circle))

    assert error["code"] == "NAVIGATION_FAILED"
    assert "TOO_MANY_REDIRECTS" in error["message"]
    assert is_usable(tab)


def test_a_page_that_navigates_repeatedly_is_answered_in_time(tab: Tab) -> None:
    path = tab.web.write("<script>setTimeout(() => { location = '?' + Math.random() })</script>")

    reply = tab.reply("navigate", url=tab.web.url(path), timeout=3000)

    assert not reply.result.get("isError") or reply.error["code"] == "TIMEOUT"
    assert is_usable(tab)


def test_a_page_with_endless_dialogs_can_be_closed(tab: Tab) -> None:
    tab.open("<h1>Asks</h1>")
    tab.js("setTimeout(() => { while (true) alert('Again') }); 1")
    eventually(lambda: tab.row.get("dialog"))
    for _ in range(3):
        tab.call("dialog", accept=True)
        eventually(lambda: tab.row.get("dialog"))

    left = tab.server.call("tab_close", tab_id=tab.id).json

    assert tab.id not in {row["id"] for row in left}
    assert is_usable(tab.beside())


@pytest.mark.parametrize(
    "script",
    [
        "for (let n = 0; n < 5000; n += 1) history.pushState(n, '', '?' + n)",
        "setInterval(() => history.replaceState(0, '', '?' + Math.random()))",
        "for (let n = 0; n < 200; n += 1) { document.open(); document.write(n); document.close() }",
        "setInterval(() => { document.open(); document.write('Again'); document.close() }, 10)",
        """setInterval(() => { const frame = document.createElement('iframe');
          frame.srcdoc = '<button>In</button>'; document.body.append(frame);
          setTimeout(() => frame.remove(), 15) }, 5)""",
        """setInterval(() => { const frame = document.createElement('iframe');
          frame.src = `http://frames.localhost:${location.port}/counter.html`;
          document.body.append(frame); setTimeout(() => frame.remove(), 100) }, 50)""",
        "setInterval(() => document.body.replaceChildren(document.createElement('button')))",
        "for (let n = 0; n < 300; n += 1) new WebSocket(`ws://${location.host}/hang?${n}`)",
    ],
    ids=["history", "replaced history", "document.open", "document.open for ever", "frames",
         "frames of another site", "elements", "web sockets"],
)  # fmt: skip
def test_a_page_that_abuses_browser_features_is_observed_in_time(tab: Tab, script: str) -> None:
    tab.open("<h1>Abuses</h1>")
    tab.js(f"setTimeout(() => {{ {script} }}); 1")

    replies = [tab.reply("observe", detail="minimal") for _ in range(3)]

    assert [reply.text for reply in replies if reply.result.get("isError")] == []
    assert is_usable(tab)
