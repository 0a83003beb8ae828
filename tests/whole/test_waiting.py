"""wait_for: what a page does by itself, waited for in the page, and told truthfully."""

import pytest

from tests.whole.answers import changes, new_texts
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LATER = 400
"""ms until the fixtures change."""


def after(script: str, ms: int = LATER) -> str:
    return f"<script>setTimeout(() => {{ {script} }}, {ms})</script>"


def begin(tab: Tab, markup: str, script: str) -> None:
    """Open a page; `later()` in it does the script after a while."""
    tab.open(f"{markup}<script>function later() {{ setTimeout(() => {{ {script} }}, {LATER}) }}"
             "</script>")  # fmt: skip


BUTTON = "<p>Top</p><button id=b>Go on</button>"


@pytest.mark.req("C-WAIT-02", "C-IA-01")
@pytest.mark.parametrize(
    ("before", "state", "then"),
    [
        ("b.hidden = true", "visible", "b.hidden = false"),
        ("", "hidden", "b.style.visibility = 'hidden'"),
        ("b.disabled = true", "enabled", "b.disabled = false"),
        ("", "disabled", "b.disabled = true"),
        ("kept = b; b.remove()", "exists", "document.body.append(kept)"),
        ("", "removed", "b.remove()"),
    ],
)
def test_every_state_is_waited_for(tab: Tab, before: str, state: str, then: str) -> None:
    begin(tab, BUTTON, then)
    button = tab.find("Go on")
    tab.js(f"var kept; {before}; later()")

    reply = tab.reply("wait_for", element_id=button, state=state)

    assert reply.json["delta"]["from_snapshot"] < reply.json["delta"]["to_snapshot"]
    assert reply.json["delta"]["changes"]
    assert reply.seconds < 5


@pytest.mark.req("C-WAIT-02")
@pytest.mark.parametrize("state", ["visible", "hidden", "enabled", "disabled", "removed"])
def test_a_state_that_does_not_come_is_a_timeout(tab: Tab, state: str) -> None:
    tab.open(BUTTON)
    button = tab.find("Go on")
    tab.js({
        "visible": "b.hidden = true", "enabled": "b.disabled = true"
    }.get(state, "0"))  # fmt: skip

    error = tab.refused("wait_for", element_id=button, state=state, timeout=300)

    assert error["code"] == "TIMEOUT"
    assert button in error["details"]["unmet"][0]
    assert state in error["message"]


@pytest.mark.req("C-WAIT-02")
@pytest.mark.parametrize("state", ["hidden", "removed", "exists"])
def test_an_id_that_never_was_is_an_error_at_once(tab: Tab, state: str) -> None:
    tab.open(BUTTON)

    reply = tab.reply("wait_for", element_id="btn-0000", state=state)

    assert reply.error["code"] == "ELEMENT_NOT_FOUND"
    assert reply.seconds < 5


@pytest.mark.req("C-WAIT-02")
@pytest.mark.parametrize("state", ["hidden", "disabled", "removed"])
def test_landmarks_headings_and_matches_are_looked_at_as_well(tab: Tab, state: str) -> None:
    tab.open("<main><h1>Top</h1><p id=p>Text</p></main>")
    structure = tab.call("observe", detail="minimal")["structure"]
    found = [structure["landmarks"][0], structure["headings"][0], tab.call("find", selector="p")[0]]

    for one in found:
        error = tab.refused("wait_for", element_id=one["id"], state=state, timeout=200)
        assert error["code"] == "TIMEOUT"
        assert tab.call("wait_for", element_id=one["id"], state="visible")


def test_what_was_replaced_by_its_like_was_not_removed(tab: Tab) -> None:
    tab.open(BUTTON)
    button = tab.find("Go on")
    tab.js("b.replaceWith(b.cloneNode(true)); 0")

    assert tab.refused("wait_for", element_id=button, state="removed", timeout=300)
    assert tab.call("wait_for", element_id=button, state="enabled")


def test_a_match_of_a_selector_is_waited_for_as_well(tab: Tab) -> None:
    begin(tab, BUTTON, "b.remove()")
    [match] = tab.call("find", selector="#b")
    tab.js("later()")

    tab.call("wait_for", element_id=match["id"], state="removed")


@pytest.mark.req("C-WAIT-03")
def test_a_text_is_waited_for_and_the_answer_says_what_came(tab: Tab) -> None:
    begin(tab, "<p id=p>Wait</p>", "p.innerHTML = 'All <b>is</b>\\n done <button>Next</button>'")
    tab.js("later()")

    answer = tab.call("wait_for", text="All is done")

    assert [row["to"]["label"] for row in changes(answer, type="added")] == ["Next"]


@pytest.mark.req("C-WAIT-03")
def test_a_text_that_goes_is_waited_for(tab: Tab) -> None:
    begin(tab, "<p id=p>Loading</p>", "p.style.display = 'none'")
    tab.js("later()")

    tab.call("wait_for", text_gone="Loading")


def test_text_that_cannot_be_seen_is_not_there(tab: Tab) -> None:
    tab.open("""<p hidden>Secret</p><script>var said = 'Secret'</script>
      <iframe hidden srcdoc="<p>Secret</p>"></iframe>""")

    assert tab.refused("wait_for", text="Secret", timeout=300)["code"] == "TIMEOUT"
    tab.call("wait_for", text_gone="Secret")


