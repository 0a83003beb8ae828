"""Pairing of old and new lines."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.diff.lines import pair_lines


def pairs(
    before: list[str], after: list[str], text_of: Callable[[str], str] = str
) -> list[tuple[str, str]]:
    """Return the pairs, with "" for no line."""
    return [(old or "", new or "") for old, new in pair_lines(before, after, text_of)]


def test_lines_that_share_half_of_their_words_are_paired() -> None:
    before = ["2 books, 1 read", "Sorted by title"]
    after = ["News", "3 books, 0 read", "Sorted by author"]
    assert pairs(before, after) == [
        ("", "News"),
        ("2 books, 1 read", "3 books, 0 read"),
        ("Sorted by title", "Sorted by author"),
    ]


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
