"""Form verbs: fill in fields, toggle switches, submit a form, give files to a page."""

import itertools
from collections.abc import Awaitable, Callable, Collection, Sequence
from fnmatch import fnmatchcase
from functools import partial
from mimetypes import guess_type
from pathlib import Path

import attrs
import trio

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.frames import ProbeAnswer
from charlotte.actors.tab.verbs.choosing import check_choice, choose, choose_suggested
from charlotte.actors.tab.verbs.focus import press_strokes
from charlotte.actors.tab.verbs.keyboard import commit_date, enter_text, wait_for_page
from charlotte.actors.tab.verbs.pointer import (
    check,
    find_point,
    is_answered,
    locate_unlocked,
    note_if_unchanged,
    press_element,
    press_node,
)
from charlotte.actors.tab.verbs.rejections import FormBefore, with_invalid_fields
from charlotte.actors.tab.verbs.values import find_difference, set_field, set_scale
from charlotte.base.errors import (
    CharlotteError,
    ElementNotFound,
    ElementNotInteractive,
    Fatal,
    InvalidArgument,
    PolicyRefused,
    adding,
    ellipsize,
)
from charlotte.base.urls import origin_of
from charlotte.browser.input.drag import NO_DATA, carry_data
from charlotte.browser.input.input import NAMED
from charlotte.browser.world.isolated_world import nodes_of
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import DECIMAL, decimal, short_json
from charlotte.protocol.connection import CdpSession
from charlotte.protocol.dom import DescribeNode, DomNode, SetFileInputFiles
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.page import FileChooserOpened

_NOT_SENT = "Nothing was submitted: choose first, or call submit to send the text unchanged."
_CHOOSER_WAIT = 1.5
_PATIENCE = 1.0
_TURN_WAIT = 3.0
_TURN_STEP = 0.1
"""Seconds for which a field is looked at that cannot be filled: before all, and at its turn."""
_DRAWN = {"animations", "scrolling"}


@attrs.frozen
class FieldValue:
    """A field and its new value."""

    element_id: str
    value: str | bool | float | list[str]

    @property
    def checked(self) -> bool | None:
        """Whether a checkbox is to be checked; None if the value is neither true nor false."""
        if isinstance(self.value, bool):
            return self.value
        return {"true": True, "false": False}.get(str(self.value))

    def get_text(self) -> str:
        """Return the text; raises `InvalidArgument` for a boolean or a list."""
        if isinstance(self.value, bool | list):
            raise self.refused("text")
        return self.value if isinstance(self.value, str) else decimal(self.value)

    def refused(self, takes: str) -> InvalidArgument:
        """Return the error for a field that takes something else."""
        return InvalidArgument(f"{self.element_id} takes {takes}, not {short_json(self.value)}.")


Fill = Callable[[], Awaitable[str | None]]
"""Fills a field; returns a note if the field does not accept the value as its answer."""
_Step = tuple[str, Fill, str | None]
"""A checked field, how to fill it, and the text that it is to show then."""


async def fill_form(tab: TabActor, values: Sequence[FieldValue], *, submit: bool = False) -> Look:
    """Fill in fields, once all are checked; submit the form; look at the page once it settles."""
    steps: list[_Step] = []
    notes: dict[str, str] = {}
    form: FormBefore | None = None

    async def act() -> None:
        nonlocal form, steps
        steps = await _plan(tab, values, _PATIENCE, "Nothing was filled in. ")
        owner = await _find_owner(tab, [step[0] for step in steps]) if submit else ""
        await _fill_all(tab, steps, notes, takes_over=submit)
        if submit and not notes:
            form = await _submit(tab, owner)
        elif notes:
            said = [tab.note] if tab.note else []
            tab.note = " ".join([*said, *notes.values(), *([_NOT_SENT] if submit else [])])

    look = await tab.act(act)
    if submit:
        return await with_invalid_fields(tab, look, form)
    if not is_answered(tab, look):
        return look
    for reference, _, shown in steps:
        if shown is None or reference in notes:
            continue
        difference = await find_difference(tab, reference, shown)
        look = look.with_note(difference) if difference else look
    return look


