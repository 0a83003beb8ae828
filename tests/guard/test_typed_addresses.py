"""Completion of typed addresses, and errors for invalid ones."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.base.errors import CharlotteError, InvalidArgument, NavigationBlocked
from charlotte.guard.url_guard import Guard


@pytest.mark.parametrize(
    ("typed", "loaded"),
    [
        ("https://a.test/x?y#z", "https://a.test/x?y#z"),
        ("HTTP://a.test", "HTTP://a.test"),
        ("  http://a.test/\n", "http://a.test/"),
        ("a.test", "https://a.test"),
        ("a.test:8080/x", "https://a.test:8080/x"),
        ("localhost:3000", "http://localhost:3000"),
        ("localhost", "http://localhost"),
        ("127.0.0.1:3000/x", "http://127.0.0.1:3000/x"),
        ("[::1]:3000", "http://[::1]:3000"),
        ("data:text/html,hi", "data:text/html,hi"),
        ("about:blank", "about:blank"),
    ],
)
def test_a_typed_address_is_completed(typed: str, loaded: str) -> None:
    assert Guard().checked(typed) == loaded


@pytest.mark.parametrize(
    "typed",
    [
        "file:///etc/passwd",
        "FILE:///etc/passwd",
        "javascript:alert(1)",
        "chrome://settings",
        "view-source:http://a.test",
        "blob:http://a.test/1",
        "ftp://a.test/",
        "about:config",
        "devtools://devtools",
    ],
)
def test_other_schemes_are_blocked(typed: str) -> None:
    with pytest.raises(NavigationBlocked, match="URLs are not allowed"):
        Guard().checked(typed)


@given(st.text() | st.from_regex(r"[a-z]{0,5}:?/{0,2}[\[\]:@/.a-z0-9]{0,12}"))
def test_every_text_is_a_url_or_an_error(typed: str) -> None:
    with suppress(CharlotteError):
        url = Guard().checked(typed).lower()
        assert url.startswith(("http://", "https://", "data:", "about:blank"))


def test_an_invalid_address_is_an_error() -> None:
    with pytest.raises(InvalidArgument, match="is not a URL"):
        Guard().checked("http://[::1")
