"""Tools under the names that other servers give them; they answer, but are not listed."""

from typing import Annotated, Any

from charlotte.actors.tab import Tab
from charlotte.tools.answer import Answer
from charlotte.tools.finding import Refs, find
from charlotte.tools.observation import observe
from charlotte.tools.pages import dialog_answer
from charlotte.tools.results import Found, Page
from charlotte.tools.schema import Lenient
from charlotte.tools.tool import tool
from charlotte.tools.wishes import Mode, read_grep


@tool(group="observation", read_only=True, hidden=True, blocked=dialog_answer)
async def browser_snapshot(tab: Tab, *, all_refs: bool = False) -> Answer[Page]:
    """Observe the accessibility tree."""
    return await observe.handler(tab, mode="tree", all_refs=all_refs)


@tool(group="observation", read_only=True, hidden=True, blocked=dialog_answer)
async def snapshot(
    tab: Tab,
    *,
    mode: Mode = "interactive",
    selector: str | None = None,
    grep: Annotated[Any, Lenient(read_grep)] = None,
) -> Answer[Page]:
    """Observe what can be acted on, line by line."""
    return await observe.handler(tab, mode=mode, selector=selector, grep=grep)


@tool(group="observation", read_only=True, hidden=True)
async def validate_refs(tab: Tab, refs: Refs) -> Answer[Found]:
    """Tell which references are still valid."""
    return await find.handler(tab, refs=refs)