async def _fill_all(
    tab: TabActor, steps: Sequence[_Step], notes: dict[str, str], *, takes_over: bool
) -> None:
    """Fill in fields, and again those that the page rendered again, without text, meanwhile.

    Add the ``notes`` on fields. If the page ``takes_over`` the texts, it may do so after a pause.
    """
    start, done, numbers = trio.current_time(), list[str](), dict[int, _Step]()
    for step in [*steps]:  # late fields add others
        reference, fill, _ = step
        with adding(lambda: f"Filled in before it: {', '.join(done) or 'nothing'}."):
            if note := await fill():
                notes[reference] = note
        done.append(reference)
        element_id = tab.id_of(reference)
        if element_id and (number := tab.record.ids.resolve(element_id)):
            numbers[number] = step
    if len(steps) > 1 or (takes_over and not notes):
        await wait_for_page(tab, start)
    alive = await tab.frames.ask_nodes("alive", numbers) if len(steps) > 1 else numbers
    for number, (reference, fill, shown) in numbers.items():
        if number not in alive and shown and await find_difference(tab, reference, shown):
            await fill()


async def submit(tab: TabActor, reference: str) -> Look:
    """Submit the form of an element and look at the page once it has settled."""
    form: FormBefore | None = None

    async def act() -> None:
        nonlocal form
        form = await _submit(tab, reference)

    look = await tab.act(act, reference)
    return await with_invalid_fields(tab, look, form)


async def upload(tab: TabActor, reference: str, files: Sequence[Path]) -> Look:
    """Give files to an element and look at the page once it has settled."""
    return await tab.act(lambda: _give_files(tab, reference, files), reference)


async def toggle(tab: TabActor, reference: str) -> Look:
    """Click what can be checked, expand or collapse; look at the page once it has settled."""
    place, facts = await tab.locate(reference, "checked")
    check(tab, facts, reference)
    if "expanded" in facts:
        return await tab.act(lambda: _expand_or_collapse(tab, reference, place, facts), reference)
    look = await tab.act(lambda: _press_box(tab, reference, place, facts), reference)
    return note_if_unchanged(tab, look, reference, any_role=True)


async def _expand_or_collapse(
    tab: TabActor, reference: str, place: DocumentNode, facts: ProbeAnswer
) -> None:
    """Press the part of a row or item that expands it, else an arrow key in it, else its text.

    Nothing is pressed after what the page has reacted to: it may expand the row or item later.
    """
    key = NAMED["ArrowLeft" if facts["expanded"] == "true" else "ArrowRight"]
    state = "expanded" if facts["expanded"] == "true" else "collapsed"
    advice = "press what expands or collapses it with click"
    press: Callable[[], Awaitable[object]]
    for way in ("box", "key", "text"):
        if way in facts:
            part = place.with_nid(facts[way])
            press = partial(press_node, tab, part, f"a part of {reference}")
        elif way == "key" and "error" not in await tab.on_element(reference, "focus"):
            press = partial(press_strokes, tab, (key, ()))
        else:
            continue
        settled = await tab.settle_after(press)
        try:
            now = await tab.on_element(reference, "checked")
        except ElementNotFound:  # rendered again
            return
        if now.get("expanded") != facts["expanded"]:
            return
        if settled.unsettled or settled.visual_changes or {*settled.waited_for} - _DRAWN:
            advice = "the page reacted, so observe it again before anything else is pressed"
            break
    tab.note = f"{reference} is still {state}: {advice}."


async def _press_box(
    tab: TabActor, reference: str, place: DocumentNode, facts: ProbeAnswer
) -> None:
    """Press a checkbox; for another role, the checkbox inside or else the element."""
    box = f"the checkbox of {reference}"
    if "box" not in facts or not await press_node(tab, place.with_nid(facts["box"]), box):
        await press_element(tab, reference)


async def _submit(tab: TabActor, reference: str) -> FormBefore:
    """Click the submit button of a form, or have the form submit itself.

    Returns the form as it was before.
    """
    place, submitter = await tab.locate(reference, "submitter")
    check(tab, submitter, reference)
    form = FormBefore(place.with_nid(submitter["form"]), submitter["marked"])
    if "nid" not in submitter:
        check(tab, await tab.frames.ask_node(form.place, "send") or {}, reference)
        return form
    button = f"the submit button of {reference}"
    if not await press_node(tab, place.with_nid(submitter["nid"]), button):
        check(tab, {"error": "hidden"}, button)
    return form


