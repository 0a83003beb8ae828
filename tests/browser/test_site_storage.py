"""Backup of cookies, and what a restarted browser gets back."""

from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import MockClock

from charlotte.base.errors import BrowserSilent
from charlotte.browser.world.site_storage import (
    CookieBackup,
    delete_cookies,
    get_cookies,
    set_cookies,
)
from charlotte.protocol.connection import CdpSession, open_connection
from charlotte.protocol.network import Cookie
from tests.fakes import FakeBrowser


def cookie(name: str, domain: str = "a.test") -> Cookie:
    return Cookie(name=name, value="1", domain=domain)


def gone(name: str, domain: str) -> Cookie:
    return Cookie(
        name=name, value="1", domain=domain, path="/", expires=-1, http_only=False, secure=False
    )


async def restored(jar: CookieBackup) -> list[list[str]]:
    browser = FakeBrowser()
    async with open_connection(browser) as connection:
        await jar.restore(connection.root, "context-1")
    sent = browser.received("Storage.setCookies")
    assert all(one.params["browserContextId"] == "context-1" for one in sent)
    return [[cookie["name"] for cookie in one.params["cookies"]] for one in sent]


async def test_cookies_are_restored_unless_they_were_deleted() -> None:
    jar = CookieBackup()
    jar.keep([cookie("a"), cookie("b"), cookie("c", ".b.test")])
    jar.keep([cookie("a")])
    jar.forget([gone("b", ".a.test"), gone("c", "other.test")])

    with trio.fail_after(60):
        assert await restored(jar) == [["a", "c"]]


async def find(root: CdpSession) -> None:
    await get_cookies(root, "context-1")


async def set_one(root: CdpSession) -> None:
    await set_cookies(root, "context-1", [cookie("a")])


async def delete_one(root: CdpSession) -> None:
    await delete_cookies(root, [gone("a", "a.test")])


@pytest.mark.parametrize(
    ("method", "work"),
    [
        ("Storage.getCookies", find),
        ("Storage.setCookies", set_one),
        ("Network.deleteCookies", delete_one),
    ],
)
async def test_a_hanging_cookie_store_is_an_error_within_seconds(
    method: str, work: Callable[[CdpSession], Awaitable[None]], autojump_clock: MockClock
) -> None:
    browser = FakeBrowser()
    browser.hold(method)

    async with open_connection(browser) as connection:
        with trio.fail_after(6), pytest.raises(BrowserSilent, match="cookie store"):
            await work(connection.root)
