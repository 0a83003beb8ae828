"""The verb of select_text: select a text in a field, an editor or the page."""

import json
from contextlib import nullcontext
from typing import Literal

import attrs

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.verbs.focus import find_focus
from charlotte.actors.tab.verbs.pointer import check
from charlotte.base.errors import ElementNotInteractive, adding
from charlotte.page.capture import compose_number
from charlotte.page.identity.references import DocumentNode
from charlotte.page.spans import TextPart

Caret = Literal["before", "after"]
_LONGEST_SHOWN = 200
_PART = "The editor may draw a part of its text only: scroll in it to the rest."


@attrs.frozen
class _Target:
    """A field, an element or a document in which a part is selected; ``text`` may be unknown."""

    place: DocumentNode
    name: str
    text: str | None = None
    windowed: bool = False


async def select_text(
    tab: TabActor, part: TextPart, reference: str | None = None, caret: Caret | None = None
) -> Look:
    """Select a part of a text, or place the caret at it, and look at the page then."""
    if reference is not None:
        await tab.resolve(reference)  # before the page is touched

    async def act() -> None:
        if reference is None:
            target = await _find_target(tab, part)
        else:
            place, answer = await tab.locate(reference, "selectable")
            target = _Target(place, reference, answer.get("text"), "windowed" in answer)
        tab.note = await _select(tab, target, part, caret)

    return await tab.act(act, reference)


async def _find_target(tab: TabActor, part: TextPart) -> _Target:
    """Return the field that has the focus, else the document of the first frame with the text."""

    async def read(place: DocumentNode, name: str) -> _Target:
        answer = await tab.frames.ask_node(place, "selectable") or {}
        return _Target(place, name, answer.get("text"), "windowed" in answer)

    focus = await find_focus(tab)
    if (frame := focus.field_frame) is not None:
        place = tab.place(compose_number(frame.number, focus.facts.get("nid", 0)))
        field = await read(place, "the field with the focus")
        if field.text is None or part.text is None or part.count(field.text):
            return field
    numbers = [frame.number for frame, _ in tab.frames.placed()]
    pages = [await read(tab.place(compose_number(each, 0)), "the page") for each in numbers]
    found = [page for page in pages if part.occurrence <= part.count(page.text or "")]
    # without a page that has it, the search in all of them raises the error
    return (found or [_Target(tab.place(0), "the page", "\n".join(p.text or "" for p in pages))])[0]


async def _select(tab: TabActor, target: _Target, part: TextPart, caret: Caret | None) -> str:
    """Select a part in a target; return a sentence on what is selected."""
    text, name = target.text, target.name
    if text is None:
        raise ElementNotInteractive(
            f"{name} does not return its text, so no text can be found in it.",
            "Select with the mouse, or with key: Shift and arrow keys.",
        )
    with adding(lambda: _PART) if target.windowed else nullcontext():
        start, end = part.find(text)
    is_all = caret is None and (start, end) == (0, len(text))
    ends = end if caret == "after" else start, start if caret == "before" else end
    units = [len(text[:each].encode("utf-16-le", "surrogatepass")) // 2 for each in ends]
    answer = await tab.frames.ask_node(target.place, "selectPart", *units, is_all)
    if answer is None:
        raise tab.missing(name)
    selected, wanted = str(check(tab, answer, name).get("text", "")), text[start:end]
    if caret is not None:
        return f"The caret is {caret} {_excerpt(wanted)}."
    if not selected and wanted:
        raise ElementNotInteractive(
            f"The page lets no text be selected in {name}.",
            "Read the text with observe{mode: content} instead.",
        )
    lines = selected.count("\n") + 1
    size = f"{len(selected)} characters" + (f" in {lines} lines" if lines > 1 else "")
    return f"Selected {_excerpt(selected)} ({size})."


def _excerpt(text: str) -> str:
    """Return a text in quotes, as JSON; of a long one, its start and end."""
    if len(text) <= _LONGEST_SHOWN:
        return json.dumps(text, ensure_ascii=False)
    half = _LONGEST_SHOWN // 2
    return json.dumps(f"{text[:half]}…{text[-half:]}", ensure_ascii=False)
