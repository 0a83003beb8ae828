"""Pointer verbs: click an element or a point, hover, drag, scroll.

An element is used only if it is actionable: errors give the reason why it is not.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Literal

import attrs
import trio

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.frames import ProbeAnswer, SeenFrame
from charlotte.actors.tab.page.page_connection import HANG_AFTER
from charlotte.actors.tab.verbs.focus import IS_GUARDED, Guarded, find_focus, press_strokes
from charlotte.actors.tab.verbs.rejections import find_form_of_button, with_invalid_fields
from charlotte.base.errors import ElementNotInteractive, InvalidCoordinates, ellipsize
from charlotte.base.log import now
from charlotte.browser.input.input import (
    NAMED,
    ClickType,
    Modifier,
    Point,
    click_point,
    move_mouse,
    wheel,
)
from charlotte.page.capture import compose_number
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import StateValue

ATTEMPTS = 5
_CLOSING_MS = 500
"""How long a list may take to close."""
_TO_PRESS = {"need": "enabled", "press": True}

_PARTLY = {
    "strayed": "The second click met something else, for {} moved.",
    "slipped": "{} moved or was covered while it was pressed: the release met something else.",
    "hidden": "The press took the focus from what {} belongs to, which hid it before the release: "
    "it may not have been clicked. Choose it by keys.",
}
"""Notes on presses that met their element only in part, by the probe's code."""

_CHECKABLE = {"checkbox", "radio", "toggle"}
_STATES: dict[StateValue, str] = {True: "checked", False: "unchecked", "mixed": "half checked"}

Need = Literal["visible", "enabled", "hover", "place"]
"""Required state of an element. For ``hover``, it need not take the mouse; nor for ``place``, for
which it may be covered."""

GIVE_FILES = "Give it files with upload; tools{action: enable, group: interaction} lists that."

_OBSERVE = "Observe the page to see its present state."
_REASONS = {
    "hidden": ("is not visible", _OBSERVE),
    "unseen file input": ("is a file input that is not visible", GIVE_FILES),
    "disabled": ("is disabled", "Fill in what the page requires first, or use another control."),
    "no box": ("has no size", _OBSERVE),
    "out of reach": ("lies outside the window, and scrolling does not bring it in", _OBSERVE),
    "transparent": (
        "lets the mouse through (pointer-events: none)",
        "Hover over it: some pages show or activate elements only then.",
    ),
    "not painted": ("shows nothing that takes the mouse", _OBSERVE),
    "moving": (
        "does not stand still",
        "Wait and retry; press what never stops moving with key{element_id, key: Enter}.",
    ),
    "not editable": ("takes no text", "Give the id of a field."),
    "not focusable": ("cannot be focused", _OBSERVE),
    "readonly": ("is read-only", "See with observe what a click on it opens: it may be set there."),
    "not checkable": ("cannot be checked, switched on or expanded", "Press it with click."),
    "no list": (
        "offers no options",
        "Click it and choose from what opens; set a field or a slider with type.",
    ),
    "no form": (
        "belongs to no form",
        "Click the button that sends it, or press Enter in a field with key.",
    ),
    "not scrollable": ("does not scroll that way", _OBSERVE),
}
"""By the probe's code for an element that cannot be used: the reason, and what to do."""

_MOST_COVERING = 5
"""Elements inside a covering element that an error lists."""


@attrs.frozen(kw_only=True)
class Press:
    """How the mouse is pressed; the button is held down for ``hold`` seconds."""

    kind: ClickType = "left"
    modifiers: Collection[Modifier] = ()
    hold: float = 0.0


_CLICK = Press()


async def click(tab: TabActor, reference: str, press: Press = _CLICK) -> Look:
    """Click an element and look at the page once it has settled."""
    form = await find_form_of_button(tab, reference)
    look = await tab.act(lambda: press_element(tab, reference, press), reference)
    if press.kind != "left":
        return look
    look = note_if_unchanged(tab, look, reference)
    return await with_invalid_fields(tab, look, form)


async def click_at(tab: TabActor, at: Point, press: Press, wait_ms: int) -> Look:
    """Click a point of the viewport and look at the page once it has settled."""
    await check_in_viewport(tab, *at)
    return await act_timed(tab, lambda: press_point(tab, at, press), wait_ms)


async def hold_button(
    tab: TabActor, at: Point, modifiers: Collection[Modifier], *, is_down: bool
) -> Look:
    """Press the left button at a point and keep it down, or release it there."""
    await check_in_viewport(tab, *at)

    async def act() -> None:
        button = tab.page.button
        async with tab.page.answering():
            await (button.press(at, modifiers) if is_down else button.release(at))

    return await act_timed(tab, act, 0)


