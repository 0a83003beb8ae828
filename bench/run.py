"""``python -m bench.run``: 50 pages read into a table by one `run`, beside one parallel `batch`.

Both load the same pages in the same five tabs, by turns. The answer of `batch` has all pages, that
of `run` only the table.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from bench.report import save
from tests.whole.client import Reply, Server, open_server
from tests.whole.web import Web, open_web

_RESULTS: Final = Path(__file__).with_name("results") / "run.json"
_PAGES, _TABS, _RUNS = 50, 5, 5
_MOST_CHARACTERS, _MOST_RATIO = 2000, 1.2
_PATIENCE: Final = 120.0

_PROGRAM: Final = """
const [urls, tabs] = INPUT;
const rows = [];
await Promise.all(tabs.map(async (id, first) => {
  for (let at = first; at < urls.length; at += tabs.length) {
    const page = await tab(id).navigate({url: urls[at], detail: 'full'});
    rows[at] = [page.title, page.structure.headings[0].text, page.interactive.length];
  }
}));
return rows;
"""
_ROWS: Final = "".join(f"<tr><td>Part {number}<td><button>Buy</button>" for number in range(30))


def _publish(web: Web) -> list[str]:
    """Publish the pages; return their URLs."""
    return [
        web.url(web.write(f"<h1>{number} EUR</h1><table>{_ROWS}</table>", title=f"Item {number}"))
        for number in range(_PAGES)
    ]


def _batch(server: Server, urls: Sequence[str], tabs: Sequence[str]) -> Reply:
    steps = [
        {
            "tool": "navigate",
            "arguments": {"tab_id": tabs[at % len(tabs)], "url": url, "detail": "full"},
        }
        for at, url in enumerate(urls)
    ]
    return server.start("batch", steps=steps, parallel=True).reply(_PATIENCE)


def _run(server: Server, urls: Sequence[str], tabs: Sequence[str]) -> Reply:
    code = _PROGRAM.replace("INPUT", json.dumps([urls, tabs]))
    return server.start("run", code=code).reply(_PATIENCE)


def measure(runs: int) -> list[dict[str, Any]]:
    """Measure both ways; return a row with ms and characters for each."""
    ways = {"batch": _batch, "run": _run}
    times: dict[str, list[float]] = {name: [] for name in ways}
    characters: dict[str, int] = {}
    with open_web() as web, open_server("--max-chars", "400000") as server:
        urls = _publish(web)
        tabs = [server.call("tab_open").json["tab_id"] for _ in range(_TABS)]
        for number in range(runs + 1):
            for name in sorted(ways, reverse=bool(number % 2)):
                begun = time.perf_counter()
                reply = ways[name](server, urls, tabs)
                if number:  # the first turn warms the caches
                    times[name].append((time.perf_counter() - begun) * 1000)
                if reply.result["isError"]:
                    raise RuntimeError(reply.text)
                characters[name] = len(reply.text)
    return [
        {"way": name, "ms": round(statistics.median(each), 1), "characters": characters[name]}
        for name, each in times.items()
    ]


def main() -> None:
    """Measure and write ``run.json``; exit with 1 if a bound is exceeded."""
    parser = argparse.ArgumentParser(prog="bench.run", description=__doc__)
    parser.add_argument("--runs", type=int, default=_RUNS, metavar="N")
    runs = parser.parse_args().runs
    rows = measure(runs)
    for row in rows:
        print(f"{row['way']:<6} {row['ms']:>8,.0f} ms {row['characters']:>9,} characters")
    batch, program = (row["ms"] for row in rows)
    ratio = program / batch
    print(f"ratio  {ratio:.2f}, bound {_MOST_RATIO}; bound {_MOST_CHARACTERS:,} characters")
    save(_RESULTS, rows, runs=runs)
    if ratio > _MOST_RATIO or rows[1]["characters"] > _MOST_CHARACTERS:
        sys.exit(1)


if __name__ == "__main__":
    main()
