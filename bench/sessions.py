"""``python -m bench.sessions``: 8 agents on 50 pages of a second each; throughput by agents."""

import argparse
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import trio

from bench import cancelling, scaling
from bench.agents import Agent, on_one_pipe, over_http, work
from tests.site.server import Site, open_site

_MOST = 1.3

Gathering = Callable[[Site, int], AbstractAsyncContextManager[list[Agent]]]
_GATHERINGS: dict[str, Gathering] = {
    "one stdio connection": on_one_pipe,
    "a session each over HTTP": over_http,
}


def main() -> None:
    """Run the selected measurement; exit with 1 if it took too long."""
    parser = argparse.ArgumentParser(prog="bench.sessions", description=__doc__)
    parser.add_argument("--agents", type=int, default=8)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument(
        "--scaling", action="store_true", help="throughput instead, compared with peers"
    )
    options = parser.parse_args()
    if options.scaling:
        trio.run(scaling.measure)
    else:
        raise SystemExit(trio.run(_check, options.agents, options.pages))


async def _check(count: int, pages: int) -> int:
    worst = 0.0
    async with open_site() as site:
        for name, gathering in _GATHERINGS.items():
            async with gathering(site, count) as agents:
                seconds = await work(agents, pages, 1000)
            worst = max(worst, seconds / pages)
            print(
                f"{count} agents, {pages} pages of 1 s each, {name}: {seconds:.1f} s, "
                f"{seconds / pages:.2f} x the ideal; every answer was correct"
            )
        freed = await cancelling.measure(site)
    return int(worst > _MOST or freed > cancelling.MOST_MS)


if __name__ == "__main__":
    main()
