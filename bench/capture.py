"""``python -m bench.capture``: the cost of a capture by size of page and change, and its size.

Times are of the capture alone, taken in the page, whole and incremental ones in the same run.
"""

import argparse
import json
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

from bench.floor import Floor, open_floor
from bench.ours import open_server
from bench.plot import Points, plot
from bench.row import timed
from charlotte.browser.probe import probe_source
from tests.site.server import Site, open_site

_RESULTS: Final = Path(__file__).with_name("results")
_SCRIPT: Final = Path(__file__).with_name("capture.js").read_text(encoding="utf-8")
_ROWS: Final = (3, 10, 33, 100, 333, 1000, 3333)
"""Rows of the table page; each holds three controls."""
_CONTROLS_PER_ROW: Final = 3
_LARGE: Final = 2500
_CHANGES: Final = (1, 10, 100, 1000, _LARGE)
_PAGES: Final = ("/index.html", "/form.html", "/library.html", "/table.html?rows=100")
_DETAILS: Final = ("minimal", "summary", "full")
_LIMITS: Final = {
    "100,000 links": ("", "<a href=/${n}>Link ${n}</a> ", 100_000),
    "5 MB of text": ("", "<p>${'words '.repeat(80)}${n}</p>", 10_000),
    "20,000 options": ("<select>", "<option>Choice ${n}</option>", 20_000),
}
"""Huge pages: begin, repeated part and number of repetitions."""

_FILL: Final = """
const parts = Array.from({ length: %(count)d }, (_, n) => `%(part)s`);
document.body.innerHTML = '%(begin)s' + parts.join('');
new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done(0))));
"""
_FILL_MS: Final = 60_000


def main() -> None:
    """Measure; write ``capture.json`` and the plots to the results."""
    parser = argparse.ArgumentParser(prog="bench.capture", description=__doc__)
    parser.add_argument("--rounds", type=int, default=9, metavar="N")
    trio.run(_bench, parser.parse_args().rounds)


async def _bench(rounds: int) -> None:
    async with open_site() as site:
        async with open_floor() as floor:
            sizes = {rows: await _timed(floor, site, rows, (), rounds) for rows in _ROWS}
            large = await _timed(floor, site, _LARGE, _CHANGES, rounds)
        characters = await _characters(site)
        limits = await _limits(site)
    results: dict[str, Any] = {"sizes": sizes, "changes": large, "rounds": rounds}
    results |= {"characters": characters, "limits": limits}
    _RESULTS.mkdir(exist_ok=True)
    _write("capture.json", json.dumps(results, indent=1) + "\n")
    _write("capture-sizes.svg", _plot_of_sizes(sizes))
    _write("capture-changes.svg", _plot_of_changes(large))
    print(json.dumps(results, indent=1))


async def _timed(
    floor: Floor, site: Site, rows: int, changes: tuple[int, ...], rounds: int
) -> dict[str, Any]:
    tab = await floor.tab()
    await tab.navigate(site.url(f"/table.html?rows={rows}"))
    await tab.enter()
    await tab.run(f"{probe_source()}; ''")
    timed: dict[str, Any] = json.loads(await tab.run(f"{_SCRIPT}({list(changes)}, {rounds})"))
    await tab.close()
    return timed


async def _characters(site: Site) -> dict[str, dict[str, int]]:
    """Return the length of answers for each page, at each detail."""
    counts: dict[str, dict[str, int]] = {}
    async with open_server() as server:
        await server.initialize()
        for path in _PAGES:
            await server.call("navigate", url=site.url(path))
            answers = [await server.call("observe", detail=detail) for detail in _DETAILS]
            counts[path] = dict(zip(_DETAILS, map(len, answers), strict=True))
    return counts


async def _limits(site: Site) -> dict[str, dict[str, Any]]:
    """Measure the first and the second `observe` of huge pages: ms and characters."""
    found: dict[str, dict[str, Any]] = {}
    for name, (begin, part, count) in _LIMITS.items():
        fill = _FILL % {"begin": begin, "part": part, "count": count}
        async with open_server() as server:
            await server.initialize()
            await server.call("navigate", url=site.url("/counter.html"))
            await server.call("evaluate", expression=fill, timeout=_FILL_MS)
            first, again = [await timed(partial(server.call, "observe")) for _ in range(2)]
            found[name] = {"ms": first.ms, "again_ms": again.ms, "chars": first.chars}
    return found


def _plot_of_sizes(sizes: dict[int, dict[str, Any]]) -> str:
    lines: dict[str, Points] = {
        name: [(rows * _CONTROLS_PER_ROW, timed[key]["ms"]) for rows, timed in sizes.items()]
        for key, name in (("whole", "from scratch"), ("same", "nothing changed"))
    }
    return plot("Capture by size of page", "controls", "ms in the page", lines)


def _plot_of_changes(timed: dict[str, Any]) -> str:
    counts: list[tuple[int, dict[str, Any]]] = [(count, one) for count, one in timed["changed"]]
    lines: dict[str, Points] = {
        "incremental": [(count, one["ms"]) for count, one in counts],
        "from scratch": [(count, timed["whole"]["ms"]) for count, _ in counts],
    }
    controls = _LARGE * _CONTROLS_PER_ROW
    title = f"Capture by size of change, {controls:,} controls"
    return plot(title, "texts changed", "ms in the page", lines)


def _write(name: str, text: str) -> None:
    (_RESULTS / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
