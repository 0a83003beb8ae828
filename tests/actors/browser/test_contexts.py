"""A session's contexts have what its sites had stored, and nothing of them outlives the session."""

import gc
import socket
import weakref
from collections.abc import Awaitable, Callable

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.browser.actor import Browser
from charlotte.actors.dispatcher import SANDBOX_WAIT
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import TabActor
from charlotte.base.errors import CharlotteError, DeadlineExceeded, SessionProblem
from charlotte.protocol.network import Cookie
from tests.actors.stage import URL, Caller, Stage
from tests.fake_page import Refused

LOGIN = Cookie(name="login", value="1", domain="shop.test", path="/")


async def test_a_first_tab_not_waited_for_leaves_no_context_without_cookies(stage: Stage) -> None:
    stage.record.context().cookies.keep([LOGIN])
    await wait_all_tasks_blocked()
    stage.browser.hold("Storage.setCookies")
    async with trio.open_nursery() as leaving:
        leaving.start_soon(stage.session.open_tab)
        unfurnished = await stage.browser.until_sent("Storage.setCookies")
        leaving.cancel_scope.cancel()
    await wait_all_tasks_blocked()
    (disposed,) = stage.browser.received("Target.disposeBrowserContext")
    del stage.browser.on["Storage.setCookies"]

    record = await stage.open_tab()
    assert disposed.params["browserContextId"] == unfurnished.params["browserContextId"]
    assert [
        one.params["browserContextId"] for one in stage.browser.received("Storage.setCookies")
    ] == [unfurnished.params["browserContextId"], stage.target(record).context]


async def test_nothing_that_its_sites_stored_is_left_of_a_closed_session(stage: Stage) -> None:
    await wait_all_tasks_blocked()
    session = stage.new_session("session-2")
    await stage.mailbox.ask(Browser.open_tab, session)
    left = weakref.ref(session.context())
    await stage.close_session(session)
    del session
    await wait_all_tasks_blocked()

    gc.collect()
    assert left() is None


async def test_tabs_that_are_opened_while_their_session_closes_leave_nothing_behind(
    stage: Stage, caller: Caller
) -> None:
    """Whatever the browser does last: make the context, dispose another, create the target."""
    await stage.open_tab()

    async def open_in(browser: Browser, context: str) -> object:
        return await browser.open_tab(stage.record, context=context)

    for held in ("Target.createBrowserContext", "Target.createTarget"):
        stage.browser.hold(held)
        caller.call(held, stage.mailbox, open_in, f"in-{held[7:15]}")
        await stage.browser.until_sent(held, 2)
        del stage.browser.on[held]
    stage.registry.close(stage.record)
    caller.call("late", stage.mailbox, open_in, "late")
    await wait_all_tasks_blocked()
    made = stage.browser.received("Target.createBrowserContext")
    stage.browser.answer(made[1], browserContextId="made late")
    asked = stage.browser.received("Target.createTarget")[1]
    late = stage.browser.open(asked.params["browserContextId"], "about:blank", held=True)
    stage.browser.answer(asked, targetId=late.id)
    with trio.fail_after(30):
        await stage.record.closed.wait()
    await trio.sleep(1)

    disposed = stage.browser.received("Target.disposeBrowserContext")
    assert "made late" in {one.params["browserContextId"] for one in disposed}
    assert len(disposed) == 3
    assert not stage.browser.targets
    assert {name: "closed" in error.message for name, error in caller.answers.items()} == {
        "Target.createBrowserContext": True,
        "Target.createTarget": True,
        "late": True,
    }
    assert len(stage.lives) == 1


async def test_a_session_closed_at_a_crash_stays_closed(stage: Stage, caller: Caller) -> None:
    record = await stage.open_tab("http://shop.test/")
    stage.browser.hold("Target.disposeBrowserContext")
    stage.registry.close(stage.record)
    await stage.browser.until_sent("Target.disposeBrowserContext")
    stage.browser.drop()
    await trio.sleep(5)

    assert stage.record.closed.is_set()
    assert not stage.registry.sessions
    assert not stage.browser.targets
    assert len(stage.lives) == 2
    caller.call("later", record.tab, TabActor.look)
    await wait_all_tasks_blocked()
    assert caller.answers["later"].code == "TAB_NOT_FOUND"


async def test_a_session_is_closed_at_once_while_there_is_no_browser(stage: Stage) -> None:
    record = await stage.open_tab("http://shop.test/")
    stage.browser.drop()
    await trio.sleep(0.05)  # less than the first pause before a restart
    assert stage.registry.incarnation is None
    stage.registry.close(stage.record)
    assert stage.record.closed.is_set()
    assert not stage.registry.sessions
    assert not record.ring.snapshots
    await trio.sleep(5)
    assert not stage.browser.targets


