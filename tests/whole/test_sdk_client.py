"""The client of the MCP SDK with the real server process, in both protocol eras."""

import json
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, ImageContent, TextContent

from tests.whole.answers import new_texts
from tests.whole.client import PATIENCE
from tests.whole.web import Web

pytestmark = [pytest.mark.chromium, pytest.mark.fault]

INSTALLED = str(Path(sys.executable).with_name("charlotte"))
PROGRAM = StdioServerParameters(command=INSTALLED, args=["--answers=json"])


@asynccontextmanager
async def open_client(mode: str, heard: list[str] | None = None) -> AsyncGenerator[Client]:
    async def hear(message: object) -> None:
        if heard is not None:
            heard.append(str(getattr(message, "method", message)))

    with trio.fail_after(3 * PATIENCE):
        async with Client(
            PROGRAM, mode=mode, read_timeout_seconds=PATIENCE, message_handler=hear
        ) as client:
            yield client


def answer(result: CallToolResult) -> Any:
    [text] = [block.text for block in result.content if isinstance(block, TextContent)]
    return json.loads(text)


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    result = await client.call_tool(f"charlotte_{tool}", arguments)
    assert not result.is_error, result
    return answer(result)


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.req("C-ARCH-01", "C-ERR-02", "P-04", "P-22", "P-23")
async def test_an_sdk_client_runs_a_whole_session(mode: str, web: Web) -> None:
    heard: list[str] = []
    async with open_client(mode, heard) as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        page = await call(client, "navigate", url=web.url("/list.html"))
        [field] = [each for each in page["interactive"] if each["label"] == "Book to add"]
        added = await call(
            client, "type", element_id=field["id"], text="Moby-Dick", press_enter=True
        )
        [box] = await call(client, "find", text="Moby-Dick", role="checkbox")
        ticked = await call(client, "click", element_id=box["id"])
        wrong = await client.call_tool("charlotte_click", {"element_id": "btn-0000"})
        image = await client.call_tool("charlotte_screenshot", {"format": "webp"})
        await call(client, "tools", action="disable", group="evaluate")
        fewer = {tool.name for tool in (await client.list_tools()).tools}
        value = await call(client, "evaluate", expression="1 + 1")
        closed = await call(client, "tab_close", tab_id=page["tab_id"])

    assert {"charlotte_navigate", "charlotte_tools"} <= tools
    assert "4 books, 0 read" in new_texts(added)
    assert "4 books, 1 read" in new_texts(ticked)
    assert wrong.is_error
    assert answer(wrong)["error"]["code"] == "ELEMENT_NOT_FOUND"
    assert wrong.meta is not None
    assert wrong.meta["charlotte/metadata"]["tool_version"]
    assert [block.mime_type for block in image.content if isinstance(block, ImageContent)] == [
        "image/webp"
    ]
    assert tools - fewer == {"charlotte_evaluate"}
    assert value == {"value": 2, "type": "number"}
    assert closed == []
    if mode == "legacy":  # in the modern era a client has to subscribe to that
        assert heard == ["notifications/tools/list_changed"]
