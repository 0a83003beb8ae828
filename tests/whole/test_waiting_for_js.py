"""wait_for{js}: an expression is evaluated in the page until it is true."""

import pytest

from tests.whole.answers import new_texts
from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

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
