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


async def select_text(
    tab: TabActor, part: TextPart, reference: str | None = None, caret: Caret | None = None
) -> Look:
    """Select a part of a text, or place the caret at it, and look at the page then."""
    if reference is not None:
        await tab.resolve(reference)  # before the page is touched

    async def act() -> None:
        if reference is None:
            await _select_anywhere(tab, part, caret)
        else:
            place, answer = await tab.locate(reference, "selectable")
            await _Target(tab, place, reference, answer).select(part, caret)

    return await tab.act(act, reference)


async def _select_anywhere(tab: TabActor, part: TextPart, caret: Caret | None) -> None:
    """Select in the field that has the focus, else on the page in the first frame with the text."""
    focus = await find_focus(tab)
    if (frame := focus.field_frame) is not None:
        place = tab.place(compose_number(frame.number, focus.nid))
        target = await _Target.at(tab, place, "the field with the focus")
        if "text" not in target.answer or part.text is None or part.count(target.text):
            await target.select(part, caret)
            return
    targets = [
        await _Target.at(tab, tab.place(compose_number(one.number, 0)), "the page")
        for one, _ in list(tab.frames.placed())
    ]
    for target in targets:
        if part.occurrence <= part.count(target.text):
            await target.select(part, caret)
            return
    part.find("\n".join(target.text for target in targets))  # raises


@attrs.frozen
class _Target:
    """A field, an element or a document in which a part is selected."""

    tab: TabActor
    place: DocumentNode
    name: str
    answer: dict[str, object]

    @classmethod
    async def at(cls, tab: TabActor, place: DocumentNode, name: str) -> "_Target":
        return cls(tab, place, name, await tab.frames.ask_node(place, "selectable") or {})

    @property
    def text(self) -> str:
        return str(self.answer.get("text", ""))

    async def select(self, part: TextPart, caret: Caret | None) -> None:
        if "text" not in self.answer:
            raise ElementNotInteractive(
                f"{self.name} does not return its text, so no text can be found in it.",
                "Select with the mouse, or with key: Shift and arrow keys.",
            )
        with adding(lambda: _PART) if "windowed" in self.answer else nullcontext():
            start, end = part.find(self.text)
        wanted = self.text[start:end]
        selected = await self._select(start, end, caret)
        self.tab.note = self._note(selected, wanted, caret)

    async def _select(self, start: int, end: int, caret: Caret | None) -> str:
        is_all = caret is None and (start, end) == (0, len(self.text))
        first = end if caret == "after" else start
        last = start if caret == "before" else end
        before = [self.text[:place] for place in (first, last)]
        units = [len(text.encode("utf-16-le", "surrogatepass")) // 2 for text in before]
        answer = await self.tab.frames.ask_node(self.place, "selectPart", *units, is_all)
        if answer is None:
            raise self.tab.missing(self.name)
        check(self.tab, answer, self.name)
        return str(answer.get("text", ""))

    def _note(self, selected: str, wanted: str, caret: Caret | None) -> str:
        if caret is not None:
            return f"The caret is {caret} {_excerpt(wanted)}."
        if not selected and wanted:
            raise ElementNotInteractive(
                f"The page lets no text be selected in {self.name}.",
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
    return f"{_excerpt(text[:half])} … {_excerpt(text[-half:])}"
