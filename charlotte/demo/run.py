"""The demo: an agent with eight tabs, one of which loses its renderer; what `make run` starts."""

import os
import sys
from collections.abc import Sequence
from typing import cast

import trio

from charlotte.config import Config
from charlotte.demo.attempts import Failed
from charlotte.demo.client import RequestFailed, open_client
from charlotte.demo.report import Report
from charlotte.demo.tour import Tour
from charlotte.demo.web import open_site

_LIMIT = 30.0
_PASSED_ON = (
    "chromium",
    "chromium_arg",
    "sandbox",
    "headed",
    "proxy_server",
    "ignore_https_errors",
    "viewport",
    "output_dir",
)


async def demo(config: Config) -> int:
    """Drive a server of its own on the site that is shipped; return 0 if all of it held, else 1.

    Takes 30 seconds at most. The last line printed is the path of a screenshot.
    """
    report = Report()
    failures: list[str] = []
    with trio.move_on_after(_LIMIT) as limit:
        failures += await _drive(report, config)
    if limit.cancelled_caught:
        failures.append(f"The demo was not through after {_LIMIT:g} s.")
    if failures:
        report.complain(failures)
    return 1 if failures else 0


async def _drive(report: Report, config: Config) -> Sequence[str]:
    """Return what did not hold."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("CHARLOTTE_")}
    async with (
        open_site() as site,
        open_client(command(config), env=environment) as client,
    ):
        try:
            await Tour(site, client, report).run()
        except (Failed, RequestFailed) as failure:
            return failure.args
    return ()


def command(config: Config) -> list[str]:
    """Return the command line of the server that the demo drives."""
    flags = [flag for name in _PASSED_ON for flag in _flags(name, getattr(config, name))]
    # A tab that crashes is a warning, which is not wanted where it is done on purpose.
    level = "error" if config.log_level == "warning" else config.log_level
    return [sys.executable, "-m", "charlotte", *flags, f"--log-level={level}"]


def _flags(name: str, value: object) -> list[str]:
    option = f"--{name.replace('_', '-')}"
    if isinstance(value, tuple):
        return [f"{option}={each}" for each in cast("tuple[str, ...]", value)]
    if isinstance(value, bool):
        return [option] if value else []
    return [] if value is None else [f"{option}={value}"]
