"""Error messages quote values as JSON, in short."""

from typing import Any

import pytest

from charlotte.page.model import SHOWN, short_json


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("a", '"a"'),
        (5, "5"),
        (1.5, "1.5"),
        (True, "true"),
        (None, "null"),
        ([1], "an array"),
        ({"a": 1}, "an object"),
        ('say "é"\n', r'"say \"é\"\n"'),
    ],
)
def test_a_value_is_shown_as_its_json(value: Any, expected: str) -> None:
    assert expected == short_json(value)


def test_a_long_value_is_truncated() -> None:
    text = short_json("x" * 1_000_000)

    assert SHOWN == len(text)
    assert text.endswith("…")
