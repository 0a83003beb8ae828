"""What operators see of calls: a line for each in the audit log, a span for each in a trace."""

import json
import stat
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.whole.client import Message, Server, open_server
from tests.whole.tabs import close_tabs, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


@pytest.fixture(scope="module")
def shared_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("audit") / "audit.jsonl"


@pytest.fixture(scope="module")
def shared_server(shared_file: Path) -> Generator[Server]:
    """A server for tests that look at the lines of their own calls."""
    secrets = shared_file.with_name("secrets.env")
    secrets.write_text("PIN=hush-hush-hush\n")
    with open_server("--audit", str(shared_file), "--secrets", str(secrets)) as server:
        yield server


@pytest.fixture
def server(shared_server: Server) -> Generator[Server]:
    yield shared_server
    close_tabs(shared_server)


def lines_of(file: Path) -> list[Message]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def calls_of(file: Path, tool: str) -> list[Message]:
    return [line for line in lines_of(file) if line.get("tool") == tool]


def test_each_call_is_a_line_with_its_outcome_and_the_requests_that_change_state(
    file: Path, web: Web
) -> None:
    with open_server("--audit", str(file)) as server:
        tab_id = server.call("tab_open", url=web.url("/counter.html?key=hush#part")).json["tab_id"]
        post = "fetch('/echo?key=hush', {method: 'POST', body: 'x'}).then(one => one.status)"
        answer = server.call("evaluate", expression=post)
        assert "TAB_NOT_FOUND" == server.call("observe", tab_id="tab-99").error["code"]
        server.ask("tools/call", {"name": "missing", "arguments": {"secret": "hush"}})
        server.call("click", text="hush")

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    opened, *lines, closed = lines_of(file)
    assert ("opened", "session closed") == (opened["event"], closed["event"])
    outcomes = {line["tool"]: line["outcome"] for line in lines}
    assert {
        "tab_open": "ok",
        "evaluate": "ok",
        "observe": "TAB_NOT_FOUND",
        "missing": "UNKNOWN_TOOL",
        "click": "INVALID_ARGUMENT",
    } == outcomes
    [opening], [evaluated] = calls_of(file, "tab_open"), calls_of(file, "evaluate")
    assert web.url("/counter.html?key=…#…") == opening["arguments"]["url"]
    assert web.url("") == evaluated["origin"] == opening["to"]
    assert tab_id == evaluated["tab"] == opening["tab"]
    assert ["POST"] == [request["method"] for request in evaluated["requests"]]
    assert web.url("/echo?key=…") == evaluated["requests"][0]["url"]
    assert len(answer.text) == evaluated["characters"]
    assert answer.metadata["duration_ms"] >= evaluated["ms"] > 0
    assert len({line["call"] for line in lines}) == len(lines)


def test_typed_texts_and_secrets_are_not_in_the_audit_log(
    server: Server, shared_file: Path
) -> None:
    page = "<label>Name <input></label><label>Password <input type=password></label>"
    server.call("navigate", url=f"data:text/html,{page}")
    name, password = (one["id"] for one in server.call("find", role="textbox").json)
    server.call("type", element_id=name, text="a private text")
    server.call("type", element_id=password, text="PIN")
    server.call("fill_form", fields=[{"element_id": name, "value": "other words"}])
    server.call("page_tool_call", name="pay", input={"card": "4111"})
    server.call("evaluate", expression="'hush-hush-hush'")
    server.call("clipboard", action="write", text="other words")
    server.call("set_headers", headers={"x-key": "other words"})
    server.call("network", mock=[{"url": "*/none", "body": "other words"}])
    server.call("key", keys=["q", "Numpad5", "Tab"], element_id=password)

    eventually(lambda: calls_of(shared_file, "key"))
    text = shared_file.read_text()
    assert not [word for word in ("private", "other words", "4111", "hush-hush") if word in text]
    for tool in ("clipboard", "set_headers", "network"):
        assert ["ok"] == [line["outcome"] for line in calls_of(shared_file, tool)]
    typed = [line["arguments"]["text"] for line in calls_of(shared_file, "type")]
    assert ["[14 characters]", "<secret>PIN</secret>"] == typed
    [filled], [pressed] = calls_of(shared_file, "fill_form"), calls_of(shared_file, "key")
    assert [{"element_id": name, "value": "[11 characters]"}] == filled["arguments"]["fields"]
    assert ["[1 character]", "[7 characters]", "Tab"] == pressed["arguments"]["keys"]


def test_the_calls_of_a_batch_have_lines_of_their_own(
    server: Server, shared_file: Path, web: Web
) -> None:
    steps = [{"tool": "navigate", "arguments": {"url": web.url("/counter.html")}}]
    server.call("batch", steps=[*steps, {"tool": "tabs"}])

    eventually(lambda: calls_of(shared_file, "batch"))
    [batch] = calls_of(shared_file, "batch")
    called = [line for line in lines_of(shared_file) if line.get("caller") == batch["call"]]
    assert ["navigate", "tabs"] == [line["tool"] for line in called]
    assert "[2 items]" == batch["arguments"]["steps"]


def test_requests_that_no_call_caused_are_in_the_next_line_of_the_tab(
    server: Server, shared_file: Path, web: Web
) -> None:
    tab_id = server.call("tab_open", url=web.url("/counter.html")).json["tab_id"]
    later = "setTimeout(() => fetch('/late', {method: 'POST'}).then(() => { done = true }), 300)"
    server.call("evaluate", expression=f"var done = false; {later}; 0")
    server.call("wait_for", js="done")
    server.call("evaluate", expression=f"{later}; 0")
    server.call("requests", clear=True)
    eventually(lambda: "/late" in server.call("requests").text)
    server.call("tab_close", tab_id=tab_id)

    eventually(lambda: tab_id in [row["tab"] for row in calls_of(shared_file, "tab_close")])
    requests = [request for line in lines_of(shared_file) for request in line.get("requests", ())]
    assert [web.url("/late")] * 2 == [request["url"] for request in requests]
    assert calls_of(shared_file, "wait_for")[0]["requests"]


def spans_of(server: Server) -> dict[str, Mapping[str, Any]]:
    found = (json.loads(line) for line in server.log().splitlines() if line.startswith("{"))
    return {span["name"]: span for span in found if "parent_id" in span}


def test_the_verb_of_a_call_is_in_the_trace_of_the_client(file: Path, web: Web) -> None:
    env = {"OTEL_TRACES_EXPORTER": "console", "OTEL_BSP_SCHEDULE_DELAY": "100"}
    with open_server("--otel", "--audit", str(file), env=env) as server:
        server.call("navigate", url=web.url("/counter.html"))
        [button] = server.call("find", text="Clicked 0 times").json
        meta = {"traceparent": f"00-{TRACE}-{PARENT}-01"}
        arguments = {"element_id": button["id"]}
        server.ask("tools/call", {"name": "click", "arguments": arguments, "_meta": meta})
        eventually(lambda: spans_of(server).get("tools/call click"))
        spans = spans_of(server)

    call, work = spans["tools/call click"], spans["tab: click"]
    assert f"0x{PARENT}" == call["parent_id"]
    assert call["context"]["span_id"] == work["parent_id"]
    assert {f"0x{TRACE}"} == {one["context"]["trace_id"] for one in (call, work)}
    assert "charlotte" == call["resource"]["attributes"]["service.name"]
    assert TRACE == calls_of(file, "click")[0]["trace"]
    assert not [span for span in spans.values() if "arguments" in json.dumps(span)]
