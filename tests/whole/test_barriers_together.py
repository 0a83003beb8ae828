"""Barriers that are on together: lists of hosts, a policy, people, the audit log."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.whole.client import Message, Server, open_server
from tests.whole.people import Person
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

HOST = "localhost"
RULES = """
[[rule]]
name = "payments"
action = "ask"
path = "/payments"

[[rule]]
name = "no logs"
action = "refuse"
path = "/logs"

[[rule]]
name = "scripts"
action = "refuse"
tool = "dev_inject"
"""
POST = """
window.post = (url) => fetch(url, {method: 'POST', mode: 'no-cors', body: 'total=49.90', headers:
  {'content-type': 'application/x-www-form-urlencoded'}}).then(() => 'sent', () => 'held')
"""
PAGE = f"<button onclick=\"post('/payments').then((how) => document.title = how)\">Pay</button>\
<script>{POST}</script>"


@pytest.fixture(scope="module")
def audit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("barriers") / "audit.jsonl"


@pytest.fixture(scope="module")
def server(audit: Path) -> Generator[Server]:
    rules = audit.with_name("rules.toml")
    rules.write_text(RULES)
    flags = ("--only-host", HOST, "--policy", str(rules), "--audit", str(audit), "--dashboard")
    with open_server(*flags) as running:
        yield running


@pytest.fixture
def tab(server: Server, web: Web) -> Tab:
    url = web.url(web.write(PAGE), host=HOST)
    return Tab(server, web, server.call("tab_open", url=url).json["tab_id"])


def lines_of(audit: Path, tool: str, tab: Tab) -> list[Message]:
    """Return the lines of a tool in a tab, which are written soon after its answers."""
    rows = [json.loads(line) for line in audit.read_text().splitlines()]
    return [row for row in rows if (row.get("tool"), row.get("tab")) == (tool, tab.id)]


def posts(web: Web, path: str) -> int:
    return sum(request.method == "POST" for request in web.asked(path))


def test_the_audit_log_names_the_barrier_of_each_request_and_call(
    tab: Tab, audit: Path, web: Web
) -> None:
    before = posts(web, "/echo")
    urls = ["/echo", "/logs", "http://other.test/"]
    expression = f"Promise.all({urls}.map(post))"
    sent = tab.call("evaluate", expression=expression)
    refused = tab.refused("dev_inject", js="1")
    eventually(lambda: lines_of(audit, "dev_inject", tab))

    assert sent["value"] == ["sent", "held", "held"]
    assert (posts(web, "/echo") - before, posts(web, "/logs")) == (1, 0)
    assert refused["code"] == "POLICY_REFUSED"
    [line] = lines_of(audit, "evaluate", tab)
    assert {
        row["url"].rpartition("/")[2] or "other": row.get("error") for row in line["requests"]
    } == {
        "echo": None,
        "logs": "refused by policy rule 'no logs'",
        "other": "refused by --only-host",
    }
    assert [row["outcome"] for row in lines_of(audit, "dev_inject", tab)] == ["POLICY_REFUSED"]


def test_a_person_in_a_tab_is_bound_by_hosts_and_answers_questions_meanwhile(
    tab: Tab, audit: Path, web: Web
) -> None:
    person = Person.beside(tab.server)
    box = tab.js("JSON.stringify(document.querySelector('button').getBoundingClientRect())")
    button = json.loads(box)
    x, y = button["x"] + button["width"] / 2, button["y"] + button["height"] / 2
    tab.js("document.addEventListener('keydown', () => post('http://other.test/')); 0")
    call = tab.start("ask_person", what="Pay")
    person.wait_asked(tab.id)
    assert "[active, a person works in it]" in tab.server.call("tabs", answers="text").text
    person.press("a", tab_id=tab.id)
    person.click(x, y, tab.id)
    eventually(person.questions)
    [question] = person.questions()
    assert tab.row["waits_for_person"] is True
    assert posts(web, "/payments") == 0
    person.post(f"questions/{question['id']}", {"allow": True})
    eventually(lambda: posts(web, "/payments") == 1)
    person.end(tab_id=tab.id)
    answer = call.reply().json
    eventually(lambda: lines_of(audit, "ask_person", tab))

    assert question["held"] == f"POST {web.url('/payments', host=HOST)}"
    assert answer["person"] == {"ended": "done"}
    [line] = lines_of(audit, "ask_person", tab)
    assert [row.get("error") for row in line["requests"]] == ["refused by --only-host", None]
