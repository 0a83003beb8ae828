"""Values by meaning: sliders, splitters, dates in parts, boxes of a code, and reading back.

A widget with `aria-valuenow` is set by keys, whose effect is learned from the first one, else by
the mouse on its track.
"""

import re
from collections.abc import Sequence

import attrs

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.dates import (
    Moment,
    Part,
    fit_format,
    fit_parts,
    has_parts,
    name_parts,
    parse_moment,
    shows_moment,
)
from charlotte.actors.tab.focus import check_may_type, press_stroke
from charlotte.actors.tab.frames import ProbeAnswer
from charlotte.actors.tab.pointer import GIVE_FILES, check, get_click_point, press_node
from charlotte.browser.drag import drag_pointer
from charlotte.browser.input import NAMED, Point, click_point, type_text
from charlotte.errors import CharlotteError, ElementNotInteractive, Fatal, InvalidArgument
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import DECIMAL, decimal, short_json
from charlotte.page.modes.survey import get_effective_role

_MOST_KEYS = 200
"""Keys pressed for one value."""
_MANY_STEPS = 12
"""Steps from which PageUp, PageDown, Home and End are tried."""
_ROUNDS = 8
_DRAGS = 5
_REACTION_MS = 200
"""How long a widget may take to show its new value."""
_BOXES_MS = 300

_ACROSS = ("ArrowRight", "ArrowLeft")
_UPWARDS = ("ArrowUp", "ArrowDown")

_NUMBER = re.compile(r"-?\d[\d,  ']*(?:\.\d+)?|-?\.\d+")

_INSTEAD = {
    "check": "Set it with toggle, or with fill_form and true or false.",
    "select": "Choose with select.",
    "file": GIVE_FILES,
    "cell": "Double-click it, then type without element_id into the editor that opens.",
    "none": "Press it with click, or give the id of a field.",
}
"""What to do with an element that takes no text, by its kind of field."""


_FIELDS = _INSTEAD.keys() - {"cell", "none"}
_CELLS = {"cell", "gridcell"}


async def refuse_text(tab: TabActor, reference: str) -> ElementNotInteractive:
    """Return the error for an element that takes no text."""
    kind = (await tab.on_element(reference, "field")).get("kind", "none")
    if kind not in _FIELDS:
        kind = "none"
        found = await tab.on_element(reference, "surveyed")
        if get_effective_role(found["tag"], found["role"]) in _CELLS:
            kind = "cell"
    return ElementNotInteractive(f"{tab.name(reference)} takes no text.", _INSTEAD[kind])


async def set_value(
    tab: TabActor, reference: str, text: str, kind: object = 1, *, only_check: bool = False
) -> None:
    """Set a field or widget that is not typed into, by the probe's kind of it."""
    if kind == "scale":
        await set_scale(tab, reference, text, only_check=only_check)
    elif kind == "option":
        await choose_radio(tab, reference, text)
    else:
        await set_field(tab, reference, text, only_check=only_check)


async def set_field(tab: TabActor, reference: str, text: str, *, only_check: bool = False) -> None:
    """Set a native field; raises `InvalidArgument` with the format it takes."""
    answer = await tab.on_element(reference, "setValue", text, only_check)
    if answer.get("error") == "format":
        raise InvalidArgument(
            f"{reference} does not take {text!r}.", f"It takes {answer['takes']}."
        )
    check(tab, answer, reference)
    if key := answer.get("key"):
        await press_stroke(tab, (NAMED[key], ()))
        await _finish_range(tab, reference, float(text))
        by_key = False  # sets the rest by script, and dispatches the events of a release
        await tab.on_element(reference, "setValue", text, only_check, by_key)


async def _finish_range(tab: TabActor, reference: str, wanted: float) -> None:
    """Set a native range whose page answered the key by moving it from the page's own value."""
    place, state = await tab.locate(reference, "scale")
    if "error" not in state:
        await _Scale(tab, reference, place.with_nid(state["nid"]), wanted, state).set()


