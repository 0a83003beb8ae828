"""Notes on an action: messages shown for a moment, earlier changes, and effects that are missing.

Missing effects are a box that is unchanged, a text that is not kept, a form that is not submitted.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from charlotte.actors.state.snapshots import Snapshot, delta_of
from charlotte.actors.tab.frames import SeenFrame
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.page_reader import PageReader
from charlotte.browser.settle import SettleResult
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import Change, Element, PageView, SnapshotDiff, StateValue

_LONGEST = 300
_NUMBERS = re.compile(r"\d+")
_FOCUS: set[str | None] = {"state.focused"}
_TEXTS = {"text", "label", "title"}
_STATES: dict[StateValue, str] = {True: "checked", False: "unchecked", "mixed": "half checked"}
_DIFFERENCES = {
    "indented": "{} indents the lines in another way than they were typed.",
    "part": "{} shows {lines} of the {wanted} lines typed; scroll in it to check the others.",
    "other": "The text in {} is not the text that was typed: editors close brackets and complete "
    "words. It shows {lines} lines: {shown}",
}
"""Notes on the text of an editor, by the probe's verdict."""


def action_notes(
    settled: SettleResult, reported: Snapshot | None, before: Snapshot, after: Snapshot
) -> list[str]:
    """Return notes on an action; ``reported`` is the page as the agent saw it last."""
    earlier = _note_earlier_changes(reported, before) if reported and reported.id else None
    return [*message_notes(settled, before.view, after.view), *([earlier] if earlier else ())]


def note_restyling(
    delta: SnapshotDiff | None, settled: SettleResult
) -> tuple[SnapshotDiff | None, str | None]:
    """Return the delta and a note on changed looks, if nothing else changed but the focus."""
    if (
        delta is None
        or not settled.restyled_elements
        or {one.property for one in delta.changes} - _FOCUS
    ):
        return delta, None
    summary = delta.summary if delta.changes else "No changes of text or controls."
    note = f"Looks may have changed: {'; '.join(settled.restyled_elements)}."
    return attrs.evolve(delta, summary=summary), note


def message_notes(settled: SettleResult, before: PageView, after: PageView) -> list[str]:
    """Return notes on messages that were shown only for a moment, and on repeated messages."""
    passing = _find_passing(settled.removed_messages, before, after)
    repeated = [
        text for text in dict.fromkeys(settled.set_messages) if _is_in_both(text, before, after)
    ]
    notes = (("Said meanwhile", passing), ("Said again", repeated))
    return [f"{how}: {_quote(texts)}" for how, texts in notes if texts]


def _note_earlier_changes(reported: Snapshot, before: Snapshot) -> str | None:
    """Note changes that the page made since the last report: no delta contains them."""
    if reported.view is before.view:
        return None
    delta = delta_of(reported, before)
    if delta is None:
        where = before.view.url[:_LONGEST]
        return f"The page had gone to another document before this, {where}: observe shows it."
    if not any(map(_is_news, delta.changes)):
        return None
    return (
        f"The page had changed before this, since snapshot {reported.id}: "
        f"diff{{snapshot_id: {reported.id}}} lists the changes."
    )


def _is_news(change: Change) -> bool:
    """Return whether a change is more than a move or other numbers in a text, as of a clock."""
    if change.type == "moved":
        return False
    before, after = change.before, change.after
    is_text = change.property in _TEXTS
    return not is_text or _without_numbers(before or "") != _without_numbers(after or "")


def _find_passing(said: Sequence[str], before: PageView, after: PageView) -> list[str]:
    """Return the messages that are not on the page now and were not before.

    Of messages that differ only in numbers, as a countdown, the last one is returned.
    """
    shown = {_without_numbers(text) for view in (before, after) for text in view.alerts}
    shown |= {_without_numbers(line.text) for line in after.lines} if said else set()
    last = {_without_numbers(text): text for text in said}
    return [text for key, text in last.items() if key not in shown]


def _is_in_both(text: str, before: PageView, after: PageView) -> bool:
    return all(
        text in view.alerts or any(line.text == text for line in view.lines)
        for view in (before, after)
    )


def _quote(texts: Iterable[str]) -> str:
    quoted = "; ".join(f'"{text}"' for text in texts)
    return quoted if len(quoted) <= _LONGEST else f"{quoted[:_LONGEST]}…"


