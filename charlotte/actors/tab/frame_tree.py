"""The documents of a page as last captured: the main frame's, and those of the frames seen in it.

How it works: all frames that the last look found are asked together with the main frame. Which
frame lies in an iframe is asked of the browser only when the iframe is new or its frame is gone.
A frame that does not answer delays no capture by more than `FRAMES_WAIT` seconds.
"""

import itertools
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Any

import attrs
import trio

from charlotte.actors.tab.page_connection import LivePage
from charlotte.browser.isolated_world import (
    GONE,
    FrameWorld,
    ProbeFailed,
    answer_of,
    hand_over_closed,
    nodes_of,
    question,
)
from charlotte.page.capture import Capture, Node, parse_answer, parse_suspects
from charlotte.page.frames import (
    FRAME,
    FrameCapture,
    FrameNodeCache,
    Placement,
    compose_number,
    content_box,
    frame_name,
    join_frames,
    split_number,
)
from charlotte.protocol.connection import Pending
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.runtime import Evaluated

FRAMES_WAIT = 2.0
MOST_FRAMES = 50
MOST_ROWS = 20_000
"""Rows of elements per document; of more, those that are interactive are only counted."""

_ALL = 10**9
_SILENT_WAIT = 0.1
"""Seconds for a frame that did not answer the last time either."""
_NESTED_ROOTS = 5
_ANSWERED_WAIT = 0.01


@attrs.define(eq=False)
class SeenFrame:
    """A frame as last captured; ``number`` is its document's, 0 the main frame's.

    ``owner`` is the number of its iframe in the parent; ``asked`` a capture that is still due;
    ``version`` changes with every new capture.
    """

    world: FrameWorld
    parent: "SeenFrame | None" = None
    owner: int = 0
    number: int = 0
    capture: Capture | None = None
    version: int = 0
    rows: tuple[Node, ...] = ()
    children: "dict[int, SeenFrame]" = attrs.field(factory=dict[int, "SeenFrame"])
    asked: Pending[Evaluated] | None = None
    silent: bool = False

    def forget(self, world: FrameWorld) -> None:
        """Drop the capture, for another document."""
        self.world, self.capture, self.rows, self.children = world, None, (), {}

    def whole(self, capture: Capture) -> FrameCapture:
        """Return the frame's capture with the captures of its child frames."""
        inside = {
            nid: child.whole(child.capture) for nid, child in self.children.items() if child.capture
        }
        return FrameCapture(self.number, capture, inside)


