"""network{har}: saved requests answer the requests of a tab."""

import json
from collections.abc import Generator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import RedirectResponse, Response

from tests.site.routes import Request
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d494844520000000100000001080600000"
    "01f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
ABORT = {"har_missing": "abort"}


@pytest.fixture
def replayed(tab: Tab) -> Generator[Tab]:
    """A tab whose network settings are reset afterwards."""
    yield tab
    tab.call("network", har="", har_missing="network", mock=[], block=[])


def saved(tab: Tab) -> str:
    """Save the requests of the tab; return the path."""
    path: str = tab.call("requests", har=True)["path"]
    return path


def fetched(tab: Tab, url: str, options: str = "{}") -> Any:
    return tab.js(
        f"""await fetch({url!r}, {options}).then(
        async (reply) => [reply.status, await reply.text()], (error) => error.name)"""
    )


def counting(tab: Tab) -> str:
    """Publish a response that differs each time; return its path."""
    numbers = count(1)

    async def answer(request: Request) -> Response:
        return Response(f"{request.method} {next(numbers)} {request.body.decode()}")

    return tab.web.handle(answer)


def test_a_page_is_replayed_without_the_network(replayed: Tab) -> None:
    tab = replayed
    image = tab.web.publish(Response(PNG, media_type="image/png"))
    numbers = counting(tab)
    page = tab.web.write(f"""<h1>Caf\u00e9</h1><img src="{image}">
      <script src="{tab.web.publish(Response(b"var loaded = 7", media_type="text/javascript"))}">
      </script><script>fetch('{numbers}').then(async (reply) => {{
        document.title = await reply.text() }})</script>""")
    target = tab.web.url(page)
    moved = tab.web.publish(RedirectResponse(page))
    tab.open(moved)
    tab.call("wait_for", js="document.title.startsWith('GET')")
    path = saved(tab)
    asked = [len(tab.web.asked(one)) for one in (moved, page, image, numbers)]

    answer = tab.call("network", har=path, **ABORT)
    replay = tab.call("navigate", url=tab.web.url(moved))
    tab.call("wait_for", js="document.title.startsWith('GET')")

    assert answer["har"]["path"] == path
    assert answer["har"]["responses"] >= 5
    assert answer["har"]["missing"] == "abort"
    assert (replay["url"], replay["structure"]["headings"][0]["text"]) == (target, "Caf\u00e9")
    assert tab.js("[loaded, document.images[0].naturalWidth, document.title]") == [7, 1, "GET 1"]
    assert [len(tab.web.asked(one)) for one in (moved, page, image, numbers)] == asked


def test_repeated_requests_get_their_responses_in_the_recorded_order(replayed: Tab) -> None:
    tab = replayed
    tab.open("<h1>Counts</h1>")
    numbers = counting(tab)
    for body in ("a", "b", "a"):
        fetched(tab, numbers, f"{{method: 'POST', body: '{body}'}}")
    tab.call("network", har=saved(tab))

    again = [fetched(tab, numbers, f"{{method: 'POST', body: '{body}'}}") for body in "aaab"]

    assert again == [[200, "POST 1 a"], [200, "POST 3 a"], [200, "POST 3 a"], [200, "POST 2 b"]]


def test_other_requests_go_to_the_network_or_fail(replayed: Tab) -> None:
    tab = replayed
    tab.open("<h1>Others</h1>")
    numbers = counting(tab)
    tab.call("network", har=saved(tab))
    assert fetched(tab, numbers) == [200, "GET 1 "]

    tab.call("network", **ABORT)
    assert fetched(tab, numbers) == "TypeError"
    assert tab.js("(await fetch('data:,inline')).status") == 200

    assert "har" not in tab.call("network", har="")
    assert fetched(tab, numbers) == [200, "GET 2 "]


def test_a_failed_request_fails_again(replayed: Tab) -> None:
    tab = replayed
    tab.open("<h1>Fails</h1>")
    tab.call("network", block=["*/echo"])
    assert fetched(tab, "/echo") == "TypeError"
    path = saved(tab)

    tab.call("network", block=[], har=path)

    assert fetched(tab, "/echo") == "TypeError"


def test_mocks_win_over_a_recording(replayed: Tab) -> None:
    tab = replayed
    tab.open("<h1>Mocked</h1>")
    numbers = counting(tab)
    fetched(tab, numbers)

    tab.call("network", har=saved(tab), mock=[{"url": f"*{numbers}", "body": "mocked"}])
    assert fetched(tab, numbers) == [200, "mocked"]

    tab.call("network", mock=[])
    assert fetched(tab, numbers) == [200, "GET 1 "]


def test_an_entry_without_its_body_is_left_out(replayed: Tab, shots: Path) -> None:
    tab = replayed
    tab.open("<h1>Bodies</h1>")
    numbers = counting(tab)
    fetched(tab, numbers)
    archive = json.loads(Path(saved(tab)).read_text())
    for entry in archive["log"]["entries"]:
        entry["response"]["content"].pop("text", None)
    (shots / "empty.har").write_text(json.dumps(archive))

    answer = tab.call("network", har="empty.har")

    assert answer["har"]["left_out"] == len(archive["log"]["entries"])
    assert fetched(tab, numbers) == [200, "GET 2 "]


def test_a_har_file_has_the_bodies_of_the_present_page(tab: Tab) -> None:
    tab.open("<h1>Bodies</h1>")
    image = tab.web.publish(Response(PNG, media_type="image/png"))
    tab.js(f"await (await fetch('{image}')).arrayBuffer(); 1")
    fetched(tab, counting(tab), "{method: 'POST', body: 'x'.repeat(100_000)}")

    entries = json.loads(Path(saved(tab)).read_text())["log"]["entries"]
    page, binary, posted = entries[-3:]

    assert "<h1>Bodies</h1>" in page["response"]["content"]["text"]
    assert binary["response"]["content"]["encoding"] == "base64"
    assert binary["response"]["content"]["size"] == len(PNG)
    assert posted["request"]["postData"]["text"] == "x" * 100_000


def test_bodies_that_the_browser_no_longer_has_are_counted(tab: Tab) -> None:
    tab.open("<h1>First</h1>")
    fetched(tab, "/status/204")
    assert "without_body" not in tab.call("requests", har=True)

    tab.open("<h1>Second</h1>")

    first = tab.call("requests", har=True)
    assert 1 <= first["without_body"] < first["entries"]


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("missing.har", None, "does not exist"),
        ("../outside.har", None, "outside the roots"),
        ("broken.har", "{}", "is not a HAR file"),
    ],
)
def test_an_unusable_har_file_is_refused_without_side_effects(
    tab: Tab, shots: Path, name: str, text: str | None, problem: str
) -> None:
    if text is not None:
        shots.mkdir(exist_ok=True)
        (shots / name).write_text(text)

    error = tab.refused("network", har=name, throttle="3g")

    assert error["code"] == "INVALID_ARGUMENT"
    assert problem in error["message"]
    assert tab.call("network") == {"throttle": "none", "cpu_rate": 1, "block": [], "mock": []}
