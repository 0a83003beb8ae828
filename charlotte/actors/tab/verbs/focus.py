"""The focus of the page, and single keys pressed there."""

from collections.abc import Awaitable, Callable
from typing import Literal

import attrs
import trio

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.frames import ProbeAnswer, SeenFrame
from charlotte.actors.tab.page.page_connection import HANG_AFTER
from charlotte.base.errors import ElementNotInteractive, PolicyRefused
from charlotte.browser.input.input import NAMED, Stroke, press
from charlotte.page.identity.references import DocumentNode

Then = Literal["", "more", "last"]
"""Which keys follow in the same field."""
IS_GUARDED = True
_CLIPBOARD_KEYS = {"KeyC", "KeyX", "KeyV", "Insert", "Delete"}


@attrs.frozen
class Focus:
    """The frame that has the focus, and what its probe says of the element there.

    ``frame`` is None if the page did not answer in time, and in ``is_unknown`` frames; text is
    taken for possible then. ``facts`` are ``nid``, ``takes`` for an element that takes text, and
    ``secret`` or ``line`` for a password field or one of a single line.
    """

    frame: SeenFrame | None = None
    facts: ProbeAnswer = attrs.field(factory=lambda: {"takes": 1})
    is_unknown: bool = False

    @property
    def takes_text(self) -> bool:
        """Whether typed text goes into a field."""
        return bool(self.facts.get("takes"))

    @property
    def field_frame(self) -> SeenFrame | None:
        """The frame of the field that has the focus."""
        return self.frame if self.takes_text else None


async def find_focus(tab: TabActor) -> Focus:
    """Return the focus, also in a child frame."""
    frame = tab.frames.main
    with trio.move_on_after(0.5):
        while "frame" in (answer := await tab.frames.ask(frame, "typing")):
            child = frame.children.get(answer["frame"])
            if child is None:
                return Focus(is_unknown=True)
            frame = child
        return Focus(frame, answer)
    return Focus()


async def check_may_type(tab: TabActor, *, moves_focus: bool = False) -> None:
    """Raise `PolicyRefused` if a policy refuses to type into the field that has the focus.

    The field is not known if the keys that are held together also move the focus.
    """
    is_read_only = tab.record.session.settings.config.rules.is_read_only
    if not is_read_only:
        return
    focus = await find_focus(tab)
    if moves_focus or focus.frame is None or "secret" in focus.facts:
        raise PolicyRefused(
            "Policy rule 'read-only' refuses to type into a password field.",
            "Leave the password to a person, or use another page.",
        )


async def press_strokes(tab: TabActor, *strokes: Stroke, hold: float = 0.0) -> None:
    """Press keys, hold them down for ``hold`` seconds, and release them."""
    is_chord = len(strokes) > 1 or any(modifiers for _, modifiers in strokes)
    uses_clip = is_chord and any(key.code in _CLIPBOARD_KEYS for key, _ in strokes)
    if uses_clip or any(key.text and key is not NAMED["Enter"] for key, _ in strokes):
        await check_may_type(tab, moves_focus=any(key is NAMED["Tab"] for key, _ in strokes))
    if uses_clip:
        frame, clip = (await find_focus(tab)).frame or tab.frames.main, tab.record.clip
        await tab.frames.ask(frame, "useClip", clip.text, clip.html)
    async with tab.page.answering(HANG_AFTER + hold):
        await press(tab.page.session, *strokes, hold=hold)


# ---------------------------------------------------------------------------- guarded keys


@attrs.frozen
class Guarded:
    """Keys for one element, or for what they move the focus to; the probe withholds them elsewhere.

    ``focus`` is the probe's function that focuses the element and begins to guard it, ``clear``
    whether the keys replace its text.
    """

    tab: TabActor
    place: DocumentNode
    name: str
    focus: Literal["focus", "focusText"] = "focusText"
    clear: bool = False

    @property
    def frame(self) -> SeenFrame:
        """The frame of the element."""
        return self.tab.frames.frame_of(self.place) or self.tab.frames.main

    async def is_frame_focused(self) -> bool:
        """Return whether no other frame has the focus."""
        focus = await find_focus(self.tab)
        if focus.frame is None:
            return not focus.is_unknown
        return focus.frame.world.frame_id == self.frame.world.frame_id

    async def send(
        self,
        count: int,
        send: Callable[[int], Awaitable[object]] | None = None,
        *,
        then: Then = "",
    ) -> None:
        """Send keys, from a number on; if something else takes the focus, put it back once.

        The guard is over, unless ``more`` keys follow, or the ``last`` one. Raises
        `ElementNotInteractive` if the focus is taken again.
        """
        start = 0
        for is_again in (True, False):
            if send is not None:
                await send(start)
            answer = await self.tab.frames.ask_unless_leaving(self.frame, "guarded", then)
            by = await self._find_other_focus(answer, then)
            start += (answer or {}).get("typed", count)
            if by is None or (start >= count and then != "last"):
                return
            if is_again and answer is not None:
                options = (self.clear and not start,) if self.focus == "focusText" else ()
                await self.tab.frames.ask_node(self.place, self.focus, *options, IS_GUARDED)
        when = f"after {start} of {count} keys" if count else "before Enter, which was not pressed"
        raise ElementNotInteractive(
            f"{by} took the focus from {self.name} {when}.",
            "See with observe what took it and deal with that, then repeat the call.",
        )

    async def _find_other_focus(self, answer: ProbeAnswer | None, then: Then) -> str | None:
        """Return what has the focus instead of the element; None if that does not matter."""
        if answer is None:
            return "Another page" if then == "last" else None
        if answer and "by" not in answer and not await self.is_frame_focused():
            return "Another frame"
        return answer.get("by")