async def choose_radio(tab: TabActor, reference: str, text: str) -> None:
    """Choose the radio button of a group that has this value, name, or number in its name."""
    place, answer = await tab.locate(reference, "pickWithin", text, 0)
    if answer.get("error") == "no option":
        raise InvalidArgument(
            f"{reference} has no option {text!r}. It offers "
            f"{', '.join(map(repr, answer['options']))}.",
            "Give the value or the text of one of its options.",
        )
    check(tab, answer, reference)
    if not answer["chosen"]:
        await press_node(tab, place.with_nid(answer["nid"]), f"{text!r} of {reference}")


# ---------------------------------------------------------------------------- scales


async def set_scale(tab: TabActor, reference: str, text: str, *, only_check: bool = False) -> None:
    """Set a slider, spinbutton or splitter; raises `InvalidArgument` for a text without a number.

    The nearest value is set if the wanted one is out of reach.
    """
    place, state = await tab.locate(reference, "scale")
    check(tab, state, reference)
    if not DECIMAL.fullmatch(text.strip()):
        raise InvalidArgument(
            f"{reference} does not take {text!r}.", f"It takes a number{_write_limits(state)}."
        )
    if only_check:
        return
    wanted = float(text)
    for bound, choose in ((state["min"], max), (state["max"], min)):
        wanted = wanted if bound is None else choose(wanted, bound)
    scale = _Scale(tab, reference, place.with_nid(state["nid"]), wanted, state)
    await scale.set()


def _write_limits(state: ProbeAnswer) -> str:
    low, high = state["min"], state["max"]
    return "" if low is None or high is None else f" from {decimal(low)} to {decimal(high)}"


