"""The programs of the guide run with the vendors' SDKs and a fake model behind HTTP."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("anthropic", reason="an SDK of the extras")
pytest.importorskip("openai", reason="an SDK of the extras")

from tests.docs.pages import ROOT, blocks
from tests.docs.test_programs import MODEL
from tests.programs import run_python
from tests.toolsets.running import ref_of

pytestmark = pytest.mark.chromium

PROGRAMS = {
    sdk: text
    for _, text, needs in blocks("python")
    if needs == MODEL
    for sdk in ("anthropic", "openai")
    if f"charlotte.toolsets.{sdk}" in text
}
SITE = (
    b"<!doctype html><title>Shop</title><p id=p>Closed</p>"
    b"<button onclick=\"p.textContent = 'Open'\">Press</button>"
)

Turn = Callable[[Any], Any]
"""Returns the model's answer to a request."""


@contextmanager
def served(*turns: Turn) -> Generator[tuple[str, list[Any]]]:
    """Serve a page to GET, and the turns of a model to POST; yield the address and requests."""
    requests: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._send(SITE, "text/html")

        def do_POST(self) -> None:
            length = int(self.headers["content-length"])
            requests.append(json.loads(self.rfile.read(length)))
            answer = turns[min(len(requests), len(turns)) - 1](requests[-1])
            self._send(json.dumps(answer).encode(), "application/json")

        def _send(self, body: bytes, kind: str) -> None:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", requests
    finally:
        server.shutdown()
        server.server_close()


def run(sdk: str, url: str, tmp_path: Path) -> str:
    """Run the program of the guide with a model and a page at an address; return its output."""
    program = tmp_path / "program.py"
    text = PROGRAMS[sdk].replace("https://example.org", f"{url}/shop")
    program.write_text(text.replace('"example.org"', '"127.0.0.1"'))
    environment = {
        "PYTHONPATH": str(ROOT),
        "PATH": "/usr/bin:/bin",
        "ANTHROPIC_API_KEY": "none",
        "ANTHROPIC_BASE_URL": url,
        "OPENAI_API_KEY": "none",
        "OPENAI_BASE_URL": url,
    }
    ran = run_python(str(program), env=environment)
    assert ran.code == 0, ran.err
    return ran.out


def message(*content: Any, stop: str = "tool_use") -> Any:
    return {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-5-5",
        "content": list(content),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 1, "output_tokens": 1},
    }


def use(name: str, **given: Any) -> Any:
    return {
        "type": "tool_use",
        "id": f"toolu_{name}",
        "name": name,
        "input": given,
        "toolset_name": "browser",
    }


def last_text(request: Any) -> str:
    return json.dumps(request["messages"][-1]["content"]).replace("\\n", "\n").replace('\\"', '"')


def test_the_program_for_anthropic_runs(tmp_path: Path) -> None:
    with served(
        lambda request: message(use("navigate", url=_address(request["messages"][0]["content"]))),
        lambda _: message(use("read_page")),
        lambda request: message(
            use("left_click", target={"type": "ref", "ref": ref_of(last_text(request), '"Press"')})
        ),
        lambda request: message(
            {"type": "text", "text": "Open" if "Open" in last_text(request) else "?"},
            stop="end_turn",
        ),
    ) as (url, requests):
        assert run("anthropic", url, tmp_path) == "Open\n"
        assert [tool["type"] for tool in requests[0]["tools"]] == ["browser_toolset_20260801"]


def _address(text: str) -> str:
    return text.rpartition(" ")[2]


def response(*output: Any) -> Any:
    return {
        "id": "resp_1",
        "object": "response",
        "created_at": 0,
        "status": "completed",
        "model": "gpt-6-luna",
        "output": list(output),
        "parallel_tool_calls": False,
        "tool_choice": "auto",
        "tools": [],
    }


def called(name: str, **given: Any) -> Any:
    return {
        "type": "function_call",
        "id": f"fc_{name}",
        "call_id": f"call_{name}",
        "name": f"browser_{name}",
        "arguments": json.dumps(given),
        "status": "completed",
    }


@pytest.mark.extended
def test_the_program_for_openai_runs(tmp_path: Path) -> None:
    def last_output(request: Any) -> str:
        [text, *_] = request["input"][-1]["output"]
        return str(json.loads(text["text"])["result"])

    def said(text: str) -> Any:
        part: Any = {"type": "output_text", "text": text, "annotations": []}
        return {
            "type": "message",
            "id": "msg_1",
            "role": "assistant",
            "status": "completed",
            "content": [part],
        }

    def first(request: Any) -> Any:
        given = request["input"]
        text = given if isinstance(given, str) else given[0]["content"]
        return response(called("navigate", url=_address(text), tab_id=None))

    with served(
        first,
        lambda request: response(
            called("click", target=ref_of(last_output(request), '"Press"'), tab_id=None)
        ),
        lambda request: response(said("Open" if "Open" in last_output(request) else "?")),
    ) as (url, _):
        assert run("openai", url, tmp_path) == "Open\n"
