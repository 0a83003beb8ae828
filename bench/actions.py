"""``python -m bench.actions``: the cost of actions, compared with the floor and with peers.

A sample is one call, from request to answer; "reported" means that the answer itself contains the
effect. Peers are installed from npm; without node they are left out.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import attrs
import trio
from starlette.responses import HTMLResponse

from bench.cdp import FloorFailed
from bench.floor import open_floor
from bench.ours import CallFailed, open_server
from bench.peers import VERSIONS, NoPeers, PeerFailed, open_peers
from bench.report import save
from bench.row import Bound
from bench.sides import Bare, Ours, Side
from bench.ways import WAYS, page
from tests.site.routes import Handler, always
from tests.site.server import Site, open_site
from tests.stdio_client import RequestFailed

_RESULTS: Final = Path(__file__).with_name("results") / "actions.json"
_TEXT: Final = "twenty letters in it"
_LONG: Final = "".join(f"line {number:03} with some words in it\n" for number in range(320))[
    :10_000
]
_EDITABLES: Final = {
    "textarea": "<textarea id=Text aria-label=Text></textarea>",
    "contenteditable": "<div id=Text contenteditable role=textbox aria-label=Text></div>",
}
_FIELDS: Final = [f"Field{number}" for number in range(10)]
_FORM: Final = "".join(f"<p><input id={name} aria-label={name}></p>" for name in _FIELDS)
_PATIENCE: Final = 60.0
_FAILURES: Final = (FloorFailed, CallFailed, PeerFailed, RequestFailed)


@attrs.frozen
class Sample:
    """One call: ms, characters of the answer, whether the answer contains the effect."""

    ms: float
    chars: int
    reported: bool


Act = Callable[[Side], Awaitable[str]]


@attrs.frozen
class Row:
    """A row of the table; ``prepare`` returns the action, ``seen`` and ``reported`` its end."""

    name: str
    path: str
    bound: Bound
    prepare: Callable[[Side], Awaitable[Act]]
    reported: str
    seen: str = "html"


async def _click(side: Side, *, name: str) -> Act:
    [reference] = await side.references(name)
    return lambda side: side.click(reference)


async def _type(side: Side) -> Act:
    [reference] = await side.references(_FIELDS[0])
    return lambda side: side.type(reference, _TEXT)


async def _type_long(side: Side) -> Act:
    [reference] = await side.references("Text")
    return lambda side: side.type(reference, _LONG)


async def _fill(side: Side) -> Act:
    references = await side.references(*_FIELDS)
    values = {one: f"value {number}" for number, one in enumerate(references)}
    return lambda side: side.fill(values)


def _way_row(name: str, ms: int) -> Row:
    leaves = name in {"timer and page", "form"}
    bound = Bound(ms=ms + 80 if ms else 60, ratio=1.5)
    seen = "" if leaves else "h2"
    return Row(name, f"/ways/{name.replace(' ', '-')}", bound, _clicks("Go"), "Done", seen)


def _clicks(name: str) -> Callable[[Side], Awaitable[Act]]:
    async def prepare(side: Side) -> Act:
        return await _click(side, name=name)

    return prepare


ROWS: Final = (
    *(_way_row(name, ms) for name, (_, ms) in WAYS.items()),
    Row("link", "/ways/at-once", Bound(ratio=1.0, plus=60.0), _clicks("Link"), "Done", ""),
    Row("type 20", "/ways/fields", Bound(ms=120.0, ratio=1.5), _type, _TEXT),
    *(
        Row(name, f"/ways/{name}", Bound(ratio=2.0, plus=150.0), _type_long, "line 001")
        for name in _EDITABLES
    ),
    Row("fill_form 10", "/ways/fields", Bound(ms=300.0, ratio=1.5), _fill, "value 9"),
)


@attrs.frozen
class Result:
    """The samples of a row, by side; failed calls are missing."""

    row: Row
    samples: Mapping[str, Sequence[Sample]]

    def median(self, side: str) -> float | None:
        """Return the median time in ms."""
        samples = self.samples.get(side)
        return statistics.median(sample.ms for sample in samples) if samples else None

    @property
    def limit(self) -> float:
        """The maximum time of Charlotte in ms."""
        return self.row.bound.limit(self.median("floor") or 0.0)

    def line(self) -> str:
        """Return the line of the row in the table."""
        ours = self.median("Charlotte")
        met = "yes" if ours is not None and ours <= self.limit else "over"
        cells = [f"{_cell(self, side):>22}" for side in self.samples]
        return f"{self.row.name:<16}{self.limit:>8.0f} {met:<5}" + "".join(cells)

    def as_json(self) -> dict[str, Any]:
        """Return the record of the row in the results."""
        return {
            "row": self.row.name,
            "bound": attrs.asdict(self.row.bound),
            "limit": round(self.limit, 1),
            "sides": {
                side: {"median": self.median(side), "samples": [attrs.astuple(one) for one in row]}
                for side, row in self.samples.items()
            },
        }


def _cell(result: Result, side: str) -> str:
    median = result.median(side)
    if median is None:
        return "failed"
    reported = sum(sample.reported for sample in result.samples[side])
    return f"{median:,.1f} ({reported}/{len(result.samples[side])} reported)"


def main() -> None:
    """Measure, print the table, write the results."""
    parser = argparse.ArgumentParser(prog="bench.actions", description=__doc__)
    parser.add_argument("--runs", type=int, default=7, metavar="N")
    parser.add_argument("--only", action="append", metavar="ROW")
    parser.add_argument("--no-peers", action="store_true")
    options = parser.parse_args()
    rows = [row for row in ROWS if not options.only or row.name in options.only]
    trio.run(_bench, rows, options.runs, not options.no_peers)


async def _bench(rows: Sequence[Row], runs: int, with_peers: bool) -> None:  # noqa: FBT001
    async with open_site(routes=routes()) as site, _sides(with_peers=with_peers) as sides:
        print(f"{'ms':<16}{'limit':>8} {'met':<5}" + "".join(f"{one.name:>22}" for one in sides))
        results = [await _measured(row, site, sides, runs) for row in rows]
    save(_RESULTS, [one.as_json() for one in results], runs=runs, peers=VERSIONS)
    print(f"{runs} runs; raw samples in {_RESULTS}")


def routes() -> dict[str, Handler]:
    """Return the pages of all rows."""
    pages = {f"/ways/{name.replace(' ', '-')}": always(HTMLResponse(page(name))) for name in WAYS}
    texts = {f"/ways/{name}": _page_of(markup) for name, markup in _EDITABLES.items()}
    return {**pages, **texts, "/ways/fields": _page_of(_FORM)}


def _page_of(markup: str) -> Handler:
    text = f"<!DOCTYPE html><html lang=en><title>Fields</title><body>{markup}"
    return always(HTMLResponse(text.encode()))


@asynccontextmanager
async def _sides(*, with_peers: bool) -> AsyncGenerator[list[Side]]:
    async with open_floor() as floor, open_server() as server:
        await server.initialize()
        sides: list[Side] = [Bare(await floor.tab()), Ours(server)]
        if not with_peers:
            yield sides
            return
        async with AsyncExitStack() as stack:
            scratch = tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True)
            place = Path(stack.enter_context(scratch))
            try:
                sides += await stack.enter_async_context(open_peers(place))
            except NoPeers as reason:
                print(f"Without peers: {reason}.")
            yield sides


async def _measured(row: Row, site: Site, sides: Sequence[Side], runs: int) -> Result:
    """Measure all sides in turns, so that other load affects all alike."""
    samples: dict[str, list[Sample]] = {side.name: [] for side in sides}
    for _ in range(runs):
        for side in sides:
            if (sample := await take_sample(row, site, side)) is not None:
                samples[side.name].append(sample)
    result = Result(row, samples)
    print(result.line(), flush=True)
    return result


async def take_sample(row: Row, site: Site, side: Side) -> Sample | None:
    """Measure one call on a newly loaded page; return None if it failed."""
    if isinstance(side, Bare):
        side.seen = row.seen
    with trio.move_on_after(_PATIENCE):
        try:
            await side.navigate(site.url(row.path))
            act = await row.prepare(side)
            started = time.perf_counter()
            answer = await act(side)
        except _FAILURES as failure:
            print(f"{row.name}, {side.name}: {failure}")
            return None
        ms = (time.perf_counter() - started) * 1000
        return Sample(ms, len(answer), row.reported in answer)
    return None


if __name__ == "__main__":
    main()
