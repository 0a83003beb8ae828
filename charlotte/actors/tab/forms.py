"""Form verbs: fill in fields, submit a form, give files to a page."""

import re
from collections.abc import Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.choosing import check_choice, choose, choose_suggested
from charlotte.actors.tab.keyboard import enter_text, set_value
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.pointer import (
    GIVE_FILES,
    check,
    find_element,
    find_point,
    is_answered,
    press_element,
    press_node,
    with_invalid_fields,
)
from charlotte.browser.drag import (
    drop_files,
    fill_input,
    get_accept,
    unaccepted_files,
    wait_for_chooser,
)
from charlotte.browser.isolated_world import FrameWorld, nodes_of
from charlotte.errors import CharlotteError, ElementNotInteractive, Fatal, InvalidArgument
from charlotte.protocol.page import FileChooserOpened

_NOT_SENT = "Nothing was submitted: choose first, or call submit to send the text unchanged."
_NUMBER = re.compile(r"-?[0-9]{1,16}(\.[0-9]{1,30})?")
_INSTEAD = {
    "none": " Only form fields do.",
    "file": f" {GIVE_FILES}",
}


@attrs.frozen(kw_only=True)
class FieldValue:
    """A value for a field in the form of each kind of field; None if it has no such form.

    ``quoted`` is the value as errors show it.
    """

    reference: str
    text: str | None
    options: Sequence[str] | None
    checked: bool | None
    quoted: str

    def get_text(self) -> str:
        """Return the text; raises `InvalidArgument` for a boolean or a list."""
        if self.text is None:
            raise self.refused("text")
        return self.text

    def refused(self, takes: str) -> InvalidArgument:
        """Return the error for a field that takes something else."""
        return InvalidArgument(f"{self.reference} takes {takes}, not {self.quoted}.")


Facts = Mapping[str, Any]
"""The probe's description of a field."""

Fill = Callable[[], Awaitable[str | None]]
"""Fills a field; returns a note if the field does not accept the value as its answer."""


@attrs.frozen
class _Step:
    """A checked field and how to fill it; ``is_typed`` if the field will show the typed text."""

    reference: str
    fill: Fill
    is_typed: bool


async def fill_form(tab: TabActor, values: Sequence[FieldValue], *, submit: bool = False) -> Look:
    """Fill in fields, once all are checked; submit the form; look at the page once it settles."""
    first = values[0].reference
    steps = await _plan(tab, values, submit=submit)
    notes: list[str] = []

    async def act() -> None:
        notes.extend(await _carry_out(steps))
        if submit and not notes:
            await _submit(tab, first)
        elif notes:
            tab.note = " ".join([*notes, *([_NOT_SENT] if submit else [])])

    look = await tab.act(act)
    if submit:
        return look if notes else await _with_invalid_fields(tab, look, first)
    typed = {
        step.reference: find_element(tab, look, step.reference) for step in steps if step.is_typed
    }
    empty = [reference for reference, field in typed.items() if field and not field.value]
    if not empty:
        return look
    are = "is" if len(empty) == 1 else "are"
    return look.with_note(f"{', '.join(empty)} {are} empty: the page did not keep the typed text.")


async def submit(tab: TabActor, reference: str) -> Look:
    """Submit the form of an element and look at the page once it has settled."""
    look = await tab.act(lambda: _submit(tab, reference), reference)
    return await _with_invalid_fields(tab, look, reference)


async def upload(tab: TabActor, reference: str, files: Sequence[Path]) -> Look:
    """Give files to an element and look at the page once it has settled."""
    return await tab.act(lambda: _give_files(tab, reference, files), reference)


async def _with_invalid_fields(tab: TabActor, look: Look, reference: str) -> Look:
    if not is_answered(tab, look):
        return look
    return await with_invalid_fields(tab, look, await tab.resolve(reference))


