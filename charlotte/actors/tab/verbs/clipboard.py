"""The verbs of clipboard: copy, cut and paste as the page does, in a clipboard of their context.

Each session has one for each of its contexts. The browser has one for all, which is neither read
nor changed.
"""

import trio

from charlotte.actors.state.context_record import Clip
from charlotte.actors.tab.actor import Look, TabActor
from charlotte.actors.tab.verbs.focus import check_may_type, find_focus
from charlotte.base.errors import ElementNotInteractive


async def read(tab: TabActor) -> Look:
    """Look at the page, also for what it has copied in the meantime."""
    return await tab.act(trio.lowlevel.checkpoint)


async def copy(tab: TabActor, *, cut: bool = False) -> Look:
    """Copy or cut the selection as the page writes it, and look at the page then."""

    async def act() -> None:
        frame = (await find_focus(tab)).frame or tab.frames.main
        answer = await tab.frames.ask(frame, "copySelection", cut)
        clip = Clip(answer.get("text", ""), answer.get("html", ""))
        if clip == Clip():
            raise ElementNotInteractive(
                "Nothing is selected.", "Select text first, such as with select_text."
            )
        tab.record.clip = clip

    return await tab.act(act)


async def paste(tab: TabActor, clip: Clip | None = None) -> Look:
    """Paste where the focus is, and look at the page then; ``clip`` replaces the clipboard."""
    clip = tab.record.clip = clip or tab.record.clip
    if clip == Clip():
        raise ElementNotInteractive("The clipboard is empty.", "Pass text, or copy something.")
    is_pasted = False

    async def act() -> None:
        nonlocal is_pasted
        await check_may_type(tab)
        frame = (await find_focus(tab)).frame or tab.frames.main
        await tab.frames.ask(frame, "waitForTyping")
        answer = await tab.frames.ask(frame, "pasteClip", clip.text, clip.html)
        is_pasted = bool(answer.get("pasted"))

    look = await tab.act(act)
    if is_pasted or (look.delta is not None and look.delta.changes):
        return look
    return look.with_note(
        "Nothing that has the focus takes the paste: click a field first, or use type."
    )
