"""The source of a response follows from the events of its request."""

import attrs
import pytest

from charlotte.actors.monitors.network import RequestEvent, note_event
from charlotte.actors.state.logs import RequestLog, ResponseSource
from charlotte.protocol import network
from charlotte.protocol.connection import Connection
from tests.fakes import FakeBrowser

BEGUN = network.RequestWillBeSent("1", "L", network.NetworkRequest("http://a.test/", "GET"), 1.0)
REMEMBERED = network.RequestServedFromCache("1")
FRESH = network.Response(200, "OK")
OLD = attrs.evolve(FRESH, from_disk_cache=True)
BY_WORKER = attrs.evolve(OLD, from_service_worker=True)


@pytest.mark.parametrize(
    ("events", "response", "size", "source"),
    [
        ([BEGUN], FRESH, 100, None),
        ([BEGUN], OLD, 0, "disk"),
        ([BEGUN], OLD, 100, None),
        ([BEGUN, REMEMBERED], FRESH, 0, "memory"),
        ([BEGUN, REMEMBERED], OLD, 0, "memory"),
        ([BEGUN], BY_WORKER, 0, "service_worker"),
        ([REMEMBERED, BEGUN], FRESH, 100, None),
    ],
    ids=["network", "disk", "disk after asking", "memory", "memory first", "worker", "unknown"],
)
def test_what_answered_in_place_of_the_network_is_known(
    events: list[RequestEvent],
    response: network.Response,
    size: float,
    source: ResponseSource | None,
) -> None:
    log, session = RequestLog(), Connection(FakeBrowser()).root
    ends: list[RequestEvent] = [
        network.ResponseReceived("1", "L", "Fetch", response),
        network.LoadingFinished("1", 2.0, size),
    ]

    for event in [*events, *ends]:
        note_event(log, session, event)

    [record] = log.records.values()
    assert record.exchange.source == source
