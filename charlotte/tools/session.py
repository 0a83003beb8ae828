"""Tools for the session as a whole: its settings, its list of tools."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

import attrs

from charlotte.actors.dispatcher import AgentSession
from charlotte.actors.state.context_record import DEFAULT
from charlotte.actors.state.registry import ProfileRecord
from charlotte.actors.state.session_settings import AutoDismiss, Settings
from charlotte.answers.answer import Answer
from charlotte.answers.answer_format import wants_text
from charlotte.answers.pages import json_answer, lines_answer
from charlotte.base.errors import InvalidArgument
from charlotte.config.config import DEPTHS, AnswerFormat, AutoSnapshot
from charlotte.page.model import Detail
from charlotte.tools.schema.arguments import Limits, MaxChars, Rare
from charlotte.tools.schema.tool import Group, Toolbox, session_tool


@session_tool(title="Configure the session", position=810, open_world=False, idempotent=True)
async def configure(
    session: AgentSession,
    *,
    snapshot_depth: Annotated[
        int | None,
        Limits(minimum=DEPTHS[0], maximum=DEPTHS[1]),
        "Number of snapshots that are kept for each tab.",
    ] = None,
    auto_snapshot: Annotated[
        AutoSnapshot | None,
        (
            "When snapshots for diff are stored: every_action, observe_only, or manual "
            "(observe{snapshot: true})."
        ),
    ] = None,
    dialog_auto_dismiss: Annotated[
        AutoDismiss | None,
        "Dialogs to answer automatically, without the dialog tool; none: the agent answers all.",
    ] = None,
    screenshot_dir: Annotated[
        str | None,
        "Directory for saved screenshots, inside the directories that may be written to.",
    ] = None,
    action_detail: Annotated[
        Detail | None, "Default of `detail` in actions, such as click and type."
    ] = None,
    require_tab_id: Annotated[
        bool | None, "Refuse calls without tab_id, instead of using the active tab."
    ] = None,
    clickable: Annotated[
        bool | None, "Also list elements that react to clicks but have no role of a control."
    ] = None,
    answers: Annotated[
        AnswerFormat | None, "Format of answers: text (compact lines) or json."
    ] = None,
    max_chars: MaxChars = None,
    only_hosts: Annotated[
        Sequence[str] | None,
        Rare,
        Limits(min_length=1, max_length=100),
        "Only hosts that the session may reach from now on, of those that it may reach now.",
    ] = None,
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
        "answers": answers,
        "max_chars": max_chars,
    }
    if only_hosts is not None:
        if isinstance(session.record.contexts.get(DEFAULT), ProfileRecord):
            raise InvalidArgument(
                "only_hosts cannot limit the browser profile, which all sessions share.",
                "Open a tab with context and only_hosts.",
            )
        session.record.narrow(settings.narrowed(only_hosts))
    for name, value in given.items():
        if value is not None:
            setattr(settings, name, value)
    body = {name: getattr(settings, name) for name in given}
    body["screenshot_dir"] = str(settings.screenshot_dir or settings.output_path)
    if settings.guard.only is not None:
        body["only_hosts"] = settings.guard.only.patterns
    if names := settings.secrets.names:
        body["secrets"] = names
    return json_answer(body, attrs.evolve(settings))


def _check_group(arguments: Mapping[str, Any]) -> None:
    action = arguments["action"]
    if action != "list" and arguments["group"] is None:
        raise InvalidArgument(
            f"group is required with action {action!r}.",
            f"Pass the name of a tool or one of {', '.join(get_args(Group))}.",
        )


@session_tool(
    title="Choose tools", position=820, open_world=False, check=_check_group, idempotent=True
)
async def tools(
    toolbox: Toolbox,
    *,
    action: Annotated[
        Literal["list", "enable", "disable"], "Enable and disable need group."
    ] = "list",
    group: Annotated[str | None, "Tool or group, such as pdf or dev_mode."] = None,
) -> Answer[Mapping[str, Mapping[str, Sequence[str]]]]:
    """List, enable or disable tools, one or a group.

    Not listed at first: viewport, network, set_cookies, get_cookies, clear_cookies, storage,
    set_headers, pdf, configure, run, upload, clipboard, dev_serve, dev_inject, dev_audit.
    """
    if group is not None and action != "list":
        change = toolbox.enable if action == "enable" else toolbox.disable
        change(group)
    groups = toolbox.groups()
    if wants_text():
        rows = {
            name: (f"{state}: {', '.join(tools)}" for state, tools in states.items())
            for name, states in groups.items()
        }
        return lines_answer((f"{name} {'; '.join(row)}" for name, row in rows.items()), groups)
    return json_answer({"groups": groups}, groups)
