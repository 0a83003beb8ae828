"""back, forward and reload."""

import pytest

from tests.whole.answers import labels
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


PUSHES = """<h1>Entry 0</h1><script>
  globalThis.loaded = Math.random();
  const show = () => { document.querySelector('h1').textContent = `Entry ${history.state ?? 0}`; };
  const push = (n, url) => { history.pushState(n, '', url); show(); };
  addEventListener('popstate', show);
</script>"""


def heading(answer: dict[str, dict[str, list[dict[str, str]]]]) -> str:
    return answer["structure"]["headings"][0]["text"]


@pytest.mark.smoke
@pytest.mark.req("C-NAV-05", "C-NAV-06")
def test_back_and_forward_move_between_documents(tab: Tab) -> None:
    tab.open("/counter.html")
    tab.open("/form.html")

    assert tab.call("back")["url"] == tab.web.url("/counter.html")
    there = tab.call("forward")

    assert there["url"] == tab.web.url("/form.html")
    assert there["title"].startswith("Reading club")


def test_back_and_forward_fail_at_the_ends_of_the_history(fresh_tab: Tab) -> None:
    for direction in ("forward", "back"):
        error = fresh_tab.refused(direction)

        assert error["code"] == "NAVIGATION_FAILED"
        assert direction in error["message"]


@pytest.mark.req("C-NAV-06")
def test_back_and_forward_move_between_pushed_entries_without_a_load(tab: Tab) -> None:
    for url in ["''", "'?other'", "'#fragment'"]:
        with case(url):
            tab.open(PUSHES)
            mark = tab.js(f"push(1, {url}); push(2, {url}); loaded")
            back = [heading(tab.call("back")), heading(tab.call("back"))]
            forward = [heading(tab.call("forward")), heading(tab.call("forward"))]
            assert back == ["Entry 1", "Entry 0"]
            assert forward == ["Entry 1", "Entry 2"]
            assert tab.js("loaded") == mark


def test_back_and_forward_move_between_documents_of_a_frame(tab: Tab) -> None:
    first, second = tab.web.write("<p>One"), tab.web.write("<p>Two")
    tab.open(f"<a href='{second}' target=f>Next</a><iframe name=f src='{first}'></iframe>")
    tab.click("Next")

    assert "One" in tab.reply("back").text
    assert "Two" in tab.reply("forward").text


@pytest.mark.req("C-NAV-07")
def test_reload_loads_the_document_again(tab: Tab) -> None:
    path = tab.web.write("<button onclick='this.textContent = `Clicked`'>Fresh</button>")
    tab.open(path)
    tab.click("Fresh")

    answer = tab.call("reload")

    assert "Fresh" in labels(answer)
    assert answer["status"] == 200
    _, again = tab.web.asked(path)
    assert again.headers.get("cache-control") != "no-cache"


@pytest.mark.req("C-NAV-08")
def test_only_a_hard_reload_bypasses_the_cache(tab: Tab) -> None:
    for hard in [False, True]:
        with case(hard):
            path = tab.web.write("<h1>Once</h1>")
            tab.call("navigate", url=tab.web.url(path))
            tab.call("reload", hard=hard)
            first, second = tab.web.asked(path)
            assert "cache-control" not in first.headers
            assert (second.headers.get("cache-control") == "no-cache") is hard


def test_reload_does_not_send_a_form_again(tab: Tab) -> None:
    tab.open("<form method=post action=/echo><button>Order</button></form>")
    tab.click("Order")
    sent = len(tab.web.asked("/echo"))

    error = tab.refused("reload")

    assert error["code"] == "NAVIGATION_BLOCKED"
    assert "would send the form again" in error["message"]
    assert len(tab.web.asked("/echo")) == sent
    tab.call("navigate", url=tab.web.url("/echo"))
    assert tab.web.asked("/echo")[-1].method == "GET"
    assert tab.call("reload")["url"] == tab.web.url("/echo")
