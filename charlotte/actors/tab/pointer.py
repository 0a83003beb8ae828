"""Pointer verbs: click an element or a point, hover over an element, drag it to another."""

from collections.abc import Collection

import attrs
import trio

from charlotte.actors.tab.actionability import (
    build_lost_press_error,
    build_moving_error,
    check_in_viewport,
    find_point,
    read_point,
)
from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.notes import find_submitter, note_if_unchanged, with_invalid_fields
from charlotte.browser.drag import drag_pointer
from charlotte.browser.input import ClickType, Modifier, Point, click_point, move_mouse
from charlotte.errors import ElementNotInteractive
from charlotte.log import now
from charlotte.page.identity.references import DocumentNode

ATTEMPTS = 5
_TO_PRESS = {"need": "enabled", "press": True}

_PARTLY = {
    "strayed": "The second click met something else, for {} moved.",
    "slipped": "{} moved or was covered while it was pressed: the release met something else.",
    "hidden": "The press took the focus from what {} belongs to, which hid it before the release: "
    "it may not have been clicked. Choose it by keys.",
}
"""Notes on presses that met their element only in part, by the probe's code."""

_BEYOND = 0.25
"""How far past the middle of its target a drag ends, as a part of the target's size."""


@attrs.frozen
class PointAction:
    """An action at a point of the viewport: the look after it, and its time (ISO 8601)."""

    look: Look
    timestamp: str


async def click(
    tab: TabActor, reference: str, kind: ClickType = "left", modifiers: Collection[Modifier] = ()
) -> Look:
    """Click an element and look at the page once it has settled."""
    submitter = await find_submitter(tab, reference)
    look = await tab.act(lambda: press_element(tab, reference, kind, modifiers), reference)
    if kind != "left":
        return look
    look = note_if_unchanged(tab, look, reference)
    return await with_invalid_fields(tab, look, submitter)


async def click_at(
    tab: TabActor, at: Point, kind: ClickType, modifiers: Collection[Modifier], wait_ms: int
) -> PointAction:
    """Click a point of the viewport and look at the page once it has settled."""
    await check_in_viewport(tab, *at)
    timestamp = ""

    async def act() -> None:
        nonlocal timestamp
        await press_point(tab, at, kind, modifiers)
        timestamp = now()
        await trio.sleep(wait_ms / 1000)

    look = await tab.act(act)
    return PointAction(look, timestamp)


async def hover(tab: TabActor, reference: str) -> Look:
    """Move the mouse over an element and look at the page once it has settled."""

    async def act() -> None:
        x, y = await find_point(tab, reference, "hover")
        async with tab.page.answering():
            await move_mouse(tab.page.session, x, y)

    return await tab.act(act, reference)


async def drag(tab: TabActor, source: str, target: str) -> Look:
    """Drag an element to another one and look at the page once it has settled."""
    await tab.resolve(target)  # before the page is touched
    return await tab.act(lambda: _drag(tab, source, target), source)


async def press_element(
    tab: TabActor, reference: str, kind: ClickType = "left", modifiers: Collection[Modifier] = ()
) -> None:
    """Press an element once it can be used; press nothing else if it moves meanwhile."""
    for _ in range(ATTEMPTS):
        place, answer = await tab.locate(reference, "target", _TO_PRESS)
        async with tab.page.answering():
            x, y = read_point(tab, place, answer, reference)
            await click_point(tab.page.session, x, y, kind=kind, modifiers=modifiers)
        if await _is_met(tab, place, reference):
            return
    raise build_moving_error(reference)


async def press_node(tab: TabActor, place: DocumentNode, name: str) -> bool:
    """Press a node that messages call ``name``; return False if it is gone."""
    for _ in range(ATTEMPTS):
        answer = await tab.frames.ask_node(place, "target", _TO_PRESS)
        if answer is None:
            return False
        x, y = read_point(tab, place, answer, name)
        async with tab.page.answering():
            await click_point(tab.page.session, x, y, kind="left")
        if await _is_met(tab, place, name):
            return True
    raise build_moving_error(name)


async def press_point(
    tab: TabActor, at: Point, kind: ClickType = "left", modifiers: Collection[Modifier] = ()
) -> None:
    """Press a point of the viewport, whatever is there."""
    x, y = at
    await tab.page.ask("awaitPressAt", x, y)
    async with tab.page.answering():
        await click_point(tab.page.session, x, y, kind=kind, modifiers=modifiers)
    if await tab.frames.outcome(tab.place(0)) == "lost":
        raise build_lost_press_error(f"({x:g}, {y:g})")


async def _is_met(tab: TabActor, place: DocumentNode, name: str) -> bool:
    """Check whether the press met the node; note a press that met it only in part."""
    outcome = await tab.frames.outcome(place)
    if outcome == "lost":
        raise build_lost_press_error(name)
    if outcome in _PARTLY:
        tab.note = _PARTLY[outcome].format(name)
    return outcome != "missed"


async def _drag(tab: TabActor, source: str, target: str) -> None:
    """Press the source, nothing else if it moves meanwhile, and carry it to the target."""
    for _ in range(ATTEMPTS):
        to_press = {"need": "visible", "press": True}
        place, answer = await tab.locate(source, "target", to_press)
        grip = _Grip(tab, source, target, place, read_point(tab, place, answer, source))
        way = await drag_pointer(tab.page.session, grip.start, grip.find_end, grip.has_begun)
        if way == "html5" and not await tab.frames.was_dropped(place):
            raise ElementNotInteractive(
                f"{source} was not dropped: nothing at {target} takes it. The drag was cancelled.",
                "Drag to an element that takes drops, or choose what the page offers instead.",
            )
        if way == "mouse" and grip.is_draggable:
            tab.note = f"No drag of {source} began: only the mouse moved."
        if way is not None:
            return
    raise build_moving_error(source)


@attrs.define
class _Grip:
    """The source of a drag, pressed at ``start``."""

    tab: TabActor
    source: str
    target: str
    place: DocumentNode
    start: Point
    is_draggable: bool = False

    async def find_end(self) -> Point | None:
        """Find the point to release at; None if the press met something else."""
        outcome = await self.tab.frames.outcome(self.place)
        if outcome == "lost":
            raise build_lost_press_error(self.source)
        return (
            await _find_drop_point(self.tab, self.target, self.start) if outcome == "met" else None
        )

    async def has_begun(self) -> bool:
        """Return whether the page has begun an HTML5 drag since the press."""
        answer = await self.tab.frames.ask_node(self.place, "dragged") or {}
        self.is_draggable = answer.get("draggable", False)
        return bool(answer.get("began", False))


async def _find_drop_point(tab: TabActor, target: str, start: Point) -> Point:
    """Return a point past the middle of the target, where sortable lists make room."""
    x, y = await find_point(tab, target, "visible")
    box = (await tab.on_element(target, "box"))["box"] or [x, y, 0, 0]
    return x + _past(x - start[0], box[2]), y + _past(y - start[1], box[3])


def _past(way: float, size: float) -> float:
    """Return ``_BEYOND`` of the target's size, at most half of the way, in its direction."""
    room = min(size * _BEYOND, abs(way) / 2)
    return room if way > 0 else -room