async def act_timed(tab: TabActor, action: Callable[[], Awaitable[None]], wait_ms: int) -> Look:
    """Act, wait, and look at the page once it has settled; the look has the time."""
    timestamp = ""

    async def act() -> None:
        nonlocal timestamp
        await action()
        timestamp = now()
        await trio.sleep(wait_ms / 1000)

    look = await tab.act(act)
    return attrs.evolve(look, acted_at=timestamp)


async def hover(tab: TabActor, place: str | Point) -> Look:
    """Move the mouse over an element or to a point; look at the page once it has settled."""
    if not isinstance(place, str):
        await check_in_viewport(tab, *place)

    async def act() -> None:
        at = await find_point(tab, place, "hover") if isinstance(place, str) else place
        async with tab.page.answering():
            if tab.page.button.is_down:
                await tab.page.button.move(at)
            else:
                await move_mouse(tab.page.session, *at)

    return await tab.act(act, place if isinstance(place, str) else None)


async def press_element(tab: TabActor, reference: str, press: Press = _CLICK) -> None:
    """Press an element once it can be used; press nothing else if it moves meanwhile."""
    for _ in range(ATTEMPTS):
        place, answer = await aim(tab, reference, _TO_PRESS)
        if await _press(tab, place, answer, reference, press):
            return
    raise moving(reference)


async def locate_unlocked(
    tab: TabActor, reference: str, function: str, *arguments: object
) -> tuple[DocumentNode, ProbeAnswer]:
    """Ask the probe about a field, again after a press if it is read-only: some are until then.

    A press would change a box or a slider.
    """
    place, answer = await tab.locate(reference, function, *arguments)
    is_locked = answer.get("error") == "readonly"
    if not is_locked or (await tab.on_element(reference, "field"))["kind"] not in {"text", "set"}:
        return place, answer
    start = trio.current_time()
    await press_element(tab, reference)
    frame = tab.frames.frame_of(place) or tab.frames.main
    await tab.frames.ask(frame, "waitForTyping", (trio.current_time() - start) * 1000)
    return await tab.locate(reference, function, *arguments)


async def aim(
    tab: TabActor, reference: str, wanted: Mapping[str, Any]
) -> tuple[DocumentNode, ProbeAnswer]:
    """Return the node of an element, and the probe's answer with the point to press.

    The mouse moves there first if the element lets it through: the controls of players sleep. If
    the element is covered, the focus leaves the field that has it, as a list of suggestions closes.
    """
    place, answer = await tab.locate(reference, "target", {**wanted, "wake": True})
    if "asleep" in answer:
        async with tab.page.answering():
            await move_mouse(tab.page.session, answer["x"], answer["y"])
        place, answer = await tab.locate(reference, "target", wanted)
    focus = await find_focus(tab) if answer.get("error") == "covered" else None
    if focus and (frame := focus.field_frame):
        await tab.on_element(reference, "focus")
        place, answer = await tab.locate(reference, "target", {**wanted, "wait": _CLOSING_MS})
        number = compose_number(frame.number, focus.facts.get("nid", 0))
        answer["field"] = tab.record.ids.get_id(number)
    return place, answer


async def press_node(tab: TabActor, place: DocumentNode, name: str) -> bool:
    """Press a node that messages call ``name``; return False if it is gone."""
    for _ in range(ATTEMPTS):
        answer = await tab.frames.ask_node(place, "target", _TO_PRESS)
        if answer is None or await _press(tab, place, answer, name):
            return answer is not None
    raise moving(name)


async def _press(
    tab: TabActor,
    place: DocumentNode,
    answer: ProbeAnswer,
    name: str,
    press: Press = _CLICK,
) -> bool:
    """Press at the point in the probe's answer; return False if the press missed the node.

    Adds a note on a press that met the node only in part. The space bar checks a control of which
    only a label full of links is seen.
    """
    if "key" in answer and press == _CLICK:
        await tab.frames.ask_node(place, "focus", IS_GUARDED)
        space = (NAMED["Space"], ())
        await Guarded(tab, place, name, "focus").send(1, lambda _: press_strokes(tab, space))
        return True
    await _click_point(tab, get_click_point(tab, answer, name), press)
    outcome = await tab.frames.outcome(place)
    if outcome == "lost":
        raise lost(name)
    if outcome in _PARTLY:
        tab.note = _PARTLY[outcome].format(name)
    return outcome != "missed"


async def _click_point(tab: TabActor, at: Point, press: Press) -> None:
    touch, how = tab.record.desired.device.mobile, attrs.asdict(press, recurse=False)
    async with tab.page.answering(HANG_AFTER + press.hold):
        await click_point(tab.page.session, *at, touch=touch, **how)


