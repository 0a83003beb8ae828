"""evaluate: names are declared as in a console, again and again."""

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium


@pytest.mark.req("P-06")
def test_names_can_be_declared_again_and_stay(tab: Tab) -> None:
    tab.open("/counter.html")

    for number in (1, 2):
        assert tab.js(f"const a = {number}; let b = a; var c = b; class D {{}}; a") == number

    assert tab.js("a + b + c") == 6


@pytest.mark.parametrize(
    ("of_page", "before", "again"),
    [
        ("", "const a = 1", "let a = 2; a"),
        ("", "let a = 1", "const a = 2; a"),
        ("<script>const a = 1</script>", "0", "const a = 2; await a"),
    ],
)
def test_a_name_that_is_taken_is_told_with_a_way_out(
    tab: Tab, of_page: str, before: str, again: str
) -> None:
    tab.open(f"{of_page}<h1>Declares</h1>")
    tab.js(before)

    error = tab.refused("evaluate", expression=again)

    assert error["code"] == "EVALUATION_ERROR"
    assert "'a' has already been declared" in error["message"]
    assert "braces" in error["suggestion"]
    assert tab.js(f"{{ {again} }}") == 2
    assert tab.js("a") == 1
