"""requests{id} and requests{har}: complete requests and responses."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it has no types
import pytest
from starlette.responses import Response

from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.har import HAR
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium

POST = """await (await fetch(%r, {method: 'POST', body: '{"n": 1}', headers:
  {'Content-Type': 'application/json', 'X-Api-Key': 'hush', 'X-Plain': 'seen'}})).text()"""

SENSITIVE = {"include_sensitive": True}


def row(tab: Tab, path: str) -> Message:
    """Wait for the newest request for a path to be answered; return its row."""

    rows: list[Message] = []

    def is_answered() -> bool:
        rows[:] = tab.call("requests", url_pattern=path)["requests"]
        return bool(rows) and rows[-1]["status"] is not None

    eventually(is_answered)
    return rows[-1]


def answering(tab: Tab, body: bytes, kind: str) -> str:
    return tab.web.publish(Response(body, headers={"content-type": kind}))


@pytest.fixture
def posted(tab: Tab) -> int:
    """The id of a POST request of a page."""
    tab.open("<h1>Posts</h1>")
    path = answering(tab, b'{"ok": true}', "application/json")
    tab.js(POST % path)
    number: int = row(tab, path)["id"]
    return number


@pytest.mark.smoke
@pytest.mark.req("C-REQ-05")
def test_a_request_is_returned_in_full(tab: Tab, posted: int) -> None:
    details = tab.call("requests", id=posted)

    assert (details["id"], details["method"], details["status"]) == (posted, "POST", 200)
    assert details["request"]["body"] == '{"n": 1}'
    assert details["request"]["headers"]["X-Plain"] == "seen"
    assert details["response"]["body"] == '{"ok": true}'
    assert details["response"]["mimeType"] == "application/json"
    assert details["timing"]["total"] > 0


def test_credentials_are_returned_only_on_request(tab: Tab, posted: int) -> None:
    def key(**arguments: Any) -> str:
        headers: dict[str, str] = tab.call("requests", id=posted, **arguments)["request"]["headers"]
        return headers["X-Api-Key"]

    assert key() == "[redacted]"
    assert key(include_sensitive=True) == "hush"


def test_a_binary_or_long_body_is_saved_as_a_file(tab: Tab, shots: Path) -> None:
    tab.open("<h1>Fetches</h1>")
    cases = [(bytes(range(256)) * 8, "application/octet-stream"), (b"long " * 4000, "text/plain")]

    for body, kind in cases:
        with case(body, kind):
            path = answering(tab, body, kind)
            tab.js(f"(await (await fetch({path!r})).arrayBuffer()).byteLength")
            details = tab.call("requests", id=row(tab, path)["id"])["response"]["body"]
            place = Path(details["path"])
            assert place.is_relative_to(shots)
            assert place.read_bytes() == body
            assert details["bytes"] == len(body)


def test_a_redirect_has_no_body_but_its_target_has_one(tab: Tab) -> None:
    tab.open("<h1>Fetches</h1>")
    path = answering(tab, b"The target.", "text/plain")
    tab.js(f"await (await fetch('/redirect?to={path}')).text()")
    hop = tab.call("requests", id=row(tab, "/redirect")["id"])
    target = tab.call("requests", id=hop["id"] + 1)

    assert (hop["status"], hop["response"]["body"]) == (302, None)
    assert "redirect has no response body" in hop["note"]
    assert target["response"]["body"] == "The target."
    assert "note" not in target


def test_cookies_in_headers_are_redacted_unless_requested(tab: Tab) -> None:
    tab.open("<h1>Fetches</h1>")
    tab.js("await fetch('/cookie?name=theme&value=dark'); await fetch('/redirect?to=/cookie'); 1")
    first = row(tab, "/cookie?")["id"]

    def headers(number: int, side: str, **arguments: Any) -> dict[str, str]:
        details: dict[str, str] = tab.call("requests", id=number, **arguments)[side]["headers"]
        return details

    assert headers(first, "response")["Set-Cookie"] == "[redacted]"
    seen = headers(first, "response", include_sensitive=True)["Set-Cookie"]
    assert seen == "theme=dark; Path=/"
    for hop in (first + 1, first + 2):
        assert headers(hop, "request")["Cookie"] == "[redacted]"
        assert headers(hop, "request", include_sensitive=True)["Cookie"] == "theme=dark"
    assert "Set-Cookie" not in headers(first + 1, "response")


def test_an_archive_redacts_cookies_by_default(tab: Tab) -> None:
    tab.open("<h1>Archived</h1>")
    tab.js("await fetch('/cookie?name=theme&value=dark'); await fetch('/echo'); 1")
    row(tab, "/echo")

    for wanted, value in [({}, "[redacted]"), (SENSITIVE, "dark")]:
        with case(wanted, value):
            saved = tab.call("requests", har=True, resource_type="fetch", **wanted)
            setting, sending = json.loads(Path(saved["path"]).read_text())["log"]["entries"]
            assert setting["response"]["cookies"] == [{"name": "theme", "value": value}]
            assert sending["request"]["cookies"] == [{"name": "theme", "value": value}]
            details = {one["name"]: one["value"] for one in sending["request"]["headers"]}
            assert details["Cookie"] == ("[redacted]" if not wanted else "theme=dark")


def test_responses_from_a_cache_are_marked(tab: Tab) -> None:
    kept = {"Cache-Control": "max-age=600"}
    path = tab.web.publish(Response(b"var kept = 1", media_type="text/javascript", headers=kept))
    tab.open("<h1>Cached</h1>")
    tab.js(f"for (let n = 0; n < 2; n++) await (await fetch({path!r})).text()")
    for _ in range(2):
        tab.open(f"<script src={path}></script>")

    rows = tab.call("requests", url_pattern=path)["requests"]
    archive = Path(tab.call("requests", url_pattern=path, har=True)["path"]).read_text()

    assert [row.get("from") for row in rows] == [None, "disk", "disk", "memory"]
    entries = json.loads(archive)["log"]["entries"]
    assert [one.get("_fromCache") for one in entries] == [None, "disk", "disk", "memory"]
    assert [one["_resourceType"] for one in entries] == ["fetch", "fetch", "script", "script"]
    assert len(tab.web.asked(path)) == 1


def test_an_unknown_request_id_is_refused(tab: Tab) -> None:
    assert tab.refused("requests", id=999_999)["code"] == "INVALID_ARGUMENT"


BINARY = "new Uint8Array([255, 254, 0, 1, 200])"
FORM = f"""(() => {{ const form = new FormData(); form.append('note', 'café');
  form.append('file', new Blob([{BINARY}]), 'x.bin'); return form }})()"""


def test_a_binary_request_body_is_saved_as_a_file(tab: Tab) -> None:
    tab.open("<h1>Posts</h1>")

    for body in [BINARY, FORM]:
        with case(body):
            tab.js(f"await fetch('/echo', {{method: 'POST', body: {body}}}); 1")
            details = tab.call("requests", id=row(tab, "/echo")["id"])["request"]["body"]
            assert bytes([255, 254, 0, 1, 200]) in Path(details["path"]).read_bytes()
            assert Path(details["path"]).stat().st_size == details["bytes"]


def test_an_archive_marks_binary_bodies_as_base64(tab: Tab) -> None:
    tab.open("<h1>Posts</h1>")
    for body in (BINARY, "'café €'", "'café'"):
        tab.js(f"await fetch('/echo', {{method: 'POST', body: {body}}}); 1")
    row(tab, "/echo")

    place = Path(tab.call("requests", har=True, url_pattern="/echo")["path"])

    binary, *texts = [one["request"] for one in json.loads(place.read_text())["log"]["entries"]]
    assert b64decode(binary["postData"]["text"]) == bytes([255, 254, 0, 1, 200])
    assert (binary["postData"]["_encoding"], binary["bodySize"]) == ("base64", 5)
    assert [one["postData"]["text"] for one in texts] == ["café €", "café"]
    assert not any("_encoding" in one["postData"] for one in texts)


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
