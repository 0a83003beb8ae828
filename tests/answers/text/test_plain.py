"""Charlotte's own lines remain one line whatever they quote."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.page.tokens import write_address, write_line, write_size


@given(st.text())
def test_a_text_is_written_on_one_line_without_invisible_characters(text: str) -> None:
    line = write_line(text)
    assert line.splitlines() in ([], [line])
    assert line == line.strip()
    assert not {*line} & {"\u200b", "\u202e", "\u2066", "\x1b", "\x85", "\u2028"}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a.test/b?c=d#e", "/b?c=d#e"),
        ("http://a.test", "/"),
        ("https://a.test/b", "https://a.test/b"),
        ("http://a.test.evil/b", "http://a.test.evil/b"),
        ("data:text/html,a b\n\u202ec", "data:text/html,a%20b%0A%E2%80%AEc"),
        ("http://[/", "http://[/"),
    ],
)
def test_an_address_is_one_word_and_relative_on_the_same_origin(url: str, expected: str) -> None:
    assert write_address(url, "http://a.test/page") == expected


def test_only_the_beginning_of_data_is_written() -> None:
    written = write_address("data:image/png;base64," + "x" * 5000, limit=2000)
    assert len(written) <= 61
    assert written.startswith("data:image/png;base64,xx")


def test_an_address_is_absolute_without_a_page_and_cut_if_long() -> None:
    assert write_address("http://a.test/b") == "http://a.test/b"
    assert write_address("http://a.test/" + "b" * 50, limit=20) == "http://a.test/bbbbbb…"


@pytest.mark.parametrize(
    ("size", "expected"),
    [(0, "0 B"), (999, "999 B"), (1000, "1 kB"), (1234, "1.2 kB"), (3_450_000, "3.5 MB")],
)
def test_sizes_are_short(size: float, expected: str) -> None:
    assert write_size(size) == expected
