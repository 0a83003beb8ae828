"""console and requests: records, formats, filters and clearing."""

from datetime import datetime

import pytest
from starlette.responses import HTMLResponse

from tests.whole.answers import messages
from tests.whole.cases import case
from tests.whole.client import Message
from tests.whole.tabs import Tab, eventually

pytestmark = pytest.mark.chromium


def urls(answer: Message) -> list[str]:
    return [request["url"].split("/", 3)[3] for request in answer["requests"]]


@pytest.mark.smoke
@pytest.mark.req("C-CON-01", "C-CON-02", "C-CON-03")
def test_console_messages_have_the_level_of_their_method(tab: Tab) -> None:
    tab.open("""<script>for (const level of 'log info warn error debug trace dir'.split(' '))
      console[level](`a ${level}`); console.assert(false, 'a claim')</script>""")

    levels = {
        level: messages(tab.call("console", level=level))
        for level in ("log", "info", "warn", "error", "debug")
    }
    everything = tab.call("console")

    assert levels == {
        "log": ["a log", "a dir"],
        "info": ["a info"],
        "warn": ["a warn"],
        "error": ["a error", "Assertion failed: a claim"],
        "debug": ["a debug", "a trace"],
    }
    assert (everything["count"], everything["level"], everything["cleared"]) == (8, "all", False)
    assert tab.call("console", level="warn")["level"] == "warn"
    times = [datetime.fromisoformat(row["timestamp"]) for row in everything["messages"]]
    assert times == sorted(times)
    assert times[0].tzinfo is not None


def test_uncaught_exceptions_are_errors_with_their_location(tab: Tab) -> None:
    tab.open("/console.html")
    tab.click("Throw an error")
    tab.click("Reject a promise")

    errors = messages(tab.call("console", level="error"))

    thrown = [text for text in errors if "The kettle is empty" in text]
    assert len(thrown) == 2  # one of them while the page loaded
    assert "console.html:" in thrown[0]
    assert any("This was not caught" in text for text in errors)


@pytest.mark.req("C-CON-02")
def test_clearing_the_console_removes_messages_after_the_answer(tab: Tab) -> None:
    tab.open("<script>console.error('once')</script>")

    cleared = tab.call("console", clear=True)

    assert (messages(cleared), cleared["cleared"]) == (["once"], True)
    assert tab.call("console")["count"] == 0
    assert tab.call("observe")["errors"]["console"] == []


@pytest.mark.req("C-REQ-05")
def test_a_request_is_recorded_with_its_outcome(tab: Tab) -> None:
    tab.open("/console.html")
    eventually(lambda: tab.call("requests", url_pattern="missing.json")["requests"][0]["status"])

    [request] = tab.call("requests", url_pattern="missing.json")["requests"]

    assert request.pop("timestamp")
    assert request.pop("id") > 0
    assert request.pop("statusText") in {"", "Not Found"}
    assert request == {
        "url": tab.web.url("/missing.json"),
        "method": "GET",
        "status": 404,
        "resourceType": "fetch",
    }


@pytest.mark.req("C-REQ-01", "C-REQ-02", "C-REQ-03")
def test_requests_are_filtered_by_url_type_and_status(tab: Tab) -> None:
    tab.open("/index.html")
    tab.js("await fetch('/status/404'); await fetch('/echo', {method: 'POST', body: 'x'});"
           "await new Promise((done) => { const x = new XMLHttpRequest(); x.onload = done;"
           " x.open('GET', '/status/500'); x.send() }); 1")  # fmt: skip

    eventually(lambda: urls(tab.call("requests", status_min=500)) == ["status/500"])
    assert urls(tab.call("requests", url_pattern="ECHO")) == ["echo"]
    assert urls(tab.call("requests", resource_type="document")) == ["index.html"]
    assert urls(tab.call("requests", resource_type="stylesheet")) == ["site.css"]
    assert urls(tab.call("requests", resource_type="xhr")) == ["status/500"]
    assert urls(tab.call("requests", resource_type="Fetch")) == ["status/404", "echo"]
    assert urls(tab.call("requests", status_min=400)) == ["status/404", "status/500"]
    assert urls(tab.call("requests", failed=True)) == ["status/404", "status/500"]
    methods = [one["method"] for one in tab.call("requests", resource_type="fetch")["requests"]]
    assert methods == ["GET", "POST"]


@pytest.mark.req("C-REQ-04", "C-REQ-05")
def test_clearing_removes_the_requests(tab: Tab) -> None:
    tab.open("/index.html")
    assert not tab.call("requests")["cleared"]

    cleared = tab.call("requests", clear=True)

    assert cleared["cleared"] is True
    assert cleared["count"] >= 2
    assert tab.call("requests")["count"] == 0


BROKEN = "<script>console.error('{name} is broken')</script><button>Idle</button>"


def error_texts(answer: Message) -> list[str]:
    return [row["text"] for row in answer.get("errors", {}).get("console", [])]


@pytest.mark.req("C-ERR-04")
def test_errors_of_a_page_are_console_errors_and_warnings(tab: Tab) -> None:
    answer = tab.open("""<script>for (const level of ['log', 'info', 'warn', 'error', 'debug'])
      console[level](level)</script><button onclick="console.warn('again')">Warn</button>""")
    after = tab.click("Warn")

    rows = [(row["level"], row["text"]) for row in answer["errors"]["console"]]
    assert rows == [("warn", "warn"), ("error", "error")]
    assert after["errors"] == {"console": [{"level": "warn", "text": "again"}]}


