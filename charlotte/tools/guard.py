"""Runs a tool on a tab so that a dialog, already open or opening meanwhile, never blocks it."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import trio

from charlotte.actors.tab.actor import Tab
from charlotte.browser.input import arrived
from charlotte.errors import SessionProblem
from charlotte.tools.answer import Answer
from charlotte.tools.pages import dialog_answer

R = TypeVar("R")
Work = Callable[[Tab], Awaitable[Answer[R]]]
Blocked = Callable[[Tab], Answer[Any]]

_INPUT_TAKES = 1.0
"""Seconds that a page may take for input that nobody waits for any more."""


async def guarded(
    tab: Tab, work: Work[R], blocked: Blocked | None = None
) -> Answer[R] | Answer[Any]:
    """Do the work, or answer with the dialog that blocks the page.

    Work for which nothing else answers (``blocked``) raises `SessionProblem` when a dialog was
    open before it began.
    """
    if dialog := tab.record.dialog:
        if blocked is not None:
            return blocked(tab)
        raise SessionProblem(
            f"A dialog ({dialog.type}) blocks {tab.record.id}: {dialog.message[:200]!r}. "
            "Nothing was done.",
            "Answer it with dialog{accept: true|false}, then repeat the call.",
            {"pending_dialog": dialog.as_json()},
        )
    with tab.drawing.wanted():
        answer = await tab.page.until_dialog(_in_turn(tab, work))
    return answer if answer is not None else (blocked or dialog_answer)(tab)


async def _in_turn(tab: Tab, work: Work[R]) -> Answer[R]:
    """Do the work once the page has had all input, also that of calls which were left."""
    if not tab.record.hung:
        with trio.move_on_after(_INPUT_TAKES):
            await arrived(tab.page.session)
    return await work(tab)
