"""Values by meaning: sliders, splitters, dates in parts, boxes of a code, and reading back."""

import re
from collections.abc import Sequence

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.frames import ProbeAnswer
from charlotte.actors.tab.verbs.dates import name_parts, of_twelve_hours, parse_moment, shows_moment
from charlotte.actors.tab.verbs.focus import IS_GUARDED, Guarded, check_may_type, press_strokes
from charlotte.actors.tab.verbs.pointer import GIVE_FILES, check, locate_unlocked, press_node
from charlotte.base.errors import CharlotteError, ElementNotInteractive, Fatal, InvalidArgument
from charlotte.browser.input.input import NAMED, type_text
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import DECIMAL, decimal, short_json
from charlotte.page.modes.survey import get_effective_role

_MOST_KEYS = 1000
"""Keys pressed for one value before it is read again."""
_REACTION_MS = 200
"""How long a widget may take to show its new value."""

_NUMBER = re.compile(r"-?\d[\d,  ']*(?:\.\d+)?|-?\.\d+")

_INSTEAD = {
    "check": "Set it with toggle, or with fill_form and true or false.",
    "select": "Choose with select.",
    "file": GIVE_FILES,
    "cell": "Double-click it, then type without element_id into the editor that opens.",
    "none": "Press it with click, or give the id of a field.",
}
"""What to do with an element that takes no text, by its kind of field."""


_STATES = {"true": "still checked", "false": "still unchecked", "mixed": "half checked"}
_FIELDS = _INSTEAD.keys() - {"cell", "none"}
_CELLS = {"cell", "gridcell"}


async def refuse_text(tab: TabActor, reference: str) -> ElementNotInteractive:
    """Return the error for an element that takes no text."""
    kind = (await tab.on_element(reference, "field")).get("kind", "none")
    if kind not in _FIELDS:
        found = await tab.on_element(reference, "surveyed")
        is_cell = get_effective_role(found["tag"], found["role"]) in _CELLS
        kind = "cell" if is_cell else "none"
    return ElementNotInteractive(f"{tab.name(reference)} takes no text.", _INSTEAD[kind])


async def set_field(tab: TabActor, reference: str, text: str, *, only_check: bool = False) -> None:
    """Set a native field; raises `InvalidArgument` with the format it takes."""
    _, answer = await locate_unlocked(tab, reference, "setValue", text, only_check)
    if answer.get("error") == "format":
        raise InvalidArgument(
            f"{reference} does not take {text!r}.", f"It takes {answer['takes']}."
        )
    check(tab, answer, reference)
    if key := answer.get("key"):
        await press_strokes(tab, (NAMED[key], ()))


# ---------------------------------------------------------------------------- scales


async def set_scale(tab: TabActor, reference: str, text: str, *, only_check: bool = False) -> None:
    """Set a slider, spinbutton or splitter by arrow keys.

    The nearest value is set if the wanted one is out of reach. Raises `InvalidArgument` for a text
    without a number, `ElementNotInteractive` if an arrow key does not change the value.
    """
    place, state = await tab.locate(reference, "scale")
    check(tab, state, reference)
    low, high = state["min"], state["max"]
    if not DECIMAL.fullmatch(text.strip()):
        limits = f" from {decimal(low)} to {decimal(high)}" if None not in (low, high) else ""
        raise InvalidArgument(f"{reference} does not take {text!r}.", f"It takes a number{limits}.")
    if only_check:
        return
    wanted = float(text)
    wanted = wanted if low is None else max(wanted, low)
    wanted = wanted if high is None else min(wanted, high)
    if not is_close(state["now"], wanted):
        focused = await tab.frames.ask_node(place.with_nid(state["nid"]), "focus")
        if focused is None:
            raise tab.missing(reference)
        check(tab, focused, reference)
        await _press_arrows(tab, reference, wanted, state)


async def _press_arrows(tab: TabActor, reference: str, wanted: float, state: ProbeAnswer) -> None:
    """Press one arrow key, then as many as its step makes necessary, until the value is nearest."""
    keys = ("ArrowUp", "ArrowDown") if state["vertical"] else ("ArrowRight", "ArrowLeft")
    now, step, count = float(state["now"]), 0.0, 1
    for _ in range(8):
        is_first = (wanted - now) * (step or 1.0) > 0
        for _ in range(count):
            await press_strokes(tab, (NAMED[keys[0] if is_first else keys[1]], ()))
        expected = now + step * (count if is_first else -count) if step else None
        answer = await tab.on_element(reference, "scale", now, _REACTION_MS, expected)
        state = check(tab, answer, reference)
        before, now = now, float(state["now"])
        if now == before and not step:
            raise ElementNotInteractive(
                f"{reference} is still {decimal(now)}: arrow keys do not change it.",
                "Drag its handle with drag, or press its buttons.",
            )
        if now == before:
            return
        step = (now - before) / (count if is_first else -count)
        count = min(round(abs((wanted - now) / step)), _MOST_KEYS)
        if not count:
            return


