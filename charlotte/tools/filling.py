"""The tool that fills in a form: every field is checked before the first is touched."""

from collections import Counter
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Annotated, Any

import attrs

from charlotte.actors.tab.actor import Tab
from charlotte.errors import CharlotteError, Fatal, InvalidArgument
from charlotte.tools.aiming import GIVE_FILES, check, press_element
from charlotte.tools.answer import Answer
from charlotte.tools.checking import saying_if_empty
from charlotte.tools.choosing import check_choice, choose, choose_suggested
from charlotte.tools.entering import enter, set_value
from charlotte.tools.forms import complaints, send
from charlotte.tools.pages import page_answer
from charlotte.tools.results import Page
from charlotte.tools.schema.arguments import DECIMAL, boolean, decimal
from charlotte.tools.schema.json_schema import Limits
from charlotte.tools.schema.parameters import Detail, ElementId
from charlotte.tools.schema.problems import WrongValue, short_json
from charlotte.tools.schema.tool import tool

_DEADLINE = 600.0
"""Seconds; long texts in many fields take their time."""

_NOT_SENT = "Nothing was submitted: choose first, or call submit to send the text as it is."

Value = str | bool | float | list[str]


@attrs.frozen
class Field:
    """A field and what is to be in it."""

    element_id: ElementId
    value: Annotated[Value, "Text, option(s), or true/false for a checkbox"]


Fill = Callable[[], Awaitable[str | None]]
"""Fills a field; returns what keeps that from being its answer, if anything does."""


@attrs.frozen
class Step:
    """How one field is filled; ``fill`` is only called once all fields are checked.

    What ``is_typed`` is a text that the field itself is to show.
    """

    reference: str
    fill: Fill
    is_typed: bool


Problem = tuple[str, CharlotteError]
"""The field that cannot be filled, and why."""

Fields = Annotated[Sequence[Field], Limits(min_length=1)]


def _check_once(arguments: Mapping[str, Any]) -> None:
    counts = Counter(field.element_id for field in arguments["fields"])
    if twice := [reference for reference, count in counts.items() if count > 1]:
        raise InvalidArgument(f"{twice[0]} is given twice.", "Give each field one value.")


@tool(group="interaction", position=360, deadline=_DEADLINE, check=_check_once)
async def fill_form(
    tab: Tab,
    fields: Fields,
    *,
    submit: Annotated[bool, "Submit the form at the end"] = False,
    detail: Detail = "delta",
) -> Answer[Page]:
    """Fill in several fields and return what changed; fills none if one cannot be filled."""
    first = fields[0].element_id
    steps = await _planned(tab, fields, submit=submit)

    remarks: list[str] = []

    async def act() -> None:
        remarks.extend(await _carry_out(steps))
        if submit and not remarks:
            await send(tab, first)
        elif remarks:
            tab.references.note(" ".join([*remarks, *([_NOT_SENT] if submit else [])]))

    look = await tab.act(act)
    if not submit:
        look = saying_if_empty(tab, look, [step.reference for step in steps if step.is_typed])
    extras = await complaints(tab, first, look) if submit and not remarks else {}
    return page_answer(tab, look, detail, extras=extras)


async def _planned(tab: Tab, fields: Sequence[Field], *, submit: bool) -> list[Step]:
    """A step for each field; raises one error that tells of all fields that cannot be filled."""
    steps: list[Step] = []
    problems: list[Problem] = []
    for field in fields:
        with _noting(problems, field.element_id):
            steps.append(await _step(tab, field))
    if submit and not problems:
        with _noting(problems, fields[0].element_id):
            check(await tab.on_element(fields[0].element_id, "submitter"), fields[0].element_id)
    if problems:
        raise _together(problems)
    return steps


@contextmanager
def _noting(problems: list[Problem], reference: str) -> Generator[None]:
    """Keep what is wrong with a field for later; the end of the page is no such thing."""
    try:
        yield
    except Fatal:
        raise
    except CharlotteError as error:
        problems.append((reference, error))


