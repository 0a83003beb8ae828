"""The drivers as one function each: open a browser and yield a way to make calls.

This program runs in environments without Charlotte, and imports a driver only where it is used.
"""

import itertools
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

Call = Callable[..., Awaitable[str]]
"""Makes a call of a member; returns the text that the model gets, or raises `RuntimeError`."""

ANTHROPIC, OPENAI = "anthropic", "openai"


def anthropic_call(toolset: Any) -> Call:
    """Return a function that makes calls of Anthropic's toolset."""
    from anthropic.types.beta import BetaToolUseBlock

    numbers = itertools.count(1)

    async def call(name: str, **given: Any) -> str:
        block = BetaToolUseBlock(
            type="tool_use",
            id=f"toolu_{next(numbers)}",
            name=name,
            input=given,
            toolset_name="browser",
        )
        result = await toolset.tool_result(block)
        text = "\n".join(part.get("text", "") for part in result["content"])
        if result.get("is_error"):
            raise RuntimeError(text)
        return text

    return call


def openai_call(toolset: Any) -> Call:
    """Return a function that makes calls of OpenAI's toolset."""
    from openai.types.responses import ResponseFunctionToolCall

    numbers = itertools.count(1)
    fields = {tool["name"]: tool["parameters"]["required"] for tool in toolset.tools}

    async def call(name: str, **given: Any) -> str:
        arguments = {**dict.fromkeys(fields[f"browser_{name}"]), **given}
        request = ResponseFunctionToolCall(
            type="function_call",
            call_id=f"call_{next(numbers)}",
            name=f"browser_{name}",
            arguments=json.dumps(arguments),
        )
        output = (await toolset.execute(request))["output"]
        body = json.loads(output[0]["text"])
        if not body["ok"]:
            raise RuntimeError(body.get("error", ""))
        result = body.get("result") or ""
        return result if isinstance(result, str) else result["text"]

    return call


async def _agree(*_: Any) -> bool:
    return True


@asynccontextmanager
async def charlotte_anthropic(chromium: str) -> AsyncIterator[Call]:
    """Charlotte's driver for Anthropic."""
    from charlotte import Config
    from charlotte.aio import open_charlotte
    from charlotte.toolsets.anthropic import CharlotteBrowserToolset

    config = Config(chromium=chromium, log_level="error")
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        yield anthropic_call(CharlotteBrowserToolset(session))


@asynccontextmanager
async def charlotte_openai(chromium: str) -> AsyncIterator[Call]:
    """Charlotte's driver for OpenAI."""
    from openai.lib.browser import AsyncBrowserToolset

    from charlotte import Config
    from charlotte.aio import open_charlotte
    from charlotte.toolsets.openai import CharlotteBrowserDriver

    config = Config(chromium=chromium, log_level="error")
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        driver = CharlotteBrowserDriver(session)
        toolset = AsyncBrowserToolset(driver, confirm=_agree, url_policy=_agree)
        yield openai_call(toolset)


@asynccontextmanager
async def browser_use(chromium: str) -> AsyncIterator[Call]:
    """The driver of browser-use, for Anthropic."""
    from browser_use import BrowserSession
    from browser_use.integrations.anthropic import BrowserUse

    session = BrowserSession(
        executable_path=chromium,
        headless=True,
        chromium_sandbox=False,
        enable_default_extensions=False,
        viewport={"width": 1280, "height": 720},
    )
    await session.start()
    try:
        async with BrowserUse(session) as toolset:
            yield anthropic_call(toolset)
    finally:
        await session.kill()  # noqa: ASYNC102 - asyncio


@asynccontextmanager
async def stagehand_anthropic(chromium: str) -> AsyncIterator[Call]:
    """The driver of Stagehand, for Anthropic."""
    from stagehand_claude_sdk import StagehandBrowser

    toolset = await StagehandBrowser.launch(headless=True, chrome_path=chromium)
    async with toolset:
        yield anthropic_call(toolset)


@asynccontextmanager
async def stagehand_openai(chromium: str) -> AsyncIterator[Call]:
    """The driver of Stagehand, for OpenAI."""
    from stagehand_openai_sdk import StagehandBrowserDriver, create_browser_toolset

    driver = await StagehandBrowserDriver.launch(headless=True, chrome_path=chromium)
    try:
        yield openai_call(create_browser_toolset(driver))
    finally:
        await driver.close()  # noqa: ASYNC102 - asyncio


DRIVERS = {
    "charlotte-anthropic": (ANTHROPIC, charlotte_anthropic),
    "browser-use": (ANTHROPIC, browser_use),
    "stagehand-anthropic": (ANTHROPIC, stagehand_anthropic),
    "charlotte-openai": (OPENAI, charlotte_openai),
    "stagehand-openai": (OPENAI, stagehand_openai),
}
