"""wait_for: element states, texts, selectors and times, observed in the page."""

import pytest

from tests.whole.answers import changes, new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LATER = 300
"""Milliseconds until the pages change."""


def after(script: str, ms: int = LATER) -> str:
    return f"<script>setTimeout(() => {{ {script} }}, {ms})</script>"


def begin(tab: Tab, markup: str, script: str) -> None:
    """Open a page whose function `later()` runs the script after a delay."""
    tab.open(f"{markup}<script>function later() {{ setTimeout(() => {{ {script} }}, {LATER}) }}"
             "</script>")  # fmt: skip


BUTTON = "<p>Top</p><button id=b>Go on</button>"


@pytest.mark.req("C-WAIT-02", "C-IA-01")
def test_wait_for_waits_for_every_element_state(tab: Tab) -> None:
    cases = [
        ("b.hidden = true", "visible", "b.hidden = false"),
        ("", "hidden", "b.style.visibility = 'hidden'"),
        ("b.disabled = true", "enabled", "b.disabled = false"),
        ("", "disabled", "b.disabled = true"),
        ("kept = b; b.remove()", "exists", "document.body.append(kept)"),
        ("", "removed", "b.remove()"),
    ]

    for before, state, then in cases:
        with case(before, state, then):
            begin(tab, BUTTON, then)
            button = tab.find("Go on")
            tab.js(f"var kept; {before}; later()")
            reply = tab.reply("wait_for", element_id=button, state=state)
            assert reply.json["delta"]["from_snapshot"] < reply.json["delta"]["to_snapshot"]
            assert reply.json["delta"]["changes"]


@pytest.mark.req("C-WAIT-02")
def test_a_state_that_is_not_reached_times_out(tab: Tab) -> None:
    for state in ["visible", "hidden", "enabled", "disabled", "exists", "removed"]:
        with case(state):
            tab.open(BUTTON)
            button = tab.find("Go on")
            before = {"visible": "b.hidden = true", "enabled": "b.disabled = true"}
            tab.js((before | {"exists": "b.remove()"}).get(state, "0"))

            error = tab.refused("wait_for", element_id=button, state=state, timeout=300)

            assert error["code"] == "TIMEOUT"
            assert button in error["details"]["unmet"][0]
            assert state.removesuffix("s") in error["message"]


@pytest.mark.req("C-WAIT-02")
def test_an_unknown_id_is_an_immediate_error(tab: Tab) -> None:
    tab.open(BUTTON)

    for state in ["hidden", "removed", "exists"]:
        with case(state):
            reply = tab.reply("wait_for", element_id="btn-0000", state=state)
            assert reply.error["code"] == "ELEMENT_NOT_FOUND"


@pytest.mark.req("C-WAIT-02")
def test_wait_for_accepts_ids_of_landmarks_headings_and_selector_matches(tab: Tab) -> None:
    tab.open("<main><h1>Top</h1><p id=p>Text</p></main>")
    structure = tab.call("observe", detail="minimal")["structure"]
    found = [structure["landmarks"][0], structure["headings"][0], tab.call("find", selector="p")[0]]

    for state in ["hidden", "disabled", "removed"]:
        with case(state):
            for one in found:
                error = tab.refused("wait_for", element_id=one["id"], state=state, timeout=200)
                assert error["code"] == "TIMEOUT"
                assert tab.call("wait_for", element_id=one["id"], state="visible")


def test_an_element_replaced_by_its_copy_does_not_count_as_removed(tab: Tab) -> None:
    tab.open(BUTTON)
    button = tab.find("Go on")
    tab.js("b.replaceWith(b.cloneNode(true)); 0")

    assert tab.refused("wait_for", element_id=button, state="removed", timeout=300)
    assert tab.call("wait_for", element_id=button, state="enabled")


@pytest.mark.req("C-WAIT-03")
def test_wait_for_waits_for_a_text_and_returns_the_changes(tab: Tab) -> None:
    begin(tab, "<p id=p>Wait</p>", "p.innerHTML = 'All <b>is</b>\\n done <button>Next</button>'")
    tab.js("later()")

    answer = tab.call("wait_for", text="All is done")

    assert [row["to"]["label"] for row in changes(answer, type="added")] == ["Next"]


