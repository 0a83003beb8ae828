"""What a page is doing is known from the browser's events alone."""

from typing import Any

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.browser.activity import Activity
from charlotte.protocol import network, page
from charlotte.protocol.wire import Event

MAIN, OTHER = "main", "child"


@pytest.fixture
def activity() -> Activity:
    return Activity(page.Frame(MAIN, "L0", "http://a.test/", url_fragment="#top"))


def arrive(activity: Activity, loader: str, frame: str = MAIN, **more: Any) -> None:
    url = f"http://a.test/{loader}"
    activity.feed(page.FrameNavigated(page.Frame(frame, loader, url, **more)))


def milestone(activity: Activity, name: str, loader: str = "L0", frame: str = MAIN) -> None:
    activity.feed(page.LifecycleEvent(frame, loader, name))


def begin(activity: Activity, request_id: str, kind: str = "Fetch", frame: str = MAIN) -> None:
    request = network.Request(f"http://a.test/{request_id}", "GET")
    event = network.RequestWillBeSent(request_id, "L0", request, 1.0, type=kind, frame_id=frame)
    activity.feed(event)


def respond(activity: Activity, status: int, loader: str, frame: str = MAIN) -> None:
    response = network.Response(status, "")
    activity.feed(network.ResponseReceived("1", loader, "Document", response, frame_id=frame))


def test_the_document_that_was_there_is_known_with_its_whole_url(activity: Activity) -> None:
    assert (activity.url, activity.loader, activity.documents) == (
        "http://a.test/#top",
        "L0",
        0,
    )
    assert not activity.reached("load")


def test_a_milestone_counts_for_the_document_and_frame_it_is_about(activity: Activity) -> None:
    milestone(activity, "load", loader="L9")
    milestone(activity, "load", frame=OTHER)
    assert not activity.reached("load")

    milestone(activity, "load")
    assert activity.reached("load")
    assert not activity.reached("networkIdle")


def test_a_new_document_starts_without_milestones_requests_and_status(activity: Activity) -> None:
    milestone(activity, "load")
    begin(activity, "1")
    respond(activity, 404, "L0")
    arrive(activity, "L1", url_fragment="#x")

    assert (activity.documents, activity.arrivals) == (1, 1)
    assert activity.url == "http://a.test/L1#x"
    assert not activity.reached("load")
    assert not activity.requests
    assert activity.status is None


def test_a_frame_inside_changes_nothing(activity: Activity) -> None:
    arrive(activity, "L1", frame=OTHER)
    activity.feed(page.NavigatedWithinDocument(OTHER, "http://b.test/"))
    activity.feed(page.FrameStartedNavigating(OTHER, "http://b.test/", "L2", "differentDocument"))
    activity.feed(page.FrameRequestedNavigation(OTHER, "http://b.test/", "scriptInitiated"))

    assert (activity.url, activity.arrivals) == ("http://a.test/#top", 0)
    assert activity.navigating_to is None


@pytest.mark.parametrize("kind", ["sameDocument", "historySameDocument"])
def test_a_move_within_the_document_is_an_arrival_but_no_document(
    activity: Activity, kind: str
) -> None:
    milestone(activity, "load")
    activity.feed(page.FrameStartedNavigating(MAIN, "http://a.test/#2", "L0", kind))
    activity.feed(page.NavigatedWithinDocument(MAIN, "http://a.test/#2"))

    assert (activity.documents, activity.arrivals, activity.url) == (0, 1, "http://a.test/#2")
    assert activity.reached("load")


def test_a_navigation_goes_on_until_its_document_is_there(activity: Activity) -> None:
    milestone(activity, "load")
    activity.feed(page.FrameRequestedNavigation(MAIN, "http://b.test/", "anchorClick"))
    assert activity.navigating_to == "http://b.test/"
    assert not activity.reached("load")

    activity.feed(page.FrameStartedNavigating(MAIN, "http://b.test/2", "L1", "differentDocument"))
    assert activity.navigating_to == "http://b.test/2"
    arrive(activity, "L1")
    assert activity.navigating_to is None


def test_a_navigation_that_was_given_up_is_over(activity: Activity) -> None:
    """As a download, or a 204."""
    milestone(activity, "load")
    activity.feed(page.FrameStartedNavigating(MAIN, "http://b.test/", "L1", "differentDocument"))
    activity.feed(page.FrameStoppedLoading(MAIN))

    assert activity.navigating_to is None
    assert activity.reached("load")


def test_what_goes_to_another_tab_is_no_navigation_of_this_one(activity: Activity) -> None:
    activity.feed(page.FrameRequestedNavigation(MAIN, "http://b.test/", "anchorClick", "newTab"))

    assert activity.navigating_to is None


