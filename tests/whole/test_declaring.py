"""evaluate: names can be redeclared, as in a console."""

import pytest

from tests.whole.cases import case
from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


@pytest.mark.req("P-06")
def test_names_can_be_redeclared_and_persist(tab: Tab) -> None:
    tab.open("/counter.html")

    for number in (1, 2):
        assert tab.js(f"const a = {number}; let b = a; var c = b; class D {{}}; a") == number

    assert tab.js("a + b + c") == 6


def test_redeclaring_a_name_fails_with_a_suggestion_to_use_braces(tab: Tab) -> None:
    cases = [
        ("", "const a = 1", "let a = 2; a"),
        ("", "let a = 1", "const a = 2; a"),
        ("<script>const a = 1</script>", "0", "const a = 2; await a"),
    ]

    for of_page, before, again in cases:
        with case(of_page, before, again):
            tab.open(f"{of_page}<h1>Declares</h1>")
            tab.js(before)
            error = tab.refused("evaluate", expression=again)
            assert error["code"] == "EVALUATION_ERROR"
            assert "'a' has already been declared" in error["message"]
            assert "braces" in error["suggestion"]
            assert tab.js(f"{{ {again} }}") == 2
            assert tab.js("a") == 1
