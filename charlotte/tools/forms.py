"""Tools for forms: sending one, and filling one in all at once."""

from typing import Annotated, Any

from charlotte.actors.tab.actor import Look, Tab
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.tools.aiming import ACTION_DEADLINE, check, checked, press_node
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.parameters import Detail, ElementId
from charlotte.tools.schema.tool import tool


@tool(group="interaction", position=350, deadline=ACTION_DEADLINE)
async def submit(
    tab: Tab,
    form_id: Annotated[ElementId, "Id of the form or of anything in it"],
    *,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Submit a form and return what changed.

    If the browser's validation fails, `invalid` lists the fields and reasons.
    """
    look = await tab.act(lambda: send(tab, form_id), form_id)
    return page_answer(tab, look, detail, extras=await complaints(tab, form_id, look))


async def send(tab: Tab, reference: str) -> None:
    """Click the real submit control of a form, or have the form submit itself."""
    sender = checked(await tab.on_element(reference, "submitter"), reference)
    place = await tab.references.place(reference)
    if "nid" not in sender:
        await tab.on_place(place.with_nid(sender["form"]), "send")
        return
    button = f"the submit button of {reference}"
    if not await press_node(tab, place.with_nid(sender["nid"]), button):
        check({"error": "hidden"}, button)


async def complaints(tab: Tab, reference: str, look: Look) -> dict[str, object]:
    """What the browser's own validation said, when the form is still there."""
    if look.delta is None or tab.record.dialog is not None:
        return {}
    return await complaints_at(tab, await tab.references.place(reference))


async def watch_sending(tab: Tab, button: str) -> DocumentNode | None:
    """Prepare to report what keeps a form from being sent; None if this is no submit button."""
    view = tab.last_view
    if view is None or all(form.submit != button for form in view.forms):
        return None
    place, _ = await tab.locate(button, "submitter")
    return place


async def complaints_at(tab: Tab, place: DocumentNode) -> dict[str, object]:
    """Return what the browser's validation has against sending the form of a node."""
    answer = await tab.on_place(place, "invalid")
    if not answer or not answer.get("invalid"):
        return {}
    return {"invalid": [_complaint(tab, place, row) for row in answer["invalid"]]}


def _complaint(tab: Tab, place: DocumentNode, row: list[Any]) -> dict[str, Any]:
    """Describe an invalid field; ``use`` is the visible control beside one that nobody sees."""
    ids = tab.record.ids
    nid, message, *unseen = row
    complaint = {"id": ids.of(place.with_nid(nid).nid), "message": message}
    if not unseen:
        return complaint
    name, beside = unseen
    return {
        **complaint,
        "name": name,
        "use": ids.of(place.with_nid(beside).nid) if beside else None,
    }
