"""Drag with the mouse: from an element or a point, to an element, a point or by a distance."""

from collections.abc import Collection, Sequence

import attrs
import trio

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.verbs.pointer import (
    ATTEMPTS,
    aim,
    check_in_viewport,
    find_point,
    frames_at,
    get_click_point,
    lost,
    moving,
)
from charlotte.base.errors import ElementNotInteractive, adding
from charlotte.browser.input.drag import HeldButton, path
from charlotte.browser.input.input import Modifier, Point, holding, wait_until_handled
from charlotte.page.capture import compose_number
from charlotte.page.identity.references import DocumentNode

_TO_PRESS = {"need": "visible", "press": True}
_BEYOND = 0.25
"""How far past the middle of its target a drag ends, as a part of the target's size."""


@attrs.frozen
class Shift:
    """A distance from the start of a drag in CSS px, positive to the right and down."""

    x: int
    y: int


Place = str | Point
"""A reference to an element, or a point of the viewport."""


@attrs.frozen(kw_only=True)
class Drag:
    """A drag over the points ``via`` to its end, after a press of ``hold`` seconds."""

    source: Place
    end: Place | Shift
    via: Sequence[Point] = ()
    modifiers: Collection[Modifier] = ()
    hold: float = 0.0

    def end_from(self, start: Point) -> Point | None:
        """Return the point where the drag ends, None for an element."""
        match self.end:
            case Shift(x, y):
                return start[0] + x, start[1] + y
            case str():
                return None
            case point:
                return point


def _name(place: Place) -> str:
    return place if isinstance(place, str) else f"({place[0]:g}, {place[1]:g})"


async def drag(tab: TabActor, wanted: Drag) -> Look:
    """Drag, and look at the page once it has settled."""
    if isinstance(wanted.end, str):
        await tab.resolve(wanted.end)  # before the page is touched
    for place in (wanted.source, *wanted.via):
        if not isinstance(place, str):
            await check_in_viewport(tab, *place)

    async def act() -> None:
        for _ in range(ATTEMPTS):
            if await _try(tab, wanted):
                return
        raise moving(_name(wanted.source))

    return await tab.act(act, wanted.source if isinstance(wanted.source, str) else None)


async def _try(tab: TabActor, wanted: Drag) -> bool:
    """Drag; return False if the press hit another element."""
    place, start = await _aim(tab, wanted.source)
    end = wanted.end_from(start)
    if end is not None:
        await check_in_viewport(tab, *end)
    is_draggable = False

    async def has_begun() -> bool:
        nonlocal is_draggable
        state = await tab.frames.ask_node(place, "dragged") or {}
        is_draggable = state.get("draggable", False)
        return bool(state.get("began", False))

    session = tab.page.session
    is_touch = tab.record.desired.device.mobile and not await has_begun() and not is_draggable
    button = HeldButton(session, is_touch=is_touch)
    async with holding(session, wanted.modifiers):
        try:
            await button.press(start, wanted.modifiers)
            await trio.sleep(wanted.hold)
            await button.nudge(next(iter(wanted.via), end))
            await button.take_over(has_begun)
            outcome = await tab.frames.outcome(place)
            if outcome == "lost":
                raise lost(_name(wanted.source))
            if outcome == "missed":
                return False
            way = [*wanted.via, end or await _find_end(tab, start, wanted)]
            if button.data is None:  # Chromium drags a link only after 40 px
                if await button.move(*way):
                    await button.rest()
                await button.take_over(has_begun)
            if button.data is not None:
                await button.drop(path(button.at, *way))
        finally:
            await button.end()  # noqa: ASYNC102 - shields itself
    await wait_until_handled(session)
    if button.data is not None:
        await _check_dropped(tab, place, wanted, end or start)
    elif is_draggable:
        tab.note = f"No drag of {_name(wanted.source)} began: only the mouse moved."
    return True


async def _check_dropped(tab: TabActor, place: DocumentNode, wanted: Drag, end: Point) -> None:
    """Raise `ElementNotInteractive` unless the source was dropped, or moved to its place."""
    frame = tab.frames.frame_of(place)
    answer = await tab.frames.ask_unless_leaving(frame, "dropped") if frame else None
    if answer is not None and not answer["dropped"]:  # a drop that navigates counts
        where = wanted.end if isinstance(wanted.end, str) else _name(end)
        raise ElementNotInteractive(
            f"{_name(wanted.source)} was not dropped: nothing at {where} takes it. The drag was "
            "cancelled.",
            "Drag to a place that takes drops, or choose what the page offers instead.",
        )


async def _aim(tab: TabActor, source: Place) -> tuple[DocumentNode, Point]:
    """Return the node whose press is expected, and the point to press."""
    if isinstance(source, str):
        place, answer = await aim(tab, source, _TO_PRESS)
        return place, get_click_point(tab, answer, source)
    *_, (frame, at, _) = await frames_at(tab, *source)
    answer = await tab.frames.ask(frame, "expectPressAt", *at)
    return tab.place(compose_number(frame.number, answer["nid"])), source


async def _find_end(tab: TabActor, start: Point, wanted: Drag) -> Point:
    """Return the end of a drag onto an element; lists make room for what is dragged, trees do not.

    The end is a place: it may be covered, or let the mouse through.
    """
    target = wanted.end
    assert isinstance(target, str)  # noqa: S101 - points are known before the press
    pressed = (
        f"{_name(wanted.source)} had been pressed and was released: the page may have changed."
    )
    with adding(lambda: pressed):
        x, y = await find_point(tab, target, "place")
        answer = await tab.on_element(target, "box")
    box = answer["box"] if answer["box"] and "item" not in answer else [x, y, 0, 0]
    # past the middle, where sortable lists make room
    return x + _past(x - start[0], box[2]), y + _past(y - start[1], box[3])


def _past(way: float, size: float) -> float:
    """Return how far to move past the middle: ``_BEYOND`` of the size, at most half of ``way``."""
    room = min(size * _BEYOND, abs(way) / 2)
    return room if way > 0 else -room