def _without_numbers(text: str) -> str:
    return _NUMBERS.sub("", text)


def note_if_unchanged(tab: PageReader, look: Look, reference: str) -> Look:
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


def note_if_empty(tab: PageReader, look: Look, fields: Iterable[str]) -> Look:
    """Add a note if fields are empty although text was typed into them."""
    found = [(field, _find_element(tab, look, field)) for field in fields]
    empty = [reference for reference, field in found if field is not None and not field.value]
    if not empty:
        return look
    are = "is" if len(empty) == 1 else "are"
    return look.with_note(f"{', '.join(empty)} {are} empty: the page did not keep the typed text.")


def note_if_cleared(tab: PageReader, look: Look, reference: str) -> Look:
    """Add a note if a field is empty after a text and Enter, and nothing else changed."""
    field = _find_element(tab, look, reference)
    if field is None or field.value or look.delta is None or look.delta.changes:
        return look
    return look.with_note(f"{reference} is empty again: the page took the text, or refused it.")


def note_if_lost(look: Look, x: float, y: float) -> Look:
    """Add a note that no field took the text typed at a point, if nothing answered it."""
    changes = look.delta.changes if look.delta else ()
    if look.delta is None or {change.property for change in changes} - _FOCUS:
        return look
    return look.with_note(f"Nothing at ({x}, {y}) takes text: the typed text is in no field.")


async def note_difference(tab: PageReader, reference: str, text: str, *, replaced: bool) -> None:
    """Note if the text that an editor shows differs from the text typed into it."""
    place = await tab.resolve(reference)
    answer = await tab.frames.ask_node(place, "typedText", text, replaced)
    _note_difference(tab, reference, answer or {}, replaced=replaced)


async def note_difference_in_focus(
    tab: PageReader, frame: SeenFrame, text: str, *, replaced: bool
) -> None:
    """Note the same for the editor that has the focus."""
    answer = await tab.frames.ask(frame, "typedText", 0, text, replaced)
    _note_difference(tab, "the field with the focus", answer, replaced=replaced)


def _note_difference(
    tab: PageReader, name: str, answer: Mapping[str, Any], *, replaced: bool
) -> None:
    if note := _DIFFERENCES.get(answer.get("verdict", "")):
        shown = json.dumps(answer["shown"], ensure_ascii=False)
        note = note.format(name, lines=answer["lines"], wanted=answer["wanted"], shown=shown)
        tab.note = note
    elif "around" in answer and replaced:  # such a control has no value that an answer could show
        shows = "is empty" if "empty" in answer else "shows the text typed"
        tab.note = f"{name} {shows}."


def is_answered(tab: PageReader, look: Look) -> bool:
    """Return whether the document that was acted on is still there and free of dialogs."""
    return look.delta is not None and tab.record.dialog is None


async def find_submitter(tab: PageReader, button: str) -> DocumentNode | None:
    """Return the node of a form's submit button; None if the element is no such button."""
    view = tab.last_view
    if view is None or all(form.submit != button for form in view.forms):
        return None
    place, _ = await tab.locate(button, "submitter")
    return place


async def with_invalid_fields(tab: PageReader, look: Look, place: DocumentNode | None) -> Look:
    """Add the fields for which the browser refuses to submit the form of a node."""
    if place is None or not is_answered(tab, look):
        return look
    answer = await tab.frames.ask_node(place, "invalid") or {}
    rows = [_describe_invalid(tab, place, *row) for row in answer.get("invalid") or ()]
    return attrs.evolve(look, invalid=rows)


def _describe_invalid(
    tab: PageReader, place: DocumentNode, nid: int, message: str, *hidden: Any
) -> dict[str, Any]:
    """Describe an invalid field; ``use`` is the visible control next to a hidden field."""
    ids = tab.record.ids
    row: dict[str, Any] = {"id": ids.get_id(place.with_nid(nid).nid), "message": message}
    if hidden:
        name, control = hidden
        row |= {"name": name, "use": ids.get_id(place.with_nid(control).nid) if control else None}
    return row


def _find_element(tab: PageReader, look: Look, reference: str) -> Element | None:
    element_id = tab.id_of(reference)
    return next((one for one in look.snapshot.view.interactive if one.id == element_id), None)
