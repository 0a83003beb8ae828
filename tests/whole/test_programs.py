"""Programs of `run` in a real browser: calls in tabs, the journal, policies, and their end."""

from typing import Any

import pytest

from tests.browser.processes import kill
from tests.whole.client import Message, Server, open_server
from tests.whole.processes import browser_of
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium


def run(server: Server, code: str, **arguments: Any) -> Any:
    return server.call("run", code=code, **arguments).json


def refused(server: Server, code: str, **arguments: Any) -> Message:
    return server.call("run", code=code, **arguments).error


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


def test_a_program_gets_one_array_from_find_and_one_object_from_a_text_mode(tab: Tab) -> None:
    tab.open("<p>A row</p><button>Row</button>")

    answer = run(
        tab.server,
        f"""
        const page = tab('{tab.id}');
        const found = await page.find({{text: 'row'}});
        const {{text, tab_id}} = await page.observe({{mode: 'content'}});
        return [found.map((one) => one.type), text.includes('A row'), tab_id]
        """,
    )

    assert answer["value"] == [["button", "text"], True, tab.id]


def test_what_a_program_has_seen_stays_news_for_the_agent(tab: Tab) -> None:
    tab.open("/counter.html")
    button = tab.find("Clicked")

    run(
        tab.server,
        f"await tab.click({{element_id: '{button}'}}); return (await tab.observe()).title",
    )

    answer = tab.reply("wait_for", text="The count is 1.", answers="text").text
    assert "Clicked 1 time" in answer


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
    assert error["suggestion"].startswith("Did you mean btn-")
    assert error["details"] == {"line": 3, "call": {"number": 2, "tool": "click"}, "calls": 2}


def test_a_cancelled_program_ends_with_its_calls_and_its_page(tab: Tab) -> None:
    tab.open("/counter.html")
    code = "await tab.wait_for({text: 'never', timeout: 60000}); return 1"
    running = tab.server.start("run", code=code)
    loop = tab.server.start("run", code="await tab.tabs({}).catch(() => 0); for (;;);")

    tab.server.cancel(running)
    tab.server.cancel(loop)

    tab.call("observe")
    assert run(tab.server, "1 + 1") == {"value": 2, "calls": 0}


def test_calls_of_a_program_follow_the_rules_of_the_session(web: Web) -> None:
    page = web.url("/counter.html")
    with open_server("--policy", "read-only", "--only-host", "127.0.0.1") as server:
        value = run(
            server,
            f"""
            await charlotte.tab_open({{url: '{page}'}});
            const post = "fetch('/echo', {{method: 'POST'}}).then(it => it.status, () => 0)";
            const posted = await tab.evaluate({{expression: post}});
            const got = await tab.evaluate({{expression: "fetch('/echo').then(it => it.status)"}});
            const other = await tab.navigate({{url: 'http://x.test/'}}).catch((no) => no.code);
            return [other, posted.value, got.value]
            """,
        )["value"]

    assert value == ["NAVIGATION_BLOCKED", 0, 200]


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
