"""The tool that makes several calls at once.

In the text form, its answer has a line for each step with what only that step showed, and then, for
each tab, what all steps together changed.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Annotated, Any, Literal, Protocol

import attrs
import trio

from charlotte.actors.state.news import in_batch
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.session_settings import Settings
from charlotte.answers.answer import Answer, Text
from charlotte.answers.answer_format import wants_text
from charlotte.answers.deltas import compare_views, outline_of
from charlotte.answers.news import News
from charlotte.answers.remarks import write_error
from charlotte.answers.text.change_lines import ARROW, without_digits
from charlotte.answers.text.page import write_header
from charlotte.answers.text_answers import TextAnswer
from charlotte.base.errors import CharlotteError, InvalidArgument
from charlotte.base.progress import current_progress
from charlotte.browser.sandbox_page import Sandbox
from charlotte.config.config import AnswerFormat
from charlotte.page.model import compact_json, count_fitting
from charlotte.tools.schema.arguments import Limits, Private
from charlotte.tools.schema.tool import Tool, UnknownTool, session_tool

_PASSING_CHARS = 300
_NAMING = ("element_id", "form_id", "source_id")
"""Arguments that name the object of a step."""


@attrs.frozen
class Step:
    """A call, by any spelling of the tool's name."""

    tool: Annotated[str, "Name of a tool."]
    arguments: Annotated[dict[str, Any], "Arguments of the tool."] = attrs.field(
        factory=dict[str, Any]
    )


@attrs.frozen
class Prepared:
    """A call whose arguments have been checked, before it is made; ``answers`` in this format."""

    tool: Tool
    arguments: dict[str, Any]
    tab_id: str | None
    answers: AnswerFormat


class CallingSession(Protocol):
    """A session, as a batch or a program needs it."""

    def prepare(self, name: str, arguments: dict[str, Any]) -> Prepared:
        """Check a call; raises `UnknownTool` and `InvalidArgument`."""
        ...

    async def perform(self, prepared: Prepared) -> Answer:
        """Make a call without calling ``delivered`` of its answer; raises `CharlotteError`."""
        ...

    @property
    def settings(self) -> Settings:
        """The settings of the session."""
        ...

    def open_sandbox(self) -> AbstractAsyncContextManager[Sandbox]:
        """Open a page for a program, which is closed at the end."""
        ...


@attrs.frozen
class StepResult:
    """The result of a step: a value, an error, or neither if the step was skipped."""

    tool: str
    value: Any
    error: CharlotteError | None


@attrs.define(eq=False)
class StepRun:
    """A step, its answer or error, and its ``row``, all of them empty until it has run.

    In the text form, the page is shown by the ``step`` itself, or at the ``end`` of the batch.
    """

    number: int
    step: Prepared
    shows_page: Literal["step", "end"] = "step"
    answer: Answer | None = None
    error: CharlotteError | None = None
    row: str = ""
    is_cut: bool = False

    @property
    def failed(self) -> bool:
        """Whether the step ended with an error."""
        return self.error is not None or (self.answer is not None and self.answer.is_error)

    @property
    def news(self) -> News | None:
        """The news that the lines of the step report; margins only if they contain the page."""
        news = self.answer.news if self.answer is not None else None
        if news is None:
            return None
        return news if self.shows_page == "step" else attrs.evolve(news, sections=())

    @property
    def shown(self) -> TextAnswer | None:
        """The page that the step shows, if it is not part of its own lines."""
        is_own = self.shows_page == "step"
        return None if is_own or self.answer is None else self.answer.shown

    def write(self) -> str:
        """Return the row in the format of the batch, not cut."""
        return "\n".join(self.as_lines()) if wants_text() else self.as_json()

    def write_cut(self) -> str:
        """Return the row of a step whose answer has no room."""
        if wants_text():
            return f"{self._title} ok, {len(self.row):,} characters are left out"
        return compact_json({"tool": self.step.tool.name, "cut": f"{len(self.row)} characters"})

    @property
    def acted_on(self) -> str | None:
        """The element or form of the step."""
        given = map(self.step.arguments.get, _NAMING)
        return next((str(value) for value in given if value), None)

    @property
    def _title(self) -> str:
        named = f" {self.acted_on}" if self.acted_on else ""
        return f"{self.number} {self.step.tool.name}{named}:"

    def as_lines(self) -> list[str]:
        """Return a line about the step, and the indented lines of its answer.

        Text that a page could have written like Charlotte's own lines is marked with ``>``.
        """
        if self.error is not None:
            first, *others = write_error(self.error).split("\n")
            return [f"{self._title} {first}", *(f"  {line}" for line in others)]
        if self.answer is None:
            return [f"{self._title} skipped"]
        lines = [f"{self._title} ok"]
        if (shown := self.shown) is not None:
            return lines + [f"  {line}" for line in shown.remarks]
        for block in self.answer.blocks:
            if isinstance(block, Text):
                mark = "> " if block.form == "page" else ""
                lines += [f"  {mark}{line}" for line in block.text.split("\n")]
        return lines

    def as_json(self) -> str:
        """Return the row as JSON text, not cut."""
        name = compact_json(self.step.tool.name)
        if self.error is not None:
            return f'{{"tool":{name},"error":{compact_json(self.error.as_json()["error"])}}}'
        if self.answer is None:
            return f'{{"tool":{name},"skipped":true}}'
        return f'{{"tool":{name},"result":{self.answer.document}}}'


