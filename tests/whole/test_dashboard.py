"""The dashboard in a real browser that Charlotte drives."""

import os
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

import pytest
import trio

from charlotte import Config, Restored, Session, Tab, open_charlotte
from charlotte.api.app import Charlotte
from charlotte.server.http import bind_port, serve_http
from tests.site.server import open_site
from tests.whole.processes import renderers

pytestmark = [pytest.mark.chromium, pytest.mark.usefixtures("short_logs")]

TOKEN = "a token of the tests"  # noqa: S105
HOSTILE = "data:text/html,<title>%3Cimg src=x onerror=document.title='caught'%3E</title>"


@asynccontextmanager
async def shown() -> AsyncGenerator[tuple[Charlotte, str]]:
    """Start a server; yield it with the URL of its dashboard."""
    config = Config(http=True, port=0, dashboard=True, auth_token=TOKEN)
    send, receive = trio.open_memory_channel[str](1)
    async with open_charlotte(config) as charlotte, trio.open_nursery() as nursery:
        port, stop = bind_port(config), trio.Event()
        shown = charlotte.dashboard_state
        serve = partial(serve_http, dashboard_state=shown)
        nursery.start_soon(serve, charlotte, config, port, stop, send.send_nowait)
        yield charlotte, (await receive.receive()).replace("/mcp", "/dashboard/")
        nursery.cancel_scope.cancel()


async def test_the_dashboard_shows_the_activity_of_agents_to_token_holders() -> None:
    async with (
        open_site() as site,
        shown() as (charlotte, address),
        charlotte.open_session() as people,
        charlotte.open_session() as agent,
    ):
        view = await people.open_tab(address)
        await _let_in(view)
        tab = await agent.open_tab(site.url("/counter.html"))
        other = await agent.open_tab(HOSTILE)
        await _see_tabs(view, tab, other)
        await _see_a_call(view, tab)
        await _see_a_crash(view, agent)
        messages = [one.text for one in await view.console(level="error")]
        assert [] == [text for text in messages if "Security Policy" in text or "TypeError" in text]
        assert address == (await view.observe()).url  # the token is not in it


async def _let_in(view: Tab) -> None:
    await view.wait_for(selector="#token")
    await _give(view, "wrong")
    await view.wait_for(text="does not take this token")
    await _give(view, TOKEN)
    await view.wait_for(js="document.querySelector('#connection').dataset.state === 'live'")


async def _give(view: Tab, token: str) -> None:
    page = await view.observe()
    field = page.element("Token")
    await view.type(token, element_id=field.id, press_enter=True)


async def _see_tabs(view: Tab, tab: Tab, other: Tab) -> None:
    await view.wait_for(text="Counter · Harbour Books")
    await view.wait_for(text="<img src=x onerror=document.title='caught'>")
    await view.wait_for(js=f"document.querySelector('[data-key={tab.id}] img').naturalWidth > 100")
    assert "Charlotte · live" == (await view.observe()).title
    shown = (await _text(view, "#sessions")).lower()
    assert all(word in shown for word in ("2 tabs", tab.id, other.id))


async def _see_a_call(view: Tab, tab: Tab) -> None:
    async with trio.open_nursery() as nursery:
        nursery.start_soon(lambda: tab.wait_for(js="globalThis.done", timeout=60_000))
        for part in ("#running", "#actors"):
            await view.wait_for(
                js=f"document.querySelector('{part}').innerText.includes('wait_for')"
            )
        nursery.cancel_scope.cancel()
    assert "median" in await _text(view, "#latency")
    assert 5 <= await _count(view, "#latency svg rect")
    actors = await _text(view, "#actors")
    assert all(name in actors for name in ("charlotte", "browser", "snapshots", tab.id, "console"))


async def _see_a_crash(view: Tab, agent: Session) -> None:
    """Kill every renderer, that of the view too, and check that the view reconnects."""
    back = agent.events(Restored)
    for pid in renderers(os.getpid()):
        os.kill(pid, signal.SIGKILL)
    with trio.fail_after(60):
        await anext(back)
    await view.wait_for(js="document.querySelector('#actors')?.innerText.includes('↻ 1')")


async def _count(view: Tab, selector: str) -> int:
    found = await view.evaluate(f"document.querySelectorAll('{selector}').length")
    return int(found.value)


async def _text(view: Tab, selector: str) -> str:
    found = await view.evaluate(f"document.querySelector('{selector}').innerText")
    return str(found.value)
