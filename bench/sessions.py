"""``python -m bench.sessions``: 8 agents on 50 pages of a second each, and throughput by tabs."""

import argparse
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

import trio

from bench.agents import Agent, on_one_pipe, over_http, work
from charlotte.demo.web import Site, open_site

_TABS = (1, 2, 4, 8, 16, 32)
_MOST = 1.3
_QUICK_MS = 100
_PAGES = 10

Gathering = Callable[[Site, int], AbstractAsyncContextManager[list[Agent]]]
_GATHERINGS: dict[str, Gathering] = {
    "one stdio connection": on_one_pipe,
    "a session each over HTTP": over_http,
}


def main() -> None:
    """Run what the arguments ask for; exits with 1 if it took too long."""
    parser = argparse.ArgumentParser(prog="bench.sessions", description=__doc__)
    parser.add_argument("--agents", type=int, default=8)
    parser.add_argument("--pages", type=int, default=50)
    parser.add_argument("--scaling", action="store_true", help="throughput by tabs instead")
    options = parser.parse_args()
    if options.scaling:
        trio.run(_scale)
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
                f"{seconds / pages:.2f} x the ideal; every answer was right"
            )
    return int(worst > _MOST)


async def _scale() -> None:
    print(f"pages per second, {_QUICK_MS} ms each, by agents at once")
    async with open_site() as site:
        for name, gathering in _GATHERINGS.items():
            print(name)
            for count in _TABS:
                async with gathering(site, count) as agents:
                    seconds = await work(agents, _PAGES, _QUICK_MS)
                rate = count * _PAGES / seconds
                print(f"{count:4} {rate:6.1f}  {'▇' * round(rate)}")


if __name__ == "__main__":
    main()
