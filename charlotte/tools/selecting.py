"""The tool that selects text."""

from typing import Annotated

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.verbs import selecting
from charlotte.actors.tab.verbs.selecting import Caret
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import page_answer
from charlotte.page.spans import TextPart
from charlotte.tools.schema.arguments import ElementId, Limits, RareDetail
from charlotte.tools.schema.tool import action_tool


@action_tool(title="Select text", position=325, destructive=False)
async def select_text(
    tab: TabHandle,
    element_id: Annotated[ElementId | None, "Default: the focus, else the page."] = None,
    *,
    text: Annotated[str | None, Limits(min_length=1), "Default: all."] = None,
    occurrence: Annotated[int | None, Limits(minimum=1), "Which one."] = None,
    caret: Annotated[Caret | None, "Only place the caret."] = None,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Select text or place the caret, for key and type without element_id."""
    part = TextPart(text, occurrence or 1)
    look = await tab.do(selecting.select_text, part, element_id, caret)
    return page_answer(tab.record, look, detail)
