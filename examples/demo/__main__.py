"""The demo: an agent with eight tabs, one of which loses its renderer.

Run it with ``python -m examples.demo``; arguments are flags for the server.
"""

import sys
from collections.abc import Sequence

import trio

from examples.demo.agent import Failed, connect
from examples.demo.report import Report
from examples.demo.tour import Tour
from tests.site.server import open_site

_LIMIT = 90.0


async def main(flags: Sequence[str]) -> int:
    """Run the demo for at most 90 seconds; return 0 if all checks passed, else 1.

    The last line printed is the path of a screenshot.
    """
    report = Report()
    failures: list[str] = []
    with trio.move_on_after(_LIMIT) as limit:
        failures += await _run(flags, report)
    if limit.cancelled_caught:
        failures.append(f"The demo did not end within {_LIMIT:g} s.")
    if failures:
        report.print("", "Failed checks:", *(f"  {text}" for text in dict.fromkeys(failures)))
    return 1 if failures else 0


async def _run(flags: Sequence[str], report: Report) -> Sequence[str]:
    """Start a server and drive it on the test site; return the failed checks."""
    started = trio.current_time()
    report.show_progress("starting …")
    async with open_site() as site, connect(flags) as client:
        tools = len((await client.list_tools()).tools)
        version = client.server_info.version if client.server_info else "of unknown version"
        seconds = trio.current_time() - started
        report.print_time(f"Charlotte {version} started, with {tools} tools", seconds)
        try:
            await Tour(site, client, report).run()
        except Failed as failure:
            return failure.args
    return ()


if __name__ == "__main__":
    sys.exit(trio.run(main, sys.argv[1:]))
