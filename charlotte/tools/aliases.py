"""Tools under the names of other servers; they can be called, but are not listed."""

from typing import Annotated, Any, Literal

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.answers.answer import Answer, Found, Page, Text
from charlotte.answers.answer_format import wants_text
from charlotte.answers.pages import dialog_answer, success
from charlotte.answers.remarks import extra_remarks
from charlotte.base.errors import InvalidArgument
from charlotte.base.log import now
from charlotte.page.model import compact_json
from charlotte.page.modes.lines import Mode
from charlotte.tools.find import Refs, find
from charlotte.tools.gestures import click_at, scroll
from charlotte.tools.keys import KEYS_DEADLINE, key, type_
from charlotte.tools.observe import observe, read_grep
from charlotte.tools.schema.arguments import Lenient
from charlotte.tools.schema.tool import Tool, observation_tool, tool
from charlotte.tools.screenshots import screenshot

Action = Literal["screenshot", "click", "type", "scroll", "keypress"]
_AT_POINTS = {"click", "type", "scroll"}
_OPTIONS = ("button", "modifiers", "wait_after_action")
_DOES: dict[str, tuple[Tool, tuple[str, ...]]] = {
    "screenshot": (screenshot, ("scroll_offset",)),
    "click": (click_at, ("coordinates", *_OPTIONS)),
    "type": (type_, ("coordinates", "text", "wait_after_action")),
    "scroll": (scroll, ("coordinates", "scroll_offset", "wait_after_action")),
    "keypress": (key, ("key", "modifiers", "wait_after_action")),
}
"""The tool and the parameters of each action of S."""


@observation_tool(position=910, hidden=True, blocked=dialog_answer)
async def browser_snapshot(tab: TabHandle, *, all_refs: bool = False) -> Answer[Page]:
    """Return the accessibility tree."""
    return await observe.handler(tab, mode="tree", all_refs=all_refs)


@observation_tool(position=920, hidden=True, blocked=dialog_answer)
async def snapshot(
    tab: TabHandle,
    *,
    mode: Mode = "interactive",
    selector: str | None = None,
    grep: Annotated[Any, Lenient(read_grep)] = None,
) -> Answer[Page]:
    """Return interactive elements, one per line."""
    return await observe.handler(tab, mode=mode, selector=selector, grep=grep)


@observation_tool(position=930, hidden=True)
async def validate_refs(tab: TabHandle, refs: Refs) -> Answer[Found]:
    """Return which references are still valid."""
    return await find.handler(tab, refs=refs)


@tool(group="observation", position=940, hidden=True, deadline=KEYS_DEADLINE)
async def page_screenshot(
    tab: TabHandle,
    action: Action,
    *,
    coordinates: dict[str, Any] | None = None,
    text: str | None = None,
    key: str | None = None,
    scroll_offset: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
) -> Answer[Any]:
    """Take a screenshot, or act at coordinates (S-REQ); inapplicable options are ignored."""
    given = {"coordinates": coordinates, "text": text, "key": key, "scroll_offset": scroll_offset}
    given |= {name: (options or {}).get(name) for name in _OPTIONS}
    required = {"coordinates": action in _AT_POINTS, "key": action == "keypress"}
    if missing := [name for name, wanted in required.items() if wanted and given[name] is None]:
        raise InvalidArgument(
            f"{missing[0]} is required with action {action}.", f"Pass {missing[0]}."
        )
    inner, takes = _DOES[action]
    arguments = inner.parse({name: given[name] for name in takes})
    arguments.pop("tab_id")
    answer: Answer[Any] = await inner.handler(tab, **arguments)
    page, *others = answer.blocks
    if action != "keypress" or not isinstance(page, Text):
        return answer
    envelope = success(tab, action, {"action_timestamp": now()})
    if wants_text():
        text = "\n".join([page.text, *extra_remarks(envelope)])
    else:
        text = f"{compact_json(envelope)[:-1]},{page.text[1:]}"
    return attrs.evolve(answer, blocks=(attrs.evolve(page, text=text), *others))