async def _submit(tab: TabActor, reference: str) -> None:
    """Click the submit button of a form, or have the form submit itself."""
    submitter = check(await tab.on_element(reference, "submitter"), reference)
    place = await tab.resolve(reference)
    if "nid" not in submitter:
        await tab.frames.ask_node(place.with_nid(submitter["form"]), "send")
        return
    button = f"the submit button of {reference}"
    if not await press_node(tab, place.with_nid(submitter["nid"]), button):
        check({"error": "hidden"}, button)


async def _plan(tab: TabActor, values: Sequence[FieldValue], *, submit: bool) -> list[_Step]:
    """Check all fields; raises one error for all those that cannot be filled."""
    steps: list[_Step] = []
    problems: list[tuple[str, CharlotteError]] = []
    first = values[0].reference

    @contextmanager
    def collecting(reference: str) -> Generator[None]:
        try:
            yield
        except Fatal:
            raise
        except CharlotteError as error:
            problems.append((reference, error))

    for value in values:
        with collecting(value.reference):
            steps.append(await _plan_field(tab, value))
    if submit and not problems:
        with collecting(first):
            check(await tab.on_element(first, "submitter"), first)
    if problems:
        raise _join_problems(problems)
    return steps


def _join_problems(problems: Sequence[tuple[str, CharlotteError]]) -> CharlotteError:
    """Return one error for all fields; each advice names its fields."""
    errors = [error for _, error in problems]
    kinds = {type(error) for error in errors}
    kind = kinds.pop() if len(kinds) == 1 else InvalidArgument
    messages = " ".join(error.message for error in errors)
    advice: dict[str, list[str]] = {}
    for reference, error in problems:
        if error.suggestion:
            advice.setdefault(error.suggestion, []).append(reference)
    many = len(problems) > 1
    lines = (f"{', '.join(names)}: {text}" if many else text for text, names in advice.items())
    return kind(f"Nothing was filled in. {messages}", " ".join(lines), errors[0].details)


async def _carry_out(steps: Sequence[_Step]) -> list[str]:
    """Fill the fields in order and return their notes; an error lists the fields filled before."""
    done: list[str] = []
    notes: list[str] = []
    for step in steps:
        try:
            if note := await step.fill():
                notes.append(note)
        except Fatal:
            raise
        except CharlotteError as error:
            message = f"{error.message} Filled in before it: {', '.join(done) or 'nothing'}."
            raise type(error)(message, error.suggestion, error.details) from error
        done.append(step.reference)
    return notes


async def _plan_field(tab: TabActor, value: FieldValue) -> _Step:
    facts = await tab.on_element(value.reference, "field")
    kind = facts["kind"]
    if kind not in _KINDS:
        raise InvalidArgument(f"{value.reference} takes no value.{_INSTEAD.get(kind, '')}")
    check(facts, value.reference)
    fill = await _KINDS[kind](tab, value, facts)
    is_typed = kind == "text" and "suggests" not in facts and value.text != ""
    return _Step(value.reference, fill, is_typed)


async def _plan_text(tab: TabActor, value: FieldValue, facts: Facts) -> Fill:
    text = value.get_text()
    if "number" in facts and text and not _NUMBER.fullmatch(text):
        raise value.refused("a number")
    if len(text) > facts.get("longest", len(text)):
        raise value.refused(f"{facts['longest']} characters at most")
    if "suggests" in facts:
        return lambda: choose_suggested(tab, value.reference, text)
    return lambda: enter_text(tab, value.reference, text)


async def _plan_set(tab: TabActor, value: FieldValue, _: Facts) -> Fill:
    text = value.get_text()
    await set_value(tab, value.reference, text, only_check=True)
    return lambda: set_value(tab, value.reference, text)


