"""navigate: loading, wait conditions and failures."""

import json
from datetime import datetime

import pytest
from starlette.responses import HTMLResponse, Response

from charlotte.base.version import __version__
from tests.site.routes import page
from tests.whole.cases import case
from tests.whole.client import Server
from tests.whole.tabs import Tab, eventually
from tests.whole.web import Web

pytestmark = pytest.mark.chromium


@pytest.mark.smoke
@pytest.mark.req(
    "C-NAV-01", "C-PR-01", "C-PR-02", "C-PR-03", "C-PR-04", "C-VP-03",
    "S-META-01", "S-META-02", "S-META-03", "S-META-04",
)  # fmt: skip
def test_navigate_returns_the_loaded_page_and_how_long_it_took(tab: Tab) -> None:
    reply = tab.reply("navigate", url=f" 127.0.0.1:{tab.web.site.port}/redirect?to=/counter.html ")

    answer, metadata = reply.json, reply.metadata
    assert answer["url"] == tab.web.url("/counter.html")
    assert answer["title"] == "Counter · Harbour Books"
    assert answer["status"] == 200
    assert answer["viewport"] == {"width": 1280, "height": 720}
    assert isinstance(answer["snapshot_id"], int)
    assert datetime.fromisoformat(answer["timestamp"]).tzinfo is not None
    assert answer["tab_id"] == metadata["tab_id"] == tab.id
    assert {"structure", "interactive", "forms", "errors"} <= answer.keys()
    assert metadata["duration_ms"] > 0
    assert datetime.fromisoformat(metadata["timestamp"]).tzinfo is not None
    assert metadata["tool_version"] == __version__
    assert metadata["settled"] is True
    assert isinstance(metadata["waited_for"], list)


@pytest.mark.req("C-NAV-03")
def test_a_page_that_never_loads_times_out(tab: Tab) -> None:
    tab.open("/counter.html")

    held = tab.web.hold(HTMLResponse(b"<h1>There at last"))
    reply = tab.reply("navigate", url=tab.web.url(held), timeout=300)

    assert reply.error["code"] == "TIMEOUT"
    assert "300 ms" in reply.error["message"]
    assert f"{tab.id} still shows {tab.web.url('/counter.html')}" in reply.error["message"]
    assert 0.3 <= reply.seconds < 30
    shown = tab.call("observe")
    assert shown["url"] == tab.web.url("/counter.html")
    assert shown["unsettled"].startswith(f"on its way to {tab.web.url(held)}: no answer for ")
    tab.web.release(held)
    assert "There at last" in tab.reply("wait_for", text="There at last").text
    eventually(lambda: "unsettled" not in tab.call("observe"))


def test_a_page_whose_scripts_do_not_come_is_returned_at_the_timeout_and_goes_on(tab: Tab) -> None:
    held = tab.web.hold(Response(b"at.textContent = 'Drawn'", media_type="text/javascript"))
    path = tab.web.write(f"<h1 id=at></h1><script src='{held}'></script><p>Below")

    tab.open("/counter.html")
    begun = tab.call("navigate", url=tab.web.url(path), timeout=2000)
    again = tab.call("reload", timeout=2000)
    tab.call("back", timeout=10_000)
    forward = tab.call("forward", timeout=2000)
    tree, about = tab.reply("observe", mode="tree").texts
    tab.web.release(held)
    tab.call("wait_for", text="Below")
    drawn = tab.reply("observe", detail="full")

    for answer in (begun, again, forward):
        assert answer["unsettled"] == "still loading: 1 script"
    assert "Below" not in tree
    assert json.loads(about)["unsettled"] == "still loading: 1 script"
    assert "Drawn" in drawn.text
    eventually(lambda: "unsettled" not in tab.call("observe"))


def test_an_action_whose_next_page_does_not_come_returns_the_present_page(tab: Tab) -> None:
    held = tab.web.hold(HTMLResponse(b"<h1>There at last"))
    tab.open(f"<form action='{held}' method=post><input aria-label=Name><button>Go</button></form>")

    reply = tab.reply("type", element_id=tab.find("Name"), text="Ada", press_enter=True)
    shown = tab.call("observe")
    for tool, arguments in (("find", {"text": "Go"}), ("observe", {"mode": "tree"})):
        assert "use back" in tab.refused(tool, **arguments)["suggestion"]
    kept = tab.call("back")
    tab.web.release(held)

    assert tab.web.url(held) in kept["note"]
    assert "may have taken effect" in kept["note"]
    assert [one.get("value") for one in kept["interactive"]] == ["Ada", None]
    assert f"on its way to {tab.web.url(held)}" in reply.json["unsettled"]
    assert "note" not in reply.json
    assert f"on its way to {tab.web.url(held)}" in shown["unsettled"]
    assert [one["label"] for one in shown["interactive"]] == ["Name", "Go"]
    assert "There at last" in tab.reply("click", element_id=tab.find("Go")).text


