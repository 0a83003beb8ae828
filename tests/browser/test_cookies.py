"""The jar: which cookies a browser that was started again is given."""

import trio

from charlotte.browser.cookies import Jar
from charlotte.protocol.connection import open_connection
from charlotte.protocol.storage import Cookie, CookieParam
from tests.fakes import FakeBrowser


def cookie(name: str, domain: str = "a.test") -> CookieParam:
    return CookieParam(name=name, value="1", domain=domain)


def gone(name: str, domain: str) -> Cookie:
    return Cookie(
        name=name, value="1", domain=domain, path="/", expires=-1, http_only=False, secure=False
    )


async def restored(jar: Jar) -> list[list[str]]:
    browser = FakeBrowser()
    async with open_connection(browser) as connection:
        await jar.restore(connection.root, "context-1")
    sent = browser.received("Storage.setCookies")
    assert all(one.params["browserContextId"] == "context-1" for one in sent)
    return [[cookie["name"] for cookie in one.params["cookies"]] for one in sent]


async def test_what_was_set_is_given_back_unless_it_was_cleared() -> None:
    jar = Jar()
    jar.keep([cookie("a"), cookie("b"), cookie("c", ".b.test")])
    jar.keep([cookie("a")])
    jar.forget([gone("b", ".a.test"), gone("c", "other.test")])

    with trio.fail_after(5):
        assert await restored(jar) == [["a", "c"]]


async def test_without_cookies_nothing_is_sent() -> None:
    with trio.fail_after(5):
        assert await restored(Jar()) == []
