"""The tools that select text, and copy and paste it."""

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.context_record import Clip
from charlotte.actors.tab.verbs import clipboard as verbs
from charlotte.actors.tab.verbs import selecting
from charlotte.actors.tab.verbs.selecting import Caret
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import page_answer
from charlotte.base.errors import InvalidArgument
from charlotte.page.spans import TextPart
from charlotte.tools.schema.arguments import ElementId, Limits, Private, RareDetail
from charlotte.tools.schema.tool import action_tool

Action = Literal["read", "write", "copy", "cut", "paste"]
_LONGEST = 100_000


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


def _check_action(arguments: Mapping[str, Any]) -> None:
    """Raise `InvalidArgument` unless text goes with an action that takes it."""
    action = arguments["action"]
    has_text = arguments["text"] is not None or arguments["html"] is not None
    if action == "write" and not has_text:
        raise InvalidArgument("write needs text or html.", "Pass the text to put there.")
    if has_text and action not in {"write", "paste"}:
        raise InvalidArgument(f"{action} takes no text.", "Pass text with write or paste.")


@action_tool(title="Use the clipboard", position=415, check=_check_action)
async def clipboard(
    tab: TabHandle,
    action: Annotated[Action, "Copy, cut: the selection; paste: where the focus is."],
    *,
    text: Annotated[
        str | None,
        Limits(max_length=_LONGEST),
        Private(),
        "Text to write or paste. Default: the clipboard's.",
    ] = None,
    html: Annotated[
        str | None,
        Limits(max_length=_LONGEST),
        Private(),
        "The same as HTML, for rich-text editors.",
    ] = None,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Read, write, copy, cut or paste text; return the clipboard and what changed.

    Pages and tabs of one context share this clipboard, also what pages copy by themselves.
    """
    given = Clip(text or "", html or "") if text is not None or html is not None else None
    match action:
        case "copy" | "cut":
            look = await tab.do(verbs.copy, cut=action == "cut")
        case "paste":
            look = await tab.do(verbs.paste, given)
        case _:
            if given is not None:
                tab.record.clip = given
            look = await tab.do(verbs.read)
    clip = tab.record.clip
    shown: dict[str, str] = {}
    if action in {"read", "copy", "cut"}:
        shown["text"] = clip.text
    if action == "read" and clip.html:
        shown["html"] = clip.html
    return page_answer(tab.record, look, detail, extras={"clipboard": shown} if shown else None)
