"""Scroll verbs: the page or a container, an element into view, the wheel at a point."""

from collections.abc import Sequence
from typing import Any, Literal

import attrs

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.frames import ProbeAnswer, SeenFrame
from charlotte.actors.tab.look import Look
from charlotte.actors.tab.pointer import act_timed, check, check_in_viewport, is_answered
from charlotte.browser.input import Point, wheel

Axis = Literal["x", "y"]
Align = Literal["start", "center", "end", "nearest"]


@attrs.frozen(kw_only=True)
class Scrolled:
    """The page after scrolling; ``position`` is that of the scroller, if it was asked.

    ``moved`` is set for an element that was scrolled into view, ``timestamp`` (ISO 8601) for the
    wheel.
    """

    look: Look
    position: ProbeAnswer | None = None
    moved: bool = False
    timestamp: str = ""


@attrs.frozen
class Distance:
    """How far to scroll along an axis, in px or window sizes (``pages``)."""

    axis: Axis
    amount: float
    unit: Literal["px", "pages"]


async def scroll_by(tab: TabActor, distance: Distance, container: str | None = None) -> Scrolled:
    """Scroll the page or a container and look at the page once it has settled."""
    position: ProbeAnswer = {}
    scroller = tab.place(0)
    size = {distance.unit: distance.amount}

    async def act() -> None:
        nonlocal scroller
        if container is None:
            answer = await tab.page.ask("scrollBy", 0, distance.axis, size)
            moved = check(answer, "The page")
        else:
            scroller, answer = await tab.locate(container, "scrollBy", distance.axis, size)
            moved = check(answer, container)
        scroller = scroller.with_nid(moved.pop("scroller"))
        if around := moved.pop("around", None):
            tab.note = f"{container} does not scroll itself: {around} around it was."
        position.update(moved)

    look = await tab.act(act)
    if is_answered(tab, look):
        position = await tab.frames.ask_node(scroller, "scroll") or position
    return Scrolled(look=look, position=position)


async def scroll_into_view(tab: TabActor, reference: str, block: Align, inline: Align) -> Scrolled:
    """Scroll an element into view and look at the page once it has settled (S-DOM-04)."""
    before = (await tab.view()).scroll
    answer: ProbeAnswer = {}

    async def act() -> None:
        revealed = await tab.on_element(reference, "reveal", block, inline)
        answer.update(check(revealed, reference))

    look = await tab.act(act)
    return Scrolled(look=look, moved=answer["moved"] or look.snapshot.view.scroll != before)


async def turn_wheel(
    tab: TabActor, at: Point, turn: Distance | tuple[int, int], wait_ms: int
) -> Scrolled:
    """Turn the wheel at a point and look at the page once it has settled."""
    await check_in_viewport(tab, *at)
    if isinstance(turn, Distance):
        viewport = (tab.last_view or await tab.view()).viewport
        unit = 1 if turn.unit == "px" else viewport["xy".index(turn.axis)]
        px = round(turn.amount * unit)
        dx, dy = (px, 0) if turn.axis == "x" else (0, px)
    else:
        dx, dy = turn

    async def turn_at() -> None:
        async with tab.page.answering():
            await wheel(tab.page.session, *at, dx, dy)

    scrollers = await _find_scrollers(tab, *at)
    done = await act_timed(tab, turn_at, wait_ms)
    position = None
    if is_answered(tab, done.look):
        position = await _read_position(tab, scrollers, "y" if dy else "x")
    return Scrolled(look=done.look, position=position, timestamp=done.timestamp)


_Scroller = tuple[SeenFrame, int, ProbeAnswer]
"""A frame, the number of an element in it (0: the document), and its scroll position."""


async def _find_scrollers(tab: TabActor, x: float, y: float) -> list[_Scroller]:
    """Return all scrollers at a point, through frames, the innermost first, the page last."""
    found: list[_Scroller] = []
    frame: SeenFrame | None = tab.frames.main
    while frame is not None:
        answer = await tab.frames.ask(frame, "scrollersAt", x, y)
        nids = [*answer.get("around", ()), 0]
        found = [
            *[(frame, nid, await tab.frames.ask(frame, "scroll", nid)) for nid in nids],
            *found,
        ]
        frame, x, y = _step_into(frame, answer, x, y)
    return found


def _step_into(
    frame: SeenFrame, answer: ProbeAnswer, x: float, y: float
) -> tuple[SeenFrame | None, float, float]:
    """Return the child frame at a point, and the point in that frame's viewport."""
    at = answer.get("frame", {})
    child = frame.children.get(at.get("nid", 0))
    if child is None or child.capture is None:
        return None, x, y
    left, top, width, height = at["box"]
    across, down = child.capture.viewport
    return child, (x - left) * across / (width or 1), (y - top) * down / (height or 1)


async def _read_position(
    tab: TabActor, scrollers: Sequence[_Scroller], axis: Axis
) -> dict[str, Any] | None:
    """Return the position of the innermost scroller that moved, or else that can move."""
    moved: list[ProbeAnswer] = []
    able: list[ProbeAnswer] = []
    for frame, nid, before in scrollers:
        after = await tab.frames.ask(frame, "scroll", nid)
        if "error" not in after and any(before.get(one) != after.get(one) for one in ("x", "y")):
            moved.append(after)
        if after.get(f"max_{axis}"):
            able.append(after)
    return next(iter([*moved, *able]), None)
