"""The left mouse button while it is down, and the HTML5 drags that pages begin meanwhile."""

import math
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import ExitStack
from itertools import pairwise
from typing import Any

import trio

from charlotte.browser.input.input import (
    RELEASE_WAIT,
    Modifier,
    Point,
    dispatch,
    modifier_mask,
    release,
    touch_event,
    wait_until_handled,
)
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.input import (
    DispatchDragEvent,
    DispatchMouseEvent,
    DragIntercepted,
    SetInterceptDrags,
)
from charlotte.protocol.wire import Command, Nothing

_HANDOVER = 1.0
"""Seconds within which the browser reports a drag that the page has begun."""
NO_DATA: dict[str, Any] = {"items": [], "dragOperationsMask": 1}
"""The data of a drag that copies nothing."""
_STEPS = 8
_REST = 0.04
_RESTS = 2
_NUDGE = 6
"""Pixels of movement after which browsers and libraries begin a drag."""


class HeldButton:
    """The left mouse button, which can stay down over several calls.

    An HTML5 drag can begin at any move, also of an element that became draggable on the press. From
    then on, the browser takes drag events instead of moves. ``data`` is the content of a drag that
    was taken over. A drag without a drop is cancelled. A finger can take the place of the button.
    """

    def __init__(self, session: CdpSession, *, is_touch: bool = False) -> None:
        self._session = session
        self._is_touch = is_touch
        self._drags: Subscription[DragIntercepted] | None = None
        self._stack = ExitStack()
        self._mask = 0
        self._passed: list[Point] = []
        self.at: Point = (0, 0)
        self.is_down = False
        self.data: dict[str, Any] | None = None

    async def press(self, at: Point, modifiers: Collection[Modifier] = ()) -> None:
        """Press the button at a point; a button that is down is released first."""
        if self.is_down:
            await self.release(self.at)
        self._drags = self._stack.enter_context(self._session.events(DragIntercepted))
        await self._session.call(SetInterceptDrags(enabled=True))
        self.at, self._passed, self._mask = at, [at], modifier_mask(modifiers)
        self.is_down, self.data = True, None
        moved = DispatchMouseEvent(type="mouseMoved", x=at[0], y=at[1], modifiers=self._mask)
        pressed = self._event("mousePressed", buttons=1, click_count=1)
        await dispatch(self._session, *([] if self._is_touch else [moved]), pressed)

    async def nudge(self, towards: Point | None) -> None:
        """Move as far as a drag needs to begin, in the direction of a point if that is known."""
        x, y = self.at
        to_x, to_y = towards or (x + _NUDGE, y + _NUDGE)
        length = math.hypot(to_x - x, to_y - y)
        for step in (_NUDGE / 2, _NUDGE) if length else ():
            part = min(1.0, step / length)
            await self._step((x + (to_x - x) * part, y + (to_y - y) * part))

    async def move(self, *way: Point) -> bool:
        """Move over points, in steps; return False as soon as the page has begun a drag."""
        self._passed += way
        for at in path(self.at, *way):
            if self._drags is not None and self._drags.waiting:
                return False
            await self._step(at)
        return True

    async def rest(self) -> None:
        """Stay in place: sortable lists check that, and a map with inertia would move on."""
        for _ in range(_RESTS):
            await trio.sleep(_REST)
            await self._step(self.at)

    async def take_over(self, has_begun: Callable[[], Awaitable[bool]] | None = None) -> None:
        """Store the data of an HTML5 drag that has begun, also if only the page knows of it yet.

        The report of the browser and the reply to the move that began the drag arrive in any order.
        """
        drags = self._drags
        if drags is None:
            return
        if there := drags.now():
            self.data = there[0].data
        elif has_begun is not None and await has_begun():
            self.data = NO_DATA
            with trio.move_on_after(_HANDOVER):
                self.data = (await drags.next()).data

    async def drop(self, way: Sequence[Point]) -> None:
        """Move the drag that was taken over on a way, and drop it at its end."""
        self.is_down = False  # a release after a drop would be half a click
        await carry_data(self._session, self.data or NO_DATA, self.at, way, mask=self._mask)

    async def release(self, at: Point) -> None:
        """Move to a point and release the button there, or drop what the page drags."""
        if not self.is_down:
            self.at, self._mask = at, 0
            await dispatch(self._session, self._event("mouseReleased", click_count=1))
            return
        try:
            await self.take_over()
            if self.data is not None:
                await self.drop(path(*self._passed, at))
            elif at != self.at:
                await self._step(at)
        finally:
            await self.end()  # noqa: ASYNC102 - shields itself
        await wait_until_handled(self._session)

    async def end(self) -> None:
        """Release a button that is down, or cancel the drag; also for a cancelled caller."""
        if self.is_down:
            self.is_down = False
            if self.data is None:
                await release(self._session, self._event("mouseReleased", click_count=1))
            else:
                await _cancel(self._session, self.data, self.at)
        self._stack.close()
        with trio.move_on_after(RELEASE_WAIT, shield=True):
            await self._session.call(SetInterceptDrags(enabled=False))

    async def _step(self, at: Point) -> None:
        self.at = at
        await dispatch(self._session, self._event("mouseMoved", buttons=1))

    def _event(self, kind: str, **more: int) -> Command[Nothing]:
        if self._is_touch:
            return touch_event(kind, self.at, self._mask)
        x, y = self.at
        return DispatchMouseEvent(type=kind, x=x, y=y, button="left", modifiers=self._mask, **more)


async def carry_data(
    session: CdpSession,
    data: dict[str, Any],
    start: Point,
    way: Sequence[Point],
    is_taken: Callable[[], Awaitable[bool]] | None = None,
    *,
    mask: int = 0,
) -> bool:
    """Move an HTML5 drag over the points to the last one; return whether it was dropped.

    The drag enters twice: a frame of another process does not know about it before. It rests at the
    end, because sortable lists ignore the pointer while they make room (SortableJS: 30 ms). If
    ``is_taken`` is false, the drag is cancelled.
    """
    dropped = False

    async def send(kind: str, at: Point) -> None:
        await dispatch(
            session, DispatchDragEvent(type=kind, x=at[0], y=at[1], data=data, modifiers=mask)
        )

    try:
        await send("dragEnter", start)
        for at in way:
            await send("dragOver", at)
        if way[-1] != start:
            await send("dragEnter", way[-1])
            for _ in range(_RESTS):
                await send("dragOver", way[-1])
                await trio.sleep(_REST)
            await send("dragOver", way[-1])
        if is_taken is None or await is_taken():
            await send("drop", way[-1])
            dropped = True
    finally:
        if not dropped:
            await _cancel(session, data, way[-1])  # noqa: ASYNC102 - shields itself
    return dropped


async def _cancel(session: CdpSession, data: dict[str, Any], at: Point) -> None:
    """End a drag without a drop; an unfinished drag would block all input of its page."""
    await release(session, DispatchDragEvent(type="dragCancel", x=at[0], y=at[1], data=data))


def path(start: Point, *way: Point) -> list[Point]:
    """Return the points of the movement over ``way``, ending with its last point."""
    return [
        (x + (to_x - x) * step / _STEPS, y + (to_y - y) * step / _STEPS)
        for (x, y), (to_x, to_y) in pairwise([start, *way])
        for step in range(1, _STEPS + 1)
    ]
