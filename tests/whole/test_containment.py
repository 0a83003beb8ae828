"""What an agent sees of ``--only-host``: refusals in answers and requests, and narrower lists."""

from collections.abc import Generator

import pytest

from tests.whole.client import Server, open_server
from tests.whole.tabs import Tab
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

LISTED = "localhost"
FETCHES = """<button onclick="for (const url of ['http://a.test/', 'http://a.test/b', 'http://b.test:99/'])
  fetch(url).catch(() => document.title = 'failed')">Go</button>"""


@pytest.fixture(scope="module")
def contained() -> Generator[Server]:
    with open_server("--only-host", "localhost", "--only-host", "*.localhost") as server:
        yield server


@pytest.fixture
def tab(contained: Server, web: Web) -> Generator[Tab]:
    opened = Tab(contained, web, contained.call("tab_open").json["tab_id"])
    yield opened
    contained.call("tab_close", tab_id=opened.id)


def _open(tab: Tab, markup: str, host: str = LISTED) -> None:
    tab.call("navigate", url=tab.web.url(tab.web.write(markup), host=host))


def test_a_listed_host_is_reached_and_others_are_refused_before_they_are_requested(
    tab: Tab,
) -> None:
    _open(tab, "<h1>Listed</h1>", "a.localhost")
    refused = tab.refused("navigate", url=tab.web.url("/", host="127.0.0.1"))
    assert refused["code"] == "NAVIGATION_BLOCKED"
    listed = "is not among the hosts of --only-host: localhost, *.localhost."
    assert listed in refused["message"]


def test_an_action_reports_refused_requests_in_one_line(tab: Tab) -> None:
    _open(tab, FETCHES)

    answer = tab.reply("click", element_id=tab.find("Go"), answers="text").text
    listed = tab.reply("requests", failed=True, answers="text").text

    [line] = [line for line in answer.splitlines() if "only-host" in line]
    assert line == "! refused by --only-host: a.test (2), b.test:99"
    assert listed.count("refused by --only-host http://a.test/") == 2


def test_an_answer_to_a_script_names_the_hosts_that_it_was_refused(tab: Tab) -> None:
    _open(tab, "<h1>Scripts</h1>")
    urls = ["http://g.test/", "http://g.test/b", "/"]
    script = f"Promise.all({urls}.map((url) => fetch(url).catch(String)))"
    answer = tab.call("evaluate", expression=script)
    assert answer["refused"] == ["refused by --only-host: g.test (2)"]
    assert "refused" not in tab.call("evaluate", expression="1")


def test_refused_requests_are_listed_with_the_reason(tab: Tab) -> None:
    _open(tab, "<img src=http://c.test/a><script>new WebSocket('ws://d.test/')</script>")
    rows = tab.call("requests", failed=True)["requests"]
    found = {row["url"]: row["error"] for row in rows if "test" in row["url"]}
    assert found == {
        "http://c.test/a": "refused by --only-host",
        "ws://d.test/": "refused by --only-host",
    }


def test_a_refused_connection_without_a_request_is_listed(tab: Tab) -> None:
    _open(tab, "<h1>Calls</h1>")
    tab.js("""await (async () => {
      const server = {urls: 'turn:e.test:3478?transport=tcp', username: 'a', credential: 'a'};
      const peer = window.peer = new RTCPeerConnection({iceServers: [server]});
      const done = new Promise((end) => peer.onicegatheringstatechange = () =>
        peer.iceGatheringState === 'complete' && end());
      peer.createDataChannel('a'); await peer.setLocalDescription();
      await Promise.race([done, new Promise((end) => setTimeout(end, 5000))]);
    })()""")
    [row] = [row for row in tab.call("requests")["requests"] if row["url"] == "e.test:3478"]
    assert row["method"] == "CONNECT"
    assert row["resourceType"] == "connection"
    assert row["error"] == "refused by --only-host"


def test_a_link_to_another_host_leads_to_an_error_page_with_the_reason(tab: Tab) -> None:
    _open(tab, "<a href=http://f.test/>There</a>")
    assert "refused by --only-host" in str(tab.click("There"))


def test_a_context_can_be_limited_to_some_of_the_hosts(contained: Server, web: Web) -> None:
    there = web.url(web.write("<h1>There</h1>"), host="a.localhost")
    opened = contained.call(
        "tab_open", url=there, context="narrow", only_hosts=["a.localhost"]
    ).json
    tab = Tab(contained, web, opened["tab_id"])
    refused = tab.refused("navigate", url=web.url("/", host=LISTED))
    assert refused["code"] == "NAVIGATION_BLOCKED"
    fetch = f"await fetch({web.url('/', host='b.localhost')!r}, {{mode: 'no-cors'}}).catch(() => 0)"
    assert tab.js(fetch) == 0
    again = contained.call("tab_open", context="narrow", only_hosts=["b.localhost"]).error
    assert "cannot begin with only_hosts" in again["message"]
    contained.call("tab_close", tab_id=tab.id)


def test_a_context_cannot_reach_more_than_the_server_allows(contained: Server) -> None:
    error = contained.call("tab_open", context="wide", only_hosts=["a.test"]).error
    assert "can only narrow" in error["message"]


def test_a_session_can_only_narrow_its_hosts(web: Web) -> None:
    with open_server("--only-host", "*") as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        _open(tab, "<h1>First</h1>")
        assert server.call("configure", only_hosts=["a.localhost"]).json["only_hosts"] == [
            "a.localhost"
        ]
        assert tab.js("await fetch('/').catch(() => 'refused')") == "refused"
        _open(tab, "<h1>Narrower</h1>", "a.localhost")
        assert "can only narrow" in server.call("configure", only_hosts=["*"]).error["message"]


def test_hosts_cannot_be_limited_in_a_browser_without_the_flag(server: Server) -> None:
    error = server.call("configure", only_hosts=["a.test"]).error
    assert "without --only-host" in error["message"]
