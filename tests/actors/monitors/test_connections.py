"""The network monitor records WebSockets, event streams and their messages, within bounds."""

import json
from typing import Any

from charlotte.actors.monitors.network import ConnectionEvent, RequestEvent, note_event
from charlotte.actors.state.logs import RequestLog, RequestRecord
from charlotte.actors.state.messages import CAPACITY, LONGEST_MESSAGE, Conversation, MessageLog
from charlotte.protocol.connection import Connection
from charlotte.protocol.network import (
    EventSourceMessageReceived,
    Handshake,
    LoadingFailed,
    NetworkRequest,
    RequestWillBeSent,
    Response,
    WebSocketClosed,
    WebSocketCreated,
    WebSocketFrameReceived,
    WebSocketFrameSent,
    WebSocketHandshakeSent,
    WebSocketOpened,
    WebSocketPayload,
)
from tests.fakes import FakeBrowser

CHAT = "ws://a.test/chat"
OPENED: list[ConnectionEvent] = [
    WebSocketCreated("s", CHAT),
    WebSocketHandshakeSent("s", 10, 1_769_846_410.5, Handshake({"Origin": "http://a.test"})),
    WebSocketOpened("s", Response(101, "Switching Protocols")),
]


def note(log: RequestLog, *events: RequestEvent) -> None:
    session = Connection(FakeBrowser()).root
    for event in events:
        note_event(log, session, event)


def texts(record: RequestRecord) -> list[tuple[bool, str]]:
    assert record.conversation is not None
    return [(one.is_sent, one.text) for one in record.conversation.kept]


def test_an_open_websocket_is_listed_again_with_its_next_message() -> None:
    log = RequestLog()
    note(log, *OPENED, WebSocketFrameSent("s", 11, WebSocketPayload("before", 1)))
    [before] = log.records.values()
    log.clear()
    assert log.listed() == []

    note(log, WebSocketFrameReceived("s", 12, WebSocketPayload("after", 1)))
    [after] = log.records.values()

    assert (after.number, after.url) == (1, CHAT)
    assert texts(after) == [(False, "after")]
    assert texts(before) == [(True, "before")], "an answer can still show it"


def test_the_memory_of_endless_messages_is_bounded() -> None:
    log = RequestLog()
    note(log, *OPENED)
    event: dict[str, Any] = {"n": 0, "text": "x" * 5000}
    for number in range(3000):
        text = json.dumps(event | {"n": number})
        note(log, WebSocketFrameReceived("s", number, WebSocketPayload(text, 1)))
    conversation = log.records["s"].conversation

    assert conversation is not None
    assert sum(len(one.text) for one in conversation.kept) <= 1_000_000
    assert conversation.received == 3000
    assert conversation.dropped == 3000 - len(conversation.kept)


def test_a_closed_connection_is_not_listed_again() -> None:
    log, request = RequestLog(), NetworkRequest("http://a.test/feed", "GET")
    stream = RequestWillBeSent("e", "L", request, 1000, "EventSource", timestamp=10)
    response = Response(200, "")
    note(log, *OPENED, WebSocketClosed("s", 12), stream)
    log.records["e"].note_response(response)
    note(log, LoadingFailed("e", "EventSource", "net::ERR_ABORTED", timestamp=13))
    log.clear()

    note(log, WebSocketFrameReceived("s", 14, WebSocketPayload("never", 1)))
    note(log, EventSourceMessageReceived("e", 14, "never"))

    assert not log.records


def test_a_long_message_is_cut_after_its_secrets_are_hidden() -> None:
    log, talk = MessageLog(lambda text: text.replace("hush", "<secret>")), Conversation()
    log.add(talk, "x" * (LONGEST_MESSAGE - 2) + "hush", 1)
    [message] = talk.kept

    assert message.text == "x" * (LONGEST_MESSAGE - 2) + "<s…"
    assert message.length == LONGEST_MESSAGE + 2


def test_the_busiest_connection_drops_its_oldest_messages_first() -> None:
    log, busy, quiet = MessageLog(), Conversation(), Conversation()
    log.add(quiet, "the first", 0)
    for number in range(10_000):
        log.add(busy, f"{number}", number)
    for _ in range(200):
        log.add(busy, "x" * LONGEST_MESSAGE, 1)

    assert log.size <= CAPACITY
    assert [one.text for one in quiet.kept] == ["the first"]
    assert busy.kept[-1].number == 10_200
    assert busy.dropped == 10_200 - len(busy.kept) > 9000
