"""Putting text into a field, in the way the field takes it."""

from charlotte.actors.tab import Tab
from charlotte.browser.input import press, type_text
from charlotte.browser.keys import NAMED, chord
from charlotte.errors import InvalidArgument
from charlotte.tools.aiming import check, checked
from charlotte.tools.checking import note_difference

_PATIENCE = 30.0
PER_CHARACTER = 0.1
"""Seconds that a character may take."""


async def enter(
    tab: Tab, reference: str, text: str, *, clear: bool = True, pause: float = 0.0
) -> None:
    """Type into a field, or set one that takes a date, a time, a colour or a number on a scale."""
    answer = checked(await tab.on_element(reference, "focusText", clear), reference)
    if "set" in answer:
        await set_value(tab, reference, text)
        return
    if (
        clear and answer.get("editor") == "around"
    ):  # what is selected in the control is not its text
        async with tab.page.answering():
            await press(tab.page.session, *chord("Control+a", ()))
    await write(tab, text, clear=clear, pause=pause)
    if "editor" in answer:
        await note_difference(tab, reference, text, replaced=clear)


async def write(tab: Tab, text: str, *, clear: bool = False, pause: float = 0.0) -> None:
    """Type where the caret is; what is selected is replaced, with ``clear`` even by nothing."""
    async with tab.page.answering(_PATIENCE + PER_CHARACTER * len(text)):
        if clear and not text:
            await press(tab.page.session, NAMED["Delete"])
        await type_text(tab.page.session, text, pause=pause)


async def set_value(tab: Tab, reference: str, text: str, *, only_check: bool = False) -> None:
    """Set a field that is not typed into; raises `InvalidArgument` with the format it takes."""
    answer = await tab.on_element(reference, "setValue", text, only_check)
    if answer.get("error") == "format":
        raise InvalidArgument(
            f"{reference} does not take {text!r}.", f"It takes {answer['takes']}."
        )
    check(answer, reference)