class FrameTree:
    """The captures of a page by frame; ``notices`` name the frames that are left out."""

    def __init__(self, page: LivePage) -> None:
        self._page = page
        self._numbers: dict[str, int] = {}
        self._owners: dict[int, int] = {}
        self._versions = itertools.count(1)
        self._most = MOST_ROWS
        self._lazy = False
        self._carried = FrameNodeCache()
        self._joined: Capture | None = None
        self._joined_from: list[int] = []
        self.main = SeenFrame(FrameWorld(page.session, page.activity.main_frame, ""))
        self.notices: list[str] = []

    async def capture(self, *, lazy: bool = False) -> Capture:
        """Capture the page with all of its frames; return the same object if nothing has changed.

        A ``lazy`` capture does not read a long document again if nothing has changed in it.
        """
        self.notices, self._lazy = [], lazy
        for frame in self.shown():
            await self._begin_again(frame)
        capture = await self._read(self.main, self._page_answer)
        self.main.world = attrs.evolve(self.main.world, context=self._page.world.context or "")
        if self.main.rows or self.main.children:
            await self._descend()
        versions = [frame.version for frame in (self.main, *self.shown()) if frame.capture]
        if self._joined is None or versions != self._joined_from:
            self._joined = join_frames(self.main.whole(capture), self._carried)
            self._joined_from = versions
        return self._joined

    def shown(self) -> list[SeenFrame]:
        """Return all child frames of the last capture."""
        found = list(self.main.children.values())
        for frame in found:
            found += frame.children.values()
        return found

    @property
    def viewport(self) -> tuple[int, int]:
        """The size of the page's viewport as last captured."""
        return self.main.capture.viewport if self.main.capture else (0, 0)

    def by_number(self, number: int) -> SeenFrame | None:
        """Return the frame whose document has that number in the last capture."""
        return next((one for one in (self.main, *self.shown()) if one.number == number), None)

    def frame(self, number: int, context: str) -> SeenFrame | None:
        """Return the frame of a document; ``context`` names the main frame's document."""
        if number == 0:
            return SeenFrame(attrs.evolve(self.main.world, context=context))
        return self.by_number(number) if context == self.main.world.context else None

    def in_main(self, number: int) -> int:
        """Return the number of a node in the main frame, or of the iframe around it.

        Also for a frame that is gone; 0 if it was never known.
        """
        frame, nid = split_number(number)
        return nid if frame == 0 else self.in_main(self._owners.get(frame, 0))

    def take_all(self) -> None:
        """Capture every element of this document from now on, however many there are."""
        self._most = _ALL

    def _capture_options(self, frame: SeenFrame) -> dict[str, Any]:
        """Return the options of a capture; the probe does not repeat the known part."""
        known = frame.capture.answer if frame.capture else ""
        return {"known": known, "most": self._most} | ({"lazy": True} if self._lazy else {})

    async def _page_answer(self, main: SeenFrame) -> str:
        return await self._page.capture(self._capture_options(main))

    async def _read(self, frame: SeenFrame, ask: Callable[[SeenFrame], Awaitable[str]]) -> Capture:
        """Capture a frame, and once more with each level of closed shadow roots in it."""
        text = await ask(frame)
        capture = self._take(frame, text)
        for _ in range(_NESTED_ROOTS):
            if not await self._open_closed(frame, parse_suspects(text)):
                break
            text = await ask(frame)
            capture = self._take(frame, text)
        return capture

    async def _open_closed(self, frame: SeenFrame, suspects: Sequence[int]) -> bool:
        world = self._page.frames.get(frame.world.frame_id)
        if not suspects or world is None:
            return False
        with trio.move_on_after(FRAMES_WAIT):
            return await hand_over_closed(world, suspects)
        return False

    def _take(self, frame: SeenFrame, text: str) -> Capture:
        before = frame.capture
        frame.capture = capture = parse_answer(text, before)
        if capture is before:
            return capture
        frame.version = next(self._versions)
        frame.rows = tuple(node for node in capture.nodes if node.kind == FRAME)
        if before is None or before.document != capture.document:
            frame.children = {}
            if frame is self.main:
                self._numbers.clear()
                self._most = MOST_ROWS
                self._owners.clear()
        return capture

    async def _descend(self) -> None:
        """Capture the frames in the main frame, level by level."""
        deadline = trio.current_time() + FRAMES_WAIT
        room, level = MOST_FRAMES, [self.main]
        while level:
            for frame in level:
                with trio.move_on_at(max(deadline, trio.current_time() + _ANSWERED_WAIT)):
                    await self._link(frame, frame.rows[:room])
                self._say_cut(len(frame.rows) - room)
                room = max(room - len(frame.rows), 0)
            level = [child for frame in level for child in frame.children.values()]
            for child in level:
                await self._begin(child)
            for child in level:
                await self._finish(child, deadline)
            level = [child for child in level if child.capture]

    async def _link(self, parent: SeenFrame, rows: Sequence[Node]) -> None:
        """Find the frames in a parent's iframes, where they are not known any more."""
        before = parent.children
        parent.children = {
            row.nid: child
            for row in rows
            if (child := before.get(row.nid)) and self._page.frames.get(child.world.frame_id)
        }
        new = [row.nid for row in rows if row.nid not in parent.children]
        if not new:
            return
        for nid, node in zip(new, await nodes_of(parent.world, new), strict=True):
            child, frame_id = before.get(nid), node.frame_id if node else None
            if frame_id is not None:
                if child is None or child.world.frame_id != frame_id:
                    child = SeenFrame(FrameWorld(parent.world.session, frame_id, ""), parent, nid)
                parent.children[nid] = child

    async def _begin_again(self, frame: SeenFrame) -> None:
        """Ask a frame for a new capture; a frame that hangs is asked again once it answers."""
        if not (frame.silent and frame.asked and not frame.asked.settled.is_set()):
            frame.asked = None
        await self._begin(frame)

    async def _begin(self, frame: SeenFrame) -> None:
        """Ask a frame for its capture, if it has a document and none is due."""
        world = self._page.frames.get(frame.world.frame_id)
        if frame.asked is None and world is not None:
            await self._ask(frame, world)

    async def _ask(self, frame: SeenFrame, world: FrameWorld) -> Pending[Evaluated]:
        if world != frame.world:
            frame.forget(world)
            await world.wake()
        frame.asked = await world.begin(
            question(world.context, "capture", self._capture_options(frame))
        )
        return frame.asked

    async def _finish(self, frame: SeenFrame, deadline: float) -> None:
        """Wait for a frame's capture; add a notice if it fails."""
        if frame.silent:
            deadline = min(deadline, trio.current_time() + _SILENT_WAIT)
        failure = "does not answer"
        with trio.move_on_at(max(deadline, trio.current_time() + _ANSWERED_WAIT)) as scope:
            try:
                capture = await self._read(frame, self._answer)
            except (ProbeFailed, ProtocolError) as error:
                failure = f"could not be read: {error}"
            else:
                frame.number = self._numbers.setdefault(capture.document, len(self._numbers) + 1)
                parent = frame.parent.number if frame.parent else 0
                self._owners[frame.number] = compose_number(parent, frame.owner)
                failure = ""
        frame.silent = scope.cancelled_caught
        if failure:
            self.notices.append(left_out(frame, failure))
            frame.forget(frame.world)

    async def _answer(self, frame: SeenFrame) -> str:
        """Return the capture, of the next document if this document is replaced."""
        while True:
            asked = frame.asked
            if asked is None:
                asked = await self._ask(frame, await self._page.frames.wait(frame.world.frame_id))
            try:
                text: str = answer_of(await asked.result())
            except GONE:
                self._page.frames.forget(frame.world)
            else:
                if not frame.silent:
                    return text
                frame.silent = False  # this was true when it was asked, which is long ago
            finally:
                if asked.settled.is_set():
                    frame.asked = None

    def _say_cut(self, more: int) -> None:
        if more > 0:
            self.notices.append(
                f"Only {MOST_FRAMES} frames are looked into; {more} more, and what is in them, "
                "are left out."
            )


def all_frames(tree: FrameTree) -> Iterator[tuple[SeenFrame, Placement]]:
    """Yield the frames of the last capture in document order, placed in the main frame."""
    yield tree.main, Placement()
    yield from _placed(tree.main, Placement())


def _placed(parent: SeenFrame, around: Placement) -> Iterator[tuple[SeenFrame, Placement]]:
    """Yield the captured frames in a parent, placed in the main frame."""
    for row in parent.rows:
        child = parent.children.get(row.nid)
        if child is not None and child.capture is not None:
            placement = around.inside(content_box(row), child.capture.viewport)
            yield child, placement
            yield from _placed(child, placement)


def left_out(frame: SeenFrame, why: str = "does not answer") -> str:
    """Return the notice on a frame that is left out."""
    parent = frame.parent.capture if frame.parent else None
    row = parent.by_nid.get(frame.owner) if parent else None
    name = frame_name(row.name if row else "", frame.capture.url if frame.capture else "", "")
    return f"The frame {name!r} {why}; its content is left out."
