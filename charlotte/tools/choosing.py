"""Tools that choose: an option of a list, the other state of a switch."""

from typing import Annotated

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab import choosing
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import ACTION_DEADLINE, Detail, ElementId
from charlotte.tools.schema.tool import tool

_LONGEST_LIST = 1000

Values = Annotated[list[str], Limits(min_length=1, max_length=_LONGEST_LIST)]


@tool(group="interaction", position=330, deadline=ACTION_DEADLINE)
async def select(
    tab: TabHandle,
    element_id: ElementId,
    value: Annotated[str | Values, "Value or visible text of an option, or a list of them"],
    *,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Choose options of a select, listbox or combobox and return what changed.

    In a multiple select, a list replaces the selection. For an unknown option, the error lists
    the existing ones.
    """
    look = await tab.do(choosing.select, element_id, value)
    return page_answer(tab.record, look, detail)


@tool(group="interaction", position=340, deadline=ACTION_DEADLINE)
async def toggle(
    tab: TabHandle, element_id: ElementId, *, detail: Detail = "delta"
) -> Answer[Page]:
    """Click a checkbox, radio button or switch and return its new state."""
    return page_answer(tab.record, await tab.do(choosing.toggle, element_id), detail)
