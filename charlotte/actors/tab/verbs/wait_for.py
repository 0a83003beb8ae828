"""Verb that waits for conditions on a page, which are checked again and again.

JavaScript runs only while all other conditions hold.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Literal

import attrs
import trio

from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.page.page_reader import is_known
from charlotte.actors.tab.verbs.evaluate import abandon_script
from charlotte.base.errors import (
    CharlotteError,
    DeadlineExceeded,
    DocumentChanged,
    ElementNotFound,
    EvaluationFailed,
    NotCompiled,
    ellipsize,
)
from charlotte.base.progress import stage
from charlotte.browser.evaluate import is_true
from charlotte.browser.world.isolated_world import FrameWorld, read_answer
from charlotte.protocol.connection import Pending
from charlotte.protocol.errors import ProtocolError, SessionGone
from charlotte.protocol.runtime import Evaluated

_PAUSE = 0.1
"""Longest wait in seconds for a change of the main document: frames are checked then, too."""
_PAUSE_FACTOR = 4
"""Least pause between checks, as a multiple of the duration of a check."""
_FRAMES_WAIT = 0.1
"""Seconds for the answers of child frames; later ones count at the next check."""
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
    if tab.present_view is None:  # nothing is known to compare a document on its way with
        with trio.move_on_at(deadline):
            await watch.wait_for_arrival()
    unmet: list[str] = []
    held = False

    async def wait() -> None:
        nonlocal held
        with trio.move_on_at(deadline):
            held = await watch.until_met(deadline)
            return
        problem = watch.js_error and f" ({watch.js_error})"
        unmet.extend(watch.unmet() or [f"js is not true{problem}"])
        if url := tab.page.activity.navigating_to:
            raise build_timeout_error(seconds, [*unmet, f"{url} is still on its way"])

    look = await tab.diff_during(wait, since_report=True)
    if held and not wanted.time and not (look.delta and look.delta.changes):
        look = look.with_note("The conditions held already.")
    return look, unmet


def build_timeout_error(seconds: float, unmet: Sequence[str]) -> DeadlineExceeded:
    """Return the error for conditions that did not hold in time."""
    return DeadlineExceeded(
        f"Timed out after {seconds * 1000:.0f} ms waiting for: {'; '.join(unmet)}.",
        "Observe the page, then wait for another condition or longer.",
        {"unmet": unmet},
    )


@attrs.define(eq=False)
class _Watch:
    """The wait for conditions on a page, and the state of the page at the last check.

    ``js_error`` is the last error of the JavaScript.
    """

    tab: TabActor
    wanted: WaitConditions
    js_error: str = ""
    _documents: int = 0
    _asked: dict[FrameWorld, Pending[Evaluated]] = attrs.field(
        factory=dict[FrameWorld, Pending[Evaluated]]
    )
    _seen: dict[FrameWorld, _FrameState] = attrs.field(factory=dict[FrameWorld, _FrameState])
    _element: ElementState | None = None

    async def until_met(self, deadline: float) -> bool:
        """Wait; return whether the first check succeeded.

        Raises errors that end the wait early, such as `TabHung` or `NotCompiled`.
        """
        self._documents, end = self.tab.page.activity.documents, trio.current_time()
        end += self.wanted.time
        reference = self.wanted.element_id
        if reference is not None and not is_known(self.tab.record, reference):
            await self.tab.locate(reference, "elementState")  # raises
        if self.wanted.selector is not None:
            await self.wait_for_arrival()
            await self.tab.find_matches(self.wanted.selector, 0)  # raises
        stage(f"letting {self.wanted.time:.0f} s pass")
        await trio.sleep_until(end)
        is_first = True
        while True:
            await self.wait_for_arrival()
            begun = trio.current_time()
            try:
                if await self._holds(deadline):
                    return is_first
            except SessionGone:  # the tab is ending, and this wait with it
                await trio.sleep_forever()
            except DeadlineExceeded:  # a navigation has begun, which may be cancelled
                pass
            await self._pause(begun)
            is_first = False

    async def _pause(self, begun: float) -> None:
        """Leave the page to itself after a check, unless a navigation held the check back."""
        activity = self.tab.page.activity
        with trio.move_on_after(_PAUSE_FACTOR * (trio.current_time() - begun)):
            await activity.until(lambda: activity.departed > begun)
        with trio.move_on_after(_PAUSE), suppress(CharlotteError, ProtocolError):
            await self.tab.page.ask("changed", 1000 * _PAUSE)

    async def _holds(self, deadline: float) -> bool:
        await self._check()
        unmet = self.unmet()
        stage("; ".join(unmet) or "everything but js holds")
        if unmet or self.wanted.js is None:
            return not unmet
        if not await self._js_holds(deadline):
            return False
        await self._check()  # all conditions must hold at the same time
        return not self.unmet()

    def unmet(self) -> list[str]:
        """Describe the conditions that did not hold at the last check, without ``js``.

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

    async def _check(self) -> None:
        if self.wanted.of_frames:
            await self._check_frames()
        if self.wanted.element_id is not None:
            await self._check_element(self.wanted.element_id)

    async def _check_frames(self) -> None:
        """Ask the probes of all frames; a child frame that hangs keeps its last state."""
        page, secrets = self.tab.page, self.tab.record.session.settings.secrets
        worlds = page.frames.all()
        for world in worlds:
            if world not in self._asked:
                asked_for = {**self.wanted.of_frames, "reach": secrets.reach}
                self._asked[world] = await world.begin("conditions", asked_for)
        main = page.frames.get(page.activity.main_frame)
        if main in worlds:
            async with page.answering():
                await self._asked[main].settled.wait()
        with trio.move_on_after(_FRAMES_WAIT):
            for world in worlds:
                await self._asked[world].settled.wait()
        for world in worlds:
            if self._asked[world].settled.is_set():
                try:
                    seen = await read_answer(self._asked.pop(world))
                except ProtocolError:  # the document is gone
                    page.frames.forget(world)
                else:
                    self._seen[world] = {name: secrets.shows(seen[name]) for name in seen}

    async def _check_element(self, reference: str) -> None:
        activity = self.tab.page.activity
        documents = activity.documents
        try:
            _, answer = await self.tab.locate(reference, "elementState")
            self._element = ElementState(**answer)
        except (ElementNotFound, DocumentChanged):
            if documents == activity.documents:
                self._element = _ABSENT

    async def _js_holds(self, deadline: float) -> bool:
        await self.wait_for_arrival()
        left = max(round((deadline - trio.current_time()) * 1000), 1)
        try:
            holds = await is_true(self.tab.page.session, self.wanted.js or "", timeout_ms=left)
        except trio.Cancelled:
            await abandon_script(self.tab)  # noqa: ASYNC102 - shields and bounds itself
            raise
        except (NotCompiled, SessionGone):
            raise
        except (EvaluationFailed, DeadlineExceeded, ProtocolError) as error:
            self.js_error = error.message
            return False
        self.js_error = ""
        return holds

    async def wait_for_arrival(self) -> None:
        """Wait while a document is on its way: until then, the browser holds back all questions."""
        activity = self.tab.page.activity
        await activity.until(lambda: activity.navigating_to is None)
