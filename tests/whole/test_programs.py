"""Programs of `run` in a real browser: calls in tabs, the journal, policies, and their end."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.whole.client import Message, Server, open_server
from tests.whole.processes import browser_of, kill
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

TABLE = """
const urls = URLS;
const tabs = await Promise.all(urls.slice(0, 5).map(() => charlotte.tab_open({})));
const rows = [];
await Promise.all(tabs.map(async ({tab_id}, first) => {
  for (let at = first; at < urls.length; at += tabs.length) {
    const page = await tab(tab_id).navigate({url: urls[at], detail: 'minimal'});
    rows[at] = [page.title, (await tab(tab_id).find({text: 'Total'})).length];
  }
}));
return rows;
"""


def run(server: Server, code: str, **arguments: Any) -> Any:
    return server.call("run", code=code, **arguments).json


def refused(server: Server, code: str, **arguments: Any) -> Message:
    return server.call("run", code=code, **arguments).error


@pytest.mark.extended
def test_a_program_reads_fifty_pages_into_a_table_with_one_short_answer(
    server: Server, web: Web
) -> None:
    urls = [
        web.url(
            web.write(f"<h1>Page {number}</h1><button>Total {number}</button>", title=f"P{number}")
        )
        for number in range(50)
    ]

    reply = server.call("run", code=TABLE.replace("URLS", json.dumps(urls)))

    assert len(reply.text) <= 2000
    assert reply.json["value"] == [[f"P{number}", 1] for number in range(50)]
    assert reply.json["calls"] == 105


def test_a_call_of_a_program_is_one_on_the_tab(tab: Tab) -> None:
    tab.open("/counter.html")

    answer = run(
        tab.server,
        f"""
        const page = tab('{tab.id}');
        const [button] = await page.find({{text: 'Clicked'}});
        for (let i = 0; i < 3; i += 1) await page.click({{element_id: button.id}});
        console.log('clicked', button.label);
        const expression = 'document.querySelector("button").innerText';
        return (await page.evaluate({{expression}})).value
        """,
    )

    assert answer == {
        "value": "Clicked 3 times",
        "calls": 5,
        "console": ["clicked Clicked 0 times"],
    }


def test_what_a_program_has_seen_stays_news_for_the_agent(tab: Tab) -> None:
    tab.open("/counter.html")
    button = tab.find("Clicked")

    run(
        tab.server,
        f"await tab.click({{element_id: '{button}'}}); return (await tab.observe()).title",
    )

    answer = tab.reply("wait_for", text="The count is 1.", answers="text").text
    assert "Clicked 1 time" in answer


def test_ids_that_a_program_returns_are_valid(tab: Tab) -> None:
    tab.open("/counter.html")

    found = run(tab.server, "return (await tab.find({text: 'Clicked'}))[0].id")["value"]

    assert tab.call("click", element_id=found)


def test_downloads_are_still_reported_after_a_program(tab: Tab) -> None:
    tab.open(f"<a href='{tab.web.url('/download?name=later.csv')}' download>Get</a>")
    run(tab.server, "return 1")

    [download] = tab.click("Get")["downloads"]

    assert download["name"] == "later.csv"


def test_an_image_of_a_call_is_part_of_the_answer(tab: Tab) -> None:
    tab.open("/counter.html")

    reply = tab.server.call("run", code="return (await tab.screenshot({})).data.format")

    kinds = [block["type"] for block in reply.result["content"]]
    assert kinds == ["text", "image"]


def test_a_failure_names_the_line_and_the_call(tab: Tab) -> None:
    tab.open("/counter.html")

    error = refused(tab.server, "await tab.observe();\n\nawait tab.click({element_id: 'btn-0000'})")

    assert error["code"] == "ELEMENT_NOT_FOUND"
    assert error["message"].startswith("Line 3 of the program: click failed. No element")
    assert error["details"] == {"line": 3, "call": {"number": 2, "tool": "click"}, "calls": 2}


def test_a_dialog_of_a_tab_does_not_end_the_program(tab: Tab) -> None:
    tab.open("<button onclick=\"alert('x')\">Ask</button>")

    value = run(
        tab.server,
        """
        const [button] = await tab.find({text: 'Ask'});
        await tab.click({element_id: button.id});
        await tab.dialog({accept: true});
        return (await tab.observe()).title
        """,
    )["value"]

    assert value == "Written"


def test_run_is_listed_only_in_the_full_profile(server: Server) -> None:
    def names(running: Server) -> set[str]:
        return {tool["name"] for tool in running.ask("tools/list").result["tools"]}

    assert "charlotte_run" not in names(server)
    with open_server("--profile", "full") as full:
        assert "charlotte_run" in names(full)


def test_a_cancelled_program_ends_with_its_calls_and_its_page(tab: Tab) -> None:
    tab.open("/counter.html")
    code = "await tab.wait_for({text: 'never', timeout: 60000}); return 1"
    running = tab.server.start("run", code=code)
    loop = tab.server.start("run", code="await tab.tabs({}).catch(() => 0); for (;;);")

    tab.server.cancel(running)
    tab.server.cancel(loop)

    eventually(lambda: tab.reply("observe").seconds < 1)
    assert run(tab.server, "1 + 1") == {"value": 2, "calls": 0}


def test_each_call_of_a_program_is_a_line_of_the_audit_log(web: Web, tmp_path: Path) -> None:
    file = tmp_path / "audit.jsonl"
    with open_server("--audit", str(file)) as server:
        run(server, f"await charlotte.tab_open({{url: '{web.url('/counter.html')}'}})")
        run(server, "await tab.click({element_id: 'btn-0000'}).catch(() => 0)")

    lines = [json.loads(line) for line in file.read_text().splitlines()]
    calls = {line["tool"]: line for line in lines if "tool" in line}
    first = next(each for each in lines if each.get("tool") == "run")
    assert calls["tab_open"]["caller"] == first["call"]
    assert calls["click"]["caller"] == calls["run"]["call"]
    assert calls["click"]["outcome"] == "ELEMENT_NOT_FOUND"
    assert "characters" in calls["run"]["arguments"]["code"]


@pytest.mark.parametrize(
    "flags",
    [
        ("--policy", "read-only"),
        ("--only-host", "127.0.0.1"),
        ("--no-webmcp", "--block-host", "x.test"),
    ],
)
def test_calls_of_a_program_follow_the_rules_of_the_session(
    web: Web, flags: tuple[str, ...]
) -> None:
    page = web.url("/counter.html")
    with open_server(*flags) as server:
        value = run(
            server,
            f"""
            await charlotte.tab_open({{url: '{page}'}});
            const expression = "fetch('/echo', {{method: 'POST'}}).then(it => it.status, () => 0)";
            const sent = await tab.evaluate({{expression}});
            const other = await tab.navigate({{url: 'http://x.test/'}}).catch((no) => no.code);
            return [other, sent.value]
            """,
        )["value"]

    posted = 0 if "read-only" in flags else 200
    expected = "NAVIGATION_FAILED" if "read-only" in flags else "NAVIGATION_BLOCKED"
    assert value == [expected, posted]


@pytest.mark.fault
def test_a_session_goes_on_after_its_browser_was_killed_during_a_program(web: Web) -> None:
    with open_server() as server:
        tab = Tab(server, web, server.call("tab_open").json["tab_id"])
        tab.open("/counter.html")
        running = server.start("run", code="await tab.wait_for({text: 'never', timeout: 60000})")
        eventually(lambda: tab.row["url"].endswith("/counter.html"))
        kill(browser_of(server.process.pid))

        assert running.reply().error["code"] in {"CDP_CONNECTION_LOST", "EVALUATION_ERROR"}
        eventually(lambda: run_or_none(server) == 2)


def run_or_none(server: Server) -> Any:
    reply = server.call("run", code="1 + 1")
    return None if reply.result["isError"] else reply.json["value"]
