"""The tool that answers JavaScript dialogs, past the page they block."""

from typing import Annotated

from charlotte.actors.session import AgentSession
from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.faults import BlockedByDialog
from charlotte.errors import SessionProblem
from charlotte.tools.answer import Answer
from charlotte.tools.pages import blocked_answer, dialog_answer, nested_answer, page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.arguments import tab_name
from charlotte.tools.schema.json_schema import Lenient
from charlotte.tools.schema.parameters import Detail
from charlotte.tools.schema.tool import tool


@tool(group="dialog", position=440, tab=False)
async def dialog(
    session: AgentSession,
    *,
    accept: Annotated[bool, "true: OK, false: Cancel"],
    prompt_text: Annotated[str | None, "Answer to a prompt; default: its own"] = None,
    tab_id: Annotated[str | None, Lenient(tab_name)] = None,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Answer the alert, confirm, prompt or beforeunload dialog that blocks a tab.

    `pending_dialog` in an answer describes it. Returns what changed.
    """
    record = await session.tab(tab_id)
    pending = record.dialog
    if pending is None:
        raise SessionProblem(
            f"No dialog is open in {record.id}.", "Call observe to see what the page shows."
        )
    text = pending.default_value
    if prompt_text is not None:
        text = session.record.settings.secrets.spelled(prompt_text)
    await session.answer_dialog(record, accept=accept, text=text)
    handled = {
        "type": pending.type,
        "message": pending.message,
        "action": "accepted" if accept else "dismissed",
    }
    try:
        look = await record.tab.ask(Tab.perform, Tab.look_since_last)
        page = page_answer(record, look, detail)
    except BlockedByDialog as error:
        page = blocked_answer(error, dialog_answer)
    return nested_answer({"dialog_handled": handled}, "page", page)
