"""Tools for fields and forms: fill_form, submit, select, toggle, upload."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.tab.verbs import choosing, forms
from charlotte.actors.tab.verbs.forms import FieldValue
from charlotte.answers.answer import Answer, Page
from charlotte.answers.pages import page_answer
from charlotte.base.errors import InvalidArgument
from charlotte.tools.schema.arguments import (
    ChangesDetail,
    ElementId,
    Lenient,
    Limits,
    Private,
    RareDetail,
    text_or_texts,
)
from charlotte.tools.schema.tool import action_tool

Values = Annotated[list[str], Limits(max_length=1000)]


@action_tool(title="Submit a form", position=350)
async def submit(
    tab: TabHandle,
    form_id: Annotated[ElementId, "Id of the form or of anything in it."],
    *,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Submit a form and return what changed, and invalid fields with reasons."""
    look = await tab.do(forms.submit, form_id)
    return page_answer(tab.record, look, detail)


@attrs.frozen
class Field(FieldValue):
    """A field and its new value."""

    element_id: Annotated[ElementId, "Id of the field."]
    value: Annotated[
        str | bool | float | list[str],
        Private(),
        "Text or a secret's name; options; true or false; paths of files.",
    ]


def _check_once(arguments: Mapping[str, Any]) -> None:
    counts = Counter(field.element_id for field in arguments["fields"])
    if twice := [reference for reference, count in counts.items() if count > 1]:
        raise InvalidArgument(f"{twice[0]} is given twice.", "Pass one value for each field.")


@action_tool(title="Fill in a form", position=360, deadline=600.0, check=_check_once)
async def fill_form(
    tab: TabHandle,
    fields: Annotated[
        Sequence[Field], Limits(min_length=1), "Fields and values, filled in this order."
    ],
    *,
    submit: Annotated[bool, "Submit the form at the end."] = False,
    detail: ChangesDetail = "delta",
) -> Answer[Page]:
    """Fill in several fields and return what changed; fills none if one cannot be filled."""
    spelled = tab.record.session.settings.secrets.spelled
    values = [
        attrs.evolve(field, value=spelled(field.value)) if isinstance(field.value, str) else field
        for field in fields
    ]
    look = await tab.do(forms.fill_form, values, submit=submit)
    given = {
        field.element_id: field.value if value.checked is None else value.checked
        for field, value in zip(fields, values, strict=True)
    }
    return page_answer(tab.record, attrs.evolve(look, given=given), detail)


@action_tool(title="Upload files", position=370, uses="files")
async def upload(
    tab: TabHandle,
    element_id: Annotated[ElementId, "Id of the file input, its button, or a drop zone."],
    paths: Annotated[
        Sequence[str],
        Limits(min_length=1, max_length=100),
        (
            "Paths of files, or of a folder, inside the allowed directories (roots); several "
            "only if the page accepts several."
        ),
    ],
    *,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Give files to a file input, the button that opens its dialog, or a drop zone.

    Returns what changed.
    """
    files = tab.record.session.settings.files.files(paths, folders=True)
    return page_answer(tab.record, await tab.do(forms.upload, element_id, files), detail)


@action_tool(title="Choose options", position=330, idempotent=True)
async def select(
    tab: TabHandle,
    element_id: Annotated[ElementId, "Id of the select, list, tree or radio group."],
    value: Annotated[
        str | Values,
        Lenient(text_or_texts),
        'Value, text or path ("Group / Option") of an option; a list (or []) for a multiple one.',
    ],
    *,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Choose options of a select, list, tree, cascade or radio group; return what changed.

    In a multiple select, a list replaces the selection. For an unknown option, the error lists
    the existing ones.
    """
    return page_answer(tab.record, await tab.do(choosing.select, element_id, value), detail)


@action_tool(title="Toggle a checkbox", position=340)
async def toggle(
    tab: TabHandle,
    element_id: Annotated[ElementId, "Id of a checkbox, switch, toggle button, row or tree item."],
    *,
    detail: RareDetail = "delta",
) -> Answer[Page]:
    """Check or uncheck, switch on or off, expand or collapse; return the new state."""
    return page_answer(tab.record, await tab.do(forms.toggle, element_id), detail)
