"""Pages of programs: contexts without a network, outside all sessions, closed at the end."""

import socket

import pytest
import trio
from trio.testing import wait_all_tasks_blocked

from charlotte.actors.dispatcher import SANDBOX_WAIT
from charlotte.base.errors import DeadlineExceeded
from tests.actors.stage import URL, Stage


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
