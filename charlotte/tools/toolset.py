"""The tool that changes which tools are listed."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.profiles import Group
from charlotte.tools.tool import tool
from charlotte.tools.toolbox import Toolbox

Groups = Mapping[str, Mapping[str, Sequence[str]]]


def _check_group(arguments: Mapping[str, Any]) -> None:
    action = arguments["action"]
    if action != "list" and arguments["group"] is None:
        raise InvalidArgument(
            f"tools{{action: {action}}} needs a group.",
            f"Give one of {', '.join(get_args(Group))}.",
        )


@tool(group="session", tab=False, open_world=False, check=_check_group)
async def tools(
    toolbox: Toolbox,
    *,
    action: Literal["list", "enable", "disable"] = "list",
    group: Annotated[Group | None, "To enable or disable"] = None,
) -> Answer[Groups]:
    """List, enable or disable groups of tools.

    Not all are listed at first: viewport, network, cookies, storage, pdf, upload, dev_audit …
    """
    if group is not None and action != "list":
        change = toolbox.enable if action == "enable" else toolbox.disable
        change(group)
    return json_answer({"groups": toolbox.groups()}, toolbox.groups())