async def _plan(
    tab: TabActor, values: Sequence[FieldValue], seconds: float, lead: str
) -> list[_Step]:
    """Check all fields; raises one error for those that cannot be filled, after ``lead``.

    A field that another one before it may enable or give options is checked at its turn; any other
    is looked at for so many ``seconds``, and pressed if it is read-only: some are until then.
    """
    end = trio.current_time() + seconds
    for attempt in itertools.count():
        steps: list[_Step] = []
        problems: list[tuple[str, CharlotteError]] = []
        may_go_on, may_pass, chosen = True, True, False
        for value in values:
            try:
                step, is_choice = await _plan_field(tab, value, unlocks=attempt == 1)
            except Fatal:
                raise
            except CharlotteError as error:
                problems.append((value.element_id, error))
                may_pass = may_pass and await _may_change(tab, value, error)
                needs_choice = not isinstance(error, ElementNotInteractive)
                may_go_on = may_go_on and may_pass and bool(chosen if needs_choice else steps)
                fill = partial(_fill_at_its_turn, tab, value, steps)
                steps.append((value.element_id, fill, None))
            else:
                steps.append(step)
                chosen = chosen or is_choice
        if may_go_on:
            return steps
        if not may_pass or trio.current_time() > end:
            raise _join_problems(problems, lead)
        await trio.sleep(_TURN_STEP)
    raise AssertionError  # the loop above ends with a return


async def _plan_field(tab: TabActor, value: FieldValue, *, unlocks: bool) -> tuple[_Step, bool]:
    """Return how a field is filled, and whether that chooses something."""
    ask = partial(locate_unlocked, tab) if unlocks else tab.locate
    _, facts = await ask(value.element_id, "field")
    if (kind := facts["kind"]) not in _KINDS:
        instead = " Only form fields do." if kind == "none" else ""
        raise InvalidArgument(f"{value.element_id} takes no value.{instead}")
    check(tab, facts, value.element_id)
    fill = await _KINDS[kind](tab, value, facts)
    is_choice = kind in {"select", "check"} or "suggests" in facts
    shown = str(value.checked).lower() if kind == "check" and value.checked is not None else None
    is_single = not isinstance(value.value, list) and kind != "file" and "suggests" not in facts
    if is_single and shown is None:
        shown = value.get_text()
    return (value.element_id, fill, shown), is_choice


async def _may_change(tab: TabActor, value: FieldValue, error: CharlotteError) -> bool:
    """Return whether a field that cannot be filled may become enabled or get options."""
    if isinstance(error, ElementNotInteractive):
        facts = await tab.on_element(value.element_id, "field")
        passed = "hidden" if facts["kind"] in {"text", "set"} else ""
        return facts.get("error", passed) in {"disabled", "hidden", "readonly"}
    return "options" in (error.details or {})


async def _fill_at_its_turn(tab: TabActor, value: FieldValue, steps: list[_Step]) -> str | None:
    """Fill in a field as soon as those before it have made that possible; add the step taken."""
    steps += await _plan(tab, [value], _TURN_WAIT, "")
    return await steps[-1][1]()


async def _find_owner(tab: TabActor, references: Sequence[str]) -> str:
    """Return the first field with a form; raises `InvalidArgument` for fields of several forms."""
    owners = dict[DocumentNode, str]()
    for reference in references:
        place, answer = await tab.locate(reference, "submitter")
        if answer.get("error") != "no form":
            form = place.with_nid(check(tab, answer, reference)["form"])
            owners.setdefault(form, reference)
    if len(owners) > 1:
        raise InvalidArgument(
            f"{' and '.join(owners.values())} belong to different forms.",
            "Fill in and submit one form after the other.",
        )
    if not owners:
        check(tab, {"error": "no form"}, references[0])
    return next(iter(owners.values()))


def _join_problems(problems: Sequence[tuple[str, CharlotteError]], lead: str) -> CharlotteError:
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
    return kind(f"{lead}{messages}", " ".join(lines), errors[0].details)


