"""Cookies: set by agents and sites, returned, sent, and deleted."""

from collections.abc import Generator

import pytest

from tests.whole.tabs import Tab

pytestmark = pytest.mark.chromium

LATER = 4_000_000_000


@pytest.fixture
def site(tab: Tab) -> Generator[Tab]:
    """A tab in a context without cookies."""
    tab.call("clear_cookies")
    tab.open("<h1>Site</h1>")
    yield tab
    tab.call("clear_cookies")


def sent(tab: Tab) -> str | None:
    path = tab.web.write("<h1>Asked</h1>")
    tab.call("navigate", url=tab.web.url(path))
    return tab.web.asked(path)[-1].headers.get("cookie")


@pytest.mark.smoke
@pytest.mark.req("C-COOK-01")
def test_set_cookies_are_sent_in_all_tabs(site: Tab) -> None:
    cookies = [
        {"name": "a", "value": "1", "domain": "127.0.0.1"},
        {"name": "b", "value": "2", "domain": "127.0.0.1", "httpOnly": True, "sameSite": "Strict"},
        {"name": "c", "value": "3", "domain": "elsewhere.test"},
    ]

    error = site.refused("set_cookies", cookies=[{"name": "a", "value": "1"}])
    assert (error["code"], "domain" in error["message"]) == ("INVALID_ARGUMENT", True)
    assert site.call("set_cookies", cookies=cookies) == {"set": 3}

    assert sent(site) == "a=1; b=2"
    assert sent(site.beside()) == "a=1; b=2"
    assert site.js("document.cookie") == "a=1"


@pytest.mark.req("C-COOK-01")
def test_cookies_are_returned_unchanged(site: Tab) -> None:
    cookie = {"name": "id", "value": "v=1", "domain": ".shop.test", "path": "/cart",
              "secure": True, "same_site": "None", "expires": LATER}  # fmt: skip
    site.call("set_cookies", cookies=[cookie])
    site.js("document.cookie = 'own=page'; 0")

    answer = site.call("get_cookies")

    by_name = {one["name"]: one for one in answer["cookies"]}
    assert answer["count"] == 2
    assert by_name["own"]["domain"] == "127.0.0.1"
    assert by_name["own"]["expires"] == -1
    expires = by_name["id"].pop("expires")
    assert 0 < expires <= LATER
    assert by_name["id"] == {
        "name": "id",
        "value": "v=1",
        "domain": ".shop.test",
        "path": "/cart",
        "httpOnly": False,
        "secure": True,
        "sameSite": "None",
    }


def test_cookies_of_a_domain_include_its_subdomains(site: Tab) -> None:
    domains = ["shop.test", ".shop.test", "www.shop.test", "myshop.test"]
    site.call("set_cookies", cookies=[
        {"name": f"n{number}", "value": "", "domain": domain}
        for number, domain in enumerate(domains)
    ])  # fmt: skip

    def names(**filters: str) -> list[str]:
        found = site.call("get_cookies", **filters)["cookies"]
        return sorted(one["name"] for one in found)

    assert names(domain="shop.test") == ["n0", "n1", "n2"]
    assert names(domain="shop.test", name="n1") == ["n1"]
    assert site.call("clear_cookies", domain="shop.test") == {"cleared": 3}
    assert names() == ["n3"]
    assert site.call("clear_cookies") == {"cleared": 1}
    assert names() == []


def test_an_invalid_cookie_is_refused_by_name(site: Tab) -> None:
    good = {"name": "good", "value": "1", "domain": "127.0.0.1"}

    error = site.refused("set_cookies", cookies=[good, {**good, "name": "b;d", "value": "x\n"}])

    assert error["code"] == "INVALID_ARGUMENT"
    assert "'b;d'" in error["message"]
    assert sent(site) == "good=1"