async def press_point(tab: TabActor, at: Point, press: Press = _CLICK) -> None:
    """Press a point of the viewport, whatever is there."""
    x, y = at
    await tab.page.ask("expectPressAt", x, y)
    await _click_point(tab, at, press)
    if await tab.frames.outcome(tab.place(0)) == "lost":
        raise lost(f"({x:g}, {y:g})")


def check(tab: TabActor, answer: dict[str, Any], reference: str) -> dict[str, Any]:
    """Return the probe's answer; raises `ElementNotInteractive` if it has an error code."""
    error = answer.get("error")
    if error is None:
        return answer
    if error == "covered":
        ids = {tab.record.ids.get_id(number) for number in answer.get("over", ())}
        view, field = tab.last_view, answer.get("field")
        covering = [element for element in view.interactive if element.id in ids] if view else []
        named = [f"{each.id} {ellipsize(each.label, 40)!r}" for each in covering[:_MOST_COVERING]]
        raise ElementNotInteractive(
            f"{tab.name(reference)} is covered by {answer.get('by', 'another element')}"
            f"{describe_wait(answer)}.",
            "Close or scroll away what covers it, then try again."
            + (f" In it: {', '.join(named)}." if named else "")
            + (f" If {field} opened it: key{{element_id: {field}, key: Escape}}." if field else ""),
        )
    reason, advice = _REASONS.get(error, (error, _OBSERVE))
    raise ElementNotInteractive(f"{tab.name(reference)} {reason}{describe_wait(answer)}.", advice)


def describe_wait(answer: Mapping[str, Any]) -> str:
    """Return how long the probe has waited for what may pass."""
    return f", also after {answer['waited']:g} s" if "waited" in answer else ""


async def find_point(tab: TabActor, reference: str, need: Need = "enabled") -> Point:
    """Return the click point of an element, once it is in view and still, within 2 s."""
    _, answer = await tab.locate(reference, "target", {"need": need})
    return get_click_point(tab, answer, reference)


def get_click_point(tab: TabActor, answer: dict[str, Any], reference: str) -> Point:
    """Return the point in the probe's answer about a node; raises `ElementNotInteractive`."""
    check(tab, answer, reference)
    return answer["x"], answer["y"]


def lost(name: str) -> ElementNotInteractive:
    """Return the error for a press of which no event arrived in the page."""
    return ElementNotInteractive(
        f"No mouse event arrived at {name}.",
        "Observe the page, then try again; if it happens again, reload the page.",
    )


def moving(name: str) -> ElementNotInteractive:
    """Return the error for an element that moved away before each press."""
    return ElementNotInteractive(
        f"{name} moved or was covered each time just before it was pressed: nothing was.",
        "Wait until the page has come to rest, then try again.",
    )


async def check_in_viewport(tab: TabActor, x: float, y: float) -> None:
    """Raise `InvalidCoordinates` for a point outside the viewport."""
    width, height = (await tab.view()).viewport
    if 0 <= x < width and 0 <= y < height:
        return
    raise InvalidCoordinates(
        f"({x}, {y}) is outside the viewport of {tab.record.id}, which is {width}x{height}.",
        f"x must be 0 to {width - 1}, y 0 to {height - 1}; scroll to what lies beyond.",
        {
            "x": {"min": 0, "max": width - 1},
            "y": {"min": 0, "max": height - 1},
            "viewport": {"width": width, "height": height},
        },
    )


_CHECKED = ("checked", "pressed", "selected")
"""States that a click on what can be checked changes; the first counts."""


def note_if_unchanged(tab: TabActor, look: Look, reference: str, *, any_role: bool = False) -> Look:
    """Add a note if a click left a checkbox, radio button or switch as it was.

    A click on an element of another role may do something else than check it. A native list opens
    outside of the page.
    """
    box_id, shown = tab.id_of(reference), look.snapshot.view.interactive
    box = next((element for element in shown if element.id == box_id), None)
    if box and box.options and look.delta and not look.delta.changes:
        return look.with_note(f"{reference} opens a list of the browser: choose with select.")
    if box is None or not (any_role or box.type in _CHECKABLE) or not is_answered(tab, look):
        return look
    checked = next((box.state[key] for key in _CHECKED if key in box.state), None)
    if checked not in _STATES:
        return look
    changes = look.delta.changes if look.delta else ()
    is_chosen_radio = box.type == "radio" and checked is True
    if is_chosen_radio or any(change.element == box.id for change in changes):
        return look
    state = _STATES[checked]
    return look.with_note(f"{reference} is still {state}: the page did not take the click.")


def is_answered(tab: TabActor, look: Look) -> bool:
    """Return whether the document that was acted on is still there and can be asked."""
    return look.delta is not None and not (tab.record.dialog or tab.page.activity.navigating_to)


