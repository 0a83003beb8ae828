"""The tool that runs several calls: in order, or in parallel on different tabs."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Protocol

import attrs
import trio

from charlotte.actors.state.news import Ledger, keeping_ledger
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.page.model import compact_json
from charlotte.progress import current_progress
from charlotte.tools.answer import Answer, Text
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.tool import Tool, UnknownTool, tool

_MOST_STEPS = 50
_DEADLINE = 3600.0
"""Seconds; each step has its own, shorter deadline."""


@attrs.frozen
class Step:
    """A call, by any spelling of the tool's name."""

    tool: str
    arguments: dict[str, Any] = attrs.field(factory=dict[str, Any])


@attrs.frozen
class Prepared:
    """A call whose arguments have been checked, before it is made."""

    tool: Tool
    arguments: dict[str, Any]
    tab_id: str | None


class BatchSession(Protocol):
    """A session, as a batch needs it."""

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        """Check a call; raises `UnknownTool` and `InvalidArgument`."""
        ...

    async def perform(self, prepared: Prepared) -> Answer:
        """Make a call without calling ``delivered`` of its answer; raises `CharlotteError`."""
        ...

    def most_characters(self) -> int:
        """Return the maximum length of an answer."""
        ...


@attrs.frozen
class StepResult:
    """The result of a step: a value, an error, or neither if the step was skipped."""

    tool: str
    value: Any
    error: CharlotteError | None


@attrs.define
class StepRun:
    """A step, its answer or error, and its JSON ``row``, all of them empty until it has run."""

    step: Prepared
    answer: Answer | None = None
    error: CharlotteError | None = None
    row: str = ""

    @property
    def failed(self) -> bool:
        """Whether the step ended with an error."""
        return self.error is not None or (self.answer is not None and self.answer.is_error)

    @property
    def result(self) -> StepResult:
        """The result for programs."""
        value = self.answer.value if self.answer else None
        return StepResult(self.step.tool.name, value, self.error)

    def as_json(self) -> str:
        """Return the row as JSON text, not cut."""
        name = compact_json(self.step.tool.name)
        if self.error is not None:
            return f'{{"tool":{name},"error":{compact_json(self.error.as_json()["error"])}}}'
        if self.answer is None:
            return f'{{"tool":{name},"skipped":true}}'
        texts = [block.text for block in self.answer.blocks if isinstance(block, Text)]
        rows = [text if text[:1] in ("{", "[") else compact_json(text) for text in texts]
        result, *others = rows or ["null"]
        more = f',"more":[{",".join(others)}]' if others else ""
        return f'{{"tool":{name},"result":{result}{more}}}'


@attrs.define
class AnswerSpace:
    """The characters that are left of the answer, and the step answers that it contains."""

    left: int
    _ledger: Ledger
    _answers: list[Answer] = attrs.field(factory=list[Answer])

    def add(self, run: StepRun) -> None:
        """Set a step's row, cut if it does not fit.

        News in the row are left out of later steps; news of a cut row are reported again.
        """
        run.row = run.as_json()
        if len(run.row) > self.left:
            cut = f"{len(run.row)} characters"
            run.row = compact_json({"tool": run.step.tool.name, "cut": cut})
        elif run.answer is not None:
            self._answers.append(run.answer)
            if run.answer.news is not None:
                self._ledger.note(run.answer.news)
        self.left -= len(run.row)

    def delivered(self) -> None:
        """Mark the answers of all rows that are not cut as delivered."""
        for answer in self._answers:
            answer.delivered()


@tool(group="session", position=800, tab=False, deadline=_DEADLINE)
async def batch(
    session: BatchSession,
    steps: Annotated[Sequence[Step], Limits(min_length=1, max_length=_MOST_STEPS)],
    *,
    parallel: Annotated[bool, "Run steps on different tabs at the same time"] = False,
    stop_on_error: bool = True,
) -> Answer[tuple[StepResult, ...]]:
    """Run several tool calls and return the result or error of each, in order.

    Checks all steps before running the first; skips the rest after an error.
    """
    runs = [StepRun(step) for step in _prepare_all(session, steps)]
    if progress := current_progress():
        progress.count_steps(len(runs))

    def may_continue() -> bool:
        return not (stop_on_error and any(run.failed for run in runs))

    with keeping_ledger() as ledger:
        space = AnswerSpace(session.most_characters(), ledger)
        if parallel:
            by_tab: dict[object, list[StepRun]] = {}
            for number, run in enumerate(runs):
                key = run.step.tab_id if run.step.tool.tab else number
                by_tab.setdefault(key, []).append(run)
            async with trio.open_nursery() as nursery:
                for queue in by_tab.values():
                    nursery.start_soon(_perform, session, queue, space, may_continue)
        else:
            await _perform(session, runs, space, may_continue)

    rows = ",".join(run.row or run.as_json() for run in runs)
    others = [
        block
        for run in runs
        for block in (run.answer.blocks if run.answer else ())
        if not isinstance(block, Text)
    ]
    return Answer(
        (Text(f'{{"results":[{rows}]}}'), *others),
        is_error=any(run.failed for run in runs),
        delivered=space.delivered,
        value=tuple(run.result for run in runs),
    )


def _prepare_all(session: BatchSession, steps: Sequence[Step]) -> list[Prepared]:
    """Check all steps; raises `InvalidArgument` with the problems of all of them."""
    prepared: list[Prepared] = []
    problems: list[str] = []
    for number, step in enumerate(steps, 1):
        try:
            prepared.append(session.prepare(step.tool, step.arguments))
        except UnknownTool as error:
            problems.append(f"Step {number}: {error}.")
        except InvalidArgument as error:
            problems.append(f"Step {number}: {error.message}")
    problems += [
        f"Step {number}: a batch cannot be a step of a batch."
        for number, step in enumerate(prepared, 1)
        if step.tool is batch
    ]
    if problems:
        raise InvalidArgument(" ".join(problems), "No step was made; correct these and retry.")
    return prepared


async def _perform(
    session: BatchSession,
    runs: Sequence[StepRun],
    space: AnswerSpace,
    may_continue: Callable[[], bool],
) -> None:
    for run in runs:
        if not may_continue():
            return
        progress = current_progress()
        if progress is not None:
            progress.begin_step(run.step.tool.name)
        try:
            run.answer = await session.perform(run.step)
        except CharlotteError as error:
            run.error = error
        space.add(run)
        if progress is not None:
            progress.end_step()
