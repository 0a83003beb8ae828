"""What is to be said of actions that did nothing: a box is as it was, a text is nowhere."""

from collections.abc import Iterable

import attrs
import trio

from charlotte.actors.frame_points import ask_frame
from charlotte.actors.tab import Look, Tab
from charlotte.page.changes import SnapshotDiff
from charlotte.page.model import Element, State
from charlotte.page.references import form_of
from charlotte.tools.coordinates import Deed

_STATES: dict[State, str] = {True: "checked", False: "unchecked", "mixed": "half checked"}


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


def _element(tab: Tab, look: Look, reference: str) -> Element | None:
    """What was acted on, if it is there."""
    record = tab.record
    match form_of(reference):
        case "hash":
            number = record.ids.resolve(reference)
        case "dom":
            found = record.dom.find(reference)
            number = found.place.nid if found else None
        case _:
            named = record.refs.find(reference)
            number = named.place.nid if named else None
    element_id = None if number is None else record.ids.of(number)
    return next((one for one in look.snapshot.view.interactive if one.id == element_id), None)


_FOCUS = "state.focused"
_ANSWERS_WITHIN = 0.5


async def takes_text(tab: Tab) -> bool:
    """Whether what has the focus, in whichever frame, is a field; True where nobody can say."""
    frame = tab.frames.main
    with trio.move_on_after(_ANSWERS_WITHIN):
        while "frame" in (told := await ask_frame(tab.page, frame, "typing")):
            child = frame.children.get(told["frame"])
            if child is None:
                return True
            frame = child
        return bool(told.get("takes", True))
    return True


def saying_if_lost(look: Look, deed: Deed) -> Look:
    """The look after typing at a point, with a note if no field took it and nothing answered it."""
    if not deed.is_lost or look.delta is None or _changed(look.delta) - {_FOCUS}:
        return look
    at = f"({deed.at.x}, {deed.at.y})"
    note = f"Nothing at {at} takes text: what was typed is in no field."
    return _noting(look, note)


def _changed(delta: SnapshotDiff) -> set[str | None]:
    return {change.property for change in delta.changes}
