"""The results of the tasks as a table and as JSON, with the bounds."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs

from bench import report
from bench.tasks.sides import FINDING, OTHERS, OURS, SHELL
from bench.tasks.task import Task

RESULTS: Final = Path(__file__).parents[1] / "results" / "tasks.json"
CHARS: Final = 0.45
"""Characters of text answers over those of each other side, for all tasks together."""

CALLS: Final = 0.8
"""The same for calls."""

SIDES: Final = (OURS, SHELL, *OTHERS, *FINDING)
"""All sides, ours first."""

_BOUNDED: Final = tuple((OURS, side) for side in OTHERS)
_UNBOUNDED: Final = ((SHELL, OURS), FINDING)
_CELL: Final = "{:>4} {:>8,}"


@attrs.frozen
class Outcome:
    """What one task took on one side; ``failure`` is empty if it was solved."""

    calls: int
    chars: int
    failure: str = ""

    def __str__(self) -> str:
        return _CELL.format(self.calls, self.chars) + (" !" if self.failure else "  ")


@attrs.frozen
class Results:
    """The outcomes of each task, by side."""

    rows: Mapping[Task, Mapping[str, Outcome]]
    sides: Sequence[str] = SIDES

    def total(self, side: str) -> Outcome:
        """Return the sums of a side; `Outcome.failure` names the tasks that it did not solve."""
        outcomes = {task: row[side] for task, row in self.rows.items()}
        failed = [str(task.number) for task, one in outcomes.items() if one.failure]
        calls, chars = (
            sum(one.calls for one in outcomes.values()),
            sum(one.chars for one in outcomes.values()),
        )
        return Outcome(calls, chars, ", ".join(failed))

    def ratios(self, ours_name: str, side: str) -> tuple[float, float]:
        """Return our calls and characters as multiples of those of another side."""
        ours, other = self.total(ours_name), self.total(side)
        return ours.calls / other.calls, ours.chars / other.chars

    def _pairs(self, pairs: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
        """Return the pairs of sides that were run."""
        return [pair for pair in pairs if {*pair} <= {*self.sides}]

    def missed(self) -> str | None:
        """Return what is not within its bound, or None."""
        problems = [
            f"{side} did not solve {failed}"
            for side in self.sides
            if (failed := self.total(side).failure)
        ]
        for _, side in self._pairs(_BOUNDED):
            calls, chars = self.ratios(OURS, side)
            if calls > CALLS:
                problems.append(f"calls {calls:.2f} x {side}")
            if chars > CHARS:
                problems.append(f"characters {chars:.2f} x {side}")
        return f"Not within its bound: {'; '.join(problems)}." if problems else None

    def table(self) -> str:
        """Return the table: calls and characters of each task and side, sums and ratios."""
        lines = [" ".join([f"{'task':<62}", *(f"{side:>15}" for side in self.sides)])]
        for task, row in self.rows.items():
            name = f"{task.number:>2} {task.title}"
            lines.append(" ".join([f"{name:<62}", *(str(row[side]) for side in self.sides)]))
        totals = (str(self.total(side)) for side in self.sides)
        lines.append(" ".join([f"{'sum (! not solved)':<62}", *totals]))
        for _, side in self._pairs(_BOUNDED):
            calls, chars = self.ratios(OURS, side)
            bounds = f"bounds {CALLS}, {CHARS}"
            lines.append(f"{OURS} / {side}: calls {calls:.2f}, characters {chars:.2f}; {bounds}")
        for pair in self._pairs(_UNBOUNDED):
            calls, chars = self.ratios(*pair)
            lines.append(f"{' / '.join(pair)}: calls {calls:.2f}, characters {chars:.2f}")
        return "\n".join(lines)

    def save(self, **versions: str) -> None:
        """Write the results file, one of its own if some sides were left out."""
        rows: list[dict[str, Any]] = [
            {
                "task": task.number,
                "title": task.title,
                "sides": {side: attrs.asdict(outcome) for side, outcome in row.items()},
            }
            for task, row in self.rows.items()
        ]
        rows.append(
            {
                "totals": {side: attrs.asdict(self.total(side)) for side in self.sides},
                "ratios": {
                    f"{one}/{other}": dict(
                        zip(("calls", "chars"), self.ratios(one, other), strict=True)
                    )
                    for one, other in self._pairs((*_BOUNDED, *_UNBOUNDED))
                },
                "bounds": {"calls": CALLS, "chars": CHARS},
            }
        )
        some = "" if self.sides == SIDES else f"-{'-'.join(self.sides)}"
        path = RESULTS.with_stem(RESULTS.stem + some)
        report.save(path, rows, runs=1, **versions)
