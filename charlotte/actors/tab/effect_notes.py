"""Effects that an action did not have: a box unchanged, a text not kept, a form not submitted."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

import attrs

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_queries import ask_frame
from charlotte.actors.tab.frame_tree import SeenFrame
from charlotte.actors.tab.look import Look
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.page.model import Element, StateValue

_STATES: dict[StateValue, str] = {True: "checked", False: "unchecked", "mixed": "half checked"}
_FOCUS = "state.focused"
_DIFFERENCES = {
    "indented": "{} indents the lines in another way than they were typed.",
    "part": "{} shows {lines} of the {wanted} lines typed; scroll in it to check the others.",
    "other": "The text in {} is not the text that was typed: editors close brackets and complete "
    "words. It shows {lines} lines: {shown}",
}
"""Notes on the text of an editor, by the probe's verdict."""


def note_if_unchanged(tab: Tab, look: Look, reference: str) -> Look:
    """Add a note if a click left a checkbox, radio button or switch as it was."""
    box = _find_element(tab, look, reference)
    if box is None or "checked" not in box.state or not is_answered(tab, look):
        return look
    changes = look.delta.changes if look.delta else ()
    is_chosen_radio = box.type == "radio" and box.state["checked"] is True
    if is_chosen_radio or any(change.element == box.id for change in changes):
        return look
    state = _STATES[box.state["checked"]]
    return look.with_note(f"{reference} is still {state}: the page did not take the click.")


def note_if_empty(tab: Tab, look: Look, references: Iterable[str]) -> Look:
    """Add a note if fields are empty although text was typed into them."""
    found = [(reference, _find_element(tab, look, reference)) for reference in references]
    empty = [reference for reference, field in found if field is not None and not field.value]
    if not empty:
        return look
    are = "is" if len(empty) == 1 else "are"
    return look.with_note(f"{', '.join(empty)} {are} empty: the page did not keep what was typed.")


def note_if_cleared(tab: Tab, look: Look, reference: str) -> Look:
    """Add a note if a field is empty after a text and Enter, and nothing else changed."""
    field = _find_element(tab, look, reference)
    if field is None or field.value or look.delta is None or look.delta.changes:
        return look
    return look.with_note(f"{reference} is empty again: the page took the text, or refused it.")


def note_if_lost(look: Look, x: float, y: float) -> Look:
    """Add a note that no field took the text typed at a point, if nothing answered it."""
    changes = look.delta.changes if look.delta else ()
    if look.delta is None or {change.property for change in changes} - {_FOCUS}:
        return look
    return look.with_note(f"Nothing at ({x}, {y}) takes text: what was typed is in no field.")


async def note_difference(tab: Tab, reference: str, text: str, *, replaced: bool) -> None:
    """Note if the text that an editor shows differs from the text typed into it."""
    place = await tab.references.place(reference)
    answer = await tab.on_place(place, "typedText", text, replaced)
    _note_difference(tab, reference, answer or {}, replaced=replaced)


async def note_difference_in_focus(
    tab: Tab, frame: SeenFrame, text: str, *, replaced: bool
) -> None:
    """Note the same for the editor that has the focus."""
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


def is_answered(tab: Tab, look: Look) -> bool:
    """Return whether the document that was acted on is still there and free of dialogs."""
    return look.delta is not None and tab.record.dialog is None


async def find_submitter(tab: Tab, button: str) -> DocumentNode | None:
    """Return the node of a form's submit button; None if the element is no such button."""
    view = tab.last_view
    if view is None or all(form.submit != button for form in view.forms):
        return None
    place, _ = await tab.locate(button, "submitter")
    return place


async def with_invalid_fields(tab: Tab, look: Look, place: DocumentNode | None) -> Look:
    """Add the fields for which the browser refuses to submit the form of a node."""
    if place is None or not is_answered(tab, look):
        return look
    answer = await tab.on_place(place, "invalid") or {}
    rows = [_describe_invalid(tab, place, *row) for row in answer.get("invalid") or ()]
    return attrs.evolve(look, invalid=rows)


def _describe_invalid(
    tab: Tab, place: DocumentNode, nid: int, message: str, *hidden: Any
) -> dict[str, Any]:
    """Describe an invalid field; ``use`` is the visible control next to a hidden field."""
    ids = tab.record.ids
    row: dict[str, Any] = {"id": ids.get_id(place.with_nid(nid).nid), "message": message}
    if hidden:
        name, control = hidden
        row |= {"name": name, "use": ids.get_id(place.with_nid(control).nid) if control else None}
    return row


def _find_element(tab: Tab, look: Look, reference: str) -> Element | None:
    element_id = tab.references.id_of(reference)
    return next((one for one in look.snapshot.view.interactive if one.id == element_id), None)
