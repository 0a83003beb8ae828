"""A person works in a tab that an agent hands over; the agent gets the changes, no passwords."""

import base64
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from tests.whole.client import Message, Pending, Server, open_server
from tests.whole.people import Person
from tests.whole.tabs import eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

PASSWORD = "correct-horse"  # noqa: S105
PRIVATE = PASSWORD, "drowssap-tnerruc", "drowssap-wen", "edoc-emit-eno", "rebmun-cc", "csc-cc"
PAGE = """
<title>Login</title>
<style>
  * { margin: 0 }
  input, button { position: absolute; left: 10px; width: 300px; height: 30px }
</style>
<input id=name aria-label=Name style="top: 10px">
<input id=password type=password aria-label=Password style="top: 60px">
<button style="top: 110px" onclick="enter()">Enter</button>
<p id=out style="padding-top: 200px"></p>
<form hidden>
  <input autocomplete=current-password><input autocomplete="section-a new-password">
  <input autocomplete=one-time-code><input autocomplete=cc-number><input autocomplete=CC-CSC>
</form>
<script>
  for (const field of document.querySelector("form"))
    field.value = [...field.getAttribute("autocomplete").toLowerCase()].reverse().join("");
  addEventListener("keydown", (event) => { keys.push(event.key + event.isTrusted) });
  const keys = [];
  function enter() {
    const words = [...document.querySelectorAll("input")].map((field) => field.value).join(" ");
    console.log("entered " + words);
    fetch("/login", { method: "POST", body: words }).catch(() => null);
    document.querySelector("#out").textContent = "Welcome " + words;
  }
</script>
"""


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("audit") / "audit.jsonl"


@pytest.fixture(scope="module")
def running(audit: Path) -> Generator[tuple[Server, Person]]:
    flags = ("--dashboard", "--audit", str(audit), "--profile", "full", "--log-level", "debug")
    with open_server(*flags) as server:
        server.call("tabs")
        yield server, Person.beside(server)


@pytest.fixture
def server(running: tuple[Server, Person]) -> Server:
    return running[0]


@pytest.fixture
def person(running: tuple[Server, Person]) -> Person:
    return running[1]


@pytest.fixture
def tab_id(server: Server, web: Web) -> Generator[str]:
    opened = server.call("tab_open", url=web.url("/counter.html"))
    name: str = opened.json["tab_id"]
    server.call("evaluate", expression=f"document.open(); document.write({json.dumps(PAGE)}); 0")
    yield name
    server.call("tab_close", tab_id=name)


def asked(server: Server, person: Person, tab_id: str, **arguments: Any) -> Pending:
    """Hand the tab over; return when its turn has begun."""
    given = {"what": "Log in", "timeout": 120_000, **arguments}
    call = server.start("ask_person", tab_id=tab_id, **given)
    person.wait_asked(tab_id)
    return call


def log_in(person: Person, tab_id: str) -> None:
    person.click(50, 25, tab_id)
    person.press(*"Ada", tab_id=tab_id)
    person.press("Tab", *PASSWORD, tab_id=tab_id)
    person.click(50, 125, tab_id)


def test_a_person_logs_in_and_the_agent_gets_the_changes_but_no_password(
    server: Server, person: Person, tab_id: str, audit: Path
) -> None:
    call = asked(server, person, tab_id, what="Log in as Ada")
    log_in(person, tab_id)
    assert 204 == person.end("done", tab_id=tab_id)
    answer = call.reply()

    assert {"ended": "done"} == answer.json["person"]
    assert "Welcome Ada" in answer.text
    assert "charlotte_ask_person" in json.dumps(server.ask("tools/list").result)
    outputs = [answer.text, server.call("observe", tab_id=tab_id, detail="full").text]
    outputs += [server.call("console", tab_id=tab_id).text]
    [request] = [
        row
        for row in server.call("requests", tab_id=tab_id).json["requests"]
        if "/login" in row["url"]
    ]
    outputs += [server.call("requests", tab_id=tab_id, id=request["id"]).text]
    outputs += [server.call("evaluate", tab_id=tab_id, expression="document.body.innerText").text]
    assert "Welcome" in outputs[1]
    assert "entered Ada" in outputs[2]
    assert "Ada" in outputs[3]
    outputs += [server.log(), audit.read_text(), json.dumps(person.asked())]
    assert [] == [text for text in outputs for value in PRIVATE if value in text]
    keys = server.call("evaluate", tab_id=tab_id, expression="keys.slice(0, 4).join()").json
    assert "Atrue,dtrue,atrue,Tabtrue" == keys["value"]
    eventually(lambda: "ask_person" in audit.read_text())
    rows = [json.loads(line) for line in audit.read_text().splitlines()]
    [turn] = [row for row in rows if row.get("tool") == "ask_person" and row["tab"] == tab_id]
    assert ["POST"] == [one["method"] for one in turn["requests"]]


