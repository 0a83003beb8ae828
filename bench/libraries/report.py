"""The results of the tasks as a table and as JSON."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from bench import report
from bench.libraries.sides import NAMES, OURS
from tests.libraries.running import Outcome

RESULTS: Final = Path(__file__).parents[1] / "results" / "libraries.json"
_CELL: Final = "{:>5} {:>4} {:>8,} {:>6.1f} s"


@attrs.frozen
class Sums:
    """The sums of a side."""

    solved: int
    calls: int
    chars: int
    ms: int

    def cell(self) -> str:
        """Return the cell of the table."""
        return _CELL.format(self.solved, self.calls, self.chars, self.ms / 1000)


@attrs.frozen
class Results:
    """The outcomes of each task, by side."""

    rows: Mapping[str, Mapping[str, Outcome]]

    @property
    def sides(self) -> Sequence[str]:
        """The sides that ran."""
        first = next(iter(self.rows.values()))
        return [name for name in NAMES if name in first]

    def sums(self, side: str, *, shared_with: str = "") -> Sums:
        """Return the sums of a side over all tasks, or over those that another side solved too."""
        outcomes = [
            row[side]
            for row in self.rows.values()
            if not (shared_with and (row[side].failure or row[shared_with].failure))
        ]
        return Sums(
            sum(not one.failure for one in outcomes),
            sum(one.calls for one in outcomes),
            sum(one.chars for one in outcomes),
            sum(one.ms for one in outcomes),
        )

    def missed(self) -> str | None:
        """Return in which sums Charlotte is not ahead, or None."""
        ours = self.sums(OURS)
        behind = [
            f"{name} of {side}"
            for side in self.sides if side != OURS
            for name in ("solved", "calls", "chars", "ms")
            if not _ahead(name, getattr(ours, name), getattr(self.sums(side), name))
        ]  # fmt: skip
        return f"Not ahead in: {', '.join(behind)}." if behind else None

    def table(self) -> str:
        """Return the table: solved, calls, characters and seconds of each task and side."""
        lines = [f"{'task':<72}" + "".join(f"{side:>28}" for side in self.sides)]
        for name, row in self.rows.items():
            cells = (_cell(row[side]) for side in self.sides)
            lines.append(f"{name[:70]:<72}" + "".join(f"{cell:>28}" for cell in cells))
        sums = (self.sums(side).cell() for side in self.sides)
        lines.append(f"{'sum':<72}" + "".join(f"{cell:>28}" for cell in sums))
        for other in self.sides[1:]:
            ours = self.sums(self.sides[0], shared_with=other).cell()
            theirs = self.sums(other, shared_with=self.sides[0]).cell()
            lines.append(f"{f'tasks that {other} solved too':<72}{ours:>28}{theirs:>28}")
        return "\n".join(lines)

    def save(self, **versions: str) -> None:
        """Write the results file."""
        rows: list[dict[str, Any]] = [
            {"task": name, "sides": {side: attrs.asdict(one) for side, one in row.items()}}
            for name, row in self.rows.items()
        ]
        rows.append({"sums": {side: attrs.asdict(self.sums(side)) for side in self.sides}})
        rows += [
            {
                "shared": {
                    OURS: attrs.asdict(self.sums(OURS, shared_with=other)),
                    other: attrs.asdict(self.sums(other, shared_with=OURS)),
                }
            }
            for other in self.sides
            if other != OURS
        ]
        report.save(RESULTS, rows, runs=1, **versions)


def _cell(one: Outcome) -> str:
    return _CELL.format("no" if one.failure else "yes", one.calls, one.chars, one.ms / 1000)


def _ahead(name: str, ours: int, theirs: int) -> bool:
    return ours >= theirs if name == "solved" else ours <= theirs
