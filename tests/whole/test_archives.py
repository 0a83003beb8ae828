"""HAR files: they are valid, and have the bodies that the browser still has."""

import json
from pathlib import Path

import jsonschema  # type: ignore[import-untyped]  # it has no types
import pytest
from starlette.responses import Response

from tests.whole.har import HAR
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

BUSY = """<script>Promise.all(Array.from({length: 199}, (_, n) => fetch(
  n % 5 === 0 ? '/redirect?to=/echo' : n % 7 === 0 ? '/status/404'
    : n % 11 === 0 ? 'http://127.0.0.1:1/' : 'IMAGE?' + n,
  n % 3 === 0 ? {method: 'POST', body: 'a=1'} : undefined,
).catch(() => 0))).then(() => { document.title = 'done' })</script>"""


def test_the_archive_of_a_page_with_200_requests_is_a_valid_har(tab: Tab) -> None:
    image = tab.web.publish(Response(b"\x89PNG", media_type="image/png"))
    tab.open(BUSY.replace("IMAGE", image))
    tab.call("wait_for", js="document.title === 'done'")

    saved = tab.call("requests", har=True)
    archive = json.loads(Path(saved["path"]).read_text())

    jsonschema.validate(archive, HAR)
    entries = archive["log"]["entries"]
    assert len(entries) == saved["entries"] >= 200
    statuses = {entry["response"]["status"] for entry in entries}
    assert {0, 200, 302, 404} <= statuses


def test_bodies_that_the_browser_no_longer_has_are_counted(tab: Tab) -> None:
    tab.open("<h1>First</h1>")
    tab.js("await (await fetch('/status/204')).text(); 1")
    assert "without_body" not in tab.call("requests", har=True)

    tab.open("<h1>Second</h1>")

    first = tab.call("requests", har=True)
    assert 1 <= first["without_body"] < first["entries"]
