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


lines = st.lists(st.sampled_from(["Buy", "Buy tea", "Sell tea", "1", "2", "Wait"]), max_size=8)


@given(lines, lines)
def test_every_line_is_returned_once_and_in_order(before: list[str], after: list[str]) -> None:
    found = pairs(before, after)
    assert [old for old, _ in found if old] == before
    assert [new for _, new in found if new] == after
