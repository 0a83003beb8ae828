"""Verb that waits for conditions on a page; the probes of the frames report changes.

Each frame's probe is asked for its state, and answers when that differs from the known state, or at
the end of a time slice; so does the frame of the element. New documents and frames are asked as
they arrive. JavaScript runs only while all other conditions hold.
"""

import json
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Literal

import attrs
import trio

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.evaluate import abandon_script
from charlotte.actors.tab.frames import ProbeAnswer
from charlotte.actors.tab.page_connection import HANG_AFTER
from charlotte.actors.tab.page_reader import is_known
from charlotte.browser.evaluate import is_true
from charlotte.browser.isolated_world import FrameWorld, answer_of, question
from charlotte.errors import (
    CharlotteError,
    DeadlineExceeded,
    DocumentChanged,
    ElementNotFound,
    EvaluationFailed,
    NotCompiled,
    TabHung,
    ellipsize,
)
from charlotte.page.identity.references import DocumentNode
from charlotte.progress import stage
from charlotte.protocol.errors import ProtocolError, SessionGone

_SLICE_MS = 1000
_LOOK_AGAIN_MS = 250
_PAUSE = 0.1
_SILENT = HANG_AFTER + _SLICE_MS / 1000
_LONGEST = 100

State = Literal["visible", "hidden", "enabled", "disabled", "exists", "removed"]


@attrs.frozen(kw_only=True)
class WaitConditions:
    """Conditions that must hold at once, None for those not given; ``time`` is in seconds."""

    element_id: str | None = None
    state: State = "exists"
    text: str | None = None
    text_gone: str | None = None
    selector: str | None = None
    js: str | None = None
    time: float = 0.0

    @property
    def of_frames(self) -> dict[str, str]:
        """The conditions that each frame's probe checks, by the probe's names."""
        asked = {"text": self.text, "gone": self.text_gone, "selector": self.selector}
        return {name: value for name, value in asked.items() if value is not None}


_FrameState = dict[str, bool]
"""Whether one frame shows the texts, and has an element for the selector, by the probe's names."""


@attrs.frozen
class ElementState:
    """The state of an element."""

    shown: bool
    enabled: bool
    there: bool = True

    @property
    def description(self) -> str:
        """The state as a clause."""
        if not self.there:
            return "it is not on the page"
        shown = "shown" if self.shown else "hidden"
        return f"it is {shown} and {'enabled' if self.enabled else 'disabled'}"


_ABSENT = ElementState(shown=False, enabled=False, there=False)

_STATES: dict[State, tuple[Callable[[ElementState], bool], str]] = {
    "visible": (lambda element: element.shown, "is not visible"),
    "hidden": (lambda element: not element.shown, "is not hidden"),
    "enabled": (lambda element: element.enabled, "is not enabled"),
    "disabled": (lambda element: element.there and not element.enabled, "is not disabled"),
    "exists": (lambda element: element.there, "does not exist"),
    "removed": (lambda element: not element.there, "was not removed"),
}
"""The test of each state, and how to describe that it fails."""

_UNMET = {
    "text": "the text {} is not shown",
    "gone": "the text {} is still shown",
    "selector": "the selector {} finds nothing",
}
"""Descriptions of unmet conditions, by the names that the probe gives them."""


async def wait_for(
    tab: TabActor, wanted: WaitConditions, seconds: float
) -> tuple[Look, Sequence[str]]:
    """Wait until all conditions hold, at most so many seconds, and look at the page.

    Also returns descriptions of the conditions that did not hold in time. Raises
    `InvalidArgument` for a selector that is not CSS.
    """
    deadline = trio.current_time() + seconds
    watch = _Watch(tab, wanted)
    if wanted.selector is not None:
        await tab.find_matches(wanted.selector, 0)
    unmet: list[str] = []

    async def wait() -> None:
        try:
            with trio.move_on_at(deadline):
                await watch.until_met(deadline)
                return
            problem = watch.js_error and f" ({watch.js_error})"
            unmet.extend(watch.unmet() or [f"js is not true{problem}"])
            if url := tab.page.activity.navigating_to:
                raise build_timeout_error(seconds, [*unmet, f"{url} is still on its way"])
        finally:
            if watch.js_runs:
                await abandon_script(tab)  # noqa: ASYNC102 - shields and bounds itself

    return await tab.diff_during(wait, since_report=True), unmet


def build_timeout_error(seconds: float, unmet: Sequence[str]) -> DeadlineExceeded:
    """Return the error for conditions that did not hold in time."""
    return DeadlineExceeded(
        f"Timed out after {seconds * 1000:.0f} ms waiting for: {'; '.join(unmet)}.",
        "Observe the page, then wait for another condition or longer.",
        {"unmet": unmet},
    )


