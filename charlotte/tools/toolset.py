"""The tool that changes which tools are listed."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, get_args

from charlotte.errors import InvalidArgument
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.profiles import Group
from charlotte.tools.tool import tool
from charlotte.tools.toolbox import Toolbox

Groups = Mapping[str, Mapping[str, Sequence[str]]]


@tool(group="session", tab=False, open_world=False)
async def tools(
    toolbox: Toolbox,
    *,
    action: Literal["list", "enable", "disable"] = "list",
    group: Annotated[Group | None, "To enable or disable"] = None,
) -> Answer[Groups]:
    """List, enable or disable groups of tools.

    Not all are listed at first: viewport, network, cookies, storage, pdf, upload, dev_audit …
    """
    if action != "list":
        if group is None:
            raise InvalidArgument(
                f"tools{{action: {action}}} needs a group.",
                f"Give one of {', '.join(get_args(Group))}.",
            )
        change = toolbox.enable if action == "enable" else toolbox.disable
        change(group)
    return json_answer({"groups": toolbox.groups()}, toolbox.groups())
