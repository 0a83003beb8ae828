"""Which line is which, when several were replaced at once."""

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.diff.lines import pair_lines


def pairs(
    before: list[str], after: list[str], text_of: Callable[[str], str] = str
) -> list[tuple[str, str]]:
    """The pairs, with "" for no line."""
    return [(old or "", new or "") for old, new in pair_lines(before, after, text_of)]


def test_one_line_in_the_place_of_another_is_that_line() -> None:
    """Whatever it says."""
    assert pairs(["Ready"], ["Button clicked"]) == [("Ready", "Button clicked")]


def test_lines_of_two_views_have_nothing_to_do_with_each_other() -> None:
    """Another view of a single-page application."""
    assert pairs(["All orders", "Order 7, tea"], ["Sign in", "Your password"]) == [
        ("All orders", ""),
        ("Order 7, tea", ""),
        ("", "Sign in"),
        ("", "Your password"),
    ]


def test_lines_that_share_half_of_their_words_belong_together() -> None:
    """Others that came between them do not get in the way."""
    before = ["2 books, 1 read", "Sorted by title"]
    after = ["News", "3 books, 0 read", "Sorted by author"]
    assert pairs(before, after) == [
        ("", "News"),
        ("2 books, 1 read", "3 books, 0 read"),
        ("Sorted by title", "Sorted by author"),
    ]


def test_figures_are_taken_for_figures() -> None:
    """Scores and clocks."""
    assert pairs(["12:30", "4"], ["12:31", "5"]) == [("12:30", "12:31"), ("4", "5")]


def test_figures_of_unlike_things_are_not_compared() -> None:
    """A list in the place of another: no price rose and none fell."""
    before, after = ["Tea", "4.50", "Coffee", "3.20"], ["Bread", "2.00", "Cake", "5.00"]
    told = [(old, "") for old in before] + [("", new) for new in after]
    assert pairs(before, after) == told


def test_figures_after_like_things_are_compared() -> None:
    """Rows that say the same words with other figures, some of which went."""
    before = ["Tea (2)", "9.00", "Coffee, black", "3.20", "Sum of all", "12.20"]
    after = ["Tea (3)", "13.50", "Sum of it all", "13.50"]
    assert pairs(before, after) == [
        ("Tea (2)", "Tea (3)"),
        ("9.00", "13.50"),
        ("Coffee, black", ""),
        ("3.20", ""),
        ("Sum of all", "Sum of it all"),
        ("12.20", "13.50"),
    ]


def test_lines_are_not_alike_by_what_is_told_elsewhere() -> None:
    """Rows of two lists, each with a button of the same name."""

    def cut(line: str) -> str:
        return line.removesuffix("Buy")

    before, after = ["Tea Buy", "Red beans Buy"], ["Bread Buy", "White beans Buy"]
    assert pairs(before, after, cut) == [
        ("Tea Buy", ""),
        ("", "Bread Buy"),
        ("Red beans Buy", "White beans Buy"),
    ]


lines = st.lists(st.sampled_from(["Buy", "Buy tea", "Sell tea", "1", "2", "Wait"]), max_size=8)


@given(lines, lines)
def test_every_line_is_told_once_and_in_order(before: list[str], after: list[str]) -> None:
    """On both sides."""
    told = pairs(before, after)
    assert [old for old, _ in told if old] == before
    assert [new for _, new in told if new] == after


def test_a_long_text_is_compared_in_no_time() -> None:
    """All of it is told all the same."""
    before, after = [f"Old line {n}" for n in range(5000)], [f"New thing {n}" for n in range(5000)]
    assert Counter(map(bool, (old for old, _ in pairs(before, after)))) == {
        True: 5000,
        False: 5000,
    }
