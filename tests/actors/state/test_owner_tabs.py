"""Owners grant addresses by match patterns, and the site of a tab by a click."""

import pytest

from charlotte.actors.state.owner_tabs import owner_tabs
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


def test_a_click_grants_the_site_that_the_tab_shows_in_this_tab_alone() -> None:
    owner = owner_tabs([])
    for target_id in ("A", "B"):
        owner.note(target_id, "https://mail.test/inbox", "Inbox")
    assert owner.granted() == []

    assert owner.grant("owner-1")

    assert [tab.id for tab in owner.granted()] == ["owner-1"]
    assert owner.is_granted("https://mail.test/sent", "A")
    assert not owner.is_granted("https://bank.test/", "A")
    assert not owner.is_granted("https://mail.test/sent", "B")
    owner.withdraw("owner-1")
    assert owner.granted() == []


def test_a_click_on_a_page_without_a_site_grants_nothing() -> None:
    owner = owner_tabs([])
    owner.note("A", "chrome://settings/", "Settings")
    assert not owner.grant("owner-1")
    assert not owner.grant("owner-2")
    assert owner.granted() == []