@attrs.define(eq=False)
class BatchRun:
    """The steps of a batch, and the characters that are left of its answer.

    ``sections`` are the margins of the pages that it shows after all steps.
    """

    session: CallingSession
    runs: Sequence[StepRun]
    stop_on_error: bool
    left: int
    sections: list[tuple[TabRecord, Sequence[str]]] = attrs.field(
        factory=list[tuple[TabRecord, Sequence[str]]], init=False
    )

    async def perform(self, runs: Sequence[StepRun]) -> None:
        """Make some of the steps, in order."""
        progress = current_progress()
        for run in runs:
            if self.stop_on_error and any(each.failed for each in self.runs):
                return
            if progress is not None:
                progress.begin_step(run.step.tool.name)
            try:
                run.answer = await self.session.perform(run.step)
            except CharlotteError as error:
                run.error = error
            run.row = run.write()
            run.is_cut = len(run.row) > self.left
            if run.is_cut:
                run.row = run.write_cut()
            elif (news := run.news) is not None:
                news.consume()  # in the name of the batch: later steps do not report them again
            self.left -= len(run.row)
            if progress is not None:
                progress.end_step()

    def delivered(self) -> None:
        """Mark the answers and errors of all rows that are not cut as delivered."""
        for run in self.runs:
            if run.error is not None and not run.is_cut:
                run.error.delivered()
            if run.answer is None or run.is_cut:
                continue
            if run.shows_page == "step":
                run.answer.delivered()
            elif (news := run.news) is not None:
                news.consume()
            if (shown := run.shown) is not None:
                shown.record.note_delivered(shown.view)
        for record, sections in self.sections:
            record.session.client.note_sections(sections)


@session_tool(title="Run several calls", position=800, destructive=True, deadline=3600.0)
async def batch(
    session: CallingSession,
    steps: Annotated[
        Sequence[Step], Limits(min_length=1, max_length=50), Private(), "Calls to make, in order."
    ],
    *,
    parallel: Annotated[bool, "Run steps on different tabs at the same time."] = False,
    stop_on_error: Annotated[bool, "Skip the steps after the first error."] = True,
) -> Answer[tuple[StepResult, ...]]:
    """Run several tool calls and return the result or error of each, in order.

    Checks all steps before running the first; skips the rest after an error.
    """
    runs = _prepare_all(session, steps)
    if progress := current_progress():
        progress.count_steps(len(runs))
    queues: dict[object, list[StepRun]] = {}
    for number, run in enumerate(runs):
        tab = run.step.tab_id if run.step.tool.tab else number
        queues.setdefault(tab if parallel else "all", []).append(run)
    made = BatchRun(session, runs, stop_on_error, session.settings.max_chars)
    with in_batch():
        async with trio.open_nursery() as nursery:
            for queue in queues.values():
                nursery.start_soon(made.perform, queue)

    if wants_text():
        text = Text("\n".join(_write_all(made)))
    else:
        rows = ",".join(run.row or run.as_json() for run in runs)
        text = Text(f'{{"results":[{rows}]}}', form="json")
    blocks = [block for run in runs if run.answer for block in run.answer.blocks]
    others = [block for block in blocks if not isinstance(block, Text)]
    return Answer(
        (text, *others),
        is_error=any(run.failed for run in runs),
        delivered=made.delivered,
        value=tuple(
            StepResult(run.step.tool.name, run.answer.value if run.answer else None, run.error)
            for run in runs
        ),
    )


