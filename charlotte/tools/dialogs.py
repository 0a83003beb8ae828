"""The tool that answers JavaScript dialogs, past the page they block."""

from typing import Annotated

from charlotte.actors.session import AgentSession
from charlotte.actors.tab.actor import Tab
from charlotte.errors import SessionProblem
from charlotte.tools.answer import Answer
from charlotte.tools.guard import guarded
from charlotte.tools.pages import dialog_answer, page_answer, together
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
    page = await record.tab.ask(_page_afterwards, detail)
    return together({"dialog_handled": handled}, "page", page)


async def _page_afterwards(tab: Tab, detail: Detail) -> Answer[Page]:
    async def look(tab: Tab) -> Answer[Page]:
        return page_answer(tab, await tab.look_since_last(), detail)

    return await guarded(tab, look, dialog_answer)
