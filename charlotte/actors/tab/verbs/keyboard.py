"""Keyboard verbs: type into a field, at a point or at the focus, press keys."""

import json
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

import trio

from charlotte.actors.tab.actor import FOCUS, Look, TabActor
from charlotte.actors.tab.page.frames import ProbeAnswer
from charlotte.actors.tab.verbs import values
from charlotte.actors.tab.verbs.dates import fit_format, parse_moment
from charlotte.actors.tab.verbs.focus import (
    IS_GUARDED,
    Guarded,
    Then,
    check_may_type,
    find_focus,
    press_strokes,
)
from charlotte.actors.tab.verbs.pointer import (
    act_timed,
    check,
    check_in_viewport,
    is_answered,
    locate_unlocked,
    press_point,
)
from charlotte.actors.tab.verbs.rejections import find_form, with_invalid_fields
from charlotte.base.errors import ElementNotFound, InvalidArgument
from charlotte.browser.input.input import NAMED, Key, Point, Stroke, chord, press, type_text
from charlotte.page.capture import compose_number
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import short_json

_LONG = 200
"""Characters from which a text is pasted."""
_PASTED = 10_000
_TYPING_WAIT = 30.0
PER_CHARACTER = 0.1
"""Seconds that a character may take."""

_BRACKETS = ("()", "[]", "{}")
_QUOTES = "\"'`"

_LINES = {"one": "has one line", "terminal": "runs each line"}
_DIFFERENCES = {
    "part": "{} shows {lines} of the {wanted} lines typed; scroll in it to check the others.",
    "other": "The text in {} is not the text that was typed: editors close brackets and complete "
    "words. It shows {lines} lines: {shown}",
}
"""Notes on the text of an editor, by the probe's verdict."""


async def type_into(
    tab: TabActor,
    reference: str,
    text: str,
    *,
    clear: bool = True,
    pause: float = 0.0,
    press_enter: bool = False,
) -> Look:
    """Type into a field and look at the page once it has settled."""
    note: str | None = None

    async def act() -> None:
        nonlocal note
        await enter_text(tab, reference, text, clear=clear, pause=pause, press_enter=press_enter)
        if clear and not press_enter and (note := await commit_date(tab, reference, text)):
            tab.note = note

    form = await find_form(tab, reference) if press_enter else None
    look = await with_invalid_fields(tab, await tab.act(act, reference), form)
    if clear and press_enter and is_answered(tab, look) and "invalid" not in look.extras:
        with suppress(ElementNotFound):
            refusal = await commit_date(tab, reference, text, is_entered=True)
            look = look.with_note(refusal) if refusal else look
    has_reacted = press_enter and look.delta is not None and bool(look.delta.changes)
    if not (clear or (press_enter and text)) or note or has_reacted or not is_answered(tab, look):
        return look
    difference = await values.find_difference(tab, reference, text, is_part=not clear)
    return look.with_note(difference) if difference else look


async def type_at(
    tab: TabActor,
    at: Point | None,
    text: str,
    *,
    clear: bool = False,
    pause: float = 0.0,
    press_enter: bool = False,
    wait_ms: int = 0,
) -> Look:
    """Click a point of the viewport, or stay where the focus is, and type there.

    Returns a look at the page once it has settled.
    """
    if at is not None:
        await check_in_viewport(tab, *at)
    is_field = True

    async def act() -> None:
        nonlocal is_field
        if at is not None:
            await press_point(tab, at)
        if clear:
            await press_strokes(tab, chord("Control+a", ()))
        start = trio.current_time()
        is_field, guarded = await type_at_focus(
            tab, text, clear=clear, pause=pause, then="more" if press_enter else ""
        )
        if press_enter:
            await _press_enter(tab, start, guarded)

    look = await act_timed(tab, act, wait_ms)
    if (
        not is_field
        and look.delta
        and is_answered(tab, look)
        and {each.property for each in look.delta.changes} <= FOCUS
    ):
        if at is None:
            note = "No field has the focus: the keys were sent to the page, which shows no change."
            return look.with_note(f"{note} Pass element_id, or click a field first.")
        return look.with_note(f"Nothing at {at} takes text: the typed text is in no field.")
    return look


