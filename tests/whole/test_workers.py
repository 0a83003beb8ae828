"""Workers are under the conditions of their tab, and what they do is written down."""

from collections.abc import Generator

import pytest

from charlotte.demo.routes import Response
from tests.whole.client import Message
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

ASKS = """async () => [
  (await (await fetch('/echo')).json()).headers['x-probe'],
  await fetch('/mocked').then((reply) => reply.text(), (error) => error.name),
]"""
WORKER = f"onmessage = async () => postMessage([navigator.language, ...await ({ASKS})()])"
ASKED = "await new Promise((told) => { w.onmessage = (said) => told(said.data); w.postMessage(0) })"
SERVICE = f"""
console.log('serves')
oninstall = () => skipWaiting()
onactivate = (event) => event.waitUntil(clients.claim())
onfetch = (event) => {{
  if (event.request.url.endsWith('/served')) {{
    event.respondWith(({ASKS})().then((told) => new Response(JSON.stringify(told))))
  }}
}}"""
SERVED = "await (await fetch('/served')).json()"
REGISTER = """
const served = new Promise((done) => { navigator.serviceWorker.oncontrollerchange = done })
await navigator.serviceWorker.register(%r, {scope: '/'})
await served; 1"""
UNREGISTER = """
for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister()"""


@pytest.fixture
def probed(tab: Tab) -> Generator[Tab]:
    """A tab with a header, a locale and a mock, which it does not have afterwards."""
    tab.open("<h1>Works</h1>")
    tab.call("set_headers", headers={"X-Probe": "first"})
    tab.call("viewport", locale="de-DE")
    tab.call("network", mock=[{"url": "*/mocked", "body": "by us"}])
    yield tab
    tab.js(UNREGISTER)
    tab.call("set_headers", headers={})
    tab.call("viewport", locale="en-US")
    tab.call("network", mock=[], block=[])


def script(tab: Tab, text: str) -> str:
    headers = {"content-type": "text/javascript", "service-worker-allowed": "/"}
    return tab.web.publish(Response(text.encode(), headers=headers))


def test_a_worker_has_the_headers_and_the_locale_of_its_tab_now_and_later(probed: Tab) -> None:
    probed.js(f"globalThis.w = new Worker({script(probed, WORKER)!r}); 1")
    first = probed.js(ASKED)
    probed.call("set_headers", headers={"X-Probe": "second"})
    probed.call("viewport", locale="fr-FR")

    assert first == ["de-DE", "first", "by us"]
    assert probed.js(ASKED) == ["fr-FR", "second", "by us"]


def test_a_service_worker_is_under_the_conditions_of_the_tab_that_it_serves(probed: Tab) -> None:
    probed.js(REGISTER % script(probed, SERVICE))
    first = probed.js(SERVED)
    probed.call("set_headers", headers={"X-Probe": "second"})
    probed.call("network", mock=[], block=["*/mocked"])

    assert first == ["first", "by us"]
    assert probed.js(SERVED) == ["second", "TypeError"]


def test_what_a_service_worker_logs_and_asks_for_is_written_down_once(probed: Tab) -> None:
    probed.js(REGISTER % script(probed, SERVICE))
    probed.js(SERVED)

    def seen() -> list[Message]:
        rows: list[Message] = probed.call("requests", url_pattern="/mocked")["requests"]
        return rows

    eventually(lambda: seen() and seen()[0]["status"] == 200)
    assert len(seen()) == 1
    assert [one["text"] for one in probed.call("console")["messages"]] == ["serves"]
