"""Sample tools with every kind of parameter of the real tools."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import attrs

from charlotte.answers.answer import Answer
from charlotte.tools.schema.arguments import Lenient, Limits, TabId, modifier_names, node_reference
from charlotte.tools.schema.tool import tool

ElementId = Annotated[str, "Id of an element", Lenient(node_reference)]
Modifier = Literal["ctrl", "shift", "alt", "meta"]
Modifiers = Annotated[Sequence[Modifier], Lenient(modifier_names)]


class Tab:
    """A substitute for the actor of page tools."""


class Session:
    """A substitute for the actor of session tools."""


@attrs.frozen
class Point:
    x: float
    y: float


@attrs.frozen
class Grep:
    pattern: str
    ignore_case: bool = False


@attrs.frozen
class Filling:
    element_id: ElementId
    value: str | bool | list[str]


@tool(group="interaction", destructive=True)
async def click(
    tab: Tab,
    element_id: ElementId,
    click_type: Literal["left", "right", "middle", "double"] = "left",
    modifiers: Modifiers = (),
) -> Answer:
    """Click an element,
    scrolling it into view.

    Answers with what changed.
    """
    return Answer(())


@tool(group="interaction")
async def fill_form(
    tab: Tab, *, fields: Annotated[list[Filling], Limits(min_length=1)], submit: bool = False
) -> Answer:
    """Fill in several fields."""
    return Answer(())


@tool(group="observation", read_only=True, deadline=10)
async def observe(
    tab: Tab,
    *,
    grep: str | Grep | None = None,
    max_depth: Annotated[int, Limits(minimum=1, maximum=100)] = 50,
    amount: Literal["page", "half"] | Annotated[float, Limits(minimum=0)] = "page",
    scroll_offset: Point | None = None,
    headers: dict[str, str] | None = None,
    type_: Annotated[str, Limits(max_length=5)] | None = None,
) -> Answer:
    """Look at the page."""
    return Answer(())


@tool(group="session", tab=False)
async def tab_switch(session: Session, tab_id: Annotated[TabId, "Tab to make active"]) -> Answer:
    """Make a tab the active one."""
    return Answer(())


@tool(group="session", tab=False)
async def batch(session: Session, steps: list[dict[str, Any]]) -> Answer:
    """Make several calls."""
    return Answer(())


@tool(group="navigation")
async def back(tab: Tab) -> Answer:
    """Go back."""
    return Answer(())


@tool(group="session", tab=False)
async def tools(session: Session) -> Answer:
    """List tools."""
    return Answer(())


@tool(group="observation", hidden=True)
async def validate_refs(tab: Tab, refs: list[str]) -> Answer:
    """Answer under a name of another server."""
    return Answer(())


@tool(group="interaction")
async def upload(tab: Tab, paths: list[str]) -> Answer:
    """Upload files."""
    return Answer(())


ALL = (click, fill_form, observe, tab_switch, batch, back, tools, validate_refs, upload)