PLACES = {
    "a frame": "<iframe id=f srcdoc='<div id=d></div>'></iframe>",
    "a shadow root": "<div id=h></div><script>"
    "h.attachShadow({mode: 'open'}).innerHTML = '<div id=d>'</script>",
}
INSIDE = {"a frame": "f.contentDocument", "a shadow root": "h.shadowRoot"}


@pytest.mark.req("C-WAIT-03", "C-WAIT-04")
@pytest.mark.parametrize("place", PLACES)
def test_texts_and_selectors_are_looked_for_in_frames_and_shadow_roots(
    tab: Tab, place: str
) -> None:
    inner = f"{INSIDE[place]}.getElementById('d')"
    begin(tab, PLACES[place], f"{inner}.innerHTML = '<i class=now>Here</i>'")
    tab.js("later()")

    tab.call("wait_for", text="Here", selector="#d > i.now")

    tab.js(f"setTimeout(() => {inner}.firstChild.remove(), 200)")
    tab.call("wait_for", text_gone="Here")


def test_a_frame_of_another_site_is_looked_into_too(tab: Tab) -> None:
    path = tab.web.write(f"<p id=p></p>{after('p.textContent = `From afar`')}")
    tab.open(f"<iframe src='{tab.web.url(path, host='localhost')}'></iframe>")

    tab.call("wait_for", text="From afar")


@pytest.mark.req("C-WAIT-04")
def test_a_selector_that_is_none_is_an_error(tab: Tab) -> None:
    tab.open(BUTTON)

    assert tab.refused("wait_for", selector="b >> i")["code"] == "INVALID_ARGUMENT"


@pytest.mark.req("C-WAIT-04")
def test_a_selector_notices_what_is_no_change_of_the_document(tab: Tab) -> None:
    begin(tab, "<input type=checkbox id=c>", "c.checked = true")
    tab.js("later()")

    tab.call("wait_for", selector="#c:checked")


@pytest.mark.req("C-WAIT-01")
def test_nothing_to_wait_for_is_an_error(tab: Tab) -> None:
    assert tab.refused("wait_for")["code"] == "INVALID_ARGUMENT"
    assert tab.refused("wait_for", timeout=100)["code"] == "INVALID_ARGUMENT"
    assert tab.refused("wait_for", state="visible", text="a")["code"] == "INVALID_ARGUMENT"
    assert tab.refused("wait_for", text="")["code"] == "INVALID_ARGUMENT"


@pytest.mark.req("C-WAIT-06")
def test_the_timeout_is_kept_and_says_what_the_page_is_like(tab: Tab) -> None:
    begin(tab, "<p id=p>Nothing</p>", "p.textContent = 'Something'")
    tab.js("later()")

    reply = tab.reply("wait_for", text="Everything", selector="p", timeout=800)

    error = reply.error
    assert error["code"] == "TIMEOUT"
    assert "800 ms" in error["message"]
    assert error["details"]["unmet"] == ["the text 'Everything' is not shown"]
    assert "Something" in new_texts(error["details"]["page"])
    assert 0.8 <= reply.seconds < 4


@pytest.mark.req("C-WAIT-07")
def test_a_time_alone_is_waited_out(tab: Tab) -> None:
    begin(tab, "<p id=p>Nothing</p>", "p.textContent = 'Something'")
    tab.js("later()")

    reply = tab.reply("wait_for", time=700)

    assert "Something" in new_texts(reply.json)
    assert reply.seconds >= 0.7


def test_everything_has_to_hold_at_once(tab: Tab) -> None:
    begin(tab, BUTTON, "b.remove(); document.body.append('Now')")
    button = tab.find("Go on")
    tab.js("later()")

    error = tab.refused("wait_for", element_id=button, text="Now", timeout=1000)

    assert error["details"]["unmet"] == [f"{button} does not exist: it is not on the page"]


@pytest.mark.req("C-WAIT-03")
def test_it_goes_on_over_navigations_and_reloads(tab: Tab) -> None:
    last = tab.web.write(f"<p id=p></p>{after('p.textContent = `Arrived`')}")
    middle = tab.web.write(after(f"location = '{last}'", 100))
    tab.open(after(f"location = '{middle}'", 1500))

    answer = tab.call("wait_for", text="Arrived")

    assert answer["url"] == tab.web.url(last)
    assert "delta" not in answer


def test_an_element_is_waited_for_over_a_reload(tab: Tab) -> None:
    tab.open(
        f"{BUTTON}<script>b.disabled = !sessionStorage.going; sessionStorage.going = 1</script>"
    )
    button = tab.find("Go on")
    tab.js("setTimeout(() => location.reload(), 300)")

    tab.call("wait_for", element_id=button, state="enabled")


def test_a_dialog_ends_the_wait(tab: Tab) -> None:
    begin(tab, "<p>Text</p>", "alert('Look here')")
    tab.js("later()")

    reply = tab.reply("wait_for", text="Never")

    assert reply.json["pending_dialog"]["message"] == "Look here"
    assert reply.seconds < 5
    tab.call("dialog", accept=True)