async def _plan_select(tab: TabActor, value: FieldValue, _: Facts) -> Fill:
    reference = value.reference
    chosen = value.options if value.options is not None else value.get_text()
    wanted = [chosen] if isinstance(chosen, str) else chosen
    answer = await tab.on_element(reference, "choose", wanted, True)  # noqa: FBT003 - to JavaScript
    check_choice(answer, reference)
    if "aria" in answer:
        return lambda: choose(tab, reference, chosen)

    async def fill() -> None:  # a native select is set without the mouse: it may move
        check_choice(await tab.on_element(reference, "choose", wanted), reference)

    return fill


async def _plan_check(tab: TabActor, value: FieldValue, facts: Facts) -> Fill:
    reference, wanted = value.reference, value.checked
    if wanted is None:
        raise value.refused("true or false")
    if facts.get("radio") and not wanted and facts["checked"] == "true":
        raise InvalidArgument(
            f"{reference} is a radio button: it is given up by checking another of its group."
        )

    async def fill() -> None:
        if (await tab.on_element(reference, "checked"))["checked"] != str(wanted).lower():
            await press_element(tab, reference)

    return fill


_KINDS = {
    "text": _plan_text,
    "set": _plan_set,
    "select": _plan_select,
    "check": _plan_check,
}


async def _give_files(tab: TabActor, reference: str, files: Sequence[Path]) -> None:
    answer = check(await tab.on_element(reference, "fileInput"), reference)
    place = await tab.resolve(reference)
    home = tab.frames.find(place)
    if home is None:
        raise tab.missing(reference)
    world = home[0].world
    if "nid" not in answer:
        if "drops" in answer and await _drop(tab, reference, files):
            return
        await _give_by_click(tab, reference, world, files)
        return
    _check_count(reference, files, multiple="multiple" in answer)
    [node] = await nodes_of(world, [answer["nid"]])
    if node is None:
        raise tab.missing(reference)
    await fill_input(world.session, node.backend_node_id, files)
    _note_unaccepted(tab, reference, files, answer.get("accept", ""))


async def _give_by_click(
    tab: TabActor, reference: str, world: FrameWorld, files: Sequence[Path]
) -> None:
    """Click an element that may open a file chooser; if it opens none, drop the files on it."""
    with tab.page.choosing(), world.session.events(FileChooserOpened) as choosers:
        await press_element(tab, reference)
        chooser = await wait_for_chooser(choosers)
        if chooser is not None and chooser.backend_node_id is not None:
            _check_count(reference, files, multiple=chooser.mode == "selectMultiple")
            accept = await get_accept(world.session, chooser.backend_node_id)
            await fill_input(world.session, chooser.backend_node_id, files)
            _note_unaccepted(tab, reference, files, accept)
            return
    if not await _drop(tab, reference, files):
        raise ElementNotInteractive(
            f"{reference} takes no files: it is no file input, a click on it opens no file "
            "chooser, and the page takes nothing that is dragged there.",
            "Give the id of the file input, of its label or button, or of the drop zone.",
        )
    tab.note = f"{reference} was clicked, which opened no file chooser, then dropped on."


async def _drop(tab: TabActor, reference: str, files: Sequence[Path]) -> bool:
    async def is_taken() -> bool:
        return bool((await tab.on_element(reference, "isDropTaken"))["taken"])

    await tab.on_element(reference, "watchDrop")
    point = await find_point(tab, reference, "visible")
    async with tab.page.answering():
        return await drop_files(tab.page.session, point, files, is_taken)


def _note_unaccepted(tab: TabActor, reference: str, files: Sequence[Path], accept: str) -> None:
    """Note the files that the input's ``accept`` excludes: a page may ignore them silently."""
    if unaccepted := unaccepted_files(files, accept):
        names = ", ".join(repr(file.name) for file in unaccepted)
        tab.note = f"{reference} accepts {accept!r}: a file chooser would hide {names}."


def _check_count(reference: str, files: Sequence[Path], *, multiple: bool) -> None:
    if len(files) > 1 and not multiple:
        raise InvalidArgument(
            f"{reference} takes one file, not {len(files)}.", "Give a single path."
        )
