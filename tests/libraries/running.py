"""Run tasks, and check them in the state of the page."""

import json
from collections.abc import Callable
from typing import Final, Protocol

import attrs

from tests.libraries.calls import Calls, ToolFailed
from tests.libraries.steps import Task

# Libraries commit values in timers: the state may be right a moment after the last answer.
_CHECK: Final = """(async () => {
  for (let round = 0; round < 20; round += 1) {
    try { if (%s) return "solved"; } catch (error) { if (round === 19) return String(error); }
    await new Promise((wake) => setTimeout(wake, 50));
  }
  return JSON.stringify(window.state);
})()"""


class Worker(Protocol):
    calls: Calls

    def work(self, task: Task, origin: str) -> None:
        """Open the page and take all steps. Raises `ToolFailed`."""
        ...


@attrs.frozen
class Outcome:
    """The cost of a task; ``failure`` is empty if it was solved."""

    calls: int
    chars: int
    ms: int
    failure: str = ""


def run(task: Task, worker: Worker, origin: str, evaluate: Callable[[str], str]) -> Outcome:
    """Work through a task; evaluate its check with calls that are not counted."""
    failure = ""
    try:
        worker.work(task, origin)
    except ToolFailed as error:
        failure = f"{error}"
    calls = worker.calls
    state = evaluate(_CHECK % task.holds)
    failure = "" if "solved" in state else failure or f"the state is {state}"
    return Outcome(calls.count, calls.chars, round(1000 * calls.seconds), failure)


def in_charlotte(calls: Calls) -> Callable[[str], str]:
    """Return a function that evaluates an expression in the page."""

    def evaluate(expression: str) -> str:
        return str(json.dumps(calls.server.call("evaluate", expression=expression).text))

    return evaluate