@pytest.mark.req("C-NAV-04", "C-ERR-02")
def test_a_failed_navigation_reports_its_reason_and_leaves_a_usable_tab(tab: Tab) -> None:
    cases = [
        ("http://127.0.0.1:1/", "net::ERR_"),
        ("http://nowhere.invalid/", "net::ERR_NAME_NOT_RESOLVED"),
        ("https://127.0.0.1:{port}/", "net::ERR_"),
    ]

    for url, reason in cases:
        with case(url, reason):
            asked = url.format(port=tab.web.site.port)
            error = tab.refused("navigate", url=asked)
            assert error["code"] == "NAVIGATION_FAILED"
            assert reason in error["message"]
            assert asked in error["message"]
            assert error["suggestion"]
            assert tab.open("/counter.html")["status"] == 200


def test_an_error_status_is_reported_with_its_page(tab: Tab) -> None:
    for status in [404, 500, 503]:
        with case(status):
            answer = tab.open(f"/status/{status}")

            assert answer["status"] == status
            assert answer["structure"]["headings"][0]["text"].startswith(str(status))
            row = answer["errors"]["network"][-1]
            assert row == {
                "url": tab.web.url(f"/status/{status}"),
                "status": status,
                "statusText": row["statusText"],
            }


def test_a_response_without_a_page_keeps_the_page(tab: Tab) -> None:
    tab.open("/counter.html")
    path = tab.web.publish(HTMLResponse(b"", status_code=204))
    file = tab.web.url("/download?name=a.csv")

    reply = tab.reply("navigate", url=tab.web.url(path), timeout=30_000)
    answer = tab.call("navigate", url=file)

    assert reply.error["code"] == "NAVIGATION_FAILED"
    assert (answer["download"], answer["url"]) == (file, tab.web.url("/counter.html"))


@pytest.mark.parametrize("status", [204, 205])
@pytest.mark.parametrize("way", ["<a href={}>Go</a>", "<form method=post action={}><button>Go"])
def test_a_click_that_gets_no_document_names_the_answer(tab: Tab, status: int, way: str) -> None:
    path = tab.web.publish(Response(status_code=status))
    tab.open(way.format(path))

    answer = tab.click("Go")

    assert f"{tab.web.url(path)} answered {status}: no document, the page stays." in answer["note"]
    assert tab.element("Go")


def test_a_redirect_ends_at_the_last_url(tab: Tab) -> None:
    answer = tab.open("/redirect?to=/redirect%3Fto%3D/counter.html")

    assert answer["url"] == tab.web.url("/counter.html")
    assert answer["status"] == 200


def test_data_urls_and_the_blank_page_load(tab: Tab) -> None:
    tab.open("/counter.html")
    cases = [("data:text/html,<title>Inline</title><h1>Hello</h1>", "Inline"), ("about:blank", "")]

    for url, title in cases:
        with case(url, title):
            answer = tab.call("navigate", url=url)
            assert answer["url"] == url
            assert answer["title"] == title
            assert "status" not in answer or answer["status"] == 200


@pytest.mark.parametrize("before", ["", "/counter.html"])
def test_a_reload_names_the_load_that_it_ends(tab: Tab, before: str) -> None:
    if before:
        tab.open(before)
    url = tab.web.url("/hang?reloaded")
    tab.refused("navigate", url=url, timeout=300)

    answer = tab.call("reload")

    assert answer["note"] == f"This stopped the load of {url}: call navigate to load it."
    assert answer["url"].endswith(before or "about:blank")


def test_other_url_schemes_are_blocked(tab: Tab) -> None:
    for url in (
        "file:///etc/passwd", "FILE:///etc/passwd", " file:///etc/passwd", "javascript:alert(1)",
        "chrome://version", "view-source:http://127.0.0.1/", "ftp://127.0.0.1/",
        "blob:http://127.0.0.1/1", "about:settings", "devtools://devtools/bundled/inspector.html",
    ):  # fmt: skip
        error = tab.refused("navigate", url=url)

        assert error["code"] == "NAVIGATION_BLOCKED", url
        assert error["suggestion"]


def test_text_in_any_script_arrives_unchanged(server: Server, web: Web) -> None:
    text = "Smørrebrød 寿司 \N{GRINNING FACE} \u202eabc"
    path = web.publish(page(text))

    answer = server.call("navigate", url=web.url(path)).json

    assert answer["structure"]["headings"][0]["text"] == text
