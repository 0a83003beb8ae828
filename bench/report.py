"""The results as a table for people and as JSON for comparisons."""

import json
import os
import platform
import statistics
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Final

import attrs

from bench.row import Row, Sample
from charlotte import __version__

RESULTS: Final = Path(__file__).with_name("results") / "foundation.json"

_ROUGH: Final = 10.0  # ms; from here on one decimal is enough
_COLUMNS: Final = "{:<16} {:>10} {:>10} {:>17} {:>7}  {:<20} {:<5} {:>15}"


@attrs.frozen
class Series:
    """One side of a row: a list of samples per run."""

    runs: Sequence[Sequence[Sample]]

    @property
    def times(self) -> list[float]:
        """The ms of each run: the median of its samples."""
        return [statistics.median(sample.ms for sample in run) for run in self.runs]

    @property
    def median(self) -> float:
        """The median of the times in ms."""
        return statistics.median(self.times)

    @property
    def chars(self) -> int:
        """The median length of an answer in characters."""
        return round(statistics.median(sample.chars for run in self.runs for sample in run))

    def as_json(self) -> dict[str, Any]:
        """Return all data, raw samples included; times in ms."""
        return {
            "median": round(self.median, 3),
            "min": round(min(self.times), 3),
            "max": round(max(self.times), 3),
            "chars": self.chars,
            "samples": [[round(sample.ms, 3) for sample in run] for run in self.runs],
        }


@attrs.frozen
class Measured:
    """A row with its results."""

    row: Row
    floor: Series
    ours: Series

    @property
    def ratio(self) -> float:
        """Our time as a multiple of the floor."""
        return self.ours.median / self.floor.median

    @property
    def limit(self) -> float:
        """The time that the bound allows in this run, in ms."""
        return self.row.bound.limit(self.floor.median)

    @property
    def met(self) -> bool:
        """Whether our time is within the bound."""
        return self.ours.median <= self.limit

    def line(self) -> str:
        """Return the row's line of the table."""
        times = self.ours.times
        return _COLUMNS.format(
            self.row.name,
            _ms(self.floor.median),
            _ms(self.ours.median),
            f"{_ms(min(times))} - {_ms(max(times))}",
            f"{self.ratio:.2f}",
            str(self.row.bound),
            "yes" if self.met else "over",
            f"{self.floor.chars:,} / {self.ours.chars:,}",
        )

    def as_json(self) -> dict[str, Any]:
        """Return the row's record of the results."""
        return {
            "row": self.row.name,
            "floor": self.floor.as_json(),
            "ours": self.ours.as_json(),
            "ratio": round(self.ratio, 3),
            "bound": attrs.asdict(self.row.bound),
            "limit": round(self.limit, 3),
            "met": self.met,
        }


@attrs.frozen
class Failed:
    """A row that could not be measured."""

    row: Row
    reason: str
    met: ClassVar[bool] = False

    def line(self) -> str:
        """Return the row's line of the table."""
        return f"{self.row.name:<16} failed: {self.reason}"

    def as_json(self) -> dict[str, Any]:
        """Return the row's record of the results."""
        return {"row": self.row.name, "failed": self.reason}


def header() -> str:
    """Return the table's head; times are in ms."""
    names = ("ms", "floor", "ours", "min - max", "ratio", "bound", "met", "characters")
    return _COLUMNS.format(*names)


def missed(results: Sequence[Measured | Failed]) -> str | None:
    """Return a message with the rows that exceed their bounds, or None."""
    names = [result.row.name for result in results if not result.met]
    return f"Not within its bound: {', '.join(names)}." if names else None


def write(results: Sequence[Measured | Failed], *, runs: int, chromium: str) -> None:
    """Write the results file."""
    save(RESULTS, [result.as_json() for result in results], runs=runs, chromium=chromium)


def save(path: Path, rows: Sequence[dict[str, Any]], *, runs: int, **versions: Any) -> None:
    """Write rows to a results file, with versions and machine."""
    report = {
        "runs": runs,
        "versions": {"python": platform.python_version(), "charlotte": __version__, **versions},
        "machine": {"cpus": os.cpu_count(), "load": os.getloadavg()},
        "rows": rows,
    }
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


def _ms(value: float) -> str:
    return f"{value:,.1f}" if value >= _ROUGH else f"{value:.2f}"
