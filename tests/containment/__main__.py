"""``python -m tests.containment``: try all routes in a network of its own, print what got through.

The output is JSON: what reached the sink, by scenario. The scenarios take turns with the kinds of
targets: a name, an address, another address of this machine.
"""

import argparse
import itertools
import json
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

import trio

from charlotte import Config, Session, open_charlotte
from charlotte.base.errors import CharlotteError
from tests.containment.network import HOME_PORT, Sink, enter_namespace, open_home, open_sink, page
from tests.containment.routes import ROUTES
from tests.whole.processes import browser_of, renderers

TARGETS = {"name": "r{}.sink.test", "address": "10.9.{}.1", "loopback": "127.9.{}.1"}
_AT_ONCE = 6
_NOT_PERMITTED = 77


def build_pages(routes: Sequence[int]) -> dict[str, bytes]:
    """Return the pages of the home origins: of each route for each kind of target."""
    pages = {"/b": page("b"), "/": page("home")}
    for number in routes:
        for kind, host in TARGETS.items():
            pages |= ROUTES[number].pages(f"/{kind}/{number}", host.format(number))
    opener = "<script>addEventListener('load', () => open(location.hash.slice(1)))</script>"
    return {**pages, "/opener": page(opener)}


async def visit_all(session: Session, urls: Sequence[str], waits: float) -> None:
    """Load pages in tabs, some at once, which are closed with the tabs that they open."""
    for begin in range(0, len(urls), _AT_ONCE):
        kept = {tab.id for tab in await session.tabs()}
        async with trio.open_nursery() as nursery:
            for url in urls[begin : begin + _AT_ONCE]:
                nursery.start_soon(_open, session, url)
        await trio.sleep(waits)
        for tab in await session.tabs():
            if tab.id not in kept:
                with suppress(CharlotteError):
                    await session.call("tab_close", {"tab_id": tab.id})


async def _open(session: Session, url: str) -> None:
    with suppress(CharlotteError):
        await session.call("tab_open", {"url": url, "detail": "minimal"})


def kill(kind: str) -> None:
    """End the renderers of the browser, or the browser."""
    server = os.getpid()
    found = [*renderers(server)] if kind == "renderer" else [browser_of(server)]
    assert found, f"no {kind} was found"
    for pid in found:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


async def run(options: argparse.Namespace, sink: Sink) -> dict[str, dict[str, list[str]]]:
    """Try the routes in all scenarios; return what reached the sink, by scenario and route."""
    config = Config(
        only_host=() if options.control else ("localhost", "*.localhost"),
        ignore_https_errors=True,
        log_level="error",
        user_data_dir=options.profile,
        # without a limit, the browser uses no proxy at all
        chromium_arg=("--no-proxy-server",) if options.control else (),
    )
    found: dict[str, dict[str, list[str]]] = {}
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        await session.call("tab_open", {})  # the scenarios keep it
        kinds = itertools.cycle(TARGETS)
        for scenario in options.scenario:
            kind = next(kinds)
            if scenario in {"renderer", "browser"}:
                kill(scenario)
                with suppress(CharlotteError):
                    await session.call("observe", {})
            host = f"http://localhost:{HOME_PORT}" + ("/opener#" if scenario == "popup" else "")
            urls = [f"{host}/{kind}/{number}" for number in options.routes]
            await visit_all(session, urls, options.wait)
            await trio.sleep(options.end)
            found[f"{scenario} {kind}"] = {key: sorted(sink.seen[key]) for key in sorted(sink.seen)}
            sink.seen.clear()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="tests.containment", description=__doc__)
    parser.add_argument("--control", action="store_true", help="without --only-host")
    parser.add_argument(
        "--scenario", nargs="+", default=["tab"], help="tab, popup, renderer, browser"
    )
    parser.add_argument("--routes", nargs="+", type=int, default=[*ROUTES])
    parser.add_argument("--profile", help="a directory for the profile of the browser")
    parser.add_argument("--wait", type=float, default=0.5)
    parser.add_argument("--end", type=float, default=3.0)
    options = parser.parse_args()
    try:
        enter_namespace()
    except OSError as error:
        print(error, file=sys.stderr)  # noqa: T201
        raise SystemExit(_NOT_PERMITTED) from error

    async def work() -> None:
        pages = build_pages(options.routes)
        async with open_sink() as sink, open_home(pages):
            print(json.dumps(await run(options, sink)))  # noqa: T201

    trio.run(work)


if __name__ == "__main__":
    main()
