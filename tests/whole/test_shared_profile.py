"""Two clients over HTTP in one browser profile: common logins, own tabs and contexts."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench.agents import open_http_server
from tests.server.http.clients import Handshaking, HttpClient, Message, Stateless, connected
from tests.site.server import PAGES, open_site

pytestmark = pytest.mark.chromium


@pytest.mark.extended
async def test_two_http_clients_share_a_profile_but_no_tabs(tmp_path: Path) -> None:
    # One server for all checks, because its start takes seconds
    profile = tmp_path / "profile"
    async with (
        open_site(PAGES) as site,
        open_http_server("--user-data-dir", str(profile)) as (address, _),
        connected(Stateless, address) as one,
        connected(Handshaking, address) as other,
    ):
        url = site.url("/index.html")
        await _a_login_is_common_and_reported(one, other, url)
        await _popups_belong_to_their_opener(one, other, url)
        await _a_session_ends_alone(one, other, url)
    assert profile.is_dir()


async def answer_of(client: HttpClient, tool: str, **arguments: Any) -> Message:
    result = await client.call(tool, **arguments)
    assert not result["isError"], result
    answer: Message = json.loads(result["content"][0]["text"])
    return answer


async def value_of(client: HttpClient, expression: str, **arguments: Any) -> object:
    return (await answer_of(client, "evaluate", expression=expression, **arguments))["value"]


async def tabs_of(client: HttpClient) -> list[str]:
    rows = json.loads((await client.call("tabs"))["content"][0]["text"])
    return [row["id"] for row in rows]


async def _a_login_is_common_and_reported(one: HttpClient, other: HttpClient, url: str) -> None:
    alone = await answer_of(one, "navigate", url=url)
    await value_of(one, "document.cookie = 'who=ada'; localStorage.who = 'ada'; 0")
    shared = await answer_of(other, "navigate", url=url)
    assert await value_of(other, "document.cookie + localStorage.who") == "who=adaada"

    assert "notices" not in alone
    [notice] = shared["notices"]
    assert "Other sessions work in this browser profile too" in notice
    assert (await answer_of(one, "observe"))["notices"] == [notice]
    assert "notices" not in await answer_of(one, "observe")

    clean = await answer_of(other, "tab_open", url=url, context="clean")
    assert await value_of(other, "document.cookie", tab_id=clean["tab_id"]) == ""
    await other.call("tab_close", tab_id=clean["tab_id"])
    assert await tabs_of(one) == ["tab-1"]
    assert await tabs_of(other) == ["tab-2"]


async def _popups_belong_to_their_opener(one: HttpClient, other: HttpClient, url: str) -> None:
    markup = f"<a href={url} rel=noopener target=_blank>New tab</a><a href={url}>Link</a>"
    for client in (one, other):
        await value_of(client, f"document.body.innerHTML = {markup!r}; 0")
        before = await tabs_of(client)
        for text, modifiers in (("New tab", []), ("Link", ["ctrl"])):
            [link] = json.loads((await client.call("find", text=text))["content"][0]["text"])
            clicked = await answer_of(client, "click", element_id=link["id"], modifiers=modifiers)
            before += [tab["id"] for tab in clicked["opened_tabs"]]
        assert len(before) == 3
        assert await tabs_of(client) == before


async def _a_session_ends_alone(one: Stateless, other: Handshaking, url: str) -> None:
    before = await tabs_of(one)
    await other.leave()
    await answer_of(one, "navigate", url=url)
    assert await tabs_of(one) == before
    assert await value_of(one, "document.cookie") == "who=ada"
