"""The focus of the page, and single keys pressed there."""

from collections.abc import Collection

import attrs
import trio

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.frames import SeenFrame
from charlotte.actors.tab.page_connection import HANG_AFTER
from charlotte.browser.input import Key, Modifier, press

_FOCUS_WAIT = 0.5

Stroke = tuple[Key, Collection[Modifier]]


@attrs.frozen
class Focus:
    """The frame that has the focus, the number of its focused element, and whether it takes text.

    ``frame`` is None if the page did not answer in time; text is taken for possible then.
    """

    frame: SeenFrame | None = None
    nid: int = 0
    takes_text: bool = True

    @property
    def field_frame(self) -> SeenFrame | None:
        """The frame of the field that has the focus."""
        return self.frame if self.takes_text else None


async def find_focus(tab: TabActor) -> Focus:
    """Return the focus, also in a child frame."""
    frame = tab.frames.main
    with trio.move_on_after(_FOCUS_WAIT):
        while "frame" in (answer := await tab.frames.ask(frame, "typing")):
            child = frame.children.get(answer["frame"])
            if child is None:
                return Focus()
            frame = child
        return Focus(frame, answer.get("nid", 0), bool(answer.get("takes", True)))
    return Focus()


async def press_stroke(tab: TabActor, stroke: Stroke, *, hold: float = 0.0) -> None:
    """Press and release a key, held for ``hold`` seconds, while modifiers are held."""
    key, modifiers = stroke
    async with tab.page.answering(HANG_AFTER + hold):
        await press(tab.page.session, key, modifiers, hold=hold)
