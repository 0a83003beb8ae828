"""Agents from elsewhere do not get into our network by way of a page."""

import json

import pytest

from charlotte import Config, Restarted, Text, open_charlotte
from charlotte.demo.web import open_site
from tests.server.http.stage import TOKEN

_FETCH = "fetch({!r}, {{mode: 'no-cors'}}).then(() => 'reached', error => error.message)"

pytestmark = pytest.mark.chromium


async def test_a_page_that_may_be_opened_cannot_ask_private_hosts_for_anything() -> None:
    config = Config(http=True, host="192.0.2.1", auth_token=TOKEN, allow_host=("localhost",))
    found: dict[str, str] = {}
    async with (
        open_site() as site,
        open_charlotte(config) as charlotte,
        charlotte.open_session() as session,
    ):
        await session.call("navigate", {"url": site.url("/index.html", host="localhost")})
        for host in ("localhost", "127.0.0.1", "[::1]"):
            expression = _FETCH.format(site.url("/form.html", host=host))
            [block] = (await session.call("evaluate", {"expression": expression})).blocks
            assert isinstance(block, Text)
            found[host] = json.loads(block.text)["value"]
    assert found == {
        "localhost": "reached",
        "127.0.0.1": "Failed to fetch",
        "[::1]": "Failed to fetch",
    }


async def test_a_name_that_no_host_can_have_harms_nobody() -> None:
    config = Config(http=True, host="192.0.2.1", auth_token=TOKEN)
    restarts: list[Restarted] = []
    async with (
        open_charlotte(config, on_restart=restarts.append) as charlotte,
        charlotte.open_session() as session,
    ):
        await session.call("navigate", {"url": "data:text/html,<h1>Page</h1>"})
        for host in (f"{'a' * 64}.test", "a..b"):
            expression = _FETCH.format(f"http://{host}/")
            [block] = (await session.call("evaluate", {"expression": expression})).blocks
            assert isinstance(block, Text)
            assert json.loads(block.text)["value"] == "Failed to fetch"
    assert restarts == []
