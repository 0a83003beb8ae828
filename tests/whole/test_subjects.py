"""Budgets of two users of one server, whose tokens are of an OAuth server."""

import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import attrs
import httpx2
import pytest

from bench.agents import open_http_server
from tests.server.http.clients import C, Message, Stateless, connected
from tests.server.http.oauth import AUDIENCE, Provider, open_provider

pytestmark = pytest.mark.chromium

TOKEN = "a token of the operator"  # noqa: S105
PAGE = "data:text/html,<title>Mine</title><a href='about:blank' target=_blank>More</a>"


@attrs.frozen
class Users:
    """A server with budgets, and the stack that its clients are closed with."""

    url: str
    provider: Provider
    stack: AsyncExitStack

    async def connect(self, subject: str, kind: type[C]) -> C:
        """Connect a client of a user that has no session yet."""
        bearer = f"Bearer {self.provider.token(sub=subject)}"
        opened = connected(kind, self.url, authorization=bearer)
        return await self.stack.enter_async_context(opened)

    async def read_metrics(self) -> str:
        headers = {"authorization": f"Bearer {TOKEN}"}
        async with httpx2.AsyncClient(headers=headers) as http:
            return (await http.get(self.url.replace("/mcp", "/metrics"))).text


@asynccontextmanager
async def open_users(
    directory: Path, monkeypatch: pytest.MonkeyPatch, *flags: str
) -> AsyncGenerator[Users]:
    monkeypatch.setenv("CHARLOTTE_AUTH_TOKEN", TOKEN)
    async with open_provider(directory) as provider, AsyncExitStack() as stack:
        oauth = ("--oauth-issuer", provider.url, "--oauth-audience", AUDIENCE)
        server = open_http_server("--answers", "json", *oauth, *flags)
        url, _ = await stack.enter_async_context(server)
        yield Users(url, provider, stack)


def _error(answer: Message) -> Any:
    assert answer["isError"], answer
    return json.loads(answer["content"][0]["text"])["error"]


async def test_a_user_who_has_used_up_a_budget_is_refused_and_others_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = ("--subject-sessions", "2", "--subject-tabs", "3")
    async with open_users(tmp_path, monkeypatch, *flags) as users:
        ada, second, third, eve = [
            await users.connect(subject, Stateless) for subject in ("ada", "ada", "ada", "eve")
        ]
        for client in (ada, ada, second):
            assert not (await client.call("tab_open", url=PAGE))["isError"]
        refused = _error(await second.call("tab_open", url=PAGE))
        assert refused["code"] == "BUDGET_EXCEEDED"
        assert refused["details"] == {"budget": "tabs", "limit": 3, "used": 3}
        refused = _error(await third.call("tabs"))
        assert refused["message"].startswith("The budget of 2 sessions is used up")
        assert refused["details"]["retry_after_s"] > 0
        for _ in range(3):
            assert not (await eve.call("tab_open", url=PAGE))["isError"]
        await _a_popup_is_closed(ada)
        metrics = await users.read_metrics()
        assert 'charlotte_refusals_total{reason="sessions"} 1.0' in metrics
        assert 'outcome="BUDGET_EXCEEDED",tool="tab_open"' in metrics
        await second.leave()
        assert not (await ada.call("tab_open", url=PAGE))["isError"]


async def _a_popup_is_closed(client: Stateless) -> None:
    """Click a link that would open one tab too many."""
    [link] = json.loads((await client.call("find", text="More"))["content"][0]["text"])
    clicked = (await client.call("click", element_id=link["id"]))["content"][0]["text"]
    assert "A tab that the page opened was closed: The budget of 3 open tabs" in clicked
    assert len(json.loads((await client.call("tabs"))["content"][0]["text"])) == 2
