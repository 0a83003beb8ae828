"""Dragging with the mouse: what follows the pointer, and what the page drags the HTML5 way."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Literal

import trio

from charlotte.browser.input import RELEASE_WAIT, arrived, dispatch, release
from charlotte.protocol.input import (
    DispatchDragEvent,
    DispatchMouseEvent,
    DragIntercepted,
    SetInterceptDrags,
)
from charlotte.protocol.session import Session, Subscription

_BEGIN_WAIT = 0.5
_STEPS = 8
_NUDGE = 6
"""Pixels after which browsers and libraries take a press for the beginning of a drag."""

Point = tuple[float, float]
Way = Literal["html5", "mouse"]
"""Whether the page dragged something, or only the mouse moved."""


async def drag(
    session: Session,
    start: Point,
    find_end: Callable[[], Awaitable[Point | None]],
    *,
    html5: bool,
) -> Way | None:
    """Press at ``start``, move to where ``find_end`` says once the drag has begun, release.

    ``html5`` if the page may take it over as a drag of its own; that is waited for, and where it
    comes later, what was dragged is carried all the way at the end. Where
    ``find_end`` says nowhere, it is released at once, which is None.
    """
    async with _intercepting(session) as drags, _pressed(session, start) as pointer:
        for step in (_NUDGE / 2, _NUDGE):
            await pointer.move(start[0] + step, start[1] + step)
        data = await _begun(drags, wait=_BEGIN_WAIT if html5 else 0.0)
        end = await _end(session, find_end, pointer, data)
        if end is None:
            return None
        if data is None:
            await pointer.glide(end)
            data = await _begun(drags, wait=0.0)
        if data is not None:
            pointer.is_down = False  # a drop ends with no release: that would be half a click
            await carry(session, data, pointer.at, path(pointer.at, end))
    await arrived(session)
    return "mouse" if data is None else "html5"


async def _end(
    session: Session,
    find_end: Callable[[], Awaitable[Point | None]],
    pointer: "_Pointer",
    data: dict[str, Any] | None,
) -> Point | None:
    """Where to; if that is nowhere, or not to be found, what is dragged already is let go."""
    end = None
    try:
        end = await find_end()
    finally:
        if end is None and data is not None:
            pointer.is_down = False
            with trio.move_on_after(RELEASE_WAIT, shield=True):
                await release(session, _let_go(data, pointer.at))
    return end


async def _begun(drags: Subscription[DragIntercepted], *, wait: float) -> dict[str, Any] | None:
    """What the page drags, if it does."""
    with trio.move_on_after(wait):
        return (await drags.next()).data
    return None


async def carry(
    session: Session,
    data: dict[str, Any],
    start: Point,
    way: Sequence[Point],
    is_taken: Callable[[], Awaitable[bool]] | None = None,
) -> bool:
    """Carry an HTML5 drag over the points to the last of them.

    It enters twice: a frame of another process, over which it may end, has not heard of it before.
    What ``is_taken`` says no to is not dropped, but cancelled; tells whether it was dropped.
    """
    dropped = False

    async def send(kind: str, at: Point) -> None:
        await dispatch(session, DispatchDragEvent(type=kind, x=at[0], y=at[1], data=data))

    try:
        await send("dragEnter", start)
        for at in way:
            await send("dragOver", at)
        if way[-1] != start:
            await send("dragEnter", way[-1])
            await send("dragOver", way[-1])
        if is_taken is None or await is_taken():
            await send("drop", way[-1])
            dropped = True
    finally:
        if not dropped:
            with trio.move_on_after(RELEASE_WAIT, shield=True):
                await release(session, _let_go(data, way[-1]))
    return dropped


def _let_go(data: dict[str, Any], at: Point) -> DispatchDragEvent:
    """What ends a drag without a drop; one that does not end takes all input from its page."""
    return DispatchDragEvent(type="dragCancel", x=at[0], y=at[1], data=data)


def path(start: Point, end: Point) -> list[Point]:
    """The points on the way, the last one being ``end``."""
    (x, y), (to_x, to_y) = start, end
    return [
        (x + (to_x - x) * step / _STEPS, y + (to_y - y) * step / _STEPS)
        for step in range(1, _STEPS + 1)
    ]


class _Pointer:
    """The mouse while its left button is down."""

    def __init__(self, session: Session, at: Point) -> None:
        self._session = session
        self.at = at
        self.is_down = True

    async def move(self, x: float, y: float) -> None:
        """Move, the button held."""
        self.at = (x, y)
        moved = DispatchMouseEvent(type="mouseMoved", x=x, y=y, button="left", buttons=1)
        await dispatch(self._session, moved)

    async def glide(self, end: Point) -> None:
        """Move in steps, and rest at the end: lists that sort look where the pointer stays."""
        for x, y in [*path(self.at, end), end]:
            await self.move(x, y)


@asynccontextmanager
async def _pressed(session: Session, start: Point) -> AsyncGenerator[_Pointer]:
    """Hold the left button; if it is still down, it is released where it is, on every way out."""
    pointer = _Pointer(session, start)
    x, y = start
    try:
        await dispatch(
            session,
            DispatchMouseEvent(type="mouseMoved", x=x, y=y),
            DispatchMouseEvent(
                type="mousePressed", x=x, y=y, button="left", buttons=1, click_count=1
            ),
        )
        yield pointer
    finally:
        if pointer.is_down:
            x, y = pointer.at
            up = DispatchMouseEvent(type="mouseReleased", x=x, y=y, button="left", click_count=1)
            with trio.move_on_after(RELEASE_WAIT, shield=True):
                await release(session, up)


@asynccontextmanager
async def _intercepting(session: Session) -> AsyncGenerator[Subscription[DragIntercepted]]:
    with session.events(DragIntercepted) as drags:
        await session.call(SetInterceptDrags(enabled=True))
        try:
            yield drags
        finally:
            with trio.move_on_after(RELEASE_WAIT, shield=True):
                await session.call(SetInterceptDrags(enabled=False))
