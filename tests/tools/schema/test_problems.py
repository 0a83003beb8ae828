"""Error messages quote values as JSON, in short."""

from charlotte.page.model import SHOWN, short_json


def test_a_long_value_is_truncated() -> None:
    text = short_json("x" * 1_000_000)

    assert SHOWN + 1 == len(text)
    assert text.endswith("…")
