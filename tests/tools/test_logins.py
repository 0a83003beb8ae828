"""The values of a saved login that are redacted."""

import json

import pytest

from charlotte.protocol.network import Cookie
from charlotte.tools.logins import is_distinctive, secret_values

TOKEN = "4f7Yk2Qp9sLmZx0Wc8Vb"  # noqa: S105


@pytest.mark.parametrize(
    "word",
    [
        TOKEN,
        "550e8400-e29b-41d4-a716-446655440000",
        "0123456789abcdef0123456789abcdef",
        "12345678901234567890",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    ],
)
def test_long_irregular_values_are_redacted(word: str) -> None:
    assert is_distinctive(word)


@pytest.mark.parametrize(
    "word",
    [
        "1",
        "true",
        "en-US",
        "dark",
        TOKEN[:19],
        "internationalization",
        "2026-11-27T11:33:52.181Z",
        "https://shop.test/orders/4711",
        "ada.lovelace1815@example.org",
        TOKEN * 500,
    ],
)
def test_values_that_occur_in_many_texts_are_not(word: str) -> None:
    assert not is_distinctive(word)


def test_values_are_found_in_cookies_and_in_json_at_any_depth() -> None:
    cookies = [
        Cookie(name="a", value=f"{TOKEN}a", domain="shop.test"),
        Cookie(name="b", value="k3y-4711", domain="shop.test", http_only=True),
        Cookie(name="c", value="k3y-4712", domain="shop.test"),
        Cookie(name="d", value="short", domain="shop.test", http_only=True),
        Cookie(name="e", value=f"%7B%22t%22%3A%22{TOKEN}e%22%7D", domain="shop.test"),
    ]
    inner = json.dumps({"token": f"{TOKEN}i"})
    stored = json.dumps({"user": {"name": "Ada", "list": [1, None, f"Bearer {TOKEN}s", inner]}})
    items = {"https://shop.test": [("auth", stored), ("query", f"id=1&key={TOKEN}q"), ("n", "1")]}
    found = set(secret_values(cookies, items))
    assert found >= {f"{TOKEN}{letter}" for letter in "aeisq"} | {"k3y-4711"}
    assert found.isdisjoint({"k3y-4712", "short", "1", "Ada", "Bearer"})


def test_deep_json_is_no_problem() -> None:
    deep = '{"a":' * 900 + f'"{TOKEN}"' + "}" * 900
    assert TOKEN in secret_values([], {"https://shop.test": [("deep", deep)]})


def test_a_login_that_is_too_large_is_redacted_in_part() -> None:
    items = [(f"{number}", f"{number:06}{TOKEN}" * 200) for number in range(60)]
    values = secret_values([], {"https://shop.test": items})
    assert 0 < sum(map(len, values)) <= 200_000