def _together(problems: Sequence[Problem]) -> CharlotteError:
    """One error for all fields; what is to be done says for which of them."""
    errors = [error for _, error in problems]
    kinds = {type(error) for error in errors}
    kind = kinds.pop() if len(kinds) == 1 else InvalidArgument
    told = " ".join(error.message for error in errors)
    advice: dict[str, list[str]] = {}
    for reference, error in problems:
        if error.suggestion:
            advice.setdefault(error.suggestion, []).append(reference)
    many = len(problems) > 1
    lines = (f"{', '.join(names)}: {text}" if many else text for text, names in advice.items())
    return kind(f"Nothing was filled in. {told}", " ".join(lines), errors[0].details)


async def _carry_out(steps: Sequence[Step]) -> list[str]:
    """Fill the fields in order; an error says which of them are filled. Returns their remarks."""
    done: list[str] = []
    remarks: list[str] = []
    for step in steps:
        try:
            if remark := await step.fill():
                remarks.append(remark)
        except Fatal:
            raise
        except CharlotteError as error:
            told = f"{error.message} Filled in before it: {', '.join(done) or 'nothing'}."
            raise type(error)(told, error.suggestion, error.details) from error
        done.append(step.reference)
    return remarks


async def _step(tab: Tab, field: Field) -> Step:
    """How the field takes its value, checked; raises why it does not."""
    reference, value = field.element_id, field.value
    if isinstance(value, str):
        value = tab.record.session.settings.secrets.spelled(value)
    answer = await tab.on_element(reference, "field")
    if answer["kind"] not in _KINDS:
        raise InvalidArgument(f"{reference} takes no value.{_INSTEAD.get(answer['kind'], '')}")
    check(answer, reference)
    fill = await _KINDS[answer["kind"]](tab, reference, value, answer)
    is_typed = answer["kind"] == "text" and "suggests" not in answer and value != ""
    return Step(reference, fill, is_typed)


Shape = Mapping[str, Any]

_INSTEAD = {
    "none": " Only form fields do.",
    "file": f" {GIVE_FILES}",
}


async def _text(tab: Tab, reference: str, value: Value, shape: Shape) -> Fill:
    text = _as_text(reference, value)
    if "number" in shape and text and not DECIMAL.fullmatch(text):
        raise _unfit(reference, "a number", value)
    if len(text) > shape.get("longest", len(text)):
        raise _unfit(reference, f"{shape['longest']} characters at most", value)
    if "suggests" in shape:
        return lambda: choose_suggested(tab, reference, text)
    return lambda: enter(tab, reference, text)


async def _set(tab: Tab, reference: str, value: Value, _: Shape) -> Fill:
    text = _as_text(reference, value)
    await set_value(tab, reference, text, only_check=True)
    return lambda: set_value(tab, reference, text)


async def _select(tab: Tab, reference: str, value: Value, _: Shape) -> Fill:
    given = value if isinstance(value, list) else _as_text(reference, value)
    wanted = [given] if isinstance(given, str) else given
    answer = await tab.on_element(reference, "choose", wanted, True)  # noqa: FBT003 - to JavaScript
    check_choice(answer, reference)
    if "aria" in answer:
        return lambda: choose(tab, reference, given)

    async def fill() -> None:  # nobody points at a native select: it need not stand still
        check_choice(await tab.on_element(reference, "choose", wanted), reference)

    return fill


async def _check(tab: Tab, reference: str, value: Value, shape: Shape) -> Fill:
    try:
        wanted = boolean(value)
    except WrongValue:
        raise _unfit(reference, "true or false", value) from None
    if shape.get("radio") and not wanted and shape["checked"] == "true":
        raise InvalidArgument(
            f"{reference} is a radio button: it is given up by checking another of its group."
        )

    async def fill() -> None:
        if (await tab.on_element(reference, "checked"))["checked"] != str(wanted).lower():
            await press_element(tab, reference)

    return fill


_KINDS = {"text": _text, "set": _set, "select": _select, "check": _check}


def _as_text(reference: str, value: Value) -> str:
    """Numbers as one writes them."""
    if isinstance(value, bool | list):
        raise _unfit(reference, "text", value)
    return value if isinstance(value, str) else decimal(value)


def _unfit(reference: str, takes: str, value: Value) -> InvalidArgument:
    return InvalidArgument(f"{reference} takes {takes}, not {short_json(value)}.")