def test_no_call_reaches_the_tab_meanwhile_and_other_tabs_continue(
    server: Server, person: Person, tab_id: str, web: Web
) -> None:
    button: list[Message] = server.call("find", tab_id=tab_id, text="Enter").json
    call = asked(server, person, tab_id)
    refused = [
        server.call(tool, **{"tab_id": tab_id, **arguments}).error
        for tool, arguments in {
            "click": {"element_id": button[0]["id"]},
            "click_at": {"x": 50, "y": 125},
            "type": {"text": "x"},
            "key": {"key": "Enter"},
            "evaluate": {"expression": "enter()"},
            "navigate": {"url": "about:blank"},
            "reload": {},
            "observe": {},
            "screenshot": {},
            "set_cookies": {"cookies": [{"name": "a", "value": "b", "domain": "127.0.0.1"}]},
            "storage": {"action": "save"},
            "dev_inject": {"js": "enter()"},
            "dev_audit": {},
            "viewport": {"width": 500},
            "tab_switch": {},
            "tab_close": {},
            "ask_person": {"what": "Another"},
        }.items()
    ]
    steps = [{"tool": "evaluate", "arguments": {"tab_id": tab_id, "expression": "enter()"}}]
    batch = server.call("batch", steps=steps)
    other = server.call("tab_open", url=web.url("/counter.html")).json["tab_id"]
    assert "2" == str(server.call("evaluate", tab_id=other, expression="1 + 1").json["value"])
    server.call("tab_close", tab_id=other)
    person.end(tab_id=tab_id)

    assert {"PERSON_HAS_TAB"} == {error["code"] for error in refused}
    assert "PERSON_HAS_TAB" in batch.text
    assert "No changes" in call.reply().text


def test_calls_before_the_turn_are_finished_first(
    server: Server, person: Person, tab_id: str
) -> None:
    expression = "new Promise((done) => setTimeout(() => { keys.push('first'); done(1) }, 800))"
    before = server.start("evaluate", tab_id=tab_id, expression=expression)
    eventually(lambda: "evaluate" in server.call("tools").text)
    call = asked(server, person, tab_id)
    assert before.is_answered
    person.end(tab_id=tab_id)
    assert "person" in call.reply().text


def test_a_person_who_cannot_do_it_gives_the_reason(
    server: Server, person: Person, tab_id: str
) -> None:
    call = asked(server, person, tab_id)
    assert 400 == person.end("maybe", tab_id=tab_id)
    person.end("cannot", "No card at hand", tab_id=tab_id)
    assert {"ended": "cannot", "reason": "No card at hand"} == call.reply().json["person"]


def test_a_person_answers_a_dialog(server: Server, person: Person, tab_id: str) -> None:
    prompt = (
        "document.querySelector('button').onclick = () => { out.textContent = prompt('Code?') }"
    )
    server.call("evaluate", tab_id=tab_id, expression=f"{prompt}; 0")
    call = asked(server, person, tab_id)
    person.click(50, 125, tab_id)
    eventually(lambda: person.wait_asked(tab_id)["dialog"])
    assert "Code?" == person.wait_asked(tab_id)["dialog"]["message"]
    assert "PERSON_HAS_TAB" == server.call("dialog", tab_id=tab_id, accept=True).error["code"]
    server.call("configure", dialog_auto_dismiss="accept_all").json  # noqa: B018
    assert 204 == person.send({"type": "dialog", "accept": True, "text": "4711"}, tab_id=tab_id)
    eventually(lambda: person.wait_asked(tab_id)["dialog"] is None)
    person.end(tab_id=tab_id)
    assert "4711" in call.reply().text
    server.call("configure", dialog_auto_dismiss="none")


def test_pictures_show_the_page_as_the_person_changes_it(
    server: Server, person: Person, tab_id: str
) -> None:
    black = "onclick = () => { document.body.style.background = `url(${noise})` }"
    noise = (
        "const canvas = Object.assign(document.createElement('canvas'), {width: 400, height: 400});"
        "const context = canvas.getContext('2d'); for (let y = 0; y < 400; y++) for (let x = 0; "
        "x < 400; x++) { context.fillStyle = `hsl(${Math.random() * 360} 90% 50%)`; "
        "context.fillRect(x, y, 1, 1) } globalThis.noise = canvas.toDataURL();"
    )
    server.call("evaluate", tab_id=tab_id, expression=f"{{ {noise} {black} }} 0")
    call = asked(server, person, tab_id)
    sizes: list[int] = []

    def take(picture: Message) -> bool:
        data = base64.b64decode(picture["jpeg"])
        assert data.startswith(b"\xff\xd8")
        assert (1280, 720) == (picture["width"], picture["height"])
        if not sizes:
            person.click(600, 500, tab_id)
        sizes.append(len(data))
        return sizes[-1] > 3 * sizes[0]

    person.watch(take, tab_id)
    person.end(tab_id=tab_id)
    call.reply()


@pytest.mark.extended
def test_no_person_is_asked_without_a_dashboard() -> None:
    with open_server("--profile", "full") as server:
        assert "ask_person" not in json.dumps(server.ask("tools/list").result)
        assert "ask_person" not in server.call("tools").text
        error = server.call("ask_person", what="Log in").error
        assert "SESSION_ERROR" == error["code"]
        assert "no dashboard" in error["message"]
        assert "--dashboard" in error["suggestion"]
