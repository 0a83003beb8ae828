#!/bin/sh
# Installs the wheel into an empty environment of each given Python and uses it: doctor, call, and
# MCP clients over stdio and HTTP. `make test-install` runs it for every installed Python.
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir "$work" .
for python in "$@"; do
    "$python" -m venv "$work/venv"
    bin=$work/venv/bin
    "$bin/python" -m pip install --quiet --disable-pip-version-check "$work"/charlotte_mcp-*.whl
    cd "$work"
    HOME=$work "$bin/charlotte" doctor >"$work/doctor" || { cat "$work/doctor"; exit 1; }
    HOME=$work "$bin/charlotte-mcp" call navigate "url=data:text/html,<h1>Installed</h1>" | grep -q '# Installed'
    timeout 120 "$bin/python" - "$bin/charlotte" <<'CLIENT'
import subprocess
import sys

import trio
from mcp.client.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client


async def use(transport):
    async with Client(transport) as client:
        assert len((await client.list_tools()).tools) == 30
        page = {"url": "data:text/html,<h1>Installed</h1>"}
        result = await client.call_tool("charlotte_navigate", page)
        assert "# Installed" in result.content[0].text


async def main():
    with trio.fail_after(60):
        await use(stdio_client(StdioServerParameters(command=sys.argv[1])))
        flags = ["serve", "--http", "--no-auth", "--port", "0"]
        with subprocess.Popen([sys.argv[1], *flags], stdout=subprocess.PIPE, text=True) as server:
            try:
                await use(streamable_http_client(server.stdout.readline().split()[-1]))
            finally:
                server.terminate()


trio.run(main)
CLIENT
    cd - >/dev/null
    "$bin/python" -c 'import platform; print("Python", platform.python_version(), "passed")'
    rm -rf "$work/venv"
done