# ---------------------------------------------------------------------------- dates and codes


async def fill_segments(tab: TabActor, reference: str, text: str) -> bool:
    """Set a date or time in several spinbuttons; return False for other fields and texts.

    The text is in ISO form. Raises `InvalidArgument` for a part that the field does not have.
    """
    moment = parse_moment(text)
    if moment is None:
        return False
    place, answer = await tab.locate(reference, "segments")
    segments = check(tab, answer, reference)["segments"]
    parts = name_parts([(one["min"], one["max"]) for one in segments])
    if not segments or parts is None:
        return False
    given = of_twelve_hours(moment) if "half" in parts else moment
    values = [given.get(part) for part in parts]
    if lacking := [part for part in moment if part not in parts]:
        raise InvalidArgument(
            f"{reference} has no part for the {lacking[0]} of {text!r}.",
            f"Its parts are {', '.join(parts)}.",
        )
    note, frame = tab.note, tab.frames.frame_of(place) or tab.frames.main
    for segment, part, value in zip(segments, parts, values, strict=True):
        if value is None:
            continue
        await press_node(tab, place.with_nid(segment["nid"]), f"a part of {reference}")
        await tab.frames.ask(frame, "waitForTyping")
        width = len(str(segment["max"]))
        async with tab.page.answering():
            typed = "AP"[value] if part == "half" else str(value).zfill(width)
            await type_text(tab.page.session, typed, pause=0.0)
        await tab.frames.ask(frame, "waitForTyping")
    tab.note = note  # a part may be drawn again while it is pressed
    segments = (await tab.on_element(reference, "segments"))["segments"]
    for part, segment, value in zip(parts, segments, values, strict=True):
        if value is not None and segment["now"] != value:
            tab.note = f"The {part} of {reference} is not {value}: the page did not keep it."
    return True


async def fill_boxes(tab: TabActor, place: DocumentNode, boxes: Sequence[int], text: str) -> None:
    """Type a code into its boxes, one character in each."""
    await check_may_type(tab)
    replaces, session = True, tab.page.session
    for number, (nid, character) in enumerate(zip(boxes, text, strict=True), 1):
        guarded = Guarded(tab, place.with_nid(nid), f"box {number} of the code", clear=True)

        async def write(_: int, guarded: Guarded = guarded, character: str = character) -> None:
            async with tab.page.answering():
                await type_text(session, character, pause=0.0, may_go_on=guarded.is_frame_focused)

        await tab.frames.ask_node(guarded.place, "focusText", replaces, IS_GUARDED)
        await guarded.send(1, write)


# ---------------------------------------------------------------------------- reading back


async def find_difference(
    tab: TabActor, reference: str, wanted: str, *, picks: bool = False, is_part: bool = False
) -> str | None:
    """Return a sentence on what a field shows if that is not the wanted value.

    A value that ``picks`` an option is compared with what is chosen in a list on the page. A field
    that is to show it as a part may show anything.
    """
    try:
        answer = await tab.on_element(reference, "shownValue", wanted, picks)
    except Fatal:
        raise
    except CharlotteError:
        return None  # gone with what the value was entered into
    if (state := answer.get("checked")) is not None:
        return None if state == wanted else f"{reference} is {_STATES[state]}."
    if (number := answer.get("number")) is not None:
        is_same = (
            is_part or not DECIMAL.fullmatch(wanted.strip()) or is_close(number, float(wanted))
        )
        return None if is_same else f"{reference} is {decimal(number)}, not {wanted}."
    hidden = tab.record.session.hidden  # a part of a secret is not recognized
    wish, shown = short_json(hidden(wanted)), answer.get("shown")
    if (chosen := answer.get("chosen")) is not None:
        now = ", ".join(map(short_json, chosen)) or "nothing"
        return f"{reference} is set to {now}, not {wish}: the page did not keep the choice."
    if shown is None or is_same_text(shown, wanted) or (is_part and shown):
        return None
    empty = f"{reference} is empty: the page took the typed text, or refused it."
    return f"{reference} shows {short_json(hidden(shown))}, not {wish}." if shown else empty


def is_close(number: float, other: float) -> bool:
    """Return whether two numbers differ by rounding only."""
    return abs(number - other) <= 1e-6 * max(1.0, abs(other))


def is_same_text(shown: str, wanted: str) -> bool:
    """Return whether a field shows the wanted number or date, or a text with other separators."""
    if moment := parse_moment(wanted):
        return shows_moment(shown, moment)
    if DECIMAL.fullmatch(wanted.strip()) and not wanted.strip().isdigit():
        found = _NUMBER.search(shown)
        number = float(re.sub(r"[,  ']", "", found[0])) if found else None
        return number is not None and is_close(number, float(wanted))
    letters, others = ("".join(filter(str.isalnum, each)).casefold() for each in (shown, wanted))
    return letters == others
