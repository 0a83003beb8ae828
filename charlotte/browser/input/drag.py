"""Drags with the mouse, HTML5 drag and drop, and files for inputs and drop zones."""

import math
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from contextlib import ExitStack, asynccontextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

import attrs
import trio

from charlotte.base.errors import ElementNotInteractive
from charlotte.browser.input.input import (
    RELEASE_WAIT,
    Modifier,
    Point,
    dispatch,
    holding,
    modifier_mask,
    release,
    wait_until_handled,
)
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.dom import SetFileInputFiles
from charlotte.protocol.input import (
    DispatchDragEvent,
    DispatchMouseEvent,
    DragIntercepted,
    SetInterceptDrags,
)
from charlotte.protocol.page import FileChooserOpened

_HANDOVER = 1.0
"""Seconds within which the browser reports a drag that the page has begun."""
_NO_DATA: dict[str, Any] = {"items": [], "dragOperationsMask": 1}
"""The data of a drag that copies nothing."""
_STEPS = 8
_REST = 0.04
_RESTS = 2
_NUDGE = 6
"""Pixels of movement after which browsers and libraries begin a drag."""

Way = Literal["html5", "mouse"]
"""Whether the page dragged something, or only the mouse moved."""
HasBegun = Callable[[], Awaitable[bool]]
"""Returns whether the page has begun an HTML5 drag since the press."""


async def drag_pointer(
    session: CdpSession,
    start: Point,
    find_way: Callable[[], Awaitable[Sequence[Point] | None]],
    has_begun: HasBegun,
    *,
    towards: Point | None = None,
    modifiers: Collection[Modifier] = (),
    hold: float = 0.0,
) -> Way | None:
    """Press at ``start``, move over points found after the press to the last one, and release.

    The press is held for ``hold`` seconds before the first move, which goes ``towards`` a point if
    that is known. Returns None without points, because the press hit something else. An HTML5 drag
    can begin at any move, also of an element that became draggable on the press. From then on, the
    browser takes drag events instead of moves. A drag without a drop is cancelled.
    """
    async with (
        _intercepting(session) as drags,
        holding(session, modifiers),
        _pressed(session, start, modifier_mask(modifiers)) as pointer,
    ):
        await trio.sleep(hold)
        for at in _first_moves(start, towards):
            await pointer.move(at)
        await _take_over(drags, pointer, has_begun)
        way = await find_way()
        if way is None:
            return None
        if pointer.data is None:
            # Chromium drags a link only after 40 px.
            for at in path(pointer.at, *way):
                await pointer.move(at)
                if drags.waiting:
                    break
            else:
                await pointer.rest()
            await _take_over(drags, pointer, has_begun)
        if (data := pointer.data) is not None:
            pointer.is_down = False  # a release after a drop would be half a click
            await carry_data(session, data, pointer.at, path(pointer.at, *way), mask=pointer.mask)
    await wait_until_handled(session)
    return "mouse" if data is None else "html5"


def _first_moves(start: Point, towards: Point | None) -> list[Point]:
    """Return two points near ``start``, in the direction of a point if that is known."""
    (x, y), (to_x, to_y) = start, towards or (start[0] + _NUDGE, start[1] + _NUDGE)
    length = math.hypot(to_x - x, to_y - y)
    parts = [min(1.0, step / length) for step in (_NUDGE / 2, _NUDGE)] if length else []
    return [(x + (to_x - x) * part, y + (to_y - y) * part) for part in parts]


async def _take_over(
    drags: Subscription[DragIntercepted], pointer: "_Pointer", has_begun: HasBegun
) -> None:
    """Store the data of an HTML5 drag that has begun.

    The report of the browser and the reply to the move that began the drag arrive in any order.
    """
    if there := drags.now():
        pointer.data = there[0].data
    elif await has_begun():
        pointer.data = _NO_DATA
        with trio.move_on_after(_HANDOVER) as scope:
            pointer.data = (await drags.next()).data
        if scope.cancelled_caught:
            raise ElementNotInteractive(
                "The browser did not report the drag that the page began; the drag was cancelled.",
                "Try again, or move the element by keys if the page supports that.",
            )


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


@attrs.define(eq=False)
class _Pointer:
    """The mouse with its left button down; ``data`` is the content of an HTML5 drag."""

    _session: CdpSession
    at: Point
    mask: int
    is_down: bool = True
    data: dict[str, Any] | None = None

    async def move(self, at: Point) -> None:
        """Move with the button down."""
        self.at = at
        await dispatch(self._session, self.event("mouseMoved", buttons=1))

    async def rest(self) -> None:
        """Stay in place: sortable lists check that, and a map with inertia would move on."""
        for _ in range(_RESTS):
            await trio.sleep(_REST)
            await self.move(self.at)

    def event(self, kind: str, **more: int) -> DispatchMouseEvent:
        """Return a mouse event of the left button."""
        x, y = self.at
        return DispatchMouseEvent(type=kind, x=x, y=y, button="left", modifiers=self.mask, **more)


