"""The network monitor writes down every request of a tab and how it ended."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

import attrs
import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.monitors.network import NetworkMonitor, RequestEvent, note_event, open_network
from charlotte.actors.state.logs import CAPACITY, RequestLog, RequestRecord, ResponseSource
from charlotte.protocol import network
from charlotte.protocol.connection import Connection, Subscription, open_connection
from charlotte.protocol.network import LoadingFailed
from tests.fakes import FakeBrowser

SECONDS = 1_769_846_400.123
TIME = "2026-01-31T08:00:00.123Z"


class Wire:
    """Emits the browser's network events on the monitor's session; ``kept`` is the log of that."""

    def __init__(self) -> None:
        self.kept = RequestLog()
        self.browser = FakeBrowser()
        self.shown = self.browser.open("context", "about:blank")

    def begin(self, request_id: str, url: str = "http://a.test/", **more: Any) -> None:
        request = {"url": url, "method": more.pop("method", "GET")}
        self._emit(
            "requestWillBeSent",
            requestId=request_id,
            loaderId="L",
            request=request,
            wallTime=SECONDS,
            **({"type": "Fetch"} | more),
        )

    def respond(
        self, request_id: str, status: int, text: str = "", *, on_wire: bool = True, **more: Any
    ) -> None:
        self._emit(
            "responseReceived",
            requestId=request_id,
            loaderId="L",
            type="Fetch",
            response=response(status, text) | more,
            hasExtraInfo=on_wire,
        )

    def send_headers(self, request_id: str, **headers: str) -> None:
        self._emit("requestWillBeSentExtraInfo", requestId=request_id, headers=headers)

    def receive_headers(self, request_id: str, **headers: str) -> None:
        self._emit("responseReceivedExtraInfo", requestId=request_id, headers=headers)

    def fail(self, request_id: str, error: str, **more: Any) -> None:
        self._emit("loadingFailed", requestId=request_id, type="Fetch", errorText=error, **more)

    def _emit(self, name: str, **params: Any) -> None:
        self.browser.emit(f"Network.{name}", self.shown.sessions[-1], **params)


def response(status: int, text: str = "") -> dict[str, Any]:
    return {"url": "http://a.test/", "status": status, "statusText": text}


@pytest.fixture
def wire() -> Wire:
    return Wire()


@asynccontextmanager
async def monitoring(wire: Wire) -> AsyncGenerator[NetworkMonitor]:
    with trio.fail_after(60):
        async with (
            open_connection(wire.browser) as connection,
            open_network(connection, wire.shown.id, wire.kept) as monitor,
        ):
            yield monitor


async def read(monitor: NetworkMonitor) -> list[RequestRecord]:
    await wait_all_tasks_blocked()
    return (await monitor.read(clear=False))[0]


@pytest.mark.req("C-REQ-05")
async def test_a_request_is_written_down_and_so_is_its_response(wire: Wire) -> None:
    async with monitoring(wire) as monitor:
        assert wire.browser.methods(wire.shown.sessions[-1]) == ["Network.enable"]
        wire.begin("1", "http://a.test/cart", method="POST", type="XHR")
        (running,) = await read(monitor)
        assert running == RequestRecord("http://a.test/cart", "POST", "xhr", TIME, 1)
        assert not running.is_error

        wire.respond("1", 201, "Created")
        (done,) = await read(monitor)
        assert (done.status, done.status_text, done.error) == (201, "Created", None)


async def test_each_hop_has_its_own_headers_in_any_order_of_events(wire: Wire) -> None:
    async with monitoring(wire) as monitor:
        wire.send_headers("1", Cookie="first")
        wire.begin("1")
        wire.begin("1", redirectResponse=response(307), redirectHasExtraInfo=False)
        wire.begin("1", redirectResponse=response(302), redirectHasExtraInfo=True)
        wire.receive_headers("1", Location="/", SetCookie="a")
        wire.send_headers("1", Cookie="last")
        wire.respond("1", 200, headers={"setcookie": "", "Seen": "yes"})
        wire.receive_headers("1", SetCookie="b")
        hops = [one.exchange for one in await read(monitor)]

    assert [one.sent_headers.get("Cookie") for one in hops] == [None, "first", "last"]
    assert [one.received_headers.get("SetCookie") for one in hops] == [None, "a", "b"]
    assert hops[2].received_headers == {"SetCookie": "b", "Seen": "yes"}


async def test_a_response_without_the_network_has_the_headers_that_pages_see(wire: Wire) -> None:
    async with monitoring(wire) as monitor:
        wire.begin("1")
        wire.send_headers("1", Cookie="never sent")
        wire.respond("1", 200, headers={"Seen": "yes"}, on_wire=False)
        (record,) = await read(monitor)

    assert record.exchange.sent_headers == {}
    assert record.exchange.received_headers == {"Seen": "yes"}


async def test_headers_are_kept_cut_and_only_of_the_newest_requests(wire: Wire) -> None:
    async with monitoring(wire) as monitor:
        for number in range(CAPACITY + 1):
            wire.send_headers(f"{number}", Cookie="x" * 100_000)
        for request_id in ("1", "0"):
            wire.begin(request_id)
        there, lost = [one.exchange.sent_headers for one in await read(monitor)]

    assert lost == {}
    assert len(there["Cookie"]) == 8001


@pytest.mark.req("C-ERR-05")
async def test_failed_requests_are_reported_but_aborted_requests_are_not(wire: Wire) -> None:
    async with monitoring(wire) as monitor:
        for name in ("fine", "missing", "broken", "refused", "aborted", "blocked"):
            wire.begin(name, f"http://a.test/{name}")
        wire.respond("fine", 399)
        wire.respond("missing", 400, "Bad Request")
        wire.respond("broken", 503)
        wire.fail("refused", "net::ERR_CONNECTION_REFUSED")
        wire.fail("aborted", "net::ERR_ABORTED", canceled=True)
        wire.fail("blocked", "", blockedReason="mixed-content")
        await read(monitor)
    wrong = {one.url.rsplit("/", 1)[1]: one for one in wire.kept.errors_since(0)}
    assert list(wrong) == ["missing", "broken", "refused", "blocked"]
    assert (wrong["refused"].status, wrong["refused"].error) == (0, "net::ERR_CONNECTION_REFUSED")
    assert wrong["blocked"].error == "mixed-content"
    assert [one.failure for one in wire.kept.errors_since(1)] == [2, 3, 4]


async def test_requests_are_numbered_on_after_clearing_and_after_a_restart(wire: Wire) -> None:
    for expected in (1, 2):
        async with monitoring(wire) as monitor:
            wire.begin("1")
            await wait_all_tasks_blocked()
            assert [one.number for one in (await monitor.read(clear=True))[0]] == [expected]
        kept, wire = wire.kept, Wire()
        wire.kept = kept


async def test_what_came_too_fast_to_be_written_down_is_counted(
    wire: Wire, nursery: trio.Nursery
) -> None:
    events = Subscription[RequestEvent]((LoadingFailed,), 1)
    for _ in range(3):
        event = {"requestId": "1", "type": "Fetch", "errorText": "net::ERR_FAILED"}
        events.deliver(LoadingFailed.method, event)
    async with monitoring(wire) as monitor:
        nursery.start_soon(monitor.follow, Connection(wire.browser).root, events)
        await wait_all_tasks_blocked()
    assert wire.kept.dropped == 2


@pytest.mark.req("C-REQ-06")
async def test_of_five_thousand_requests_the_last_thousand_are_kept(wire: Wire) -> None:
    async with monitoring(wire) as monitor:
        for number in range(5_000):
            wire.begin(f"{number}", f"http://a.test/{number}" + "/" * (number == 4321) * 3000)
            if number % 5 == 0:
                wire.begin(f"{number}", f"http://a.test/{number}/", redirectResponse=response(302))
            wire.respond(f"{number}", 404 if number % 100 == 0 else 200)
            if number % 100 == 0:
                await wait_all_tasks_blocked()
        await wait_all_tasks_blocked()
        assert (wire.kept.numbers.last, len(wire.kept.errors_since(0))) == (50, 8)
        records, dropped = await monitor.read(clear=True)
        assert await monitor.read(clear=False) == ([], 0)
    assert (len(records), dropped) == (CAPACITY, 5_000)
    assert max(len(one.url) for one in records) == 2001
    assert [one.status for one in records].count(404) == 8
    assert [one.number for one in records] == [*range(5_001, 6_001)]
    assert records[-1].url == "http://a.test/4999"


async def test_a_body_that_breaks_off_does_not_take_the_status_back(wire: Wire) -> None:
    async with monitoring(wire) as monitor:
        wire.begin("1")
        wire.respond("1", 200)
        wire.fail("1", "net::ERR_ABORTED")
        (record,) = await read(monitor)
    assert record.status == 200


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
