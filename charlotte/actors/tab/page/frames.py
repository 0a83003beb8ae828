"""The frames of a page: their captures, and questions to their probes.

How captures work: all frames that the last look found are asked together with the main frame. Which
frame lies in an iframe is asked of the browser only when the iframe is new or its frame is gone.
A frame that does not answer delays no capture by more than `FRAMES_WAIT` seconds.
"""

import itertools
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, cast

import attrs
import trio

from charlotte.actors.tab.page.page_connection import HANG_AFTER, MOST_FRAMES, LivePage
from charlotte.base.errors import DeadlineExceeded
from charlotte.browser.world.isolated_world import (
    GONE,
    FrameWorld,
    ProbeFailed,
    Withheld,
    answer_of,
    hand_over_closed,
    nodes_of,
    read_answer,
)
from charlotte.page.capture import (
    FRAME,
    Capture,
    FrameCapture,
    Placement,
    RecordCache,
    compose_number,
    content_box,
    frame_name,
    join_frames,
    parse_answer,
    parse_suspects,
    split_number,
)
from charlotte.page.identity.references import DocumentNode
from charlotte.page.model import Bounds, Node
from charlotte.page.tokens import plural
from charlotte.protocol.connection import Pending
from charlotte.protocol.errors import ContextGone, ProtocolError, SessionGone
from charlotte.protocol.runtime import Evaluated

FRAMES_WAIT = 2.0
MOST_ROWS = 20_000
"""Rows of elements per document; of more, those that are interactive are only counted."""

_SILENT_WAIT = 0.1
"""Seconds for a frame that did not answer the last time either."""
_NESTED_ROOTS = 5
_ANSWERED_WAIT = 0.01

ProbeAnswer = dict[str, Any]
Outcome = Literal["hit", "missed", "lost", "slipped", "hidden", "strayed"]
"""Outcome of a press.

A press is lost if none of its events arrived in the document of its element, slipped if its release
hit another element, and strayed if the second press of a double click did.
"""

_QUIET_WAIT = 1.5
"""Seconds that frames may take to settle after the main frame."""

_UNSEEN = {"frames": 0, "arrival": False}
_SLICE = 1.0
"""Seconds after which the probe answers, whether the page has settled or not."""

_LEFT = ("later", "animation", "every")
_STILL: ProbeAnswer = {"settled": True, "waited": []}
_SILENT: ProbeAnswer = {**_STILL, "settled": False, "why": "a frame does not answer"}

_WAIT = HANG_AFTER * 2
_PLACES = {"target", "box", "describe", "scrollBy"}
_INTO_FIELDS = {"focus", "focusText", "choose", "chooseLate", "setValue", "field", "send"}
"""Functions that change a field: not while a dialog of the page around its frame covers it."""

_SCROLLED = "frames_scrolled"
_LAZY = "is loaded only once it is scrolled to"
_UNLOADED = "is not loaded"
_MOST_NAMES = 5


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

    @property
    def row(self) -> Node | None:
        """The row of the iframe around the frame."""
        parent = self.parent.capture if self.parent else None
        return parent.by_nid.get(self.owner) if parent else None

    @property
    def name(self) -> str:
        """The quoted name of the frame for notices."""
        url = self.capture.url if self.capture else ""
        return repr(frame_name(self.row.name if self.row else "", url, ""))

    @property
    def viewport(self) -> tuple[int, int]:
        """The size of the frame's viewport as last captured."""
        return self.capture.viewport if self.capture else (0, 0)

    def forget(self, world: FrameWorld) -> None:
        """Drop the capture, for another document."""
        self.world, self.capture, self.rows, self.children = world, None, (), {}

    def whole(self, capture: Capture) -> FrameCapture:
        """Return the frame's capture with the captures of its child frames."""
        inside = {
            nid: child.whole(child.capture) for nid, child in self.children.items() if child.capture
        }
        return FrameCapture(self.number, capture, inside)


