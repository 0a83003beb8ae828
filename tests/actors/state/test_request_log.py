"""Equal headers share one text, and no text is kept forever."""

import sys

from charlotte.actors.state.logs import compact_headers


def _value(text: str) -> str:
    """An instance of its own, as each message of the browser has."""
    return "".join(list(text))


def test_equal_headers_share_one_text_that_is_not_interned() -> None:
    first, second = ({"x-cache": _value("hit, edge 17")} for _ in range(2))
    one, other = compact_headers(first)["x-cache"], compact_headers(second)["x-cache"]
    assert one is other
    assert sys.intern(_value("hit, edge 17")) is not one


def test_a_long_value_is_cut_and_not_shared() -> None:
    headers = {"cookie": _value("c" * 9000)}
    assert compact_headers(headers)["cookie"] == "c" * 8000 + "…"
    assert compact_headers(headers)["cookie"] is not compact_headers(headers)["cookie"]