async def _plan_text(tab: TabActor, value: FieldValue, facts: ProbeAnswer) -> Fill:
    text = value.get_text()
    if "number" in facts and text and not DECIMAL.fullmatch(text):
        raise value.refused("a number")
    if len(text) > facts.get("longest", len(text)) and len(text) != facts.get("boxes"):
        raise value.refused(f"{facts['longest']} characters at most")
    if "line" in facts and "\n" in text:
        raise value.refused("one line")

    async def fill() -> str | None:
        reference = value.element_id
        if "suggests" not in facts:
            await enter_text(tab, reference, text)
        elif note := await choose_suggested(tab, reference, text):
            return note
        return await commit_date(tab, reference, text, leaves=True)

    return fill


async def _plan_set(tab: TabActor, value: FieldValue, facts: ProbeAnswer) -> Fill:
    text, set_value = value.get_text(), set_scale if facts["kind"] == "scale" else set_field
    await set_value(tab, value.element_id, text, only_check=True)
    return lambda: set_value(tab, value.element_id, text)


async def _plan_select(tab: TabActor, value: FieldValue, _: ProbeAnswer) -> Fill:
    reference = value.element_id
    chosen = value.value if isinstance(value.value, list) else value.get_text()
    wanted = [chosen] if isinstance(chosen, str) else chosen
    answer = await tab.on_element(reference, "choose", wanted, True)  # noqa: FBT003 - to JavaScript
    check_choice(tab, answer, reference)
    if "aria" in answer:
        return lambda: choose(tab, reference, chosen)

    async def fill() -> None:  # a native select is set without the mouse: it may move
        check_choice(tab, await tab.on_element(reference, "choose", wanted), reference)

    return fill


async def _plan_check(tab: TabActor, value: FieldValue, facts: ProbeAnswer) -> Fill:
    reference, wanted = value.element_id, value.checked
    if wanted is None and facts.get("radio"):
        return await _plan_select(tab, value, facts)
    if wanted is None:
        raise value.refused("true or false")
    if facts["checked"] == "unknown":
        raise ElementNotInteractive(
            f"Whether {reference} is checked cannot be read, so it cannot be set.",
            "Look at it with screenshot, and click it if necessary.",
        )
    if facts.get("radio") and not wanted and facts["checked"] == "true":
        raise InvalidArgument(
            f"{reference} is a radio button: it is given up by checking another of its group."
        )

    async def fill() -> None:
        place, now = await tab.locate(reference, "checked")
        if check(tab, now, reference)["checked"] != str(wanted).lower():
            await _press_box(tab, reference, place, now)

    return fill


async def _plan_files(tab: TabActor, value: FieldValue, _: ProbeAnswer) -> Fill:
    reference = value.element_id
    origin, rules = origin_of(tab.record.url) or "", tab.record.session.settings.config.rules
    if (rule := rules.decide_call({"upload", "files"}, origin)).action != "allow":
        raise PolicyRefused(
            f"Policy rule {rule.name!r} is about uploads: fill_form gives {reference} no file.",
            "Call upload, which asks." if rule.action == "ask" else PolicyRefused.what_to_do,
        )
    if isinstance(value.value, bool | float | int) or not value.value:
        raise value.refused("a path or a list of paths")
    paths = [value.value] if isinstance(value.value, str) else value.value
    try:
        files = tab.record.session.settings.files.files(paths, folders=True)
    except InvalidArgument as error:
        raise InvalidArgument(f"{reference}: {error.message}", error.suggestion) from error
    answer = check(tab, await tab.on_element(reference, "fileInput"), reference)
    _check_kind(reference, files, answer)
    return lambda: _give_files(tab, reference, files)


_KINDS = {
    "text": _plan_text,
    "set": _plan_set,
    "scale": _plan_set,
    "select": _plan_select,
    "check": _plan_check,
    "file": _plan_files,
}


