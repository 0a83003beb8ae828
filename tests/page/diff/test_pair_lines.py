"""Pairing of old and new lines."""

from collections import Counter
from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.diff.lines import pair_lines


def pairs(
    before: list[str], after: list[str], text_of: Callable[[str], str] = str
) -> list[tuple[str, str]]:
    """Return the pairs, with "" for no line."""
    return [(old or "", new or "") for old, new in pair_lines(before, after, text_of)]


def test_a_single_line_replaces_a_single_line() -> None:
    assert pairs(["Ready"], ["Button clicked"]) == [("Ready", "Button clicked")]


def test_lines_of_different_documents_are_not_shared() -> None:
    assert pairs(["All orders", "Order 7, tea"], ["Sign in", "Your password"]) == [
        ("All orders", ""),
        ("Order 7, tea", ""),
        ("", "Sign in"),
        ("", "Your password"),
    ]


def test_lines_that_share_half_of_their_words_are_paired() -> None:
    before = ["2 books, 1 read", "Sorted by title"]
    after = ["News", "3 books, 0 read", "Sorted by author"]
    assert pairs(before, after) == [
        ("", "News"),
        ("2 books, 1 read", "3 books, 0 read"),
        ("Sorted by title", "Sorted by author"),
    ]


def test_figures_are_paired_with_figures() -> None:
    assert pairs(["12:30", "4"], ["12:31", "5"]) == [("12:30", "12:31"), ("4", "5")]


def test_figures_after_different_lines_are_not_compared() -> None:
    before, after = ["Tea", "4.50", "Coffee", "3.20"], ["Bread", "2.00", "Cake", "5.00"]
    found = [(old, "") for old in before] + [("", new) for new in after]
    assert pairs(before, after) == found


def test_figures_after_similar_lines_are_compared() -> None:
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


def test_labels_in_lines_do_not_make_lines_similar() -> None:
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
def test_every_line_is_returned_once_and_in_order(before: list[str], after: list[str]) -> None:
    found = pairs(before, after)
    assert [old for old, _ in found if old] == before
    assert [new for _, new in found if new] == after


def test_long_texts_are_compared_fast() -> None:
    before, after = [f"Old line {n}" for n in range(5000)], [f"New thing {n}" for n in range(5000)]
    assert Counter(map(bool, (old for old, _ in pairs(before, after)))) == {
        True: 5000,
        False: 5000,
    }
