"""The demo: an agent with eight tabs, one of which loses its renderer; what `make run` starts."""

import json
import os
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import IO

import attrs
import trio

from charlotte.config import Config
from charlotte.demo.client import Client, RequestFailed, open_client
from charlotte.demo.renderers import renderers
from charlotte.demo.report import Progress, milliseconds, table
from charlotte.demo.visits import VISITS, Failed, Tab, Visit, text_of
from charlotte.demo.web import Site, open_site

_LIMIT = 30.0
_SLOW_MS = 1000
_BALLAST_MIB = 96
_PASSED_ON = (
    "chromium",
    "chromium_arg",
    "sandbox",
    "headed",
    "proxy_server",
    "ignore_https_errors",
    "viewport",
    "output_dir",
    "log_level",
)


async def demo(config: Config) -> int:
    """Run it and print what happened; 0 when everything held. Takes 30 seconds at most."""
    with tempfile.TemporaryFile() as log:
        agent = Agent()
        with trio.move_on_after(_LIMIT) as limit:
            await _drive(agent, config, log)
        if limit.cancelled_caught:
            agent.problems.append(f"The demo was not through after {_LIMIT:g} s.")
        agent.progress.clear()
        if not agent.problems:
            return 0
        log.seek(0)
        _complain(agent.problems, log.read().decode(errors="replace"))
    return 1


async def _drive(agent: "Agent", config: Config, log: IO[bytes]) -> None:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CHARLOTTE_")}
    async with (
        open_site() as site,
        open_client(command(config), env=environment, stderr=log) as client,
    ):
        try:
            await agent.run(site, client)
        except (Failed, RequestFailed) as failure:
            agent.problems.append(str(failure))


def command(config: Config) -> list[str]:
    """Return the command line of the server that the demo drives."""
    flags = [flag for name in _PASSED_ON for flag in _flags(name, getattr(config, name))]
    return [sys.executable, "-m", "charlotte", *flags]


def _flags(name: str, value: object) -> list[str]:
    option = f"--{name.replace('_', '-')}"
    match value:
        case None | False:
            return []
        case True:
            return [option]
        case tuple():
            return [f"{option}={each}" for each in value]
        case _:
            return [f"{option}={value}"]


def _complain(problems: list[str], log: str) -> None:
    print("\nThis did not hold:")
    for problem in problems:
        print(f"  {problem}")
    if log:
        print("\nThe server's log:", *log.splitlines()[-20:], sep="\n  ")