class PageFrames:
    """The captures of a page by frame, and questions to the probes of the frames.

    ``notices`` name the frames that are left out, ``most`` limits the elements of this document.
    """

    def __init__(self, page: LivePage) -> None:
        self.page = page
        self.main = SeenFrame(FrameWorld(page.session, page.activity.main_frame, ""))
        self.notices: list[str] = []
        self._left_out = defaultdict[str, list[str]](list)
        self._numbers: dict[str, int] = {}
        self._owners: dict[int, int] = {}
        self._versions = itertools.count(1)
        self.most = MOST_ROWS
        self._lazy = False
        self._full = ""
        self._cache = RecordCache()
        self._joined: Capture | None = None
        self._joined_from: list[int] = []

    async def capture(self, *, lazy: bool = False) -> Capture:
        """Capture the page with all of its frames; return the same object if nothing has changed.

        A ``lazy`` capture does not read a long document again if nothing has changed in it.
        """
        self.notices, self._lazy = [], lazy
        self._left_out.clear()
        for frame in self.shown():
            # a frame that hangs is asked again once it answers
            if not (frame.silent and frame.asked and not frame.asked.settled.is_set()):
                frame.asked = None
            await self._begin(frame)
        capture = await self._read(
            self.main, lambda main: self.page.capture(self._capture_options(main))
        )
        world = self.page.frames.get(self.page.frames.main_frame)
        context = world.context if world else ""
        self.main.world = attrs.evolve(self.main.world, context=context)
        if self.main.rows or self.main.children:
            await self._descend()
            self.notices += [note_left_out(names, why) for why, names in self._left_out.items()]
        versions = [frame.version for frame in (self.main, *self.shown()) if frame.capture]
        if self._joined is None or versions != self._joined_from:
            self._joined = join_frames(self.main.whole(capture), self._cache)
            self._joined_from = versions
        return self._joined

    def shown(self) -> list[SeenFrame]:
        """Return all child frames of the last capture."""
        found = list(self.main.children.values())
        for frame in found:
            found += frame.children.values()
        return found

    def placed(self) -> Iterator[tuple[SeenFrame, Placement]]:
        """Yield the captured frames in document order, each placed in the main frame."""
        left = [(self.main, Placement())]
        while left:
            frame, placement = left.pop()
            yield frame, placement
            inside = [
                (child, placement.inside(content_box(row), child.viewport))
                for row in frame.rows
                if (child := frame.children.get(row.nid)) and child.capture
            ]
            left += reversed(inside)

    def by_number(self, number: int) -> SeenFrame | None:
        """Return the frame whose document has that number in the last capture."""
        return next((one for one in (self.main, *self.shown()) if one.number == number), None)

    def find(self, place: DocumentNode) -> tuple[SeenFrame, int] | None:
        """Return the frame of a node and the node's number there; None if the frame is gone."""
        number, nid = split_number(place.nid)
        if number == 0:
            return SeenFrame(attrs.evolve(self.main.world, context=place.context)), nid
        frame = self.by_number(number) if place.context == self.main.world.context else None
        return None if frame is None else (frame, nid)

    def frame_of(self, place: DocumentNode) -> SeenFrame | None:
        """Return the frame of a node; None if it is gone."""
        found = self.find(place)
        return found[0] if found else None

    def in_main(self, number: int) -> int:
        """Return the number of a node in the main frame, or of the iframe around it.

        Also for a frame that is gone; 0 if it was never known.
        """
        frame, nid = split_number(number)
        return nid if frame == 0 else self.in_main(self._owners.get(frame, 0))

    def _capture_options(self, frame: SeenFrame) -> dict[str, Any]:
        """Return the options of a capture; the probe does not repeat the known part."""
        known = frame.capture.answer if frame.capture else ""
        return {"known": known, "most": self.most} | ({"lazy": True} if self._lazy else {})

    async def _read(self, frame: SeenFrame, ask: Callable[[SeenFrame], Awaitable[str]]) -> Capture:
        """Capture a frame, and once more with each level of closed shadow roots in it."""
        for attempt in itertools.count():
            text, before = await ask(frame), frame.capture
            frame.capture = capture = parse_answer(text, before)
            if capture is not before:
                frame.version = next(self._versions)
                frame.rows = tuple(node for node in capture.nodes if node.kind == FRAME)
            if before is None or before.document != capture.document:
                frame.children = {}
                if frame is self.main:
                    self._numbers.clear()
                    self._owners.clear()
                    self.most = MOST_ROWS
            suspects, world = parse_suspects(text), self.page.frames.get(frame.world.frame_id)
            has_opened = False
            if attempt < _NESTED_ROOTS and suspects and world:
                with trio.move_on_after(FRAMES_WAIT):
                    has_opened = await hand_over_closed(world, suspects)
            if not has_opened:
                if capture.skipped:
                    self.notices.append(
                        f"{capture.skipped} {plural(capture.skipped, 'part')} of the page, such as "
                        "those below 600 levels, are not read or searched: "
                        'observe{selector, mode: "content"} reads them.'
                    )
                return capture
        raise AssertionError  # the loop above ends with a return

    async def _descend(self) -> None:
        """Capture the frames in the main frame, level by level."""
        deadline = trio.current_time() + FRAMES_WAIT
        room, level = MOST_FRAMES, [self.main]
        while level:
            for frame in level:
                with trio.move_on_at(max(deadline, trio.current_time() + _ANSWERED_WAIT)):
                    await self._link(frame, frame.rows[:room])
                if (more := len(frame.rows) - room) > 0:
                    self.notices.append(
                        f"Only {MOST_FRAMES} frames are looked into; {more} more, and what is in "
                        "them, are left out."
                    )
                room = max(room - len(frame.rows), 0)
            level = [child for frame in level for child in frame.children.values()]
            for child in level:
                await self._begin(child)
            for child in level:
                await self._finish(child, deadline)
            level = [child for child in level if child.capture]

    async def _link(self, parent: SeenFrame, rows: Sequence[Node]) -> None:
        """Find the frames in those iframes of a parent whose frame is unknown."""
        before = parent.children
        parent.children = {
            row.nid: child
            for row in rows
            if (child := before.get(row.nid)) and self.page.frames.get(child.world.frame_id)
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

    async def _begin(self, frame: SeenFrame) -> None:
        """Ask a frame for its capture, if it has a document and none is due."""
        world = self.page.frames.get(frame.world.frame_id)
        if frame.asked is None and world is not None:
            await self._ask_capture(frame, world)

    async def _ask_capture(self, frame: SeenFrame, world: FrameWorld) -> Pending[Evaluated]:
        if world != frame.world:
            frame.forget(world)
            await world.wake()
        frame.asked = await world.begin("capture", self._capture_options(frame))
        return frame.asked

    async def _finish(self, frame: SeenFrame, deadline: float) -> None:
        """Wait for a frame's capture; add a notice if it fails."""
        if frame.silent:
            deadline = min(deadline, trio.current_time() + _SILENT_WAIT)
        is_lazy = frame.row is not None and "lazy" in frame.row.extra
        if frame.asked is None and (frame.silent or is_lazy):
            self._left_out[_LAZY if is_lazy else _UNLOADED].append(frame.name)
            return
        failure = "does not answer"
        with trio.move_on_at(max(deadline, trio.current_time() + _ANSWERED_WAIT)) as scope:
            try:
                capture = await self._read(frame, self._answer)
            except (ProbeFailed, ProtocolError) as error:
                failure = f"could not be read: {error}"
            except Withheld:
                failure = "is of a site that is not granted"
            else:
                frame.number = self._numbers.setdefault(capture.document, len(self._numbers) + 1)
                parent = frame.parent.number if frame.parent else 0
                self._owners[frame.number] = compose_number(parent, frame.owner)
                failure = ""
        frame.silent = scope.cancelled_caught
        if failure:
            why = _UNLOADED if frame.silent and frame.asked is None else failure
            self._left_out[why].append(frame.name)
            frame.forget(frame.world)

    async def _answer(self, frame: SeenFrame) -> str:
        """Return the capture, of the next document if this document is replaced."""
        while True:
            asked = frame.asked
            if asked is None:
                world = await self.page.frames.wait(frame.world.frame_id)
                asked = await self._ask_capture(frame, world)
            try:
                text: str = answer_of(await asked.result())
            except GONE:
                self.page.frames.forget(frame.world)
            else:
                if not frame.silent:
                    return text
                frame.silent = False  # this was true when it was asked, which is long ago
            finally:
                if asked.settled.is_set():
                    frame.asked = None

    async def ask(self, frame: SeenFrame, function: str, *arguments: object) -> ProbeAnswer:
        """Ask the probe of one frame; return {error: "gone"} if its document was replaced."""
        world = frame.world
        try:
            if frame.parent is None:
                return await self.page.ask_in(world.context, function, *arguments)
            with trio.move_on_after(_WAIT):
                return await read_answer(await world.begin(function, *arguments))
        except (ContextGone, SessionGone) as error:
            if frame.parent is None and isinstance(error, SessionGone):
                raise
            return {"error": "gone"}  # the frame may have moved to another process
        raise DeadlineExceeded(
            f"The frame of this element has not answered for {_WAIT:.0f} s.",
            "Wait and try again, or observe what else is on the page.",
        )

    async def ask_node(
        self, place: DocumentNode, function: str, *arguments: object
    ) -> ProbeAnswer | None:
        """Ask the probe about a node; return None if the node or its document is gone.

        Points and boxes are in px of the main frame's viewport.
        """
        if (found := self.find(place)) is None:
            return None
        answer = await self._ask_translated(*found, function, *arguments)
        if answer.pop(_SCROLLED, None):  # the frame is drawn, and can be hit, only once in view
            answer = await self._ask_translated(*found, function, *arguments)
        return None if answer.get("error") == "gone" else answer

    async def ask_nodes(self, function: str, numbers: Iterable[int]) -> dict[int, Any]:
        """Return a row of the probe for each of these nodes that is not gone."""
        rows: dict[int, Any] = {}
        for frame, nids in self.group(numbers):
            answer = await self.ask(frame, function, nids)
            answered = zip(nids, answer.get("rows", ()), strict=False)
            rows |= {compose_number(frame.number, nid): row for nid, row in answered if row}
        return rows

    def group(self, numbers: Iterable[int]) -> list[tuple[SeenFrame, list[int]]]:
        """Return the frames of nodes, each with the probe's numbers of its nodes."""
        by_frame: dict[int, list[int]] = {}
        for number in numbers:
            frame, nid = split_number(number)
            by_frame.setdefault(frame, []).append(nid)
        return [(seen, nids) for n, nids in by_frame.items() if (seen := self.by_number(n))]

    async def _ask_translated(
        self, frame: SeenFrame, nid: int, function: str, *arguments: object
    ) -> ProbeAnswer:
        """Ask a frame's probe; translate the point or box to the main frame."""
        covered = await self._find_cover(frame) if function in _INTO_FIELDS else {}
        if covered and function != "field":
            return covered
        answer = await self.ask(frame, function, nid, *arguments)
        if "over" in answer:
            answer["over"] = [compose_number(frame.number, over) for over in answer["over"]]
        answer |= covered
        options = [cast("ProbeAnswer", each) for each in arguments if isinstance(each, dict)]
        is_press = any(each.get("press", False) for each in options)
        while function in _PLACES and (parent := frame.parent) and "error" not in answer:
            width, height = frame.viewport
            if "x" in answer:
                point = {"x": answer["x"], "y": answer["y"], "width": width, "height": height}
                point["press"] = is_press
                outside = await self.ask(parent, "framePoint", frame.owner, point)
                answer |= outside | ({_SCROLLED: True} if "scrolled" in outside else {})
            elif answer.get("box"):
                content = await self.ask(parent, "content", frame.owner)
                if "error" in content:
                    return content
                placement = Placement().inside(Bounds(*content["box"]), frame.viewport)
                box = placement.of(Bounds(*answer["box"]))
                answer["box"] = [box.x, box.y, box.w, box.h]
            frame = parent
        return answer

    async def _find_cover(self, frame: SeenFrame) -> ProbeAnswer:
        """Return the error of a frame that a modal dialog of a document around it covers, or {}."""
        while parent := frame.parent:
            answer = await self.ask(parent, "cover", frame.owner)
            if answer.get("error") == "covered":
                over = [compose_number(parent.number, nid) for nid in answer["over"]]
                return {**answer, "over": over}
            frame = parent
        return {}

    async def outcome(self, place: DocumentNode) -> Outcome:
        """Return the outcome of a press on a node; a press that starts a navigation is a hit."""
        outcome: Outcome = "hit"
        frame = self.frame_of(place)
        while frame is not None and outcome in {"hit", "lost"}:
            answer = await self.ask_unless_leaving(frame, "pressOutcome")
            if answer and answer["outcome"] != "hit":  # a press lost here may be kept outside
                outcome = answer["outcome"]
            frame = frame.parent
        return outcome

    async def ask_unless_leaving(
        self, frame: SeenFrame, function: str, *arguments: object
    ) -> ProbeAnswer | None:
        """Ask a frame's probe about input; return None if its document is gone or leaving.

        During a navigation, the browser holds questions back.
        """
        asked = await frame.world.begin(function, *arguments)
        async with self.page.answering():
            while self.page.activity.navigating_to is None:
                with trio.move_on_after(0.05):
                    try:
                        return await read_answer(asked)
                    except GONE:
                        return None
        return None

    async def settle(self, function: str, how: Mapping[str, Any]) -> str:
        """Ask all frames whether they have settled; return the joint answer.

        Frames outside the window, which the browser does not draw, are only asked for their timers.
        """
        drawn, asked = set[str](), set[FrameWorld]()
        width, height = self.main.viewport
        for frame, placement in self.placed():
            area = placement.of(Bounds(0, 0, *frame.viewport))
            if -area.w < area.x < width and -area.h < area.y < height:
                drawn.add(frame.world.frame_id)

        async def ask_new() -> list[Pending[Evaluated]]:
            # also of new frames, without those that hang
            silent = {frame.world.frame_id for frame in self.shown() if frame.silent}
            others = {self.page.activity.main_frame, *silent}
            worlds = [world for world in self.page.frames.all() if world.frame_id not in others]
            worlds = [world for world in worlds[:MOST_FRAMES] if world not in asked]
            asked.update(worlds)
            return [
                await world.begin(function, {**how, **extra})
                for world in worlds
                for extra in [{} if world.frame_id in drawn else _UNSEEN]
            ]

        begun = await ask_new()
        whole = await self.page.ask(function, how, takes=_SLICE)
        with trio.move_on_after(_QUIET_WAIT) as scope:
            while begun := begun or await ask_new():
                try:
                    part = await read_answer(begun.pop())
                except GONE:
                    part = _STILL
                _join(whole, part)
        if scope.cancelled_caught:
            _join(whole, _SILENT)
        if whole.get("prints"):
            self.page.record.notify(["The page asked to print: pdf saves it as a file."])
        before, self._full = self._full, whole.get("full", "")
        if before != self._full:
            state = f": {self._full}" if self._full else " has ended"
            self.page.record.notify([f"Full screen{state}."])
        return json.dumps(whole)


def _join(whole: ProbeAnswer, part: ProbeAnswer) -> None:
    """Add the answer of one frame to the joint answer."""
    if not part["settled"] and whole["settled"]:
        whole["why"] = part.get("why", "a frame kept changing")
    whole["settled"] = whole["settled"] and part["settled"]
    whole["more"] = whole.get("more", False) or part.get("more", False)
    whole["waited"] = list(dict.fromkeys(whole["waited"] + part["waited"]))
    whole["prints"] = whole.get("prints", False) or part.get("prints", False)
    for name in ("vanished", "updated", "visual", "copied"):
        whole[name] = whole.get(name, []) + part.get(name, [])
    for name in _LEFT:
        whole[name] = min((ms for one in (whole, part) if (ms := one.get(name))), default=0)


def note_left_out(names: Sequence[str], why: str = "does not answer") -> str:
    """Return the notice on frames that are left out for one reason."""
    if len(names) == 1:
        return f"The frame {names[0]} {why}; its content is left out."
    more = f" and {len(names) - _MOST_NAMES} more" * (len(names) > _MOST_NAMES)
    some = ", ".join(names[:_MOST_NAMES])
    return f"The content of {len(names)} frames is left out, {some}{more}: each {why}."
