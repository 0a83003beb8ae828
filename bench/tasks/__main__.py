"""``python -m bench.tasks``: the same tasks on real applications, with answers of several forms.

Charlotte answers as text or as JSON, and in a shell to the commands that its skill teaches. With
Playwright MCP, a page is looked at with browser_snapshot the first time, then with browser_find.
Two more sides are of an agent that knows all pages and only searches. Each task is a fixed script;
a step looks again only if no earlier answer shows the element or text that it needs. Results are
checked in the application's database.
"""

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import trio

from bench.peers import PLAYWRIGHT, VERSIONS, NoPeers
from bench.tasks import journal, ports, shop, tracker
from bench.tasks.agent import Agent
from bench.tasks.applications import NoApplication, Running
from bench.tasks.model import ActionFailed, TaskFailed
from bench.tasks.report import SIDES, Outcome, Results
from bench.tasks.shell_side import ShellKind
from bench.tasks.sides import SideKind, side_kinds
from bench.tasks.task import Task
from tests.stdio_client import RequestFailed

TASKS: Final = (*shop.TASKS, *tracker.TASKS, *ports.TASKS, *journal.TASKS)
_TASK_LIMIT: Final = 120.0
_LIMIT: Final = 2400.0
"""Maximum seconds for the whole benchmark, the first installation included."""


def main() -> None:
    """Run the selected tasks; exit with 1 if one is not solved or a bound is not met."""
    parser = argparse.ArgumentParser(prog="bench.tasks", description=__doc__)
    numbers = [task.number for task in TASKS]
    parser.add_argument("--only", action="append", type=int, choices=numbers, metavar="TASK")
    parser.add_argument("--side", action="append", choices=SIDES)
    parser.add_argument("--answers", action="store_true", help="print every call with its answer")
    options = parser.parse_args()
    tasks = [task for task in TASKS if task.number in (options.only or numbers)]
    sides = [side for side in SIDES if side in (options.side or SIDES)]
    try:
        results = trio.run(_bench, tasks, sides, options.answers)
    except (NoApplication, NoPeers) as failure:
        sys.exit(str(failure))
    if options.only:
        sys.exit()
    print(results.table())
    results.save(**{PLAYWRIGHT: VERSIONS[PLAYWRIGHT]})
    sys.exit(results.missed())


async def _bench(tasks: Sequence[Task], sides: Sequence[str], answers: bool) -> Results:  # noqa: FBT001 - by trio.run
    outcomes: dict[Task, dict[str, Outcome]] = {task: {} for task in tasks}
    with trio.fail_after(_LIMIT), tempfile.TemporaryDirectory() as scratch:
        kinds = await side_kinds(Path(scratch))
        applications = list(dict.fromkeys(task.application for task in tasks))
        for application in applications:
            await application.prepare()
        for side in sides:
            for application in applications:
                async with application.open(Path(scratch) / side) as running:
                    for task in tasks:
                        if task.application == application:
                            outcome = await _work(task, kinds[side], running, answers=answers)
                            outcomes[task][side] = outcome
                            print(f"{side:<15} {task.number:>2} {outcome} {outcome.failure[:300]}")
    return Results(outcomes, tuple(sides))


async def _work(
    task: Task, kind: SideKind | ShellKind, running: Running, *, answers: bool
) -> Outcome:
    """Work through a task with a browser of its own."""
    failure = f"took more than {_TASK_LIMIT:g} s"
    async with kind.open() as side:
        with trio.move_on_after(_TASK_LIMIT):
            try:
                await task.work(Agent(side, running.url), running)
                failure = ""
            except (TaskFailed, ActionFailed, RequestFailed) as reason:
                failure = str(reason)
        for tool, arguments, answer in side.counter.log if answers else ():
            print(f">>> {tool} {arguments}: {len(answer):,} characters\n{answer}")
    return Outcome(side.counter.calls, side.counter.chars, failure)


if __name__ == "__main__":
    main()
