"""The focus of the page, and single keys pressed there."""

import attrs
import trio

from charlotte.actors.tab.actor import TabActor
from charlotte.actors.tab.page.frames import SeenFrame
from charlotte.actors.tab.page.page_connection import HANG_AFTER
from charlotte.base.errors import PolicyRefused
from charlotte.browser.input.input import NAMED, Stroke, press

_FOCUS_WAIT = 0.5
_CLIPBOARD_KEYS = {"KeyC", "KeyX", "KeyV", "Insert", "Delete"}


@attrs.frozen
class Focus:
    """The frame that has the focus, the number of its focused element, and whether it takes text.

    ``frame`` is None if the page did not answer in time; text is taken for possible then.
    ``is_secret`` is set for a password field, None if that is unknown.
    """

    frame: SeenFrame | None = None
    nid: int = 0
    takes_text: bool = True
    is_secret: bool | None = None

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
        is_secret = bool(answer.get("secret"))
        return Focus(frame, answer.get("nid", 0), bool(answer.get("takes", True)), is_secret)
    return Focus()


async def check_may_type(tab: TabActor, *, moves_focus: bool = False) -> None:
    """Raise `PolicyRefused` if a policy refuses to type into the field that has the focus.

    The field is not known if the keys that are held together also move the focus.
    """
    is_read_only = tab.record.session.settings.config.rules.is_read_only
    if is_read_only and (moves_focus or (await find_focus(tab)).is_secret is not False):
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
