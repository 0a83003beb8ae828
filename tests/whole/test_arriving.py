"""The wait conditions of navigations: how much of a page is loaded when they return."""

import pytest
from starlette.responses import HTMLResponse, Response

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


@pytest.mark.req("C-NAV-02")
def test_domcontentloaded_does_not_wait_for_a_slow_image(tab: Tab) -> None:
    image = tab.web.hold(Response(b"", media_type="image/png"))
    path = tab.web.write(f'<h1>Early</h1><img src="{image}">')

    url = tab.web.url(path)
    reply = tab.reply("navigate", url=url, wait_for="domcontentloaded", timeout=60_000)
    tab.web.release(image)

    assert reply.seconds < 60
    assert reply.json["structure"]["headings"][0]["text"] == "Early"


def test_networkidle_waits_for_requests_made_by_scripts_after_load(tab: Tab) -> None:
    data = tab.web.hold(HTMLResponse(b"ready"))
    script = f"""<h1>Waiting</h1><script>
      onload = () => setTimeout(async () => {{
        document.querySelector('h1').textContent = await (await fetch('{data}')).text();
      }});
    </script>"""
    path = tab.web.write(script)

    loading = tab.start("navigate", url=tab.web.url(path), wait_for="networkidle")
    tab.web.wait_for_request(data)
    assert not loading.is_answered
    tab.web.release(data)

    assert loading.reply().json["structure"]["headings"][0]["text"] == "ready"


def test_a_navigation_waits_for_the_content_that_the_page_fetches(tab: Tab) -> None:
    for tool in ["navigate", "reload", "back"]:
        with case(tool):
            data = tab.web.hold(HTMLResponse(b"ready"))
            path = tab.web.write(f"""<h1>Loading</h1><script>fetch('{data}').then((answer) =>
      answer.text()).then((text) => document.querySelector('h1').textContent = text)</script>""")
            url = tab.web.url(path)
            if tool != "navigate":
                tab.call("navigate", url=url, wait_for="domcontentloaded")
                tab.web.wait_for_request(data)
            if tool == "back":
                tab.open("Elsewhere")
            before = len(tab.web.asked(data))

            loading = tab.start(tool, **({"url": url} if tool == "navigate" else {}))
            while len(tab.web.asked(data)) == before:
                assert not loading.is_answered
            tab.web.release(data)

            assert loading.reply().json["structure"]["headings"][0]["text"] == "ready"


def test_navigate_reports_a_request_that_is_still_open(tab: Tab) -> None:
    data = tab.web.hold(HTMLResponse(b"never"))

    answer = tab.open(f"<h1>Loading</h1><script>fetch('{data}')</script>")
    tab.web.release(data)

    assert answer["unsettled"] == f"request GET {tab.web.url(data)} still open"


ROWS = """<div id=r></div><script>const add = () => r.append(document.createElement('p'));
let n = 0; const draw = () => {{ add(); {} }}; {}</script>"""
OFTEN = "for (let ms = 60; ms < 100; ms += 5) {}(draw, ms)"  # seen also on a busy machine


def test_navigate_reports_a_script_that_still_adds_elements(tab: Tab) -> None:
    cases = [
        ROWS.format("if (++n < 400) setTimeout(draw, 100)", OFTEN.format("setTimeout")),
        ROWS.format("", OFTEN.format("setInterval")),
    ]

    for page in cases:
        with case(page):
            assert tab.open(page)["unsettled"] == "a script is still adding to the page"


def test_navigate_does_not_report_a_timer_that_adds_no_elements(tab: Tab) -> None:
    page = "<p id=r></p><script>setInterval(() => { r.textContent = Date.now() }, 100)</script>"
    assert "unsettled" not in tab.open(page)
