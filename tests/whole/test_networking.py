"""network and set_headers: throttling, blocking, mocks and headers."""

from collections.abc import Generator

import pytest
from starlette.responses import HTMLResponse

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

FETCHED = """await fetch(%r).then(
  async (reply) => [reply.status, await reply.text(), reply.headers.get('content-type')],
  (error) => error.name)"""
BODY = b"x" * 200_000


@pytest.fixture
def connected(tab: Tab) -> Generator[Tab]:
    """A tab whose network settings are reset afterwards."""
    tab.open("<h1>Connected</h1>")
    yield tab
    tab.call("network", throttle="none", block=[], mock=[], cpu_rate=1)
    tab.call("set_headers", headers={})


def fetched(tab: Tab, url: str) -> object:
    return tab.js(FETCHED % url)


@pytest.mark.req("C-NET-01")
def test_an_offline_tab_reaches_the_network_only_after_it_is_restored(connected: Tab) -> None:
    url = connected.web.url("/counter.html")

    answer = connected.call("network", throttle="offline")
    error = connected.refused("navigate", url=url)
    connected.call("network", throttle="none")

    assert answer == {"throttle": "offline", "cpu_rate": 1, "block": [], "mock": []}
    assert error["code"] == "NAVIGATION_FAILED"
    assert connected.call("navigate", url=url)["status"] == 200


@pytest.mark.req("C-NET-02")
def test_a_throttled_network_is_slow(connected: Tab) -> None:
    path = connected.web.publish(HTMLResponse(BODY))
    took = f"""const start = performance.now();
      await (await fetch({path!r})).text(); performance.now() - start"""

    connected.call("network", throttle="3g")
    slow = connected.js(took)

    assert slow > 900


@pytest.mark.req("C-NET-03")
def test_a_blocked_request_fails_until_it_is_unblocked(connected: Tab) -> None:
    connected.call("network", block=["*/ech?", "*.png"])

    assert fetched(connected, "/echo") == "TypeError"
    for other in ("/counter.html", "/ech/o"):
        assert isinstance(fetched(connected, other), list)
    blocked = connected.call("requests", url_pattern="/echo")["requests"][-1]
    assert (blocked["status"], blocked["error"]) == (0, "inspector")

    connected.call("network", block=[])
    assert isinstance(fetched(connected, "/echo"), list)


def test_a_mock_replaces_the_response_of_the_network(connected: Tab) -> None:
    mocks: list[dict[str, object]] = [
        {"url": "http://api.test/users*", "body": {"users": []}},
        {"url": "*/teapot", "status": 418, "headers": {"Content-Type": "text/tea"}, "body": "tea"},
    ]

    answer = connected.call("network", mock=mocks)

    assert [one["status"] for one in answer["mock"]] == [200, 418]
    assert fetched(connected, "http://api.test/users?page=1") == [
        200,
        '{"users": []}',
        "application/json",
    ]
    assert fetched(connected, "/teapot") == [418, "tea", "text/tea"]
    connected.open("<h1>Next</h1>")
    assert fetched(connected, "/teapot") == [418, "tea", "text/tea"]
    connected.call("network", mock=[])
    assert fetched(connected, "/teapot") != [418, "tea", "text/tea"]


def test_headers_that_cannot_be_set_are_refused_without_side_effects(connected: Tab) -> None:
    connected.call("set_headers", headers={"X-Kept": "1"})
    theirs = {"HOST": "other.test", "Content-Length": "5", "proxy-foo": "1", "Sec-Fetch-Mode": "x"}

    error = connected.refused("set_headers", headers={**theirs, "X-Fine": "1", "Sec-CH-UA": "1"})
    invalid = connected.refused("set_headers", headers={"X Y": "1", "ok": "a\r\nb: c"})

    assert error["code"] == invalid["code"] == "INVALID_ARGUMENT"
    assert all(name in error["message"] for name in theirs)
    assert not any(name in error["message"] for name in ("X-Fine", "Sec-CH-UA"))
    assert "'X Y'" in invalid["message"]
    assert "'ok'" in invalid["message"]
    assert connected.js("(await (await fetch('/echo')).json()).headers['x-kept']") == "1"


@pytest.mark.req("C-HDR-01")
def test_headers_are_sent_only_by_their_tab_with_every_request(connected: Tab) -> None:
    other = connected.beside()
    path = connected.web.write("<h1>Asked</h1>")
    connected.call("set_headers", headers={"X-Charlotte": "spins"})

    for tab in (connected, connected, other):
        tab.call("navigate", url=tab.web.url(path))

    sent = [request.headers.get("x-charlotte") for request in connected.web.asked(path)]
    assert sent == ["spins", "spins", None]