async def test_contexts_that_are_opened_at_once_stay_within_the_limit(
    stage: Stage, caller: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charlotte.actors.browser.contexts.MOST_CONTEXTS", 4)
    for number in range(4):
        record = await stage.session.open_tab(context=f"old{number}")
        await stage.session.close_tab(record.id)

    for number in range(6):
        caller.call(f"{number}", stage.mailbox, _open_in(stage, f"new{number}"))
    await wait_all_tasks_blocked()

    opened = {one.context.name for one in caller.answers.values() if isinstance(one, TabRecord)}
    refused = [one for one in caller.answers.values() if isinstance(one, SessionProblem)]
    assert (len(opened), len(refused)) == (4, 2)
    assert _named(stage) == opened
    assert len(stage.browser.received("Target.disposeBrowserContext")) == 4


async def test_a_context_whose_only_tab_could_not_be_opened_is_removed(stage: Stage) -> None:
    def refuse(_: object) -> None:
        raise Refused("no more targets")

    await stage.session.open_tab(context="kept")
    stage.browser.on["Target.createTarget"] = refuse
    for name in ("kept", "new"):
        with pytest.raises(CharlotteError, match="no more targets"):
            await stage.session.open_tab(context=name)
    await wait_all_tasks_blocked()

    assert _named(stage) == {"kept"}
    assert not stage.record.opening
    made = len(stage.browser.received("Target.createBrowserContext"))
    assert (made, len(stage.browser.received("Target.disposeBrowserContext"))) == (2, 1)


def _open_in(stage: Stage, context: str) -> Callable[[Browser], Awaitable[TabRecord]]:
    async def open_tab(browser: Browser) -> TabRecord:
        return await browser.open_tab(stage.record, context=context)

    return open_tab


def _named(stage: Stage) -> set[str]:
    return {name for name in stage.record.contexts if name}


async def connect(proxy: str, host: bytes) -> bytes:
    """Return the reply of a SOCKS proxy to a request for a host at port 80."""
    _, _, address = proxy.partition("://")
    name, _, port = address.rpartition(":")
    stream = await trio.open_tcp_stream(name, int(port))
    async with stream:
        await stream.send_all(b"\x05\x01\x00")
        assert await stream.receive_some(2) == b"\x05\x00"
        await stream.send_all(b"\x05\x01\x00\x03" + bytes([len(host)]) + host + b"\x00\x50")
        return bytes(await stream.receive_some(16))


async def test_the_proxy_of_a_program_refuses_every_host(stage: Stage) -> None:
    with socket.create_server(("127.0.0.1", 0)):
        async with stage.session.open_sandbox() as sandbox:
            [created] = stage.browser.received("Target.createBrowserContext")
            assert created.params["disposeOnDetach"]
            assert created.params["proxyBypassList"] == "<-loopback>"
            for host in (b"127.0.0.1", b"localhost", b"shop.test"):
                reply = await connect(created.params["proxyServer"], host)
                assert reply[1] == 2  # not allowed
            [downloads] = stage.browser.received("Browser.setDownloadBehavior")

    assert downloads.params["behavior"] == "deny"
    assert downloads.params["browserContextId"] == sandbox.context_id


async def test_the_page_of_a_program_is_no_tab_and_is_closed_at_the_end(stage: Stage) -> None:
    async with stage.session.open_sandbox() as sandbox:
        assert stage.browser.targets[sandbox.target_id].context == sandbox.context_id
        assert stage.registry.program_pages == {sandbox.target_id}
        assert not stage.record.tabs
        assert stage.registry.last_tab == 0
        [created] = stage.browser.received("Target.createBrowserContext")

    [disposed] = stage.browser.received("Target.disposeBrowserContext")
    assert disposed.params["browserContextId"] == sandbox.context_id
    assert stage.registry.program_pages == set()
    with pytest.raises(OSError, match="attempts to connect"):
        await connect(created.params["proxyServer"], b"shop.test")


async def test_a_browser_that_opens_no_page_is_an_error_in_time(stage: Stage) -> None:
    await stage.open_tab(URL)
    stage.browser.hold("Target.createBrowserContext")

    with trio.fail_after(SANDBOX_WAIT + 1), pytest.raises(DeadlineExceeded, match="no page"):
        async with stage.session.open_sandbox():
            pass


async def test_a_session_goes_on_after_the_browser_of_a_program_was_lost(stage: Stage) -> None:
    async with stage.session.open_sandbox() as sandbox:
        stage.browser.drop()
        await wait_all_tasks_blocked()
        assert not sandbox.session.is_open or stage.registry.incarnation is None

    async with stage.session.open_sandbox() as sandbox:
        assert sandbox.target_id in stage.browser.targets


POPUP = "http://other.test/"


async def test_a_window_of_a_program_is_closed(stage: Stage) -> None:
    async with stage.session.open_sandbox() as sandbox:
        popup = stage.browser.open(sandbox.context_id, POPUP, opener=sandbox.target_id, held=True)
        await wait_all_tasks_blocked()

        assert popup.id not in stage.browser.targets
        assert not stage.record.tabs
