"""Activity of a page, derived from browser events alone."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.world.settle import Activity
from charlotte.protocol import network, page
from charlotte.protocol.wire import CdpEvent
from tests.browser.feeding import MAIN, OTHER, begin


def arrive(activity: Activity, loader: str, frame: str = MAIN, **more: Any) -> None:
    url = f"http://a.test/{loader}"
    activity.feed(page.FrameNavigated(page.FrameInfo(frame, loader, url, **more)))


def milestone(activity: Activity, name: str, loader: str = "L0", frame: str = MAIN) -> None:
    activity.feed(page.LifecycleEvent(frame, loader, name))


def respond(activity: Activity, status: int, loader: str, frame: str = MAIN) -> None:
    response = network.Response(status, "")
    activity.feed(network.ResponseReceived("1", loader, "Document", response, frame_id=frame))


def test_a_milestone_counts_only_for_its_document_and_frame(activity: Activity) -> None:
    milestone(activity, "load", loader="L9")
    milestone(activity, "load", frame=OTHER)
    assert not activity.reached("load")

    milestone(activity, "load")
    assert activity.reached("load")
    assert not activity.reached("networkIdle")


async def test_a_new_document_has_no_milestones_requests_and_status(activity: Activity) -> None:
    milestone(activity, "load")
    begin(activity, "1")
    respond(activity, 404, "L0")
    arrive(activity, "L1", url_fragment="#x")

    assert (activity.documents, activity.arrivals) == (1, 1)
    assert activity.url == "http://a.test/L1#x"
    assert not activity.reached("load")
    assert not activity.requests
    assert activity.status is None


@pytest.mark.parametrize("kind", ["sameDocument", "historySameDocument"])
def test_a_same_document_navigation_only_counts_as_arrival(activity: Activity, kind: str) -> None:
    milestone(activity, "load")
    activity.feed(page.FrameStartedNavigating(MAIN, "http://a.test/#2", "L0", kind))
    activity.feed(page.NavigatedWithinDocument(MAIN, "http://a.test/#2"))

    assert (activity.documents, activity.arrivals, activity.url) == (0, 1, "http://a.test/#2")
    assert activity.reached("load")


async def test_a_navigation_continues_until_its_document_arrives(activity: Activity) -> None:
    milestone(activity, "load")
    activity.feed(page.FrameRequestedNavigation(MAIN, "http://b.test/", "anchorClick"))
    assert activity.navigating_to == "http://b.test/"
    assert not activity.reached("load")

    activity.feed(page.FrameStartedNavigating(MAIN, "http://b.test/2", "L1", "differentDocument"))
    assert activity.navigating_to == "http://b.test/2"
    arrive(activity, "L1")
    assert activity.navigating_to is None


async def test_the_status_is_that_of_the_document_that_arrived(activity: Activity) -> None:
    respond(activity, 200, "L0")
    assert activity.status == 200
    respond(activity, 404, "L1")
    respond(activity, 500, "L1", frame=OTHER)
    assert activity.status == 200
    arrive(activity, "L1")
    assert activity.status == 404


async def test_a_waiter_is_woken_by_the_event_that_meets_its_condition(activity: Activity) -> None:
    log: list[str] = []

    async def wait() -> None:
        await activity.until(lambda: activity.reached("load"))
        log.append("loaded")

    with trio.fail_after(60):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await wait_all_tasks_blocked()
            milestone(activity, "DOMContentLoaded")
            await wait_all_tasks_blocked()
            assert log == []
            milestone(activity, "load")
    assert log == ["loaded"]


async def test_a_new_document_is_awaited_until_it_is_parsed(
    activity: Activity, autojump_clock: MockClock
) -> None:
    arrive(activity, "L1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(activity.parsed)
        await wait_all_tasks_blocked()
        assert nursery.child_tasks
        milestone(activity, "DOMContentLoaded", "L1")
    assert trio.current_time() == 0


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
