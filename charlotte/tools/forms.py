"""Tools for forms: sending one, and filling one in all at once."""

from typing import Annotated

from charlotte.actors.tab import Look, Tab
from charlotte.tools.aiming import ACTION_DEADLINE, check, checked, press_node
from charlotte.tools.answer import Answer
from charlotte.tools.pages import page_answer
from charlotte.tools.parameters import Detail, ElementId
from charlotte.tools.results import Page
from charlotte.tools.tool import tool


@tool(group="interaction", deadline=ACTION_DEADLINE)
async def submit(
    tab: Tab,
    form_id: Annotated[ElementId, "Or anything in it"],
    *,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Send a form by its submit button, or without one; return what came of it.

    If the browser's validation stops it, `invalid` says which fields and why.
    """
    look = await tab.act(lambda: send(tab, form_id), form_id)
    return page_answer(tab, look, detail, extras=await complaints(tab, form_id, look))


async def send(tab: Tab, reference: str) -> None:
    """Click the real submit control of a form, or have the form submit itself."""
    sender = checked(await tab.on_element(reference, "submitter"), reference)
    place = await tab.references.place(reference)
    if "nid" not in sender:
        await tab.on_place(place.beside(sender["form"]), "send")
        return
    button = f"the submit button of {reference}"
    if not await press_node(tab, place.beside(sender["nid"]), button):
        check({"error": "hidden"}, button)


async def complaints(tab: Tab, reference: str, look: Look) -> dict[str, object]:
    """What the browser's own validation said, when the form is still there."""
    if look.delta is None or tab.record.dialog is not None:
        return {}
    place = await tab.references.place(reference)
    answer = await tab.on_place(place, "invalid")
    if not answer or not answer.get("invalid"):
        return {}
    return {
        "invalid": [
            {"id": tab.record.ids.of(place.beside(nid).nid), "message": message}
            for nid, message in answer["invalid"]
        ]
    }