async def type_at_focus(
    tab: TabActor, text: str, *, clear: bool = False, pause: float = 0.0, then: Then = ""
) -> tuple[bool, Guarded | None]:
    """Type where the focus is; return whether text can be typed there, and the field if known."""
    focus = await find_focus(tab)
    frame = focus.field_frame
    if frame is None:
        if len(text) > 1 and not (focus.takes_text or pause):
            # grids open an editor at the first key, which misses the keys before it is ready
            start = trio.current_time()
            await _write(tab, text[:1], clear=False, pause=0.0, guarded=None)
            await wait_for_page(tab, start)
            text = text[1:]
        await _write(tab, text, clear=clear, pause=pause, guarded=None)
        return focus.takes_text, None
    await tab.frames.ask(frame, "waitForTyping")
    await tab.frames.ask(frame, "guardFocus")
    place = tab.place(compose_number(frame.number, focus.facts.get("nid", 0)))
    guarded = Guarded(tab, place, "the field with the focus", clear=clear)
    await _write_guarded(guarded, text, focus.facts, pause=pause, then=then)
    await _note_difference(tab, place, guarded.name, text, replaced=clear)
    return True, guarded


async def press_keys(
    tab: TabActor,
    strokes: Sequence[Stroke],
    reference: str | None = None,
    *,
    hold_ms: int = 0,
    delay_ms: int = 0,
    wait_ms: int = 0,
    together: bool = False,
) -> Look:
    """Press keys one after the other or together; look at the page once it has settled."""
    chords = [strokes] if together else [[each] for each in strokes]

    async def press_from(start: int) -> None:
        for number, held in enumerate(chords[start:]):
            if number and delay_ms:
                await trio.sleep(delay_ms / 1000)
            await press_strokes(tab, *held, hold=hold_ms / 1000)

    async def act() -> None:
        if reference is None:
            await press_from(0)
        else:
            place, answer = await tab.locate(reference, "focus", IS_GUARDED)
            check(tab, answer, reference)
            await Guarded(tab, place, tab.name(reference), "focus").send(len(chords), press_from)
        await trio.sleep(wait_ms / 1000)

    return await tab.act(act, reference)


async def enter_text(
    tab: TabActor,
    reference: str,
    text: str,
    *,
    clear: bool = True,
    pause: float = 0.0,
    press_enter: bool = False,
) -> None:
    """Type into a field; set a field for a date, a time, a color or a number on a scale."""
    start = trio.current_time()
    then: Then = "more" if press_enter else ""
    guarded = await _enter_text(tab, reference, text, clear=clear, pause=pause, then=then)
    if press_enter:
        await _press_enter(tab, start, guarded)


async def commit_date(
    tab: TabActor, reference: str, text: str, *, leaves: bool = False, is_entered: bool = False
) -> str | None:
    """Have a field take an ISO date typed into it, at last in the format of its language.

    Enter takes the date if a calendar is open; otherwise, the field loses the focus if it
    ``leaves``. Returns a note if the field does not show the date as valid; after Enter
    (``is_entered``), if the field is invalid.
    """
    moment = parse_moment(text)
    if moment is None or "day" not in moment:
        return None
    last: str | None = None
    while True:
        start = trio.current_time()
        before = await tab.on_element(reference, "typedDate", not is_entered, leaves)
        if "enters" in before:  # without text, the key does not submit the form
            await press_strokes(tab, (Key("Enter", "Enter", 13), ()))
        await wait_for_page(tab, start)
        taken = await tab.on_element(reference, "typedDate")
        shown = taken.get("shown")
        is_taken = shown is None or values.is_same_text(shown, text)
        if "invalid" not in taken and (is_entered or (is_taken and "open" not in taken)):
            return None
        local = fit_format(moment, [taken["local"]])
        if is_entered or local is None or local in {last, before.get("shown")}:
            why = "which is invalid there" if "invalid" in taken else "and its calendar is open"
            shows = f"it shows {short_json(shown)}{'' if not is_taken else f', {why}'}"
            other = f" Try {local}." if is_entered and local else ""
            return f"{reference} does not take the date {text}: {shows}.{other}"
        await _enter_text(tab, reference, local, clear=True, pause=0.0, then="")
        last = local


async def _enter_text(
    tab: TabActor, reference: str, text: str, *, clear: bool, pause: float, then: Then
) -> Guarded | None:
    if clear and await values.fill_segments(tab, reference, text):
        return None
    place, answer = await locate_unlocked(tab, reference, "focusText", clear, IS_GUARDED)
    if answer.get("error") == "not editable":
        raise await values.refuse_text(tab, reference)
    check(tab, answer, reference)
    if "set" in answer:
        set_value = values.set_scale if answer["set"] == "scale" else values.set_field
        await set_value(tab, reference, text)
        return None
    boxes = answer.get("boxes", ())
    if boxes and len(boxes) == len(text):
        await values.fill_boxes(tab, place, boxes, text)
        return None
    if (moment := parse_moment(text)) is not None:
        hints = (await tab.on_element(reference, "formatHints")).get("hints", ())
        text = fit_format(moment, hints) or text
    if answer.get("editor") == "windowed":  # the caret of the control may not be the editor's
        await press_strokes(tab, chord("Control+a" if clear else "Control+End", ()))
    guarded = Guarded(tab, place, tab.name(reference), clear=clear)
    await _write_guarded(guarded, text, answer, pause=pause, then=then)
    if "editor" in answer:
        place = await tab.resolve(reference)
        await _note_difference(tab, place, reference, text, replaced=clear)
    return guarded


