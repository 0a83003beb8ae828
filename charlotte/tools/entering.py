"""Putting text into a field, in the way the field takes it."""

from charlotte.actors.tab.actor import Tab
from charlotte.actors.tab.frame_queries import ask_frame
from charlotte.actors.tab.frame_tree import SeenFrame
from charlotte.browser.input import press, type_text
from charlotte.browser.keys import NAMED, chord
from charlotte.errors import InvalidArgument
from charlotte.page.frames import split_number
from charlotte.tools.aiming import check
from charlotte.tools.checking import note_difference

_LONG = 200
"""Characters from which a text is pasted."""
_PASTED = 10_000
_PATIENCE = 30.0
PER_CHARACTER = 0.1
"""Seconds that a character may take."""


async def enter(
    tab: Tab, reference: str, text: str, *, clear: bool = True, pause: float = 0.0
) -> None:
    """Type into a field, or set one that takes a date, a time, a colour or a number on a scale."""
    place, answer = await tab.locate(reference, "focusText", clear)
    check(answer, reference)
    if "set" in answer:
        await set_value(tab, reference, text)
        return
    if answer.get("editor") == "around":  # the caret of the control is not the editor's
        async with tab.page.answering():
            await press(tab.page.session, *chord("Control+a" if clear else "Control+End", ()))
    frame = tab.frames.frame(split_number(place.nid)[0], place.context)
    await write(tab, text, clear=clear, pause=pause, frame=frame)
    if "editor" in answer:
        await note_difference(tab, reference, text, replaced=clear)


async def write(
    tab: Tab,
    text: str,
    *,
    clear: bool = False,
    pause: float = 0.0,
    frame: SeenFrame | None = None,
) -> None:
    """Type where the caret is; what is selected is replaced, with ``clear`` even by nothing.

    Into the ``frame`` that has the focus, a long text is pasted between its first and its last
    character if that takes it; into an editor of code, a long text or several lines are pasted
    whole, because keys would close brackets and indent lines there.
    """
    text = text.replace("\r\n", "\n")
    is_long = len(text) >= _LONG and not pause
    has_lines = "\n" in text.rstrip("\n") and not pause
    async with tab.page.answering(_PATIENCE + PER_CHARACTER * len(text)):
        if clear and not text:
            await press(tab.page.session, NAMED["Delete"])
        if frame is not None and (is_long or has_lines):
            text = await _paste(tab, frame, text, only_code=True)
        if frame is not None and is_long and text:
            await type_text(tab.page.session, text[0], pause=pause)
            text = await _paste(tab, frame, text[1:-1]) + text[-1]
        await type_text(tab.page.session, text, pause=pause)


async def _paste(tab: Tab, frame: SeenFrame, text: str, *, only_code: bool = False) -> str:
    """Paste a text, with ``only_code`` into nothing but editors of code; return what is left."""
    for start in range(0, len(text), _PASTED):
        part = text[start : start + _PASTED]
        answer = await ask_frame(tab.page, frame, "paste", part, only_code)
        if not answer.get("pasted", False):
            return text[start:]
    return ""


async def set_value(tab: Tab, reference: str, text: str, *, only_check: bool = False) -> None:
    """Set a field that is not typed into; raises `InvalidArgument` with the format it takes."""
    answer = await tab.on_element(reference, "setValue", text, only_check)
    if answer.get("error") == "format":
        raise InvalidArgument(
            f"{reference} does not take {text!r}.", f"It takes {answer['takes']}."
        )
    check(answer, reference)
    if key := answer.get("key"):
        async with tab.page.answering():
            await press(tab.page.session, NAMED[key])
        by_key = False  # sets it only where the page has not let the key do so
        await tab.on_element(reference, "setValue", text, only_check, by_key)