async def _give_files(tab: TabActor, reference: str, files: Sequence[Path]) -> None:
    """Give files to a file input that takes so many, or else to what takes a drop.

    If the element takes none, the file chooser that the action before has opened gets them.
    """
    try:
        found = await _find_input(tab, reference, files)
    except (ElementNotFound, ElementNotInteractive):
        if tab.chooser is None:
            raise
        found = tab.chooser[0], await _describe_chooser(reference, *tab.chooser)
        tab.note = f"The file chooser that the action before opened got the files, not {reference}."
    if found is None:
        return
    session, node = found
    takes = dict(zip(node.attributes[::2], node.attributes[1::2], strict=True))
    _check_kind(reference, files, takes)
    names = [str(file) for file in files]
    await session.call(SetFileInputFiles(files=names, backend_node_id=node.backend_node_id))
    accept, others = takes.get("accept", ""), list[str]()
    kinds = [kind.strip().lower() for kind in accept.split(",")]
    unknown = next((kind for kind in kinds if "/" in kind), "")  # it may be of that kind
    for name in [file.name for file in files] if accept else []:
        guess = guess_type(name)[0] or unknown
        if not any(name.lower().endswith(kind) or fnmatchcase(guess, kind) for kind in kinds):
            others.append(repr(name))
    if others:  # a page may leave them out
        note = f"{reference} asks for {short_json(accept)}: the page may leave out "
        tab.note = f"{tab.note or ''} {note}{ellipsize(', '.join(others), 200)}.".lstrip()


async def _find_input(
    tab: TabActor, reference: str, files: Sequence[Path]
) -> tuple[CdpSession, DomNode] | None:
    """Return the file input of an element, or of its file chooser; None if it took a drop."""
    place, answer = await tab.locate(reference, "fileInput")
    check(tab, answer, reference)
    frame = tab.frames.frame_of(place)
    if frame is None:
        raise tab.missing(reference)
    session = frame.world.session
    if "nid" in answer:
        [node] = await nodes_of(frame.world, [answer["nid"]])
        if node is None:
            raise tab.missing(reference)
        return session, node
    if "drops" in answer and await _drop(tab, reference, files):
        return None
    with tab.page.choosing(), session.events(FileChooserOpened) as choosers:
        await press_element(tab, reference)
        chooser: FileChooserOpened | None = None
        with trio.move_on_after(_CHOOSER_WAIT):
            chooser = await choosers.next()
    if chooser is not None:
        return session, await _describe_chooser(reference, session, chooser)
    if await _drop(tab, reference, files):
        tab.note = f"{reference} was clicked, which opened no file chooser, then dropped on."
        return None
    raise ElementNotInteractive(
        f"{reference} takes no files: it is no file input, a click on it opens no file "
        "chooser, and the page takes nothing that is dragged there.",
        "Give the id of the file input, of its label or button, or of the drop zone.",
    )


async def _describe_chooser(
    reference: str, session: CdpSession, chooser: FileChooserOpened
) -> DomNode:
    """Return the file input that asks for files."""
    if chooser.backend_node_id is None:  # in a tab without scripts of Charlotte
        raise ElementNotInteractive(
            f"{reference} opens a file picker that only a person can answer.",
            "Look for a file input or a drop zone.",
        )
    try:
        return await session.call(DescribeNode(backend_node_id=chooser.backend_node_id))
    except ProtocolError as error:  # its document was replaced
        problem = f"The file chooser of {reference} is closed."
        raise ElementNotInteractive(problem, "Click what opens it, then call upload.") from error


async def _drop(tab: TabActor, reference: str, files: Sequence[Path]) -> bool:
    async def is_taken() -> bool:
        return bool((await tab.on_element(reference, "isDropTaken"))["taken"])

    await tab.on_element(reference, "watchDrop")
    point = await find_point(tab, reference, "visible")
    data = NO_DATA | {"files": [str(file) for file in files]}
    async with tab.page.answering():  # the browser would open a file that the page does not take
        return await carry_data(tab.page.session, data, point, [point], is_taken)


def _check_kind(reference: str, files: Sequence[Path], takes: Collection[str]) -> None:
    """Check that a file input with these attributes takes so many files, or a folder."""
    kind, other = ("folder", "files") if "webkitdirectory" in takes else ("file", "a folder")
    if any(file.is_dir() != (kind == "folder") for file in files):
        raise InvalidArgument(f"{reference} takes a {kind}, not {other}.")
    if len(files) > 1 and (kind == "folder" or "multiple" not in takes):
        problem = f"{reference} takes one {kind}, not {len(files)}."
        raise InvalidArgument(problem, "Give a single path.")
