"""Waiting until a page is as wanted: the frames' probes tell when what they see has changed.

How it works: every frame is asked what it sees, and answers when that is not what it said before,
or at the end of a slice of time; so is the frame of the element. New documents and frames are
asked as they come. JavaScript is run only while everything else holds.
"""

import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any

import attrs
import trio

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_queries import Answer
from charlotte.actors.tab.page_connection import HANG_AFTER
from charlotte.actors.tab.wait_conditions import ABSENT, Known, Sightings, Standing, Wanted
from charlotte.browser.evaluate import is_true
from charlotte.browser.frame_worlds import FrameWorld
from charlotte.browser.isolated_world import answer_of, question
from charlotte.errors import (
    CharlotteError,
    DeadlineExceeded,
    DocumentChanged,
    ElementNotFound,
    EvaluationFailed,
    NotCompiled,
    TabHung,
)
from charlotte.page.identity.dom_book import DocumentNode
from charlotte.progress import stage
from charlotte.protocol.errors import ProtocolError, SessionGone
from charlotte.redaction import Secrets

_SLICE_MS = 1000
_LOOK_AGAIN_MS = 250
_PAUSE = 0.1
_SILENT = HANG_AFTER + _SLICE_MS / 1000


@attrs.define(eq=False)
class Watch:
    """Keeps what is known of a page until it is as wanted.

    ``js_error`` is what its JavaScript last raised; ``js_runs`` stays set when it was cut short.
    """

    tab: Tab
    wanted: Wanted
    js_error: str = ""
    js_runs: bool = False
    _documents: int = 0
    _seen: dict[FrameWorld, Sightings] = attrs.field(factory=dict[FrameWorld, Sightings])
    _standing: Standing | None = None
    _place: DocumentNode | None = None
    _failure: CharlotteError | None = None
    _changed: trio.Event = attrs.field(factory=trio.Event)

    async def until_met(self, deadline: float) -> None:
        """Wait; raises what ends the wait early, such as `TabHung` or `NotCompiled`."""
        begun, self._documents = trio.current_time(), self.tab.page.activity.documents
        async with trio.open_nursery() as nursery:
            if self.wanted.of_frames:
                nursery.start_soon(self._guarded, self._follow_frames)
            if self.wanted.element_id is not None:
                nursery.start_soon(self._guarded, self._follow_element)
            stage(f"letting {self.wanted.time:.0f} s pass")
            await trio.sleep_until(begun + self.wanted.time)
            await self._guarded(partial(self._until_all_hold, deadline))
            nursery.cancel_scope.cancel("met, or failed")
        if self._failure is not None:
            raise self._failure

    def unmet(self) -> list[str]:
        """What does not hold now, in words; the JavaScript is not asked."""
        activity, frames = self.tab.page.activity, self.tab.page.frames.all()
        seen = [self._seen[world] for world in frames if world in self._seen]
        is_same = activity.documents == self._documents
        known = Known(
            seen=seen,
            standing=self._standing,
            all_asked=len(seen) == len(frames) > 0,
            all_there=is_same or activity.reached("DOMContentLoaded"),
        )
        return known.unmet(self.wanted)

    async def _guarded(self, work: Callable[[], Awaitable[None]]) -> None:
        """Keep an answer that ends the wait: out of a nursery it would come as a crash."""
        try:
            await work()
        except SessionGone:  # the tab is ending, and this wait with it
            await trio.sleep_forever()
        except CharlotteError as error:
            self._failure = error
            self._tell()

    def _tell(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    async def _until_all_hold(self, deadline: float) -> None:
        while self._failure is None:
            changed, unmet = self._changed, self.unmet()
            stage("; ".join(unmet) or "everything but js holds")
            if not unmet and await self._js_holds(deadline) and await self._all_at_once():
                return
            with trio.move_on_after(_PAUSE):
                await changed.wait()

    async def _all_at_once(self) -> bool:
        """Whether it all holds now, and not just one after the other."""
        if self.wanted.count > 1:
            for world in self.tab.page.frames.all() if self.wanted.of_frames else ():
                self._seen[world] = self._read(await self._seen_in(world, "", 0))
            if self._place and await self._standing_at(self._place, "", 0) is None:
                return False
        return not self.unmet()

    async def _js_holds(self, deadline: float) -> bool:
        if self.wanted.js is None:
            return True
        await self._arrived()
        left = max(round((deadline - trio.current_time()) * 1000), 1)
        holds, self.js_runs = False, True
        try:
            holds = await is_true(self.tab.page.session, self.wanted.js, timeout_ms=left)
            self.js_error = ""
        except (NotCompiled, SessionGone):
            raise
        except (EvaluationFailed, DeadlineExceeded, ProtocolError) as error:
            self.js_error = error.message
        self.js_runs = False
        return holds

    async def _arrived(self) -> None:
        """Until no document is on its way: before, the browser holds back what a page is asked."""
        activity = self.tab.page.activity
        await activity.until(lambda: activity.navigating_to is None)

    async def _follow_frames(self) -> None:
        frames, followed = self.tab.page.frames, set[FrameWorld]()
        async with trio.open_nursery() as nursery:
            while True:
                present = set(frames.all())
                for world in present - followed:
                    nursery.start_soon(self._guarded, partial(self._follow_frame, world))
                followed = present
                self._tell()
                await frames.change()

    async def _follow_frame(self, world: FrameWorld) -> None:
        frames, known = self.tab.page.frames, ""
        while frames.get(world.frame_id) == world:
            await self._arrived()
            answer = await self._seen_in(world, known, _SLICE_MS)
            if answer != known:
                known, self._seen[world] = answer, self._read(answer)
                self._tell()

    async def _seen_in(self, world: FrameWorld, known: str, ms: int) -> str:
        """What a frame's probe says; what it said before, or nothing, when it cannot be asked."""
        page = self.tab.page
        asked_for = {**self.wanted.of_frames, "reach": self._secrets.reach}
        asked = question(world.context, "watch", asked_for, known, ms)
        try:
            if world.frame_id != page.activity.main_frame:
                with trio.move_on_after(_SILENT):
                    return str(answer_of(await world.session.call(asked)))
                return ""
            async with page.answering(_SILENT):
                return str(answer_of(await world.session.call(asked)))
        except TabHung:
            if not self.js_runs:
                raise
        except DeadlineExceeded:  # a navigation has begun, which may come to nothing
            pass
        except ProtocolError:  # the document is gone; a tab that is gone ends us by itself
            page.frames.forget(world)
        return known

    async def _follow_element(self) -> None:
        reference = self.wanted.element_id or ""
        is_known = self.tab.references.is_known(reference)
        activity = self.tab.page.activity
        while True:
            documents = activity.documents
            place = await self._found(reference)
            is_known = is_known or place is not None
            if not is_known:
                raise self.tab.references.missing(reference)
            was_there = place is not None and await self._follow_node(place)
            if not was_there and documents == activity.documents:
                self._place = None
                self._stand(ABSENT)
                await self._page_changes()

    async def _follow_node(self, place: DocumentNode) -> bool:
        """Keep up with a node until it is gone; False when it was so from the beginning."""
        known, self._place = "", place
        while (answer := await self._standing_at(place, known, _SLICE_MS)) is not None:
            self._stand(Standing(**answer))
            known = json.dumps(answer, separators=(",", ":"))
        return known != ""

    def _stand(self, standing: Standing) -> None:
        self._standing = standing
        self._tell()

    async def _found(self, reference: str) -> DocumentNode | None:
        """Where the element is on the page as it is now."""
        while True:
            try:
                await self.tab.view()
                return await self.tab.references.place(reference)
            except (ElementNotFound, DocumentChanged):
                return None
            except DeadlineExceeded:  # another document is on its way
                await self._arrived()

    async def _standing_at(self, place: DocumentNode, known: str, ms: int) -> Answer | None:
        while True:
            try:
                return await self.tab.on_place(place, "standing", known, ms)
            except DeadlineExceeded:  # a navigation has begun, which may come to nothing
                await self._arrived()

    async def _page_changes(self) -> None:
        with suppress(DeadlineExceeded):
            await self.tab.on_page("changed", _LOOK_AGAIN_MS)

    @property
    def _secrets(self) -> Secrets:
        return self.tab.record.session.settings.secrets

    def _read(self, answer: str) -> Sightings:
        seen: dict[str, Any] = json.loads(answer) if answer else {}
        return Sightings(**{name: self._secrets.shows(value) for name, value in seen.items()})
