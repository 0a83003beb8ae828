"""Storage states: every field of a state saved by Playwright is accepted."""

import json
from pathlib import Path
from typing import Any

import pytest

from charlotte.actors.state.context_record import ContextRecord
from charlotte.base.errors import InvalidArgument
from charlotte.tools.states import read_file, read_state

FILE = Path(__file__).with_name("states") / "playwright.json"


def test_the_state_of_a_playwright_context_is_read_completely() -> None:
    state = read_state(json.loads(FILE.read_text()))
    assert [(one.name, one.value) for one in state.cookies] == [("who", "me"), ("sid", "1")]
    assert state.items == {"http://127.0.0.1:44771": [("token", "t1")]}


def test_a_context_can_start_with_a_playwright_state() -> None:
    context = ContextRecord()
    context.begin_with(read_file(FILE))
    assert context.origins == {"http://127.0.0.1:44771"}
    assert [*context.items.by_origin] == ["http://127.0.0.1:44771"]


def test_unknown_parts_of_a_state_are_refused_at_any_depth() -> None:
    item: dict[str, Any] = {"name": "a", "value": "b", "indexedDB": []}
    with pytest.raises(InvalidArgument, match=r"\[0\]\.indexedDB is not allowed"):
        read_state({"origins": [{"origin": "https://a.test", "localStorage": [item]}]})
    nested: list[Any] = []
    for _ in range(700):
        nested = [nested]
    with pytest.raises(InvalidArgument, match="Invalid storage state"):
        read_state({"cookies": nested})
