"""Messages on WebSockets and of event streams: in requests, in HAR files, as evidence."""

import json
import time
from collections.abc import Generator
from datetime import datetime
from pathlib import Path

import pytest
from starlette.responses import Response

from tests.whole.answers import new_texts
from tests.whole.client import Message
from tests.whole.replying import open_sockets
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium


@pytest.fixture(scope="module")
def sockets() -> Generator[str]:
    with open_sockets() as url:
        yield url


CHAT = """<h1>Chat</h1><p id="said">Nothing yet.</p>
<button onclick="socket.send('hello')">Ask</button>
<button onclick="socket.send(new Uint8Array([1, 2, 3]))">Send bytes</button>
<script>
  const socket = new WebSocket('%s')
  socket.onopen = () => { document.title = 'open' }
  socket.onmessage = (event) => {
    if (typeof event.data === 'string') said.textContent = event.data
  }
</script>"""


def open_chat(tab: Tab, url: str) -> None:
    tab.open(CHAT % url)
    tab.call("wait_for", js="document.title === 'open'")


def connection(tab: Tab, url_part: str) -> Message:
    found: list[Message] = tab.call("requests", url_pattern=url_part)["requests"]
    return found[-1]


def exchanged(tab: Tab, url_part: str, count: int) -> Message:
    """Wait for a number of messages on a connection; return it in full."""

    def are_there() -> bool:
        row = connection(tab, url_part)
        return int(row.get("sent", 0) + row.get("received", 0)) >= count

    eventually(are_there)
    details: Message = tab.call("requests", id=connection(tab, url_part)["id"])
    return details


def is_now(message: Message) -> bool:
    return abs(datetime.fromisoformat(message["timestamp"]).timestamp() - time.time()) < 60


@pytest.mark.req("C-REQ-05")
def test_a_websocket_is_listed_and_returned_with_its_messages(tab: Tab, sockets: str) -> None:
    open_chat(tab, f"{sockets}/echo")
    tab.click("Ask")
    tab.click("Send bytes")

    details = exchanged(tab, "/echo", 4)

    assert (details["resourceType"], details["status"]) == ("websocket", 101)
    assert (details["sent"], details["received"]) == (2, 2)
    assert [
        (one["direction"], one.get("text", one.get("bytes"))) for one in details["messages"]
    ] == [("sent", "hello"), ("received", "hello"), ("sent", 3), ("received", 3)]
    assert is_now(details["messages"][0])
    assert details["request"]["headers"]["Upgrade"] == "websocket"
    saved = tab.call("requests", har=True, resource_type="websocket")
    [entry] = json.loads(Path(saved["path"]).read_text())["log"]["entries"]
    rows = [(one["type"], one["opcode"], one["data"]) for one in entry["_webSocketMessages"]]
    assert rows[1:3] == [("receive", 1, "hello"), ("send", 2, "AQID")]


def test_an_event_stream_is_returned_with_its_events(tab: Tab) -> None:
    body = b'event: update\nid: 7\ndata: {"n": 1}\n\ndata: two\ndata: lines\n\n'
    feed = tab.web.publish(Response(body, media_type="text/event-stream"))
    tab.open(f"<h1>Feed</h1><script>new EventSource('{feed}')</script>")

    details = exchanged(tab, feed, 2)
    saved = tab.call("requests", har=True, url_pattern=feed, resource_type="eventsource")

    assert (details["resourceType"], details["received"]) == ("eventsource", 2)
    first, second = details["messages"][:2]
    assert is_now(first)
    assert (first["event"], first["eventId"], first["text"]) == ("update", "7", '{"n": 1}')
    assert (second["event"], second["text"]) == ("message", "two\nlines")
    entry = json.loads(Path(saved["path"]).read_text())["log"]["entries"][0]
    assert [(one["eventName"], one["data"]) for one in entry["_eventSourceMessages"][:2]] == [
        ("update", '{"n": 1}'),
        ("message", "two\nlines"),
    ]


def test_older_messages_are_returned_with_a_cursor(tab: Tab, sockets: str) -> None:
    tab.open(f"""<h1>Many</h1><script>const socket = new WebSocket('{sockets}/count')
      socket.onopen = () => socket.send('{{"count": 12, "length": 3000}}')</script>""")
    exchanged(tab, "/count", 13)
    number = connection(tab, "/count")["id"]

    newest = tab.call("requests", id=number, limit=5)
    older = tab.call("requests", id=number, limit=5, cursor=newest["truncation"]["next_cursor"])
    [last] = tab.call("requests", id=number, limit=1)["messages"]

    assert [one["text"].partition(":")[0] for one in newest["messages"]] == [*"789", "10", "11"]
    assert [one["text"].partition(":")[0] for one in older["messages"]] == [*"23456"]
    assert "request" not in older
    assert newest["truncation"]["total"] == 13
    assert len(last["text"]) == 3000


def test_after_clearing_a_connection_returns_with_its_next_message(tab: Tab, sockets: str) -> None:
    open_chat(tab, f"{sockets}/reply")
    tab.click("Ask")
    tab.call("requests", clear=True)
    assert tab.call("requests")["requests"] == []

    tab.click("Ask")

    details = exchanged(tab, "/reply", 2)
    assert [one["text"] for one in details["messages"]] == ["hello", "re: hello"]


def test_a_refused_websocket_is_reported_once(tab: Tab, sockets: str) -> None:
    answer = tab.open(f"<h1>Refused</h1><script>new WebSocket('{sockets}/nowhere')</script>")
    eventually(lambda: connection(tab, "/nowhere")["status"] == 0)

    failed = tab.call("requests", failed=True)["requests"]
    page = tab.call("observe")

    assert "404" in failed[0]["error"]
    assert answer["title"] == "Written"
    errors = page["errors"]
    assert len(errors["console"]) == 1
    assert errors["network"] == []


def test_a_click_waits_for_the_reply_on_a_websocket(tab: Tab, sockets: str) -> None:
    open_chat(tab, f"{sockets}/reply")

    assert new_texts(tab.click("Ask")) == ["re: hello"]
