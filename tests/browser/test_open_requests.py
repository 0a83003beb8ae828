"""Open requests, and frames that are about to navigate."""

import pytest
import trio

from charlotte.browser.world.settle import Activity
from charlotte.protocol import network, page
from charlotte.protocol.wire import CdpEvent
from tests.browser.feeding import MAIN, OTHER, begin


def test_requests_are_open_from_their_beginning_to_their_end(activity: Activity) -> None:
    for name in ("a", "b", "c"):
        begin(activity, name)
    activity.feed(network.LoadingFinished("a"))
    activity.feed(network.LoadingFailed("b", "Fetch", "net::ERR_FAILED"))

    assert [one.label for one in activity.open_since(0)] == ["GET http://a.test/c"]
    assert activity.open_since(3) == []
    assert activity.requests_begun == 3


def answered(activity: Activity, kind: str, headers: dict[str, str], mime_type: str = "") -> None:
    begin(activity, "a", kind)
    response = network.Response(200, "", mime_type, headers)
    activity.feed(network.ResponseReceived("a", "L0", kind, response, frame_id=MAIN))


async def test_a_request_with_a_complete_body_is_closed_even_if_unread(activity: Activity) -> None:
    answered(activity, "Fetch", {"Content-Length": "11"})
    activity.feed(network.DataReceived("a", 4))
    assert len(activity.open_since(0)) == 1

    activity.feed(network.DataReceived("a", 7))
    assert activity.open_since(0) == []


async def test_a_declared_stream_counts_as_active_from_its_head(activity: Activity) -> None:
    answered(activity, "Fetch", {}, "text/event-stream")

    [stream] = activity.open_since(0)
    assert stream.heard <= trio.current_time()


@pytest.mark.parametrize(
    "kind", ["EventSource", "WebSocket", "Ping", "Preflight", "CSPViolationReport", "Document"]
)
def test_endless_connections_are_not_awaited(activity: Activity, kind: str) -> None:
    begin(activity, "a", kind)

    assert activity.requests_begun == 0


def leave(activity: Activity, frame: str, disposition: str = "currentTab") -> None:
    url = f"http://a.test/{frame}"
    activity.feed(page.FrameRequestedNavigation(frame, url, "scriptInitiated", disposition))


def test_a_navigating_frame_counts_until_its_request_begins(activity: Activity) -> None:
    leave(activity, OTHER)
    begin(activity, "later")
    assert [request.begun for request in activity.open_since(0)] == [1, 2]

    begin(activity, "next", "Document", frame=OTHER)
    assert [(request.label, request.begun) for request in activity.open_since(0)] == [
        ("GET http://a.test/later", 2),
        ("GET http://a.test/next", 1),
    ]


@pytest.mark.parametrize(
    "end",
    [
        page.FrameStoppedLoading(OTHER),
        page.NavigatedWithinDocument(OTHER, "http://a.test/#x"),
        page.FrameDetached(OTHER, "remove"),
        page.FrameDetached(OTHER, "swap"),
        page.FrameNavigated(page.FrameInfo(OTHER, "L1", "http://a.test/")),
    ],
)
def test_frames_that_stay_or_arrived_are_not_awaited(activity: Activity, end: CdpEvent) -> None:
    leave(activity, OTHER)
    activity.feed(end)
    assert activity.open_since(0) == []
