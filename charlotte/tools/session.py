"""Tools for the session as a whole: several calls at once, its settings, its list of tools."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Protocol, get_args

import attrs
import trio

from charlotte.actors.dispatcher import AgentSession
from charlotte.actors.state.records import Ledger, keeping_ledger
from charlotte.actors.state.session_settings import AutoDismiss, Settings
from charlotte.config import DEPTHS, AutoSnapshot
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.page.model import compact_json
from charlotte.page.render import Detail
from charlotte.progress import current_progress
from charlotte.tools.answer import Answer, Text
from charlotte.tools.pages import json_answer
from charlotte.tools.schema.arguments import Limits, MaxChars
from charlotte.tools.schema.tool import Group, Tool, Toolbox, UnknownTool, tool


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


@attrs.define(eq=False)
class StepRun:
    """A step, its answer or error, and its JSON ``row``, all of them empty until it has run."""

    step: Prepared
    answer: Answer | None = None
    error: CharlotteError | None = None
    row: str = ""
    is_cut: bool = False

    @property
    def failed(self) -> bool:
        """Whether the step ended with an error."""
        return self.error is not None or (self.answer is not None and self.answer.is_error)

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


@attrs.define(eq=False)
class BatchRun:
    """The steps of a batch, and the characters that are left of its answer."""

    session: BatchSession
    runs: Sequence[StepRun]
    stop_on_error: bool
    ledger: Ledger
    left: int

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
            run.row = run.as_json()
            run.is_cut = len(run.row) > self.left
            if run.is_cut:
                cut = f"{len(run.row)} characters"
                run.row = compact_json({"tool": run.step.tool.name, "cut": cut})
            elif run.answer is not None and run.answer.news is not None:
                self.ledger.note(run.answer.news)  # later steps do not report them again
            self.left -= len(run.row)
            if progress is not None:
                progress.end_step()

    def delivered(self) -> None:
        """Mark the answers of all rows that are not cut as delivered."""
        for run in self.runs:
            if run.answer is not None and not run.is_cut:
                run.answer.delivered()


@tool(group="session", position=800, tab=False, deadline=3600.0)
async def batch(
    session: BatchSession,
    steps: Annotated[Sequence[Step], Limits(min_length=1, max_length=50)],
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
    queues: dict[object, list[StepRun]] = {}
    for number, run in enumerate(runs):
        tab = run.step.tab_id if run.step.tool.tab else number
        queues.setdefault(tab if parallel else "all", []).append(run)
    with keeping_ledger() as ledger:
        made = BatchRun(session, runs, stop_on_error, ledger, session.most_characters())
        async with trio.open_nursery() as nursery:
            for queue in queues.values():
                nursery.start_soon(made.perform, queue)

    rows = ",".join(run.row or run.as_json() for run in runs)
    blocks = [block for run in runs if run.answer for block in run.answer.blocks]
    others = [block for block in blocks if not isinstance(block, Text)]
    return Answer(
        (Text(f'{{"results":[{rows}]}}'), *others),
        is_error=any(run.failed for run in runs),
        delivered=made.delivered,
        value=tuple(
            StepResult(run.step.tool.name, run.answer.value if run.answer else None, run.error)
            for run in runs
        ),
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


@tool(group="session", position=810, tab=False, open_world=False)
async def configure(
    session: AgentSession,
    *,
    snapshot_depth: Annotated[
        int | None, Limits(minimum=DEPTHS[0], maximum=DEPTHS[1]), "Snapshots kept per tab"
    ] = None,
    auto_snapshot: Annotated[AutoSnapshot | None, "When snapshots are stored automatically"] = None,
    dialog_auto_dismiss: Annotated[AutoDismiss | None, "Dialogs to answer automatically"] = None,
    screenshot_dir: Annotated[
        str | None, "Directory for saved screenshots, inside the roots"
    ] = None,
    action_detail: Annotated[Detail | None, "Default `detail` of actions"] = None,
    require_tab_id: Annotated[bool | None, "Require tab_id in calls of page tools"] = None,
    clickable: Annotated[bool | None, "List click targets that have no role"] = None,
    max_chars: MaxChars = None,
) -> Answer[Settings]:
    """Change settings of this session, from the next call on, and return all settings."""
    settings = session.record.settings
    given = {
        "snapshot_depth": snapshot_depth,
        "auto_snapshot": auto_snapshot,
        "dialog_auto_dismiss": dialog_auto_dismiss,
        "screenshot_dir": settings.writable.place(screenshot_dir) if screenshot_dir else None,
        "action_detail": action_detail,
        "require_tab_id": require_tab_id,
        "clickable": clickable,
        "max_chars": max_chars,
    }
    for name, value in given.items():
        if value is not None:
            setattr(settings, name, value)
    body = {name: getattr(settings, name) for name in given}
    body["screenshot_dir"] = str(settings.screenshot_dir or settings.output_path)
    if names := [*settings.secrets.values]:
        body["secrets"] = names
    return json_answer(body, attrs.evolve(settings))


def _check_group(arguments: Mapping[str, Any]) -> None:
    action = arguments["action"]
    if action != "list" and arguments["group"] is None:
        raise InvalidArgument(
            f"group is required with action {action!r}.",
            f"Pass one of {', '.join(get_args(Group))}.",
        )


@tool(group="session", position=820, tab=False, open_world=False, check=_check_group)
async def tools(
    toolbox: Toolbox,
    *,
    action: Literal["list", "enable", "disable"] = "list",
    group: Annotated[Group | None, "To enable or disable"] = None,
) -> Answer[Mapping[str, Mapping[str, Sequence[str]]]]:
    """List, enable or disable groups of tools.

    Not enabled at first: viewport, network, cookies, storage, pdf, upload, dev_audit …
    """
    if group is not None and action != "list":
        change = toolbox.enable if action == "enable" else toolbox.disable
        change(group)
    return json_answer({"groups": toolbox.groups()}, toolbox.groups())