@attrs.define(eq=False)
class _Watch:
    """The wait for conditions on a page, and the state of the page so far.

    ``js_error`` is the last error of the JavaScript; ``js_runs`` stays set if it was cancelled.
    """

    tab: TabActor
    wanted: WaitConditions
    js_error: str = ""
    js_runs: bool = False
    _documents: int = 0
    _seen: dict[FrameWorld, _FrameState] = attrs.field(factory=dict[FrameWorld, _FrameState])
    _element: ElementState | None = None
    _place: DocumentNode | None = None
    _failure: CharlotteError | None = None
    _changed: trio.Event = attrs.field(factory=trio.Event)

    async def until_met(self, deadline: float) -> None:
        """Wait; raises errors that end the wait early, such as `TabHung` or `NotCompiled`."""
        begun, self._documents = trio.current_time(), self.tab.page.activity.documents
        async with trio.open_nursery() as nursery:
            if self.wanted.of_frames:
                nursery.start_soon(self._keep_errors, self._follow_frames)
            if self.wanted.element_id is not None:
                nursery.start_soon(self._keep_errors, self._follow_element)
            stage(f"letting {self.wanted.time:.0f} s pass")
            await trio.sleep_until(begun + self.wanted.time)
            await self._keep_errors(partial(self._until_all_hold, deadline))
            nursery.cancel_scope.cancel("met, or failed")
        if self._failure is not None:
            raise self._failure

    def unmet(self) -> list[str]:
        """Describe the conditions that do not hold now, without ``js``.

        Until the document is parsed, missing elements and texts may still arrive.
        """
        wanted, activity, frames = self.wanted, self.tab.page.activity, self.tab.page.frames.all()
        seen = [self._seen[world] for world in frames if world in self._seen]
        is_complete = len(seen) == len(frames) > 0
        is_parsed = activity.documents == self._documents or activity.reached("DOMContentLoaded")
        unmet: list[str] = []
        if wanted.element_id is not None:
            element = self._element or _ABSENT
            holds, problem = _STATES[wanted.state]
            is_known = self._element is not None and (element.there or is_parsed)
            if not (is_known and holds(element)):
                unmet.append(f"{wanted.element_id} {problem}: {element.description}")
        for name, text in wanted.of_frames.items():
            holds_in_frames = any(frame.get(name, False) for frame in seen)
            if name == "gone":
                holds_in_frames = is_complete and is_parsed and not holds_in_frames
            if not holds_in_frames:
                unmet.append(_UNMET[name].format(repr(ellipsize(text, _LONGEST))))
        return unmet

    async def _keep_errors(self, work: Callable[[], Awaitable[None]]) -> None:
        """Keep an error that ends the wait: a nursery would turn it into an exception group."""
        try:
            await work()
        except SessionGone:  # the tab is ending, and this wait with it
            await trio.sleep_forever()
        except CharlotteError as error:
            self._failure = error
            self._wake()

    def _wake(self) -> None:
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
        """Check all conditions once more: they must hold at the same time."""
        wanted = self.wanted
        if len(wanted.of_frames) + (wanted.element_id is not None) + (wanted.js is not None) > 1:
            for world in self.tab.page.frames.all() if wanted.of_frames else ():
                self._seen[world] = self._read(await self._read_frame(world, "", 0))
            if self._place and await self._read_element(self._place, "", 0) is None:
                return False
        return not self.unmet()

    async def _js_holds(self, deadline: float) -> bool:
        if self.wanted.js is None:
            return True
        await self._wait_for_arrival()
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

    async def _wait_for_arrival(self) -> None:
        """Wait while a document is on its way: until then, the browser holds back all questions."""
        activity = self.tab.page.activity
        await activity.until(lambda: activity.navigating_to is None)

    async def _follow_frames(self) -> None:
        frames, followed = self.tab.page.frames, set[FrameWorld]()
        async with trio.open_nursery() as nursery:
            while True:
                present = set(frames.all())
                for world in present - followed:
                    nursery.start_soon(self._keep_errors, partial(self._follow_frame, world))
                followed = present
                self._wake()
                await frames.change()

    async def _follow_frame(self, world: FrameWorld) -> None:
        frames, known = self.tab.page.frames, ""
        while frames.get(world.frame_id) == world:
            await self._wait_for_arrival()
            answer = await self._read_frame(world, known, _SLICE_MS)
            if answer != known:
                known, self._seen[world] = answer, self._read(answer)
                self._wake()

    async def _read_frame(self, world: FrameWorld, known: str, ms: int) -> str:
        """Return the answer of a frame's probe; if it cannot answer, the known answer or ""."""
        page = self.tab.page
        reach = self.tab.record.session.settings.secrets.reach
        asked_for = {**self.wanted.of_frames, "reach": reach}
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
        except DeadlineExceeded:  # a navigation has begun, which may be cancelled
            pass
        except ProtocolError:  # the document is gone; the end of the tab cancels this task
            page.frames.forget(world)
        return known

    async def _follow_element(self) -> None:
        reference = self.wanted.element_id or ""
        was_known = is_known(self.tab.record, reference)
        activity = self.tab.page.activity
        while True:
            documents = activity.documents
            place = await self._find(reference)
            was_known = was_known or place is not None
            if not was_known:
                raise self.tab.missing(reference)
            was_there, known, self._place = False, "", place or self._place
            while place and (answer := await self._read_element(place, known, _SLICE_MS)):
                was_there, self._element = True, ElementState(**answer)
                self._wake()
                known = json.dumps(answer, separators=(",", ":"))
            if not was_there and documents == activity.documents:
                self._place, self._element = None, _ABSENT
                self._wake()
                with suppress(DeadlineExceeded):
                    await self.tab.page.ask("changed", _LOOK_AGAIN_MS)

    async def _find(self, reference: str) -> DocumentNode | None:
        """Find the element on the present page."""
        while True:
            try:
                await self.tab.view()
                return await self.tab.resolve(reference)
            except (ElementNotFound, DocumentChanged):
                return None
            except DeadlineExceeded:  # another document is on its way
                await self._wait_for_arrival()

    async def _read_element(self, place: DocumentNode, known: str, ms: int) -> ProbeAnswer | None:
        while True:
            try:
                return await self.tab.frames.ask_node(place, "elementState", known, ms)
            except DeadlineExceeded:  # a navigation has begun, which may be cancelled
                await self._wait_for_arrival()

    def _read(self, answer: str) -> _FrameState:
        seen: dict[str, Any] = json.loads(answer) if answer else {}
        secrets = self.tab.record.session.settings.secrets
        return {name: secrets.shows(value) for name, value in seen.items()}
