"""``python -m bench.soak_sessions``: detect growth while sessions open, work and close.

A third of the sessions each: over HTTP, of an embedding program, of an asyncio program. A tenth is
open while the browser is killed. Samples are taken while no session is open: the memory,
descriptors and tasks of the process with Charlotte in it, the contexts and pages of its browser.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import httpx2
import trio

from bench.agents import HttpCaller, open_http_server
from bench.cdp import open_cdp
from bench.faults import arguments, browser_of, kill
from bench.soak import Line, fitted
from charlotte import aio
from charlotte.app import open_charlotte
from charlotte.config import Config
from charlotte.errors import CharlotteError
from tests.site.server import open_site

WAYS: Final = ("http", "embedding", "aio")
_RESULTS: Final = Path(__file__).with_name("results") / "soak-sessions.json"
_HEADERS: Final = {"accept": "application/json, text/event-stream"}
_SAMPLES: Final = 40
_WARM_UP: Final = 0.25
_AT_ONCE: Final = 4
_DURING_RESTART: Final = 10
_RESTART_EVERY: Final = 95
_RESTART_PAUSE: Final = 15.0
"""Seconds between two ends of the browser: at most 4 per minute."""

_SESSION_WAIT: Final = 90.0
_QUIET_WAIT: Final = 30.0
_PAUSE: Final = 0.2
_MEASURES: Final = ("resident", "files", "tasks", "contexts", "targets")
_MOST_PER_SESSION: Final = 2048
_STANDARD_ERRORS: Final = 2.0

UseSession = Callable[[str], Awaitable[None]]
"""A function that opens a session, works on the page with a URL, and closes the session."""

Work = Callable[[], Awaitable[None]]
Status = Callable[[], Awaitable[dict[str, Any]]]


@attrs.define(eq=False)
class Soak:
    """A run of one way: its functions, and samples of the measures."""

    url: str
    sessions: int
    process: int
    use: UseSession
    status: Status
    run_together: Callable[[Sequence[Work]], Awaitable[None]]
    sleep: Callable[[float], Awaitable[None]]
    holdings: Callable[[int], Awaitable[dict[str, int]]]
    done: int = 0
    restarts: int = 0
    failed: Counter[str] = attrs.field(factory=Counter[str])
    samples: list[tuple[int, dict[str, float]]] = attrs.field(
        factory=list[tuple[int, dict[str, float]]]
    )
    _last_restart: float = -_RESTART_PAUSE

    async def run(self) -> None:
        """Use the sessions in groups, a tenth of them while the browser ends."""
        every = max(self.sessions // _SAMPLES, _AT_ONCE)
        sampled = 0
        while self.done < self.sessions:
            if self.done % _RESTART_EVERY >= _RESTART_EVERY - _DURING_RESTART:
                await self._use_while_the_browser_ends()
            else:
                await self.run_together([self._use_one] * _AT_ONCE)
            if self.done - sampled >= every:
                sampled = self.done
                self.samples.append((self.done, await self._sample()))

    async def _use_one(self) -> None:
        self.done += 1
        try:
            await self.use(self.url)
        except (CharlotteError, AnswerIsError) as error:
            self.failed[getattr(error, "code", "") or str(error)] += 1

    async def _use_while_the_browser_ends(self) -> None:
        await self.sleep(max(self._last_restart + _RESTART_PAUSE - time.monotonic(), 0))
        self._last_restart = time.monotonic()
        await self.run_together([*[self._use_one] * _DURING_RESTART, self._end_browser])

    async def _end_browser(self) -> None:
        await self.sleep(0.5)
        kill(browser_of(self.process))
        self.restarts += 1

    async def _sample(self) -> dict[str, float]:
        """Return the measures after all closed sessions are gone."""
        found: dict[str, float] = {}
        for _ in range(round(_QUIET_WAIT / _PAUSE)):
            await self.sleep(_PAUSE)
            try:
                held = await self.holdings(browser_of(self.process))
            except (OSError, LookupError, ValueError):  # the browser is being started
                continue
            status = await self.status()
            found = {name: float(status["process"][name]) for name in _MEASURES[:3]} | held
            if not found["contexts"] and not found["targets"]:
                break
        return found


class AnswerIsError(Exception):
    """A tool answered with an error; the message is its code."""


async def _holdings(browser: int) -> dict[str, int]:
    """Count the contexts and the pages of a browser over a separate connection."""
    async with open_cdp(_endpoint(browser)) as cdp:
        contexts = (await cdp.call("Target.getBrowserContexts"))["browserContextIds"]
        targets = (await cdp.call("Target.getTargets"))["targetInfos"]
    return {"contexts": len(contexts), "targets": sum(one["type"] == "page" for one in targets)}


def _endpoint(browser: int) -> str:
    (profile,) = [
        flag.partition("=")[2] for flag in arguments(browser) if flag.startswith("--user-data-dir=")
    ]
    port, path = Path(profile, "DevToolsActivePort").read_text(encoding="utf-8").split()
    return f"ws://127.0.0.1:{port}{path}"


async def _together(works: Sequence[Work]) -> None:
    async with trio.open_nursery() as nursery:
        for work in works:
            nursery.start_soon(work)


async def _together_in_asyncio(works: Sequence[Work]) -> None:
    await asyncio.gather(*(work() for work in works))


async def _over_http(url: str, sessions: int) -> Soak:
    async with open_http_server(stderr=None) as (address, process):

        async def use(url: str) -> None:
            async with httpx2.AsyncClient(headers=_HEADERS, timeout=_SESSION_WAIT) as client:
                caller = HttpCaller(address, client)
                await caller.connect()
                try:
                    opened = await _asked(caller, "tab_open", url=url)
                    tab_id = opened["tab_id"]
                    button = (await _asked(caller, "find", tab_id=tab_id, text="Clicked"))[0]["id"]
                    await _asked(caller, "click", tab_id=tab_id, element_id=button)
                finally:
                    with trio.move_on_after(_SESSION_WAIT, shield=True):
                        await client.delete(address)

        async def status() -> dict[str, Any]:
            async with httpx2.AsyncClient(headers=_HEADERS, timeout=_SESSION_WAIT) as client:
                caller = HttpCaller(address, client)
                await caller.connect()
                read: dict[str, Any] = await caller.read("charlotte://status")
                await client.delete(address)
                return read

        soak = Soak(url, sessions, process.pid, use, status, _together, trio.sleep, _holdings)
        await soak.run()
    return soak


async def _asked(caller: HttpCaller, tool: str, **arguments: Any) -> Any:
    result = await caller.call(tool, **arguments)
    answer = json.loads(result["content"][0]["text"])
    if result.get("isError"):
        raise AnswerIsError(answer["error"]["code"])
    return answer


async def _embedded(url: str, sessions: int) -> Soak:
    async with open_charlotte(Config(log_level="error")) as charlotte:

        async def use(url: str) -> None:
            async with charlotte.open_session() as session:
                tab = await session.open_tab(url)
                await tab.click((await tab.find(text="Clicked"))[0].id)

        async def status() -> dict[str, Any]:
            return charlotte.status()

        async with charlotte.open_session() as session:
            await session.open_tab(url)
        soak = Soak(url, sessions, os.getpid(), use, status, _together, trio.sleep, _holdings)
        await soak.run()
    return soak


async def _in_asyncio_program(url: str, sessions: int) -> Soak:
    async with aio.open_charlotte(Config(log_level="error")) as charlotte:

        async def use(url: str) -> None:
            async with charlotte.open_session() as session:
                tab = await session.open_tab(url)
                await tab.click((await tab.find(text="Clicked"))[0].id)

        async def holdings(browser: int) -> dict[str, int]:
            return await asyncio.to_thread(trio.run, _holdings, browser)

        async with charlotte.open_session() as session:
            await session.open_tab(url)
        soak = Soak(
            url,
            sessions,
            os.getpid(),
            use,
            charlotte.status,
            _together_in_asyncio,
            asyncio.sleep,
            holdings,
        )
        await soak.run()
    return soak


def run_way(way: str, url: str, sessions: int) -> dict[str, Any]:
    """Run one way in this process and return its measures."""
    match way:
        case "http":
            soak = trio.run(_over_http, url, sessions)
        case "embedding":
            soak = trio.run(_embedded, url, sessions)
        case _:
            soak = asyncio.run(_in_asyncio_program(url, sessions))
    first = sessions * _WARM_UP
    points = {
        name: [(done, sample[name]) for done, sample in soak.samples if done > first]
        for name in _MEASURES
    }
    lines = {name: fitted(some) for name, some in points.items()}
    return {
        "sessions": soak.done,
        "restarts": soak.restarts,
        "failed": dict(soak.failed),
        "lines": {name: attrs.asdict(line) for name, line in lines.items()},
        "grows": [name for name, line in lines.items() if _grows(name, line)],
        "last": soak.samples[-1][1],
        "samples": soak.samples,
    }


def _grows(name: str, line: Line) -> bool:
    """Return whether a measure rises by more than noise; the slope is per 1,000 sessions."""
    negligible = 1000 * _MOST_PER_SESSION if name == "resident" else 0.0
    return line.slope > max(_STANDARD_ERRORS * line.error, negligible)


async def _measure(sessions: int, ways: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    async with open_site() as site:
        for way in ways:
            command = [sys.executable, "-m", "bench.soak_sessions", "--sessions", str(sessions)]
            command += ["--inside", way, "--url", site.url("/counter.html")]
            ended = await trio.run_process(command, capture_stdout=True)
            found[way] = json.loads(ended.stdout)
            print(way, json.dumps({**found[way], "samples": None}), flush=True)
    return found


def main() -> None:
    """Measure, write ``soak-sessions.json``, exit with 1 if anything grows."""
    parser = argparse.ArgumentParser(prog="bench.soak_sessions", description=__doc__)
    parser.add_argument("--sessions", type=int, default=2000, metavar="N", help="of all ways")
    parser.add_argument("--ways", nargs="+", default=WAYS, choices=WAYS)
    parser.add_argument("--inside", choices=WAYS, help=argparse.SUPPRESS)
    parser.add_argument("--url", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.inside:
        print(json.dumps(run_way(options.inside, options.url, options.sessions)))
        return
    share = -(-options.sessions // len(options.ways))
    found = trio.run(_measure, share, options.ways)
    _RESULTS.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    growing = {way: one["grows"] for way, one in found.items() if one["grows"]}
    print(f"grows: {growing}" if growing else "nothing grows")
    raise SystemExit(bool(growing))


if __name__ == "__main__":
    main()
