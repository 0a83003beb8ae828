"""What is to be said of actions that did nothing: a box is as it was, a text is nowhere."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import attrs
import trio

from charlotte.actors.tab.actor import Look, Tab
from charlotte.actors.tab.frame_queries import ask_frame
from charlotte.actors.tab.frame_tree import SeenFrame
from charlotte.page.diff.changes import SnapshotDiff
from charlotte.page.model import Element, StateValue
from charlotte.tools.coordinates import Deed

_STATES: dict[StateValue, str] = {True: "checked", False: "unchecked", "mixed": "half checked"}


def saying_if_unchanged(tab: Tab, look: Look, reference: str) -> Look:
    """The look after a click, with a note if it left a checkbox, radio or switch as it was."""
    box = _element(tab, look, reference)
    if (
        box is None
        or "checked" not in box.state
        or look.delta is None
        or tab.record.dialog is not None
    ):
        return look
    is_told = any(change.element == box.id for change in look.delta.changes)
    if is_told or (box.type == "radio" and box.state["checked"] is True):
        return look
    note = f"{reference} is still {_STATES[box.state['checked']]}: the page did not take the click."
    return _noting(look, note)


def _noting(look: Look, note: str) -> Look:
    return attrs.evolve(look, note=" ".join(filter(None, (look.note, note))))


def saying_if_empty(tab: Tab, look: Look, references: Iterable[str]) -> Look:
    """The look after typing into fields, with a note if some say nothing all the same."""
    found = [(reference, _element(tab, look, reference)) for reference in references]
    empty = [reference for reference, field in found if field is not None and not field.value]
    if not empty:
        return look
    are = "is" if len(empty) == 1 else "are"
    return _noting(look, f"{', '.join(empty)} {are} empty: the page did not keep what was typed.")


def saying_if_taken(tab: Tab, look: Look, reference: str) -> Look:
    """The look after a text and Enter, with a note if nothing is to be seen of either."""
    field = _element(tab, look, reference)
    if field is None or field.value or look.delta is None or look.delta.changes:
        return look
    return _noting(look, f"{reference} is empty again: the page took the text, or refused it.")


_DIFFERENCES = {
    "indented": "{} indents the lines in another way than they were typed.",
    "part": "{} shows {lines} of the {wanted} lines typed; scroll in it to check the others.",
    "other": "The text in {} is not the text that was typed: editors close brackets and complete "
    "words. It shows {lines} lines: {shown}",
}


async def note_difference(tab: Tab, reference: str, text: str, *, replaced: bool) -> None:
    """Compare what an editor shows with the text typed into it, and note the result."""
    place = await tab.references.place(reference)
    answer = await tab.on_place(place, "typedText", text, replaced)
    _note_difference(tab, reference, answer or {}, replaced=replaced)


async def note_difference_in_focus(
    tab: Tab, frame: SeenFrame, text: str, *, replaced: bool
) -> None:
    """Do the same for the editor that has the focus."""
    answer = await ask_frame(tab.page, frame, "typedText", 0, text, replaced)
    _note_difference(tab, "the field with the focus", answer, replaced=replaced)


def _note_difference(tab: Tab, name: str, answer: Mapping[str, Any], *, replaced: bool) -> None:
    if note := _DIFFERENCES.get(answer.get("verdict", "")):
        shown = json.dumps(answer["shown"], ensure_ascii=False)
        note = note.format(name, lines=answer["lines"], wanted=answer["wanted"], shown=shown)
        tab.references.note(note)
    elif "around" in answer and replaced:  # such a control has no value that an answer could show
        shows = "is empty" if "empty" in answer else "shows the text typed"
        tab.references.note(f"{name} {shows}.")


def _element(tab: Tab, look: Look, reference: str) -> Element | None:
    """What was acted on, if it is there."""
    element_id = tab.references.id_of(reference)
    return next((one for one in look.snapshot.view.interactive if one.id == element_id), None)


_FOCUS = "state.focused"
_ANSWERS_WITHIN = 0.5


async def focused_field(tab: Tab) -> tuple[bool, SeenFrame | None]:
    """Return whether the focus is in a field, and the frame of that field.

    True without a frame if the page does not answer in time.
    """
    frame = tab.frames.main
    with trio.move_on_after(_ANSWERS_WITHIN):
        while "frame" in (answer := await ask_frame(tab.page, frame, "typing")):
            child = frame.children.get(answer["frame"])
            if child is None:
                return True, None
            frame = child
        is_field = bool(answer.get("takes", True))
        return is_field, frame if is_field else None
    return True, None


def saying_if_lost(look: Look, deed: Deed) -> Look:
    """The look after typing at a point, with a note if no field took it and nothing answered it."""
    if not deed.is_lost or look.delta is None or _changed(look.delta) - {_FOCUS}:
        return look
    at = f"({deed.at.x}, {deed.at.y})"
    note = f"Nothing at {at} takes text: what was typed is in no field."
    return _noting(look, note)


def _changed(delta: SnapshotDiff) -> set[str | None]:
    return {change.property for change in delta.changes}