Axis = Literal["x", "y"]
Align = Literal["start", "center", "end", "nearest"]


@attrs.frozen
class Distance:
    """How far to scroll along an axis, in px or window sizes (``pages``)."""

    axis: Axis
    amount: float
    unit: Literal["px", "pages"]


async def scroll_by(tab: TabActor, distance: Distance, container: str | None = None) -> Look:
    """Scroll the page or a container, by the wheel if possible; look once the page has settled."""
    scroller, answer = tab.place(0), ProbeAnswer()
    how = distance.axis, {distance.unit: distance.amount}

    async def act() -> None:
        nonlocal scroller, answer
        if container is None:
            answer = await tab.page.ask("scrollBy", 0, *how)
        else:
            scroller, answer = await tab.locate(container, "scrollBy", *how)
        check(tab, answer, container or "The page")
        if around := answer.get("around"):
            tab.note = f"{container} does not scroll itself: {around} around it was."
        if "turn" in answer:
            at, turn = (answer["x"], answer["y"]), answer["turn"]
            async with tab.page.answering():
                await wheel(tab.page.session, at, *((turn, 0) if how[0] == "x" else (0, turn)))

    look = await tab.act(act)
    if not is_answered(tab, look):
        return _with_position(look)
    position = await tab.frames.ask_node(scroller.with_nid(answer["scroller"]), "scroll") or {}
    is_unmoved = look.delta is not None and not look.delta.changes and "held" in answer
    if is_unmoved and position.get(f"max_{how[0]}"):
        look = look.with_note("Nothing scrolled: the page hides what overflows.")
    return _with_position(look, position)


async def scroll_into_view(
    tab: TabActor, reference: str, block: Align, inline: Align
) -> tuple[Look, bool]:
    """Scroll an element into view; return the look, and whether it was scrolled (S-DOM-04)."""
    before = (await tab.view()).scroll
    moved = False

    async def act() -> None:
        nonlocal moved
        answer = await tab.on_element(reference, "reveal", block, inline)
        moved = check(tab, answer, reference)["moved"]

    look = await tab.act(act)
    return _with_position(look), moved or look.snapshot.view.scroll != before


async def turn_wheel(
    tab: TabActor,
    at: Point,
    turn: Distance | tuple[int, int],
    modifiers: Collection[Modifier],
    wait_ms: int,
) -> Look:
    """Turn the wheel at a point and look at the page once it has settled."""
    await check_in_viewport(tab, *at)
    if isinstance(turn, Distance):
        viewport = (tab.last_view or await tab.view()).viewport
        unit = 1 if turn.unit == "px" else viewport["xy".index(turn.axis)]
        px = round(turn.amount * unit)
        dx, dy = (px, 0) if turn.axis == "x" else (0, px)
    else:
        dx, dy = turn

    scrollers: list[tuple[SeenFrame, int, ProbeAnswer]] = []
    ask = tab.frames.ask

    async def turn_at() -> None:
        # through frames, the innermost first, the page last
        for frame, _, answer in await frames_at(tab, *at):
            nids = [*answer.get("around", ()), 0]
            scrollers[:0] = [(frame, nid, await ask(frame, "scroll", nid)) for nid in nids]
        async with tab.page.answering():
            await wheel(tab.page.session, at, dx, dy, modifiers)

    look = await act_timed(tab, turn_at, wait_ms)
    able: ProbeAnswer | None = None
    for frame, nid, before in scrollers if is_answered(tab, look) else ():
        after = await ask(frame, "scroll", nid)
        if "error" not in after and any(before.get(one) != after.get(one) for one in ("x", "y")):
            return _with_position(look, after)
        if able is None and after.get("max_y" if dy else "max_x"):
            able = after  # the innermost that can move, if none has
    return _with_position(look, able)


def _with_position(look: Look, position: ProbeAnswer | None = None) -> Look:
    """Add the position of the scroller, or else of the page."""
    return look.with_extras(scroll=position or look.snapshot.view.scroll.as_json())


async def frames_at(
    tab: TabActor, x: float, y: float
) -> list[tuple[SeenFrame, Point, ProbeAnswer]]:
    """Return the frames at a point, the page first, with the point and the scrollers in each."""
    found: list[tuple[SeenFrame, Point, ProbeAnswer]] = []
    frame: SeenFrame | None = tab.frames.main
    while frame:
        answer = await tab.frames.ask(frame, "scrollersAt", x, y)
        found.append((frame, (x, y), answer))
        at = answer.get("frame", {})
        frame = frame.children.get(at.get("nid", 0))
        if frame is None or frame.capture is None:
            break
        x, y = (part * size for part, size in zip(at["at"], frame.viewport, strict=True))
    return found
