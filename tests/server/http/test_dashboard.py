"""The routes of the live view: a public page, and data that requires a token."""

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any

import httpx2
import pytest
import trio

from charlotte.actors.kernel.mailbox import Event, Restarted
from charlotte.actors.state.events import Crashed, Loaded, TabClosed, TabEvent, TabOpened
from charlotte.base.errors import InvalidArgument, SessionProblem
from charlotte.config.checks import check
from charlotte.config.config import Config
from charlotte.server.http.dashboard import EVENT_TEXTS, event_row
from tests.server.clients import PATIENCE
from tests.server.http.stage import TOKEN, Logs, Running, open_http, reasons, until

API = ("/dashboard/api/live", "/dashboard/api/tabs/tab-1/picture")


async def test_the_dashboard_is_disabled_by_default() -> None:
    async with open_http() as running:
        assert 404 == (await running.get("/dashboard/")).status_code


async def test_the_page_is_public_and_its_policy_allows_only_its_own_resources() -> None:
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        page = await running.get("/dashboard/")
        script = await running.get("/dashboard/app.js")
        redirect = await running.get("/dashboard")

    assert page.headers["content-type"].startswith("text/html")
    assert script.headers["content-type"].startswith("text/javascript")
    assert "/dashboard/" == redirect.headers["location"]
    policy = page.headers["content-security-policy"].split("; ")
    assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= set(policy)
    assert "unsafe" not in page.headers["content-security-policy"]
    assert not any(word in page.text for word in ("onclick", "style=", "https://"))


def test_the_dashboard_requires_a_shared_token_even_with_oauth() -> None:
    oauth: dict[str, Any] = {
        "oauth_issuer": "https://login.test",
        "oauth_audience": "https://here.test",
    }

    with pytest.raises(InvalidArgument, match="CHARLOTTE_AUTH_TOKEN"):
        check(Config(http=True, dashboard=True, **oauth))
    check(Config(http=True, dashboard=True, auth_token=TOKEN, **oauth))


@pytest.mark.parametrize("path", API)
@pytest.mark.parametrize(
    ("headers", "reason"), [({}, "no token"), ({"authorization": "Bearer wrong"}, "wrong token")]
)
async def test_the_data_of_the_dashboard_requires_the_token(
    path: str, headers: dict[str, str], reason: str, logs: Logs
) -> None:
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        assert 401 == (await running.get(path, **headers)).status_code
    assert [reason] == reasons(logs)


async def test_the_dashboard_has_a_token_of_its_own_if_the_server_has_none(logs: Logs) -> None:
    async with open_http(dashboard=True) as running:
        await until(lambda: len(running.announced) > 1)
        page, _, token = running.announced[1].partition("#token=")
        refused = await running.get(API[1])
        shown = await running.get(API[1], authorization=f"Bearer {token}")

    assert f"{running.origin}/dashboard/" == page
    assert [401, 200] == [refused.status_code, shown.status_code]


async def test_the_image_of_a_tab_is_served_only_if_the_tab_exists() -> None:
    async with open_http(dashboard=True, auth_token=TOKEN) as running:
        allowed = {"authorization": f"Bearer {TOKEN}"}
        picture = await running.get(API[1], **allowed)
        nothing = await running.get(API[1].replace("tab-1", "tab-9"), **allowed)

    assert ("image/jpeg", b"a picture") == (picture.headers["content-type"], picture.content)
    assert "no-store" == picture.headers["cache-control"]
    assert 204 == nothing.status_code


async def test_state_and_events_are_streamed_until_the_server_ends() -> None:
    async with (
        open_http(dashboard=True, auth_token=TOKEN) as running,
        httpx2.AsyncClient(timeout=PATIENCE, headers={"authorization": f"Bearer {TOKEN}"}) as http,
        http.stream("GET", running.origin + API[0]) as response,
        aclosing(_frames(response)) as frames,
    ):
        first = await anext(frames)
        running.application.dashboard_state.feed.publish(
            Loaded(tab_id="tab-1", url="about:blank?hush")
        )
        second = await anext(frames)
        third = await anext(frames)
        await _end(running)
        with suppress(httpx2.RemoteProtocolError):
            rest = [frame async for frame in frames]
            assert len(rest) <= 1

    assert ("state", {"looks": 1}) == first
    assert ("event", "loaded about:blank?<secret>PIN</secret>") == (second[0], second[1]["text"])
    assert ("state", {"looks": 2}) == third


async def _end(running: Running) -> None:
    running.stop.set()
    with trio.fail_after(PATIENCE):
        await running.ended.wait()


async def _frames(response: httpx2.Response) -> AsyncGenerator[tuple[str, dict[str, Any]]]:
    name = ""
    async for line in response.aiter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line:
            yield name, json.loads(line.removeprefix("data: "))


def test_every_event_has_a_text() -> None:
    kinds = {*Event.__subclasses__(), *TabEvent.__subclasses__()} - {TabEvent}
    crash = SessionProblem("a bug")

    assert kinds == set(EVENT_TEXTS)
    assert "renderer died at x" == event_row(Crashed(tab_id="tab-1", url="x"))["text"]
    assert "opened by tab-1" == event_row(TabOpened(tab_id="tab-2", opener="tab-1"))["text"]
    assert "tab-1" == event_row(TabClosed(tab_id="tab-1"))["tab"]
    back = event_row(Restarted(actor="browser", cause=crash, restarts=1, wait=0.1))
    assert (None, "browser crashed, comes back in 0.1 s") == (back["tab"], back["text"])
    gone = event_row(Restarted(actor="tab-1", cause=crash, restarts=3, wait=None))
    assert "tab-1 was given up" == gone["text"]
