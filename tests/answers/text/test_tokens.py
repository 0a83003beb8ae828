"""Tokens of the text form escape what cannot be seen."""

import sys
import unicodedata

from charlotte.page.tokens import quote, write_text

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
