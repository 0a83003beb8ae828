"""Recordings: HAR files are read, and their responses answer requests in order."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from charlotte.browser import recording
from charlotte.browser.recording import Recording, read_recording
from charlotte.errors import InvalidArgument
from charlotte.protocol.network import FailRequest, FulfillRequest

Entry = dict[str, Any]
URL = "http://a.test/items?page=1"


def entry(
    text: str | None = "recorded",
    *,
    url: str = URL,
    method: str = "GET",
    sent: str | None = None,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **response: Any,
) -> Entry:
    request: Entry = {"method": method, "url": url}
    if sent is not None:
        request["postData"] = {"mimeType": "text/plain", "text": sent}
    content: Entry = {"size": 8, "mimeType": "text/plain"}
    if text is not None:
        content["text"] = text
    listed = [{"name": name, "value": value} for name, value in (headers or {}).items()]
    answer = {"status": status, "headers": listed, "content": content}
    return {"request": request, "response": answer | response}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "saved.har"


def read(file: Path, *entries: Entry) -> Recording:
    file.write_text(json.dumps({"log": {"entries": entries}}))
    return read_recording(file)


def answer(found: Recording, method: str = "GET", url: str = URL, body: str | None = None) -> str:
    response = found.find(method, url, body)
    return "" if response is None else response.body


def fulfilled(found: Recording) -> FulfillRequest:
    response = found.find("GET", URL, None)
    assert response is not None
    command = response.command("1")
    assert isinstance(command, FulfillRequest)
    return command


def headers(found: Recording) -> dict[str, str]:
    return {header.name: header.value for header in fulfilled(found).response_headers}


def test_a_request_is_matched_by_method_and_url_without_fragment(file: Path) -> None:
    found = read(file, entry(), entry("posted", method="POST"))

    assert answer(found, url=f"{URL}#top") == "recorded"
    assert answer(found, "POST") == "posted"
    assert found.find("GET", "http://a.test/items", None) is None
    assert found.find("PUT", URL, None) is None


def test_repeated_requests_get_their_responses_in_order_and_then_the_last(file: Path) -> None:
    found = read(file, entry("one"), entry("two"))

    assert [answer(found) for _ in range(4)] == ["one", "two", "two", "two"]


def test_of_several_responses_those_to_the_same_body_are_preferred(file: Path) -> None:
    found = read(
        file,
        entry("a1", method="POST", sent="a"),
        entry("b1", method="POST", sent="b"),
        entry("a2", method="POST", sent="a"),
    )

    assert [answer(found, "POST", body=body) for body in ("b", "a", "a", "b")] == [
        "b1",
        "a1",
        "a2",
        "b1",
    ]
    assert answer(found, "POST", body="other") == "a1"


def test_secrets_of_a_request_match_their_redacted_form(file: Path) -> None:
    read(file, entry(url="http://a.test/?key=<secret>KEY</secret>"))
    found = read_recording(file, lambda text: text.replace("hush", "<secret>KEY</secret>"))

    assert answer(found, url="http://a.test/?key=hush") == "recorded"


def test_a_response_has_its_status_headers_and_bytes(file: Path) -> None:
    saved = entry("AP8=", status=404, headers={"Content-Type": "image/png", "X-A": "1"})
    saved["response"]["content"]["encoding"] = "base64"
    command = fulfilled(read(file, saved))

    assert (command.response_code, b64decode(command.body)) == (404, b"\x00\xff")
    assert [header.name for header in command.response_headers] == ["Content-Type", "X-A"]


def test_headers_that_do_not_apply_or_are_not_known_are_left_out(file: Path) -> None:
    found = read(
        file,
        entry(
            headers={
                ":status": "200",
                "content-encoding": "gzip",
                "Content-Length": "5",
                "Set-Cookie": "[redacted]",
                "X-Broken": "a\r\nb: c",
                "X-A": "1",
            }
        ),
    )

    assert headers(found) == {"X-A": "1", "Content-Type": "text/plain; charset=utf-8"}


@pytest.mark.parametrize(
    ("saved", "sent"),
    [
        ("text/html; charset=iso-8859-1", "text/html; charset=utf-8"),
        ("application/json", "application/json"),
        ("application/xml;charset=latin1", "application/xml; charset=utf-8"),
    ],
)
def test_a_text_is_sent_as_utf_8(file: Path, saved: str, sent: str) -> None:
    found = read(file, entry("café", headers={"content-type": saved}))

    assert headers(found) == {"content-type": sent}
    assert b64decode(fulfilled(found).body).decode() == "café"


def test_a_redirect_has_its_location(file: Path) -> None:
    found = read(file, entry(None, status=302, redirectURL="/next"))

    assert headers(found)["Location"] == "/next"


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("net::ERR_CONNECTION_REFUSED", "ConnectionRefused"),
        ("net::ERR_NAME_NOT_RESOLVED", "NameNotResolved"),
        ("net::ERR_CERT_DATE_INVALID", "Failed"),
        ("inspector", "Failed"),
    ],
)
def test_a_failed_request_fails_again(file: Path, error: str, reason: str) -> None:
    response = read(file, entry(None, status=0, _error=error)).find("GET", URL, None)

    assert response is not None
    assert response.command("1") == FailRequest(request_id="1", error_reason=reason)


@pytest.mark.parametrize(
    "unknown",
    [
        entry(None),
        entry(None, status=0),
        entry(None, status=0, _error="net::ERR_ABORTED"),
        entry(None, status=101),
        entry(None, status=304),
        entry() | {"_resourceType": "eventsource"},
    ],
    ids=["no body", "pending", "aborted", "upgrade", "not modified", "stream"],
)
def test_an_entry_without_a_whole_response_is_left_out(file: Path, unknown: Entry) -> None:
    found = read(file, unknown, entry(url="data:text/plain,x"), entry(url="ws://a.test/"))

    assert (found.count, found.left_out) == (0, 1)
    assert found.find("GET", URL, None) is None


def test_an_empty_response_is_complete(file: Path) -> None:
    saved = entry(None)
    saved["response"]["content"]["size"] = 0

    assert read(file, saved).count == 1


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("not JSON", "is not a HAR file"),
        ("[]", "is not a HAR file"),
        ('{"log": {}}', "is not a HAR file"),
        ('{"log": {"entries": {"a": 1}}}', r"log.entries\[0\] is malformed"),
        ('{"log": {"entries": 1}}', "is not a HAR file"),
        ('{"log": {"entries": [{"request": {}}]}}', r"log.entries\[0\] is malformed"),
        (
            json.dumps({"log": {"entries": [entry(), entry(headers={"a": 1})]}}),  # type: ignore[dict-item]
            r"log.entries\[1\] is malformed",
        ),
    ],
)
def test_a_file_that_is_no_har_file_is_refused(file: Path, text: str, problem: str) -> None:
    file.write_text(text)

    with pytest.raises(InvalidArgument, match=problem):
        read_recording(file)


def test_a_file_that_is_too_long_is_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "MOST_BYTES", 10)

    with pytest.raises(InvalidArgument, match="longer than 10 bytes"):
        read(file, entry())
