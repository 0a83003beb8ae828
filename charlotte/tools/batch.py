"""The tool that makes several calls in one: in order, or side by side on different tabs."""

from collections.abc import Callable, Sequence
from typing import Annotated, Any, Protocol

import attrs
import trio

from charlotte.actors.state.news import Ledger, keeping_ledger
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.page.record_base import compact_json
from charlotte.progress import current_progress
from charlotte.tools.answer import Answer, Block, Text
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.tool import Tool, tool
from charlotte.tools.toolbox import UnknownTool

_MOST_STEPS = 50
_DEADLINE = 3600.0
"""Seconds; each step has its own deadline, which is what ends one."""


@attrs.frozen
class Step:
    """One call, by any spelling of the tool's name."""

    tool: str
    arguments: dict[str, Any] = attrs.field(factory=dict[str, Any])


@attrs.frozen
class Prepared:
    """A call whose arguments have been checked; nothing has been done yet."""

    tool: Tool
    arguments: dict[str, Any]
    tab_id: str | None


class Caller(Protocol):
    """What a batch needs of its session."""

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        """Check a call; raises `UnknownTool` and `InvalidArgument`."""
        ...

    async def perform(self, prepared: Prepared) -> Answer:
        """Make a call, whose answer is not delivered yet; raises the `CharlotteError` it gets."""
        ...

    def most_characters(self) -> int:
        """How long an answer may be."""
        ...


@attrs.frozen
class StepResult:
    """What came of a step: a value, an error, or neither if it was not made."""

    tool: str
    value: Any
    error: CharlotteError | None


@attrs.define
class Outcome:
    """What became of a step, and the JSON ``row`` that tells it; nothing while it is not made."""

    step: Prepared
    answer: Answer | None = None
    error: CharlotteError | None = None
    row: str = ""

    @property
    def failed(self) -> bool:
        """Whether it ended with an error."""
        return self.error is not None or (self.answer is not None and self.answer.is_error)


@attrs.define
class Room:
    """How many characters the answer has left, and the answers whose rows are in it."""

    left: int
    _ledger: Ledger
    _answers: list[Answer] = attrs.field(factory=list[Answer])

    def tell(self, outcome: Outcome) -> None:
        """Make its row; one that does not fit is cut, and what it had to tell stays news.

        What is told is left out of later steps, and consumed when all has been delivered.
        """
        row = _row(outcome)
        if len(row) > self.left:
            row = compact_json({"tool": outcome.step.tool.name, "cut": f"{len(row)} characters"})
        elif outcome.answer is not None:
            self._answers.append(outcome.answer)
            if outcome.answer.news is not None:
                self._ledger.note(outcome.answer.news)
        self.left -= len(row)
        outcome.row = row

    def delivered(self) -> None:
        """Take note that the answer has been sent, with all that its rows tell."""
        for answer in self._answers:
            answer.delivered()


@tool(group="session", position=800, tab=False, deadline=_DEADLINE)
async def batch(
    caller: Caller,
    steps: Annotated[Sequence[Step], Limits(min_length=1, max_length=_MOST_STEPS)],
    *,
    parallel: Annotated[bool, "Run steps on different tabs at the same time"] = False,
    stop_on_error: bool = True,
) -> Answer[tuple[StepResult, ...]]:
    """Run several tool calls and return the result or error of each, in order.

    Checks all steps before running the first; skips the rest after an error.
    """
    outcomes = [Outcome(step) for step in _prepared(caller, steps)]
    if progress := current_progress():
        progress.count_steps(len(outcomes))

    def may_go_on() -> bool:
        return not (stop_on_error and any(outcome.failed for outcome in outcomes))

    with keeping_ledger() as ledger:
        room = Room(caller.most_characters(), ledger)
        if parallel:
            async with trio.open_nursery() as nursery:
                for line in _lines(outcomes):
                    nursery.start_soon(_perform, caller, line, room, may_go_on)
        else:
            await _perform(caller, outcomes, room, may_go_on)
    return attrs.evolve(_told(outcomes), delivered=room.delivered)


def _prepared(caller: Caller, steps: Sequence[Step]) -> list[Prepared]:
    """All steps checked; raises `InvalidArgument` with what is wrong with any of them."""
    prepared: list[Prepared] = []
    problems: list[str] = []
    for number, step in enumerate(steps, 1):
        try:
            prepared.append(caller.prepare(step.tool, step.arguments))
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
        raise InvalidArgument(" ".join(problems), "No step was made; correct these and repeat it.")
    return prepared


def _lines(outcomes: Sequence[Outcome]) -> list[list[Outcome]]:
    """The steps that have to wait for one another: those on the same tab."""
    lines: dict[object, list[Outcome]] = {}
    for number, outcome in enumerate(outcomes):
        key = outcome.step.tab_id if outcome.step.tool.tab else number
        lines.setdefault(key, []).append(outcome)
    return list(lines.values())


async def _perform(
    caller: Caller, line: Sequence[Outcome], room: Room, may_go_on: Callable[[], bool]
) -> None:
    for outcome in line:
        if not may_go_on():
            return
        progress = current_progress()
        if progress is not None:
            progress.begin_step(outcome.step.tool.name)
        try:
            outcome.answer = await caller.perform(outcome.step)
        except CharlotteError as error:
            outcome.error = error
        room.tell(outcome)
        if progress is not None:
            progress.end_step()


def _told(outcomes: Sequence[Outcome]) -> Answer[tuple[StepResult, ...]]:
    """The results as one JSON object, and after it what is no text."""
    rows = [outcome.row or _row(outcome) for outcome in outcomes]
    others = [block for outcome in outcomes for block in _media(outcome)]
    text = f'{{"results":[{",".join(rows)}]}}'
    return Answer(
        (Text(text), *others),
        is_error=any(one.failed for one in outcomes),
        value=tuple(map(_result, outcomes)),
    )


def _result(outcome: Outcome) -> StepResult:
    value = outcome.answer.value if outcome.answer else None
    return StepResult(outcome.step.tool.name, value, outcome.error)


def _row(outcome: Outcome) -> str:
    name = compact_json(outcome.step.tool.name)
    if outcome.error is not None:
        return f'{{"tool":{name},"error":{compact_json(outcome.error.as_json()["error"])}}}'
    if outcome.answer is None:
        return f'{{"tool":{name},"skipped":true}}'
    texts = [block.text for block in outcome.answer.blocks if isinstance(block, Text)]
    told = [text if text[:1] in ("{", "[") else compact_json(text) for text in texts]
    result, *others = told or ["null"]
    more = f',"more":[{",".join(others)}]' if others else ""
    return f'{{"tool":{name},"result":{result}{more}}}'


def _media(outcome: Outcome) -> list[Block]:
    blocks = outcome.answer.blocks if outcome.answer else ()
    return [block for block in blocks if not isinstance(block, Text)]
