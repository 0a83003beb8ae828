"""``python -m bench.libraries``: tasks on pages of component libraries, with three servers.

The tasks are 60 of ``tests/libraries`` at equal distances, so that none was chosen for its outcome.
Their steps are the same for all servers; an agent for each server takes them with the best tool
that it offers. Results are checked in the state of the page.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import trio

from bench.libraries.report import Results
from bench.libraries.sides import NAMES, side_kinds
from bench.peers import VERSIONS, NoPeers
from tests.libraries import site
from tests.libraries.running import Outcome, run
from tests.libraries.steps import Task
from tests.libraries.tasks import TASKS

_COUNT: Final = 60
CHOSEN: Final = [TASKS[number * len(TASKS) // _COUNT] for number in range(_COUNT)]


def main() -> None:
    """Run the tasks; exit with 1 if Charlotte is not ahead in a sum."""
    parser = argparse.ArgumentParser(prog="bench.libraries", description=__doc__)
    parser.add_argument("--only", metavar="TEXT", help="tasks with this text in their name")
    parser.add_argument("--side", action="append", choices=NAMES)
    parser.add_argument("--answers", action="store_true", help="print every call with its answer")
    options = parser.parse_args()
    tasks = [task for task in CHOSEN if (options.only or "") in task.name]
    try:
        results = bench(tasks, options.side or NAMES, answers=options.answers)
    except NoPeers as failure:
        sys.exit(str(failure))
    print(results.table() if tasks else "No task has this text in its name.")
    if options.only or options.side:
        sys.exit()
    results.save(**VERSIONS)
    sys.exit(results.missed())


def bench(tasks: Sequence[Task], sides: Sequence[str], *, answers: bool) -> Results:
    """Work through all tasks with one side after the other, each with a new browser."""
    installed = Path(os.environ["LIBRARIES"])
    outcomes: dict[str, dict[str, Outcome]] = {task.name: {} for task in tasks}
    built = site.bundle(installed, {task.library for task in tasks})
    with tempfile.TemporaryDirectory() as scratch, site.serve(built) as origin:
        kinds = trio.run(side_kinds, Path(scratch))
        for name in sides:
            with kinds[name].open(Path(scratch)) as side:
                for task in tasks:
                    worker, evaluate = side.start()
                    outcome = run(task, worker, origin, evaluate)
                    outcomes[task.name][name] = outcome
                    print(f"{name:<20} {task.name:<70} {outcome}"[:400], flush=True)
                    for tool, arguments, answer in worker.calls.log if answers else ():
                        print(f">>> {tool} {arguments}: {len(answer):,} characters\n{answer}")
    return Results(outcomes)


if __name__ == "__main__":
    main()
