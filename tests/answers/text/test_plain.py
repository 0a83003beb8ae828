"""Quoted texts stay on their line, are escaped, and contain no secret."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.answers.text.lines import Token
from charlotte.answers.text.outline import redact_outline
from charlotte.page.tokens import quote, write_address, write_line, write_size, write_text
from tests.answers.text.outlines import changes, control, head, outline, row


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


JOINERS = "\u200c\u200d"


def test_every_format_character_is_escaped() -> None:
    every = (chr(code) for code in range(sys.maxunicode + 1))
    characters = [each for each in every if unicodedata.category(each) == "Cf"]
    assert len(characters) > 100
    for character in characters:
        assert character not in quote(f"a{character}b")
        assert character in JOINERS or character not in write_text(f"a{character}b")


def test_a_text_that_is_not_drawn_is_quoted() -> None:
    tags_and_selectors = [*map(chr, range(0xE0000, 0xE1000)), "\u034f", "\u3164", "\ufe0f"]
    assert all(write_text(character).startswith('"') for character in tags_and_selectors)


HIDDEN = "correct horse battery staple"


def redact(text: str) -> str:
    return text.replace(HIDDEN, "<secret>")


def test_every_text_of_an_outline_is_redacted() -> None:
    page = outline(
        head(f'[group "{HIDDEN}"]'),
        f"It is {HIDDEN}.",
        Token(f'[image "{HIDDEN}" 9×9]'),
        row(HIDDEN, control("btn-1", f"Copy {HIDDEN}", title=HIDDEN)),
        control("inp-1", "Key", value=HIDDEN),
    )
    redacted = redact_outline(page, redact)
    assert [line.text for line in redacted.lines] == [
        '[group "<secret>"]',
        "It is <secret>.",
        '[image "<secret>" 9×9]',
        '| <secret> | btn-1 "Copy <secret>" [title "<secret>"]',
        'inp-1 "Key" [= "<secret>"]',
    ]


def test_no_part_of_a_secret_is_in_a_change_that_is_cut() -> None:
    start = "The words of this text are many, and the longest of them all are in its middle: "
    for length in range(len(start)):
        text = f"{start[length:]}{HIDDEN}{start * 2}"
        pages = (
            outline("Start", control("inp-1", "Key")),
            outline("Start", text, control("inp-1", "Key", value=text)),
        )
        old, new = (redact_outline(page, redact) for page in pages)
        written = "\n".join([*changes(old, new), *changes(new, old)])
        assert not any(word in written for word in HIDDEN.split())
