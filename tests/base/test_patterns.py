"""Patterns of agents match in linear time; patterns that could not are refused."""

import pytest

from charlotte.base import patterns
from charlotte.base.errors import DeadlineExceeded, InvalidArgument
from charlotte.base.patterns import compiled, glob_matches, literal
from charlotte.page.modes.lines import Grep
from charlotte.tools.observe import observe


@pytest.mark.parametrize("pattern", ["(a+)+$", "(a|aa)+$", "(.*a){20}$"])
def test_a_catastrophic_pattern_is_matched_at_once(pattern: str) -> None:
    matches = Grep(pattern=pattern).matcher()

    assert not matches("a" * 5_000 + "!")


@pytest.mark.parametrize(
    "pattern", ["(?=a)b", "(?<!a)b", r"(a)\1", "(?P<n>a)(?P=n)", "a++", "(?>a)b", "(a{1000}){1000}"]
)
def test_an_unsupported_pattern_is_an_invalid_argument(pattern: str) -> None:
    with pytest.raises(InvalidArgument, match="grep: ") as caught:
        observe.parse({"mode": "tree", "grep": {"pattern": pattern}})

    assert "not supported" in caught.value.message or "too large" in caught.value.message


@pytest.mark.parametrize("pattern", [r"(a)\1", "[invalid("])
def test_a_literal_matches_its_special_characters(pattern: str) -> None:
    assert Grep(pattern=pattern, fixed_strings=True).matcher()(f"x {pattern} y")
    assert Grep(pattern=pattern, fixed_strings=True).warnings() == []


def test_a_search_that_takes_too_long_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_SEARCH_SECONDS", -1)
    found = compiled("a").searching()

    with pytest.raises(DeadlineExceeded, match="'a'"):
        found("text")


def test_texts_of_any_characters_and_length_can_be_searched() -> None:
    assert compiled("é", ignore_case=True).searching()("CAF\N{LATIN CAPITAL LETTER E WITH ACUTE}")
    assert compiled("b$").searching()("a\ud800b")
    assert not literal("?").searching()("a\ud800b")
    long = "a" * 9_999 + "d" * 20_001 + "ende"
    assert [Grep(pattern=each).matcher()(long) for each in ("e$", r"d\b", "a.*end")] == [1, 0, 1]


@pytest.mark.parametrize(
    ("glob", "url", "expected"),
    [
        ("*.png", "http://a/b.png", True),
        ("*.png", "http://a/b.png?x", False),
        ("*/b?.js", "http://a/b1.js", True),
        (r"*\*", "http://a/b\\c", True),
        ("*" * 2_000 + "é", "http://a/é", True),
        ("*a" * 40 + "*b", "a" * 5_000, False),
    ],
)
def test_a_glob_matches_a_complete_url(glob: str, url: str, expected: bool) -> None:  # noqa: FBT001
    assert glob_matches(glob, url) is expected
