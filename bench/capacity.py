"""Memory and processor time of a tab by kind of page; an agent clicks in it every five seconds.

The proportional set size (PSS) and the processor time of a server over HTTP and its browser are
read from /proc, without tabs and with many. The differences give tabs per GiB and per core.
"""

import os
import statistics
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import attrs
import trio
from starlette.responses import HTMLResponse, Response

from bench.agents import HttpCaller, ask, open_callers, open_http_server
from bench.report import save
from tests.site.routes import Handler, Request
from tests.site.server import Site, open_site
from tests.whole.processes import descendants

RESULTS: Final = Path(__file__).with_name("results") / "capacity.json"
PAUSE: Final = 5.0
"""Seconds from one action of an agent to its next: the time in which its model answers."""
_WINDOW: Final = 20.0
_SETTLED: Final = 6.0
_PATIENCE: Final = 300.0
_TABS_PER_SESSION: Final = 2
_GIB: Final = 2**30
_TICKS: Final = os.sysconf("SC_CLK_TCK")
_PAGES: Final = Path(__file__).with_name("pages")
_LABEL: Final = "Count the visit"
_BUTTON: Final = f"""<button onclick="count.textContent = Number(count.textContent) + 1">
{_LABEL}</button><p id=count>0</p>"""
_TIMERS: Final = """<script>
for (let n = 0; n < 20; n++) {
  const row = document.body.appendChild(document.createElement('p'));
  setInterval(() => { row.textContent = `Sensor ${n}: ${Math.random().toFixed(6)}`; }, 500);
}
setInterval(() => fetch('/capacity/feed').then(answer => answer.text()), 2000);
</script>"""
_HEAP: Final = """<script>
const records = Array.from({length: 300000}, (_, n) => ({n, text: `record ${n}`}));
const canvas = document.body.appendChild(document.createElement('canvas'));
canvas.width = canvas.height = 1500;
canvas.getContext('2d').fillRect(0, 0, 1500, 1500);
</script>"""


@attrs.frozen
class Kind:
    """A kind of page, and the number of tabs that show it."""

    name: str
    file: str
    script: str
    tabs: int


KINDS: Final = (
    Kind("article", "wiki.html", "", 16),
    Kind("app with timers", "dashboard.html", _TIMERS, 16),
    Kind("heavy page", "table-2500.html", _HEAP, 8),
)


@attrs.frozen
class Use:
    """The bytes and the seconds of processor time of a server with its browser."""

    memory: int
    seconds: float


def _serve(kind: Kind) -> Handler:
    text = (_PAGES / kind.file).read_text(encoding="utf-8") + _BUTTON + kind.script

    async def answer(_: Request) -> Response:
        return HTMLResponse(text)

    return answer


async def _feed(_: Request) -> Response:
    return Response("nothing new")


def read_use(server: int) -> Use:
    """Read what a server and all processes below it use now."""
    memory = ticks = 0
    for pid in (server, *descendants(server)):
        with suppress(OSError, StopIteration):
            rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
            line = next(line for line in rollup.splitlines() if line.startswith("Pss:"))
            memory += int(line.split()[1]) * 1024
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
            times = stat.rpartition(")")[2].split()[11:15]  # own, and of its ended children
            ticks += sum(map(int, times))
    return Use(memory, ticks / _TICKS)


async def _act(caller: HttpCaller, tab: str, button: str, start: float) -> None:
    """Click the button of a tab every `PAUSE` seconds from ``start`` on."""
    for turn in range(int(_WINDOW / PAUSE)):
        await trio.sleep_until(start + turn * PAUSE)
        await caller.call("click", tab_id=tab, element_id=button)


async def _open(caller: HttpCaller, url: str) -> tuple[str, str]:
    """Open a tab; return its id and that of its button."""
    opened = await ask(caller, "tab_open", url=url, detail="minimal")
    [button] = await ask(caller, "find", tab_id=opened["tab_id"], text=_LABEL, role="button")
    return opened["tab_id"], button["id"]


async def _measure(kind: Kind, site: Site) -> dict[str, Any]:
    """Open the tabs of a kind in a server of its own, and let their agents act for a while."""
    sessions = kind.tabs // _TABS_PER_SESSION
    flags = ("--log-level", "error", "--answers", "json")
    async with open_http_server(*flags) as (url, process), open_callers(url, sessions) as callers:
        await ask(callers[0], "tab_close", tab_id=(await _open(callers[0], site.url("/blank")))[0])
        await trio.sleep(_SETTLED)
        empty = read_use(process.pid)
        page = site.url(f"/capacity/{kind.file}")
        tabs = [
            (caller, *await _open(caller, page))
            for caller in callers
            for _ in range(_TABS_PER_SESSION)
        ]
        await trio.sleep(_SETTLED)
        before, now = read_use(process.pid), trio.current_time()
        async with trio.open_nursery() as nursery:
            for number, (caller, tab, button) in enumerate(tabs):
                start = now + PAUSE * number / len(tabs)
                nursery.start_soon(partial(_act, caller, tab, button, start))
            await trio.sleep(_WINDOW)
        spent = trio.current_time() - now
        after = read_use(process.pid)
    memory = (after.memory - empty.memory) / kind.tabs
    load = (after.seconds - before.seconds) / spent / kind.tabs
    return {
        "kind": kind.name,
        "tabs": kind.tabs,
        "mib_per_tab": round(memory / 2**20, 1),
        "tabs_per_gib": round(_GIB / memory, 1),
        "core_per_tab": round(load, 4),
        "tabs_per_core": round(1 / load, 1),
        "empty_mib": round(empty.memory / 2**20),
    }


async def measure(rounds: int) -> None:
    """Measure all kinds in turns; print and write the medians."""
    routes = {f"/capacity/{kind.file}": _serve(kind) for kind in KINDS}
    blank = HTMLResponse(_BUTTON)

    async def answer_blank(_: Request) -> Response:
        return blank

    routes |= {"/capacity/feed": _feed, "/blank": answer_blank}
    found: dict[str, list[dict[str, Any]]] = {kind.name: [] for kind in KINDS}
    with trio.fail_after(_PATIENCE * rounds):
        async with open_site(routes=routes) as site:
            for _ in range(rounds):
                for kind in KINDS:
                    found[kind.name].append(await _measure(kind, site))
    rows = [_median(samples) for samples in found.values()]
    print(f"a tab in which an agent clicks every {PAUSE:g} s, medians of {rounds} rounds")
    print(f"{'page':<18}{'MiB':>8}{'per GiB':>10}{'cores':>10}{'per core':>10}")
    for row in rows:
        print(
            f"{row['kind']:<18}{row['mib_per_tab']:>8}{row['tabs_per_gib']:>10}"
            f"{row['core_per_tab']:>10}{row['tabs_per_core']:>10}"
        )
    save(RESULTS, rows, runs=rounds)


def _median(samples: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the medians of the figures of a kind."""
    return {
        name: value if isinstance(value, str) else statistics.median(each[name] for each in samples)
        for name, value in samples[0].items()
    }
