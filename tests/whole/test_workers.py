"""Workers follow the settings of their tab, and their activity is recorded."""

import json
from pathlib import Path
from typing import cast

import pytest

from tests.whole.client import Message
from tests.whole.service_workers import ANSWERS, ASKS_AGAIN, FETCHES, SERVED, script
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

ASKS = """async () => [
  (await (await fetch('/echo')).json()).headers['x-probe'],
  await fetch('/mocked').then((reply) => reply.text(), (error) => error.name),
]"""
WORKER = f"onmessage = async () => postMessage([navigator.language, ...await ({ASKS})()])"
ASKED = "await new Promise((done) => { w.onmessage = (e) => done(e.data); w.postMessage(0) })"


@pytest.fixture
def probed(fresh_tab: Tab) -> Tab:
    """A tab with a header, a locale and a mock."""
    fresh_tab.open("<h1>Works</h1>")
    fresh_tab.call("set_headers", headers={"X-Probe": "first"})
    fresh_tab.call("viewport", locale="de-DE")
    fresh_tab.call("network", mock=[{"url": "*/mocked", "body": "by us"}])
    return fresh_tab


def logged(tab: Tab) -> list[str]:
    return [one["text"] for one in tab.call("console")["messages"]]


def test_a_worker_follows_the_headers_and_locale_of_its_tab(probed: Tab) -> None:
    probed.js(f"globalThis.w = new Worker({script(probed, WORKER)!r}); 1")
    first = probed.js(ASKED)
    probed.call("set_headers", headers={"X-Probe": "second"})
    probed.call("viewport", locale="fr-FR")

    assert first == ["de-DE", "first", "by us"]
    assert probed.js(ASKED) == ["fr-FR", "second", "by us"]


def test_console_messages_of_a_worker_are_recorded_once(tab: Tab) -> None:
    worker = script(tab, "console.log('works', {n: 1}); setTimeout(() => { throw Error('no') })")
    tab.open(f"<script>new Worker('{worker}')</script>")
    eventually(lambda: any("no" in text for text in logged(tab)))
    tab.js("console.log('last')")
    eventually(lambda: logged(tab)[-1] == "last")

    message, thrown, _ = logged(tab)

    assert message == "works {n: 1}"
    assert thrown.startswith("Uncaught Error: no\n    at ")


def test_a_mock_takes_precedence_over_a_service_worker(fresh_tab: Tab) -> None:
    fresh_tab.open("<h1>Works</h1>")
    fresh_tab.js(SERVED % script(fresh_tab, ANSWERS))
    assert fresh_tab.js(FETCHES) == "by the worker"
    fresh_tab.call("network", mock=[{"url": "*/mocked", "body": "by us"}])
    assert fresh_tab.js(FETCHES) == "by us"
    fresh_tab.call("network", mock=[])
    assert fresh_tab.js(FETCHES) == "by the worker"


def requests(tab: Tab) -> list[Message]:
    return cast("list[Message]", tab.call("requests")["requests"])


def urls(tab: Tab) -> list[str]:
    return [one["url"] for one in requests(tab)]


@pytest.fixture
def site_worker(fresh_tab: Tab) -> Tab:
    """A tab whose site has a service worker that sends its own requests."""
    fresh_tab.open("<h1>Works</h1>")
    fresh_tab.js(SERVED % script(fresh_tab, ASKS_AGAIN))
    return fresh_tab


def test_activity_of_a_service_worker_is_recorded_once_per_served_tab(site_worker: Tab) -> None:
    first, second = site_worker, site_worker.beside()
    stranger = site_worker.beside()
    second.open("<h1>Second</h1>")
    second.js(FETCHES)
    eventually(lambda: "asked {n: 1}" in logged(second))
    eventually(lambda: any("from=worker" in url for url in urls(second)))

    assert logged(first) == ["installed", "asked {n: 1}"]
    assert logged(second) == ["asked {n: 1}"]
    assert {(one["url"].partition("?")[2], one.get("by")) for one in requests(first)} >= {
        ("from=worker", "service_worker"),
        ("", None),
    }
    assert [url for url in urls(first) if "echo" in url] == [first.web.url("/echo?from=worker")]
    assert (logged(stranger), urls(stranger)) == ([], [])


def test_requests_answered_or_made_by_a_service_worker_are_marked(site_worker: Tab) -> None:
    site_worker.js(FETCHES)
    eventually(lambda: any("from=worker" in url for url in urls(site_worker)))
    site_worker.js("await (await fetch('/echo?passed=by')).text()")
    place = Path(site_worker.call("requests", har=True)["path"])

    def end(url: str) -> str:
        return url.rpartition("/")[2]

    rows = {end(one["url"]): (one.get("by"), one.get("from")) for one in requests(site_worker)}
    assert rows["mocked"] == (None, "service_worker")
    assert rows["echo?from=worker"] == ("service_worker", None)
    assert rows["echo?passed=by"] == (None, None)
    entries = {
        end(one["request"]["url"]): (
            one.get("_initiator"),
            one["response"].get("_fetchedViaServiceWorker"),
        )
        for one in json.loads(place.read_text())["log"]["entries"]
    }
    assert entries["mocked"] == (None, True)
    assert entries["echo?from=worker"] == ({"type": "service_worker"}, None)
    assert entries["echo?passed=by"] == (None, None)