@pytest.mark.req("C-ERR-07")
def test_errors_accumulate_over_documents_until_they_are_cleared(tab: Tab) -> None:
    tab.open(BROKEN.format(name="First"))
    tab.open("<img src=/missing.png>")
    left = tab.open(BROKEN.format(name="Second"))

    for answer in (left, *(tab.call("observe", detail=detail) for detail in ("minimal", "full"))):
        assert error_texts(answer) == ["First is broken", "Second is broken"]
        assert [row["status"] for row in answer["errors"]["network"]] == [404]
    tab.call("requests", clear=True)
    tab.call("console", clear=True)
    assert tab.call("observe")["errors"] == {"console": [], "network": []}
    assert error_texts(tab.open(BROKEN.format(name="Third"))) == ["Third is broken"]


@pytest.mark.req("C-ERR-07")
def test_only_the_last_ten_errors_are_listed_and_all_are_counted(tab: Tab) -> None:
    errors = tab.open("<script>for (let n = 0; n < 12; n++) console.warn(n)</script>")["errors"]

    assert [row["text"] for row in errors["console"]] == [str(n) for n in range(2, 12)]
    assert errors["totals"] == {"console": 12, "network": 0}


def remarks(tab: Tab) -> list[str]:
    """Return the remarks of the text form about console errors and failed requests."""
    lines = tab.reply("observe", answers="text").text.splitlines()
    return [line for line in lines if line.startswith(("! console", "! failed"))]


def test_a_page_in_text_has_only_the_errors_of_its_own_document(tab: Tab) -> None:
    tab.open(BROKEN.format(name="First"))
    tab.open("<script>console.warn('Beware')</script><img src=/missing.png>")
    left = remarks(tab)
    tab.open(BROKEN.format(name="Second"))

    assert left == ["! failed request: 404 /missing.png"]
    assert remarks(tab) == ["! console error: Second is broken"]


POLLING = {
    "frame": "<script>setInterval(() => fetch('/status/500'), 20)</script>",
    "worker": """<script>const poll = "setInterval(() => fetch('ORIGIN/status/500'), 20)"
      new Worker(URL.createObjectURL(new Blob([poll.replace('ORIGIN', location.origin)])))
      </script>""",
}


def wait_for_polls(tab: Tab) -> None:
    """Wait until the page has sent three more requests."""
    most = len(tab.web.asked("/status/500")) + 2
    eventually(lambda: len(tab.web.asked("/status/500")) > most)


def test_failures_in_a_frame_or_worker_of_the_previous_page_are_not_in_the_text(tab: Tab) -> None:
    for source, markup in POLLING.items():
        with case(source):
            tab.open(f"<h1>Polls</h1><iframe src={tab.web.write(markup)}></iframe>")
            following = tab.web.hold(HTMLResponse("<h1>Next</h1><img src=/missing.png>"))
            navigation = tab.start("navigate", url=tab.web.url(following))
            tab.web.wait_for_request(following)
            wait_for_polls(tab)
            tab.web.release(following)

            navigation.reply()

            assert remarks(tab) == ["! failed request: 404 /missing.png"]


def test_equal_errors_are_grouped_and_a_failed_request_is_listed_once(tab: Tab) -> None:
    errors = tab.open(
        "<script>for (let n = 0; n < 3; n++) console.error('Twice'); console.warn('Oh')</script>"
        "<img src=/missing.png><img src=/missing.png?>"
    )["errors"]

    assert errors["console"] == [
        {"level": "error", "text": "Twice", "count": 3},
        {"level": "warn", "text": "Oh"},
    ]
    assert [row["url"][-12:] for row in errors["network"]] == ["/missing.png", "missing.png?"]


def test_errors_between_two_answers_are_reported_once_with_the_next_delta(tab: Tab) -> None:
    tab.open(BROKEN.format(name="It"))
    tab.js("console.error('late'); fetch('/missing.json').then((reply) => reply.text())")
    eventually(lambda: "late" in messages(tab.call("console")))

    first, second = tab.click("Idle"), tab.click("Idle")

    assert "late" in error_texts(first)
    assert "It is broken" not in error_texts(first)
    assert [row["status"] for row in first["errors"]["network"]] == [404]
    assert "errors" not in second


def test_a_missing_favicon_is_not_reported_as_an_error(tab: Tab) -> None:
    tab.open("<p>Plain")
    tab.call("network", mock=[{"url": "*/favicon.ico", "status": 404}])
    tab.js("await fetch('/favicon.ico')")
    tab.call("network", mock=[])

    assert tab.call("observe")["errors"] == {"console": [], "network": []}
    assert [row["status"] for row in tab.call("requests", failed=True)["requests"]] == [404]


def test_lines_of_a_console_group_follow_its_label(tab: Tab) -> None:
    tab.open("""<script>console.group('Cart', 1); console.log('two\\nlines');
      console.groupCollapsed('Item'); console.warn('deep'); console.groupEnd();
      console.assert(true, 'holds'); console.groupEnd(); console.log('after');
      console.group('left open')</script>""")
    tab.open("<script>console.log('next'); console.groupEnd(); console.log('page')</script>")

    assert messages(tab.call("console")) == [
        *("Cart 1", "two\nlines", "Item", "deep", "after", "left open"),
        *("next", "page"),
    ]


def test_messages_of_the_browser_appear_in_the_console(tab: Tab) -> None:
    policy = {"Content-Security-Policy": "script-src 'self'"}
    path = tab.web.write("<script>1</script><img src=/missing.png>", headers=policy)

    tab.call("navigate", url=tab.web.url(path))

    blocked, missing = sorted(messages(tab.call("console", level="error")))[:2]
    assert "Content Security Policy" in blocked
    assert "404" in missing
    assert "/missing.png" in missing