def _prepare_all(session: CallingSession, steps: Sequence[Step]) -> list[StepRun]:
    """Check all steps; raises `InvalidArgument` with the problems of all of them."""
    runs: list[StepRun] = []
    problems: list[str] = []
    for number, step in enumerate(steps, 1):
        try:
            prepared = session.prepare(step.tool, step.arguments)
        except UnknownTool as error:
            end = "" if str(error).endswith("?") else "."
            problems.append(f"Step {number}: {error}{end}")
        except InvalidArgument as error:
            problems.append(f"Step {number}: {error.message}")
        else:
            is_delta = prepared.arguments.get("detail") == "delta"
            is_own = "detail" in step.arguments or (prepared.tool.read_only and not is_delta)
            runs.append(StepRun(number, prepared, "step" if is_own else "end"))
    problems += [
        f"Step {run.number}: a batch cannot be a step of a batch."
        for run in runs
        if run.step.tool is batch
    ]
    if problems:
        raise InvalidArgument(" ".join(problems), "No step was made; correct these and retry.")
    return runs


# ---------------------------------------------------------------------------- the text form


def _write_all(made: BatchRun) -> Iterator[str]:
    """Return the lines of all steps, and what they changed, tab by tab."""
    acted_on = next((run.acted_on for run in reversed(made.runs) if run.acted_on), None)
    shown_by_tab: dict[str, list[StepRun]] = {}
    for run in made.runs:
        if run.answer is not None and run.answer.shown is not None:
            shown_by_tab.setdefault(run.answer.shown.record.id, []).append(run)
    ends = {tab_id: _end_of(runs, acted_on, made.left) for tab_id, runs in shown_by_tab.items()}
    for run in made.runs:
        yield run.row or run.write()
        if (shown := run.shown) is not None and (end := ends.get(shown.record.id)) is not None:
            yield from (f"  {line}" for line in _find_passing(shown, end))
    known: list[str] = []
    for end in filter(None, ends.values()):
        shown_page = end.write("delta", known)
        known += shown_page.sections
        made.sections.append((end.record, shown_page.sections))
        yield shown_page.text


def _find_passing(shown: TextAnswer, end: TextAnswer) -> list[str]:
    """Return the lines that a step showed and that are gone after the last step."""
    if shown.change is None or shown.change.is_other_document:
        return []
    left = {without_digits(line.text) for line in outline_of(end.record, end.view).lines}
    finally_changed = end.change.changes.entries if end.change else ()
    changed = {without_digits(entry.text) for entry in finally_changed}
    entries = [entry.text for entry in shown.change.changes.entries]
    gone = [
        text
        for text in entries
        if (text.startswith("+ ") or ARROW in text)
        and without_digits(text) not in changed
        and without_digits(text[2:].strip().rpartition(ARROW)[2]) not in left
    ]
    return gone[: count_fitting(gone, _PASSING_CHARS)]


def _end_of(runs: Sequence[StepRun], acted_on: str | None, room: int) -> TextAnswer | None:
    """Return what the steps of a tab changed together; None if the last one shows the page.

    It is also None if each step shows its own changes.
    """
    pages = [run.answer.shown for run in runs if run.answer and run.answer.shown]
    first, last = pages[0], pages[-1]
    are_own = [run.shows_page == "step" for run in runs]
    if all(are_own) or (are_own[-1] and last.change is None):
        return None
    record = first.record
    before = first.change.before if first.change else record.news.current.view
    change = None
    if before is not None and before is not last.view:
        change = compare_views(record, before, last.view, acted_on=acted_on)
    if change is not None and first.change is not None:
        change = attrs.evolve(change, earlier=first.change.earlier)
    header = write_header(
        record.id, last.view, record.news.current.view, redact=record.session.hidden
    )
    return TextAnswer(record, last.view, header, (), change, room)