def test_an_error_page_is_known_by_the_address_that_could_not_be_reached(
    activity: Activity,
) -> None:
    arrive(activity, "L1", unreachable_url="http://nowhere.test/")

    assert activity.url == "http://nowhere.test/"


def test_the_status_is_that_of_the_document_that_arrived(activity: Activity) -> None:
    respond(activity, 200, "L0")
    assert activity.status == 200
    respond(activity, 404, "L1")
    respond(activity, 500, "L1", frame=OTHER)
    assert activity.status == 200
    arrive(activity, "L1")
    assert activity.status == 404


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


async def test_a_body_that_is_all_there_is_not_open_though_nobody_reads_it(
    activity: Activity,
) -> None:
    answered(activity, "Fetch", {"Content-Length": "11"})
    activity.feed(network.DataReceived("a", 4))
    assert len(activity.open_since(0)) == 1

    activity.feed(network.DataReceived("a", 7))
    assert activity.open_since(0) == []


@pytest.mark.parametrize(
    ("kind", "headers"),
    [
        ("Fetch", {}),
        ("Fetch", {"content-length": "many"}),
        ("Fetch", {"content-length": "11", "content-encoding": "gzip"}),
        ("Script", {"content-length": "11"}),
    ],
)
async def test_a_body_of_which_nobody_knows_the_length_is_open_to_its_end(
    activity: Activity, kind: str, headers: dict[str, str]
) -> None:
    answered(activity, kind, headers)
    activity.feed(network.DataReceived("a", 11))

    assert len(activity.open_since(0)) == 1


async def test_a_stream_that_says_so_is_heard_from_its_head_on(activity: Activity) -> None:
    answered(activity, "Fetch", {}, "text/event-stream")

    [stream] = activity.open_since(0)
    assert stream.heard <= trio.current_time()


def test_a_redirection_is_the_same_request(activity: Activity) -> None:
    begin(activity, "a")
    begin(activity, "a")

    assert activity.requests_begun == 1


@pytest.mark.parametrize(
    "kind", ["EventSource", "WebSocket", "Ping", "Preflight", "CSPViolationReport", "Document"]
)
def test_what_may_stay_open_for_ever_is_not_waited_for(activity: Activity, kind: str) -> None:
    begin(activity, "a", kind)

    assert activity.requests_begun == 0


def test_the_document_of_a_frame_inside_is_a_request_like_others(activity: Activity) -> None:
    begin(activity, "a", "Document", frame=OTHER)

    assert activity.requests_begun == 1


async def test_whoever_waits_is_woken_by_the_event_that_makes_it_so(activity: Activity) -> None:
    log: list[str] = []

    async def wait() -> None:
        await activity.until(lambda: activity.reached("load"))
        log.append("loaded")

    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(wait)
            await wait_all_tasks_blocked()
            milestone(activity, "DOMContentLoaded")
            await wait_all_tasks_blocked()
            assert log == []
            milestone(activity, "load")
    assert log == ["loaded"]


async def test_what_is_so_already_is_not_waited_for(activity: Activity) -> None:
    with trio.fail_after(1):
        await activity.until(lambda: True)


def leave(activity: Activity, frame: str, disposition: str = "currentTab") -> None:
    url = f"http://a.test/{frame}"
    activity.feed(page.FrameRequestedNavigation(frame, url, "scriptInitiated", disposition))


def test_a_frame_that_is_about_to_leave_counts_until_its_request_takes_over(
    activity: Activity,
) -> None:
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
        page.FrameNavigated(page.Frame(OTHER, "L1", "http://a.test/")),
    ],
)
def test_a_frame_that_stays_or_has_arrived_is_not_waited_for(
    activity: Activity, end: Event
) -> None:
    leave(activity, OTHER)
    activity.feed(end)
    assert activity.open_since(0) == []


def test_a_frame_that_opens_another_tab_goes_nowhere(activity: Activity) -> None:
    leave(activity, OTHER, "newTab")
    assert activity.open_since(0) == []


async def test_a_document_that_has_just_come_is_waited_for_until_it_is_parsed(
    activity: Activity, autojump_clock: MockClock
) -> None:
    arrive(activity, "L1")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(activity.parsed)
        await wait_all_tasks_blocked()
        assert nursery.child_tasks
        milestone(activity, "DOMContentLoaded", "L1")
    assert trio.current_time() == 0


async def test_one_that_is_never_parsed_is_waited_for_once(
    activity: Activity, autojump_clock: MockClock
) -> None:
    await activity.parsed()
    assert trio.current_time() == 0
    arrive(activity, "L1")
    await activity.parsed()
    assert trio.current_time() == 1
    await activity.parsed()
    assert trio.current_time() == 1