@attrs.define
class _Scale:
    """A widget with a value on a scale; ``state`` is the probe's last answer about it."""

    tab: TabActor
    reference: str
    place: DocumentNode
    wanted: float
    state: ProbeAnswer
    keys: int = 0

    @property
    def now(self) -> float:
        return float(self.state["now"])

    @property
    def missing(self) -> float:
        """The difference between the wanted value and the present one."""
        return self.wanted - self.now

    def is_reached(self) -> bool:
        return is_close(self.now, self.wanted)

    async def read(self) -> float:
        """Wait for another value; return by how much it changed."""
        before = self.now
        answer = await self.tab.frames.ask_node(self.place, "scale", before, _REACTION_MS)
        if answer is None or "error" in answer:  # drawn again
            answer = await self.tab.on_element(self.reference, "scale")
            check(self.tab, answer, self.reference)
            self.place = self.place.with_nid(answer["nid"])
        self.state = answer
        return self.now - before

    async def press(self, key: str, count: int = 1) -> float:
        """Press a key; return by how much the value changed."""
        count = min(count, _MOST_KEYS - self.keys)
        self.keys += max(count, 0)
        for _ in range(count):
            await press_stroke(self.tab, (NAMED[key], ()))
        return await self.read() if count > 0 else 0.0

    async def set(self) -> None:
        """Set the wanted value or the nearest one by keys, else by the mouse."""
        await self.set_by_keys()
        if not self.is_reached():
            await self.set_by_mouse()

    async def set_by_keys(self) -> None:
        """Press arrow keys and their larger relatives until the nearest value is there."""
        if self.is_reached():
            return
        focused = await self.tab.frames.ask_node(self.place, "focus")
        if focused is None or "error" in focused:
            return
        if not (learned := await self._learn_arrows()):
            return
        steps, step = learned
        if abs(self.missing / step) > _MANY_STEPS:
            await self._leap(step)
        for _ in range(_ROUNDS):
            count = round(abs(self.missing / step))
            if self.is_reached() or not count:
                return
            before = abs(self.missing)
            moved = await self.press(steps[self.missing * step > 0], count)
            if not moved:
                return
            if abs(self.missing) >= before:  # it passed the wanted value or jumps around
                await self.press(steps[self.missing * step > 0])
                return
            step = abs(moved) / min(count, _MOST_KEYS) * (1 if step > 0 else -1)

    async def _learn_arrows(self) -> tuple[dict[bool, str], float] | None:
        """Return the arrow keys that change the value by a positive step or its opposite.

        The keys are by whether the missing amount has the sign of the step.
        """
        pairs = (_UPWARDS, _ACROSS) if self.state["vertical"] else (_ACROSS, _UPWARDS)
        for pair in pairs:
            more, less = pair if self.missing > 0 else pair[::-1]
            for key, other in ((more, less), (less, more)):
                if moved := await self.press(key):
                    return {True: key, False: other}, moved
        return None

    async def _leap(self, step: float) -> None:
        """Approach a distant value by Home or End if that is nearer, then by larger steps."""
        low, high = self.state["min"], self.state["max"]
        ends = [(abs(self.wanted - end), key) for end, key in ((low, "Home"), (high, "End"))
                if end is not None]  # fmt: skip
        if ends and min(ends)[0] < abs(self.missing):
            await self.press(min(ends)[1])
        for _ in range(2):
            key = "PageUp" if self.missing > 0 else "PageDown"
            before = abs(self.missing)
            moved = await self.press(key)
            if abs(moved) <= abs(step) or abs(self.missing) > before:
                return
            if count := int(abs(self.missing / moved)):
                await self.press(key, count)

    async def set_by_mouse(self) -> None:
        """Press the place of the value on the track, or drag the handle there.

        The first try gives the length of a step, which corrects the next one.
        """
        low, high, length = self.state["min"], self.state["max"], self.state["length"]
        if low is None or high is None or not length or high == low:
            return
        slope = length / (high - low) * (-1 if self.state["reversed"] else 1)
        at = (self.wanted - (low + high) / 2) * slope  # from the middle of the track
        for attempt in range(_DRAGS):
            if self.is_reached():
                return
            start, missing = self.state["at"], self.missing
            if self.state["track"]:
                await self._press_track(at)
            else:
                await self._drag_handle(missing * slope)
            moved = await self.read()
            if not moved:
                return
            if attempt and abs(self.missing) >= abs(missing):
                return
            if self.state["track"]:
                is_mirrored = abs(self.now - (low + high - self.wanted)) < abs(self.missing)
                if is_mirrored and not attempt:
                    slope, at = -slope, -at
                else:
                    at += self.missing * slope
            elif abs(self.state["at"] - start) > 1:
                slope = (self.state["at"] - start) / moved

    async def _find_middle(self) -> Point:
        answer = await self.tab.frames.ask_node(self.place, "target", {"need": "enabled"}) or {}
        return get_click_point(self.tab, answer, self.reference)

    def _beside(self, point: Point, by: float) -> Point:
        x, y = point
        return (x, y + by) if self.state["vertical"] else (x + by, y)

    async def _press_track(self, by: float) -> None:
        room = self.state["length"] / 2 - 1
        x, y = self._beside(await self._find_middle(), max(-room, min(room, by)))
        async with self.tab.page.answering():
            await click_point(self.tab.page.session, x, y, kind="left")

    async def _drag_handle(self, by: float) -> None:
        start = await self._find_middle()
        end = self._beside(start, by)

        async def find_way() -> list[Point]:
            return [end]

        async def has_begun() -> bool:
            return False

        async with self.tab.page.answering():
            await drag_pointer(self.tab.page.session, start, find_way, has_begun, towards=end)


# ---------------------------------------------------------------------------- dates and codes


async def fill_segments(tab: TabActor, reference: str, text: str) -> bool:
    """Set a date or time in several spinbuttons; return False for other fields and texts.

    The text is in ISO form, or has numbers in the order of the parts.
    """
    iso = parse_moment(text)
    if iso is None and not has_parts(text):
        return False
    place, answer = await tab.locate(reference, "segments")
    segments = check(tab, answer, reference)["segments"]
    parts = name_parts([(one["min"], one["max"]) for one in segments])
    if not segments or parts is None:
        return False
    moment = iso or fit_parts(text, parts)
    if moment is None:
        raise InvalidArgument(
            f"{reference} does not take {text!r}. Its parts are {', '.join(parts)}.",
            "Give numbers in this order, or an ISO date or time such as 2026-05-01 or 14:30.",
        )
    values = _values_of(moment, parts)
    if lacking := [part for part in moment.parts if part not in parts]:
        raise InvalidArgument(
            f"{reference} has no part for the {lacking[0]} of {text!r}.",
            f"Its parts are {', '.join(parts)}.",
        )
    note = tab.note
    for number, (segment, value) in enumerate(zip(segments, values, strict=True)):
        if value is not None:
            await _fill_segment(tab, reference, place.with_nid(segment["nid"]), number, value)
    tab.note = note  # a part may be drawn again while it is pressed
    if iso is None:  # else the whole text is compared
        segments = (await tab.on_element(reference, "segments"))["segments"]
        for part, segment, value in zip(parts, segments, values, strict=True):
            if value is not None and segment["now"] != value:
                tab.note = f"The {part} of {reference} is not {value}: the page did not keep it."
    return True


