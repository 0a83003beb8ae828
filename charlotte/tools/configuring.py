"""The tool that changes how this session behaves."""

from typing import Annotated, Any

import attrs

from charlotte.actors.session import AgentSession
from charlotte.actors.state.dialogs import AutoDismiss
from charlotte.actors.state.session_settings import Settings
from charlotte.config import DEPTHS, AutoSnapshot
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.parameters import Detail, MaxChars
from charlotte.tools.schema import Limits
from charlotte.tools.tool import tool

_SHOWN = (
    "snapshot_depth",
    "auto_snapshot",
    "dialog_auto_dismiss",
    "screenshot_dir",
    "action_detail",
    "require_tab_id",
    "clickable",
    "max_chars",
)


@tool(group="session", tab=False, open_world=False)
async def configure(
    session: AgentSession,
    *,
    snapshot_depth: Annotated[
        int | None, Limits(minimum=DEPTHS[0], maximum=DEPTHS[1]), "Snapshots kept per tab"
    ] = None,
    auto_snapshot: Annotated[AutoSnapshot | None, "When one is stored by itself"] = None,
    dialog_auto_dismiss: Annotated[AutoDismiss | None, "Dialogs answered at once"] = None,
    screenshot_dir: Annotated[str | None, "Where screenshots are saved; in a root"] = None,
    action_detail: Annotated[Detail | None, "Default detail of actions"] = None,
    require_tab_id: Annotated[bool | None, "Refuse page tools without tab_id"] = None,
    clickable: Annotated[bool | None, "List what answers clicks but has no role"] = None,
    max_chars: MaxChars = None,
) -> Answer[Settings]:
    """Change settings of this session, from the next call on, and return all of them."""
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
    return json_answer(_shown(settings), attrs.evolve(settings))


def _shown(settings: Settings) -> dict[str, Any]:
    shown = {name: getattr(settings, name) for name in _SHOWN}
    shown["screenshot_dir"] = str(settings.screenshot_dir or settings.output_path)
    names = [*settings.secrets.values]
    return shown | ({"secrets": names} if names else {})
