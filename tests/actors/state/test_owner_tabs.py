"""Owners grant addresses by match patterns."""

import pytest

from charlotte.base.urls import read_pattern


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("https://mail.test/*", "https://mail.test/inbox?page=2"),
        ("https://mail.test/*", "https://mail.test"),
        ("https://mail.test/*", "https://MAIL.test:8443/inbox"),
        ("https://mail.test:8443/*", "https://mail.test:8443/inbox"),
        ("https://mail.test:443/*", "https://mail.test/inbox"),
        ("*://*.mail.test/*", "http://mail.test/"),
        ("*://*.mail.test/*", "https://a.b.mail.test/"),
        ("*://*/*", "http://[::1]:3000/"),
        ("http://[::1]:3000/*", "http://[::1]:3000/x"),
        ("https://mail.test/u/0/*", "https://mail.test/u/0/inbox"),
        ("https://mail.test/a[1]?b=*", "https://mail.test/a[1]?b=2"),
    ],
)
def test_a_pattern_matches_its_addresses(pattern: str, url: str) -> None:
    found = read_pattern(pattern)
    assert found is not None
    assert found.matches(url)


@pytest.mark.parametrize(
    ("pattern", "url"),
    [
        ("https://mail.test/*", "http://mail.test/"),
        ("https://mail.test/*", "https://evil.test/https://mail.test/"),
        ("https://mail.test/*", "https://mail.test@evil.test/"),
        ("https://mail.test/*", "https://mail.test.evil.test/"),
        ("https://*.mail.test/*", "https://evilmail.test/"),
        ("https://*.mail.test/*", "https://evil.test/a.mail.test/"),
        ("https://mail.test:8443/*", "https://mail.test/"),
        ("https://mail.test/u/0/*", "https://mail.test/u/1/"),
        ("https://mail.test/a?c", "https://mail.test/abc"),
        ("*://*/*", "file:///etc/passwd"),
        ("*://*/*", "chrome://settings/"),
        ("*://*/*", "about:blank"),
        ("*://*/*", "https://[broken"),
    ],
)
def test_a_pattern_matches_nothing_else(pattern: str, url: str) -> None:
    found = read_pattern(pattern)
    assert found is not None
    assert not found.matches(url)


@pytest.mark.parametrize(
    "text",
    ["", "mail.test", "https://mail.test", "https://m*l.test/", "ftp://mail.test/", "https:///x"],
)
def test_other_texts_are_no_patterns(text: str) -> None:
    assert read_pattern(text) is None
