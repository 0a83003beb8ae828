"""Fields for which a form was refused, by the browser, by a script or by a server."""

from collections.abc import Sequence
from typing import Any

import attrs

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.page.identity.references import DocumentNode


@attrs.frozen
class FormBefore:
    """A form before an action: its place, and the numbers of its fields that are marked as invalid.

    ``is_sent`` is whether the action is meant to submit the form.
    """

    place: DocumentNode
    marked: Sequence[int]
    is_sent: bool = True


async def find_form(tab: TabActor, reference: str, *, is_sent: bool = True) -> FormBefore | None:
    """Return the form of an element before an action; None if it belongs to no form."""
    place, answer = await tab.locate(reference, "submitter")
    if "form" not in answer:
        return None
    return FormBefore(place.with_nid(answer["form"]), answer["marked"], is_sent)


async def find_form_of_button(tab: TabActor, reference: str) -> FormBefore | None:
    """Return the form of a button before a click; None for other elements."""
    element_id = tab.id_of(reference)
    view, ids = tab.last_view, tab.record.ids
    node = ids.get_node(ids.resolve(element_id) or 0) if element_id else None
    if view is None or node is None or node.role != "button" or "form" not in node.extra:
        return None
    is_sent = any(form.submit == element_id for form in view.forms)
    return await find_form(tab, reference, is_sent=is_sent or "submits" in node.extra)


async def with_invalid_fields(tab: TabActor, look: Look, form: FormBefore | None) -> Look:
    """Add the fields for which a form was refused, also if another document has it again.

    ``use`` is the visible control next to a hidden field.
    """
    if form is None or tab.record.dialog or tab.page.activity.navigating_to:
        return look
    before, view = look.before, look.snapshot.view
    place, answer = form.place, None
    if before is not None and before.document == view.document:
        answer = await tab.frames.ask_node(place, "invalidFields", form.marked, form.is_sent)
    if answer is None:  # the form is gone
        place = tab.place(0)
        answer = await tab.frames.ask_node(place, "invalidFields", form.marked, form.is_sent)
    rows: list[dict[str, Any]] = []

    def get_id(nid: int) -> str | None:
        return tab.record.ids.get_id(place.with_nid(nid).nid)

    for nid, message, *hidden in (answer or {}).get("invalid", ()):
        rows.append({"id": get_id(nid), "message": message})
        if hidden:
            name, control = hidden
            rows[-1] |= {"name": name, "use": get_id(control) if control else None}
    return look.with_extras(invalid=rows or None)
