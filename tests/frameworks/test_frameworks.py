"""Agent frameworks keep their tabs over consecutive calls, with the lines of `charlotte config`.

``FRAMEWORKS`` is a directory with a virtual environment for each; without it, only the one that is
a requirement of the tests runs.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import trio

from bench.agents import open_http_server
from charlotte.cli.frameworks import BY_NAME

pytestmark = pytest.mark.chromium

FOLLOW = """
import asyncio, re, sys

async def follow(call):
    page = str(await call("charlotte_navigate", {"url": sys.argv[1]}))
    print(await call("charlotte_click", {"element_id": re.search(r"btn-\\w+", page)[0]}))
"""
PROGRAMS = {
    "fastmcp": """
async def main():
    async with client:
        await follow(client.call_tool)
""",
    "openai-agents": """
async def main():
    async with server:
        await follow(server.call_tool)
""",
    "pydantic-ai": """
async def main():
    async with toolset:
        await follow(toolset.direct_call_tool)
""",
    "langchain": """
async def main():
    tools = {tool.name: tool for tool in await client.get_tools()}
    await follow(lambda name, arguments: tools[name].ainvoke(arguments))
""",
}
IN_ALL_TESTS = "openai-agents"


def _interpreter(name: str) -> str:
    place = os.environ.get("FRAMEWORKS")
    if place is None and name == IN_ALL_TESTS:
        return sys.executable
    if place is None:
        pytest.skip("`make test-frameworks` installs it")
    return str(Path(place, name, "bin", "python").absolute())


@pytest.mark.parametrize("name", BY_NAME)
async def test_a_framework_clicks_on_what_its_earlier_call_has_shown(name: str) -> None:
    interpreter = _interpreter(name)
    async with open_http_server() as (url, _):
        program = BY_NAME[name].lines(url) + FOLLOW + PROGRAMS[name] + "\nasyncio.run(main())\n"
        command = [interpreter, "-c", program, "data:text/html,<button>Press</button>"]
        ran = await trio.run_process(
            command, capture_stdout=True, stderr=subprocess.STDOUT, check=False
        )
    output = ran.stdout.decode()
    assert "tab-1" in output
    assert "NOT_FOUND" not in output
