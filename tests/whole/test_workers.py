"""Workers are under the conditions of their tab, and what they do is written down."""

import pytest

from charlotte.demo.routes import Response
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

ASKS = """async () => [
  (await (await fetch('/echo')).json()).headers['x-probe'],
  await fetch('/mocked').then((reply) => reply.text(), (error) => error.name),
]"""
WORKER = f"onmessage = async () => postMessage([navigator.language, ...await ({ASKS})()])"
ASKED = "await new Promise((told) => { w.onmessage = (said) => told(said.data); w.postMessage(0) })"


@pytest.fixture
def probed(fresh_tab: Tab) -> Tab:
    """A tab with a header, a locale and a mock."""
    fresh_tab.open("<h1>Works</h1>")
    fresh_tab.call("set_headers", headers={"X-Probe": "first"})
    fresh_tab.call("viewport", locale="de-DE")
    fresh_tab.call("network", mock=[{"url": "*/mocked", "body": "by us"}])
    return fresh_tab


def script(tab: Tab, text: str) -> str:
    return tab.web.publish(Response(text.encode(), content_type="text/javascript"))


def logged(tab: Tab) -> list[str]:
    return [one["text"] for one in tab.call("console")["messages"]]


def test_a_worker_has_the_headers_and_the_locale_of_its_tab_now_and_later(probed: Tab) -> None:
    probed.js(f"globalThis.w = new Worker({script(probed, WORKER)!r}); 1")
    first = probed.js(ASKED)
    probed.call("set_headers", headers={"X-Probe": "second"})
    probed.call("viewport", locale="fr-FR")

    assert first == ["de-DE", "first", "by us"]
    assert probed.js(ASKED) == ["fr-FR", "second", "by us"]


def test_what_a_worker_logs_is_written_down_once(tab: Tab) -> None:
    worker = script(tab, "console.log('works', {n: 1}); setTimeout(() => { throw Error('no') })")
    tab.open(f"<script>new Worker('{worker}')</script>")
    eventually(lambda: any("no" in text for text in logged(tab)))
    tab.js("console.log('last')")
    eventually(lambda: logged(tab)[-1] == "last")

    said, thrown, _ = logged(tab)

    assert said == "works {n: 1}"
    assert thrown.startswith("Uncaught Error: no\n    at ")


ANSWERS = """
addEventListener('install', () => skipWaiting());
addEventListener('activate', (event) => event.waitUntil(clients.claim()));
addEventListener('fetch', (event) => {
  if (event.request.url.endsWith('/mocked')) event.respondWith(new Response('by the worker'));
});"""
SERVED = """
await navigator.serviceWorker.register(%r);
await navigator.serviceWorker.ready;
if (!navigator.serviceWorker.controller) {
  await new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done; });
}"""
FETCHES = "await (await fetch('/mocked')).text()"


def test_a_mock_is_what_a_page_gets_even_where_a_service_worker_would_answer(
    fresh_tab: Tab,
) -> None:
    fresh_tab.open("<h1>Works</h1>")
    fresh_tab.js(SERVED % script(fresh_tab, ANSWERS))
    assert fresh_tab.js(FETCHES) == "by the worker"
    fresh_tab.call("network", mock=[{"url": "*/mocked", "body": "by us"}])
    assert fresh_tab.js(FETCHES) == "by us"
    fresh_tab.call("network", mock=[])
    assert fresh_tab.js(FETCHES) == "by the worker"