def test_a_wait_that_was_not_necessary_is_noted(tab: Tab) -> None:
    begin(tab, BUTTON, "b.textContent = 'Went on'")
    assert tab.call("wait_for", text="Go on")["note"] == "The conditions held already."

    tab.js("later()")
    assert "note" not in tab.call("wait_for", text="Went on")


def test_hidden_text_does_not_count_as_shown(tab: Tab) -> None:
    tab.open("""<p hidden>Secret</p><script>var hidden = 'Secret'</script>
      <iframe hidden srcdoc="<p>Secret</p>"></iframe>""")

    assert tab.refused("wait_for", text="Secret", timeout=300)["code"] == "TIMEOUT"
    tab.call("wait_for", text_gone="Secret")


def test_a_text_in_another_case_by_style_is_shown_as_written_too(tab: Tab) -> None:
    tab.open("""<style>p, x-box { text-transform: uppercase }</style><p>Order <b>placed</b></p>
      <x-box></x-box><p style="text-transform: capitalize">see you</p>unsaved
      <script>document.querySelector('x-box').attachShadow({mode: 'open'})
        .innerHTML = '<p>In <b>shade'
      </script>""")

    for text in ("Order placed", "ORDER PLACED", "In shade", "see you", "See You"):
        with case(text):
            tab.call("wait_for", text=text, timeout=2000)
            assert tab.refused("wait_for", text_gone=text, timeout=100)["code"] == "TIMEOUT"
    for text in ("order placed", "Saved", "SEE YOU"):
        with case(text):
            assert tab.refused("wait_for", text=text, timeout=100)["code"] == "TIMEOUT"


PLACES = {
    "f.contentDocument": "<iframe id=f srcdoc='<div id=d></div>'></iframe>",
    "h.shadowRoot": "<div id=h></div><script>"
    "h.attachShadow({mode: 'open'}).innerHTML = '<div id=d>'</script>",
}


@pytest.mark.req("C-WAIT-03", "C-WAIT-04")
def test_wait_for_searches_frames_and_shadow_roots(tab: Tab) -> None:
    for place, markup in PLACES.items():
        with case(place):
            inner = f"{place}.getElementById('d')"
            begin(tab, markup, f"{inner}.innerHTML = '<i class=now>Here</i>'")
            tab.js("later()")
            tab.call("wait_for", text="Here", selector="#d > i.now")
            tab.js(f"setTimeout(() => {inner}.firstChild.remove(), 200)")
            tab.call("wait_for", text_gone="Here")


@pytest.mark.req("C-WAIT-04")
def test_an_invalid_selector_is_an_error(tab: Tab) -> None:
    tab.open(BUTTON)

    assert tab.refused("wait_for", selector="b >> i")["code"] == "INVALID_ARGUMENT"


@pytest.mark.req("C-WAIT-04")
def test_a_selector_matches_a_property_change_without_a_mutation(tab: Tab) -> None:
    begin(tab, "<input type=checkbox id=c>", "c.checked = true")
    tab.js("later()")

    tab.call("wait_for", selector="#c:checked")

    assert tab.js("c.checked")


@pytest.mark.req("C-WAIT-06")
def test_a_timeout_reports_the_unmet_conditions_and_the_page(tab: Tab) -> None:
    begin(tab, "<p id=p>Nothing</p>", "p.textContent = 'Something'")
    tab.js("later()")

    reply = tab.reply("wait_for", text="Everything", selector="p", timeout=2000)

    error = reply.error
    assert error["code"] == "TIMEOUT"
    assert "2000 ms" in error["message"]
    assert error["details"]["unmet"] == ["the text 'Everything' is not shown"]
    assert "Something" in new_texts(error["details"]["page"])
    assert 2 <= reply.seconds < 10
    assert "Something" not in new_texts(tab.call("wait_for", text="Something"))


def test_wait_for_waits_for_a_given_time(tab: Tab) -> None:
    begin(tab, "<p id=p>Nothing</p>", "p.textContent = 'Something'")
    tab.js("later()")

    reply = tab.reply("wait_for", time=2000)

    assert "Something" in new_texts(reply.json)
    assert reply.seconds >= 2


