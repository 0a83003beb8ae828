"""Headers are kept by the thousand, so equal ones are one text; none is kept for ever."""

import sys

from charlotte.actors.state.wire_headers import kept


def _value(text: str) -> str:
    """An instance of its own, as each message of the browser has."""
    return "".join(list(text))


def test_equal_headers_share_one_text_that_is_not_interned() -> None:
    first, second = ({"x-cache": _value("hit, edge 17")} for _ in range(2))
    one, other = kept(first)["x-cache"], kept(second)["x-cache"]
    assert one is other
    assert sys.intern(_value("hit, edge 17")) is not one


def test_a_long_value_is_cut_and_not_shared() -> None:
    told = {"cookie": _value("c" * 9000)}
    assert kept(told)["cookie"] == "c" * 8000 + "…"
    assert kept(told)["cookie"] is not kept(told)["cookie"]