def _values_of(moment: Moment, parts: Sequence[Part]) -> list[int | None]:
    """Return the values of the parts; None for a part that the moment does not have."""
    return [moment.get(part, of_twelve="half" in parts) for part in parts]


async def _fill_segment(
    tab: TabActor, reference: str, place: DocumentNode, number: int, value: int
) -> None:
    """Type the digits of a part, or press ArrowUp if that shows no such value."""

    async def read() -> ProbeAnswer:
        segments: list[ProbeAnswer] = (await tab.on_element(reference, "segments"))["segments"]
        return segments[number]

    frame = tab.frames.frame_of(place) or tab.frames.main

    async def wait() -> None:
        await tab.frames.ask(frame, "waitForTyping")

    await press_node(tab, place, f"a part of {reference}")
    await wait()
    segment = await read()
    if segment["max"] > 1:
        width = len(str(segment["max"]))
        async with tab.page.answering():
            await type_text(tab.page.session, str(value).zfill(width), pause=0.0)
        await wait()
        if (await read())["now"] == value:
            return
        await press_node(tab, place, f"a part of {reference}")
    for _ in range(2):
        if (await read())["now"] != value:
            await press_stroke(tab, (NAMED["ArrowUp"], ()))
            await wait()


async def fit_text(tab: TabActor, reference: str, text: str) -> str:
    """Return an ISO date or time in the format that the field shows; other texts unchanged."""
    moment = parse_moment(text)
    if moment is None:
        return text
    answer = await tab.on_element(reference, "formatHints")
    return fit_format(moment, answer.get("hints", ())) or text


async def fill_boxes(tab: TabActor, reference: str, text: str) -> None:
    """Type a code whose first box has the focus; fill in box by box if the focus stays."""
    await check_may_type(tab)
    async with tab.page.answering():
        await type_text(tab.page.session, text, pause=0.0)
    place, answer = await tab.locate(reference, "boxes", text, _BOXES_MS)
    if answer.get("shown") == text:
        return
    for nid, character in zip(answer.get("boxes", ()), text, strict=False):
        replaces = True
        await tab.frames.ask_node(place.with_nid(nid), "focusText", replaces)
        async with tab.page.answering():
            await type_text(tab.page.session, character, pause=0.0)


# ---------------------------------------------------------------------------- reading back


async def find_difference(tab: TabActor, reference: str, wanted: str) -> str | None:
    """Return a sentence on what a field shows if that is not the wanted value."""
    is_date = parse_moment(wanted) is not None
    try:
        answer = await tab.on_element(reference, "shownValue", is_date, len(wanted))
    except Fatal:
        raise
    except CharlotteError:
        return None  # gone with what the value was entered into
    number, shown = answer.get("number"), answer.get("shown")
    if number is not None:
        is_same = not DECIMAL.fullmatch(wanted.strip()) or is_close(number, float(wanted))
        note = f"{reference} is {decimal(number)}, not {wanted}: the nearest value that it takes."
        return None if is_same else note
    if selected := answer.get("selected"):
        if any(is_same_text(each, wanted) for each in selected):
            return None
        shown = selected[-1]
    if shown is None or is_same_text(shown, wanted):
        return None
    if not shown:
        return f"{reference} is empty: the page did not keep the typed text."
    hidden = tab.record.session.hidden  # a part of a secret is not recognized
    return f"{reference} shows {short_json(hidden(shown))}, not {short_json(hidden(wanted))}."


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
    return _letters(shown) == _letters(wanted)


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()