def test_all_conditions_must_hold_at_once(tab: Tab) -> None:
    begin(tab, BUTTON, "b.remove(); document.body.append('Now')")
    button = tab.find("Go on")
    tab.js("later()")

    error = tab.refused("wait_for", element_id=button, text="Now", timeout=2500)

    assert error["details"]["unmet"] == [f"{button} does not exist: it is not on the page"]


@pytest.mark.req("C-WAIT-03")
def test_wait_for_continues_across_navigations_and_reloads(tab: Tab) -> None:
    last = tab.web.write(f"<p id=p></p>{after('p.textContent = `Arrived`')}")
    middle = tab.web.write(after(f"location = '{last}'", 100))
    tab.open(after(f"location = '{middle}'", 1500))

    answer = tab.call("wait_for", text="Arrived")

    assert answer["url"] == tab.web.url(last)
    assert "delta" not in answer


def test_wait_for_keeps_waiting_for_an_element_across_a_reload(tab: Tab) -> None:
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
    tab.call("dialog", accept=True)


TRUE = (
    "window.ready",
    "const a = window.ready\nlet b = a\n;[b][0]",
    "// a comment\nif (window.ready) { 'yes' } else { '' }",
    "Promise.resolve(window.ready)",
    "await Promise.resolve(window.ready)",
    "window.ready && []",
    "window.ready ? document.body : null",
    "window.ready && window",
    "const around = {}; around.around = around; window.ready && around",
    "missing.at.first.ready",
    "JSON.parse(window.ready ? '1' : '{')",
)


@pytest.mark.req("C-WAIT-05", "P-09")
def test_wait_for_repeats_an_expression_until_it_is_true(tab: Tab) -> None:
    tab.open("/counter.html")

    for program in TRUE:
        tab.js("""delete window.ready; delete window.missing; setTimeout(() => {
          window.ready = 1; window.missing = {at: {first: {ready: true}}} }, 150)""")
        reply = tab.reply("wait_for", js=program)
        assert not reply.result.get("isError"), (program, reply.text)


@pytest.mark.req("C-WAIT-07")
def test_wait_for_evaluates_an_expression_several_times_a_second(tab: Tab) -> None:
    tab.open("/counter.html")

    tab.call("wait_for", js="(window.at = [...(window.at ?? []), performance.now()]).length > 20")

    assert tab.js("Math.min(...at.slice(1).map((time, number) => time - at[number]))") < 200


@pytest.mark.req("C-WAIT-05")
def test_a_falsy_value_or_an_exception_does_not_end_the_wait(tab: Tab) -> None:
    tab.open("/counter.html")
    falsy = ["0", "''", "null", "undefined", "NaN", "0n", "-0", "void 0"]

    for program in [*falsy, "nowhere.at.all", "navigator.userActivation.isActive"]:
        with case(program):
            error = tab.refused("wait_for", js=program, timeout=150)
            assert error["code"] == "TIMEOUT"
            if program in falsy:
                assert error["details"]["unmet"] == ["js is not true"]
            if program == "nowhere.at.all":
                assert "nowhere is not defined" in error["message"]


def test_an_invalid_expression_is_an_immediate_error(tab: Tab) -> None:
    tab.open("/counter.html")

    broken = tab.reply("wait_for", js="const = 1")
    function = tab.reply("wait_for", js="() => true")

    assert broken.error["code"] == "EVALUATION_ERROR"
    assert "SyntaxError" in broken.error["message"]
    assert function.error["code"] == "INVALID_ARGUMENT"


@pytest.mark.req("C-WAIT-06")
def test_an_endless_expression_ends_at_the_timeout_and_the_tab_stays_usable(tab: Tab) -> None:
    cases = [
        "new Promise(() => {})",
        "while (true);",
        "Promise.resolve().then(() => { while (true); })",
    ]

    for program in cases:
        with case(program):
            tab.open("/counter.html")
            reply = tab.reply("wait_for", js=program, timeout=300)
            assert reply.error["code"] == "TIMEOUT"
            assert "The count is 1." in new_texts(tab.click("Clicked 0"))


def test_an_expression_is_evaluated_in_the_next_document(tab: Tab) -> None:
    path = tab.web.write("<script>var there = true</script>")
    tab.open(f"<script>setTimeout(() => {{ location = '{path}' }}, 300)</script>")

    assert tab.call("wait_for", js="window.there")["url"] == tab.web.url(path)