async def _write_guarded(
    guarded: Guarded, text: str, facts: ProbeAnswer, *, pause: float, then: Then
) -> None:
    """Type a text into the guarded field; a secret is inserted there at once, whatever happens."""
    tab, text = guarded.tab, text.replace("\r\n", "\n")
    if (line := facts.get("line")) and "\n" in text:
        raise InvalidArgument(
            f"{guarded.name} {_LINES[line]}, and the text has a line break.",
            "Type one line after the other, each with press_enter.",
        )
    if "secret" in facts or tab.record.session.hidden(text) != text:
        await check_may_type(tab)
        answer = await tab.frames.ask_node(guarded.place, "insertSecret", text, guarded.clear)
        if answer is not None and answer.get("error") != "keys":
            check(tab, answer, guarded.name)
            return

    async def write(start: int) -> None:
        clear = guarded.clear and not start
        await _write(tab, text[start:], clear=clear, pause=pause, guarded=guarded)

    await guarded.send(len(text), write, then=then)


async def _note_difference(
    tab: TabActor, place: DocumentNode, name: str, text: str, *, replaced: bool
) -> None:
    """Note what an editor shows, if that differs from the text typed or is no value of a field."""
    answer = await tab.frames.ask_node(place, "typedText", text, replaced) or {}
    if note := _DIFFERENCES.get(answer.get("verdict", "")):
        shown = json.dumps(answer["shown"], ensure_ascii=False)
        note = note.format(name, shown=shown, lines=answer["lines"], wanted=answer["wanted"])
    elif "around" in answer and replaced:
        note = f"{name} {'shows the text typed' if text else 'is empty'}."
    if note:
        tab.note = f"T{note[1:]}" if note.startswith("the ") else note


async def _press_enter(tab: TabActor, start: float, guarded: Guarded | None) -> None:
    await wait_for_page(tab, start)
    if guarded is not None:
        await guarded.send(0, then="last")
    await press_strokes(tab, (NAMED["Enter"], ()))


async def wait_for_page(tab: TabActor, start: float) -> None:
    """Wait until the page has handled the text typed since then, and its short timers have run.

    A list that filters after a pause would otherwise still offer other options.
    """
    frame = (await find_focus(tab)).field_frame
    age_ms = (trio.current_time() - start) * 1000
    await tab.frames.ask(frame or tab.frames.main, "waitForTyping", age_ms)


async def _write(
    tab: TabActor, text: str, *, clear: bool, pause: float, guarded: Guarded | None
) -> None:
    """Type at the caret; the text replaces the selection, with ``clear`` also if it is empty.

    Into the ``guarded`` field, a long text is pasted between its first and its last character if
    the field accepts that, into an editor also several lines. Otherwise, a line break is
    Shift+Enter. Into a code editor, a long text, several lines and open brackets are pasted whole,
    because keys would close brackets and indent lines there.
    """
    if text:
        await check_may_type(tab)
    is_long, has_lines = len(text) >= _LONG, "\n" in text.rstrip("\n")
    is_open = any(text.count(pair[0]) != text.count(pair[1]) for pair in _BRACKETS)
    is_open = is_open or any(text.count(quote) % 2 for quote in _QUOTES)
    session = tab.page.session
    async with tab.page.answering(_TYPING_WAIT + PER_CHARACTER * len(text)):
        if clear and not text:
            await press(session, (NAMED["Delete"], ()))
        if guarded is None:
            await type_text(session, text, pause=pause)
            return
        write = partial(
            type_text, session, pause=pause, line_break="shift", may_go_on=guarded.is_frame_focused
        )
        if not pause and (is_long or has_lines or is_open):
            text = await _paste(guarded, text, "code")
        if text and not pause and (is_long or has_lines):
            await write(text[0])
            text = await _paste(guarded, text[1:-1], "" if is_long else "all") + text[-1]
        await write(text)


async def _paste(guarded: Guarded, text: str, editors: str) -> str:
    """Paste a text, perhaps only into ``all`` or ``code`` editors; return the part not pasted."""
    for start in range(0, len(text), _PASTED):
        part = text[start : start + _PASTED]
        answer = await guarded.tab.frames.ask(guarded.frame, "paste", part, editors)
        if not answer.get("pasted", False):
            return text[start:]
    return ""