class HeldButton:
    """The left mouse button, which stays down over several calls.

    An HTML5 drag that the page begins meanwhile is dropped where the button is released.
    """

    def __init__(self, session: CdpSession) -> None:
        self._session = session
        self._pointer: _Pointer | None = None
        self._passed: list[Point] = []
        self._stack = ExitStack()
        self._drags: Subscription[DragIntercepted] | None = None

    @property
    def is_down(self) -> bool:
        """Whether the button is down."""
        return self._pointer is not None

    async def press(self, at: Point, modifiers: Collection[Modifier] = ()) -> None:
        """Press the button at a point; a button that is down is released first."""
        if self._pointer is not None:
            await self.release(self._pointer.at)
        self._drags = self._stack.enter_context(self._session.events(DragIntercepted))
        await self._session.call(SetInterceptDrags(enabled=True))
        self._passed = [at]
        self._pointer = pointer = _Pointer(self._session, at, modifier_mask(modifiers))
        moved = DispatchMouseEvent(type="mouseMoved", x=at[0], y=at[1], modifiers=pointer.mask)
        pressed = pointer.event("mousePressed", buttons=1, click_count=1)
        await dispatch(self._session, moved, pressed)

    async def move(self, at: Point) -> None:
        """Move with the button down, in steps, until the page begins a drag."""
        assert self._pointer is not None  # noqa: S101 - the caller checks `is_down`
        self._passed.append(at)
        for step in path(self._pointer.at, at):
            if self._drags is not None and self._drags.waiting:
                return
            await self._pointer.move(step)

    async def release(self, at: Point) -> None:
        """Move to a point and release the button there, or drop what the page drags."""
        pointer, self._pointer = self._pointer, None
        if pointer is None:
            released = DispatchMouseEvent(
                type="mouseReleased", x=at[0], y=at[1], button="left", click_count=1
            )
            await dispatch(self._session, released)
            return
        try:
            if begun := self._drags.now() if self._drags is not None else ():
                way = path(*self._passed, at)
                await carry_data(self._session, begun[0].data, pointer.at, way, mask=pointer.mask)
                return
            if at != pointer.at:
                await pointer.move(at)
            await dispatch(self._session, pointer.event("mouseReleased", click_count=1))
        finally:
            self._stack.close()
            with trio.move_on_after(RELEASE_WAIT, shield=True):
                await self._session.call(SetInterceptDrags(enabled=False))


@asynccontextmanager
async def _pressed(session: CdpSession, start: Point, mask: int) -> AsyncGenerator[_Pointer]:
    """Hold the left button during the block and release it on every exit."""
    pointer = _Pointer(session, start, mask)
    moved = DispatchMouseEvent(type="mouseMoved", x=start[0], y=start[1], modifiers=mask)
    try:
        await dispatch(session, moved, pointer.event("mousePressed", buttons=1, click_count=1))
        yield pointer
    finally:
        if pointer.data is not None and pointer.is_down:
            await _cancel(session, pointer.data, pointer.at)  # noqa: ASYNC102 - shields itself
        elif pointer.is_down:
            ended = pointer.event("mouseReleased", click_count=1)
            await release(session, ended)  # noqa: ASYNC102 - shields itself


@asynccontextmanager
async def _intercepting(session: CdpSession) -> AsyncGenerator[Subscription[DragIntercepted]]:
    with session.events(DragIntercepted) as drags:
        await session.call(SetInterceptDrags(enabled=True))
        try:
            yield drags
        finally:
            with trio.move_on_after(RELEASE_WAIT, shield=True):
                await session.call(SetInterceptDrags(enabled=False))


_CHOOSER_WAIT = 1.5


async def fill_input(session: CdpSession, node: int, files: Sequence[Path]) -> None:
    """Set the files of the input with a backend node id."""
    await session.call(SetFileInputFiles(files=[str(file) for file in files], backend_node_id=node))


async def wait_for_chooser(choosers: Subscription[FileChooserOpened]) -> FileChooserOpened | None:
    """Wait for a file chooser that a click opened; None if it opened none."""
    with trio.move_on_after(_CHOOSER_WAIT):
        return await choosers.next()
    return None


async def drop_files(
    session: CdpSession,
    point: Point,
    files: Sequence[Path],
    is_taken: Callable[[], Awaitable[bool]],
) -> bool:
    """Drag files over a point and drop them if the page accepts them.

    The browser would open a file after a drop that the page does not accept.
    """
    data = _NO_DATA | {"files": [str(file) for file in files]}
    return await carry_data(session, data, point, [point], is_taken)
