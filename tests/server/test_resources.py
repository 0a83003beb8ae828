"""What the server offers to be read."""

import json

import pytest
from mcp.shared.exceptions import MCPError
from mcp_types import TextResourceContents

from charlotte.server.resources import STATUS
from tests.server.clients import open_client
from tests.server.fake_server import FakeService

both_eras = pytest.mark.parametrize("mode", ["legacy", "2026-07-28"])


@both_eras
async def test_the_status_is_listed_and_can_be_read(mode: str) -> None:
    async with open_client(FakeService(started=["one"]), mode) as client:
        listed = await client.list_resources()
        read = await client.read_resource(STATUS)

    assert STATUS in {resource.uri for resource in listed.resources}
    assert isinstance(read.contents[0], TextResourceContents)
    assert json.loads(read.contents[0].text) == {"started": ["one"]}


@both_eras
async def test_what_is_not_there_is_an_error_that_names_it(mode: str) -> None:
    async with open_client(FakeService(), mode) as client:
        with pytest.raises(MCPError, match="charlotte://nothing"):
            await client.read_resource("charlotte://nothing")
