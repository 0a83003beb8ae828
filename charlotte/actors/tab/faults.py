"""Errors for callers whose tab or browser ends during a call, or does not answer."""

from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TypeVar

import trio

from charlotte.actors.state.records import TabRecord
from charlotte.errors import CharlotteError, ConnectionLost, SessionProblem, TabNotFound
from charlotte.protocol.errors import SessionGone, TargetGone

S = TypeVar("S")

ENDING_WAIT = 1.0
"""Seconds from the end of the last page to the end of a browser that was asked to end."""

_VERDICT_WAIT = 5.0
_LONGEST_QUOTE = 200


class BlockedByDialog(SessionProblem):
    """A dialog blocks the page of a call: nothing was done if it ``opened_before`` the call."""

    def __init__(self, record: TabRecord, *, opened_before: bool = False) -> None:
        self.record = record
        self.opened_before = opened_before
        self.dialog = record.dialog
        about = f" ({self.dialog.type})" if self.dialog else ""
        quoted = f": {self.dialog.message[:_LONGEST_QUOTE]!r}" if self.dialog else ""
        super().__init__(
            f"A dialog{about} blocks {record.id}{quoted}."
            + (" Nothing was done." if opened_before else ""),
            "Answer it with dialog{accept: true|false}, then repeat the call.",
            {"pending_dialog": self.dialog.as_json()} if self.dialog else None,
        )


@asynccontextmanager
async def ended_by_owner(actor: AbstractAsyncContextManager[S]) -> AsyncGenerator[S]:
    """Open an actor of a page, and wait at the page's end until the owner ends the actor.

    Chromium closes its pages before it ends. Only the owner knows whether the page or the browser
    ended, and answers the callers accordingly.
    """
    try:
        async with actor as state:
            yield state
    except* (SessionGone, TargetGone):
        await trio.sleep(_VERDICT_WAIT)  # noqa: ASYNC120 - cancelled: the owner has decided
        raise


def connection_lost() -> ConnectionLost:
    """Return the error for callers of tabs when the browser ends during their calls."""
    return ConnectionLost(
        "The browser ended while this ran; whether it happened is not known.",
        "The browser is being started again and its tabs come back. Observe, then go on.",
    )


def closed(record: TabRecord) -> TabNotFound:
    """Return the error for callers of a closed tab."""
    return TabNotFound(f"{record.id} was closed.", "Call tabs for the tabs that are open.")


def not_restored(record: TabRecord, error: CharlotteError, pause: float) -> SessionProblem:
    """Return the error for callers of a tab that a new browser could not open yet."""
    return SessionProblem(
        f"{record.id} could not be reopened after a restart of the browser: {error.message}",
        f"Charlotte tries again in {pause:.0f} s. Repeat the call then, or close the tab.",
    )


def closed_by_page(record: TabRecord) -> TabNotFound:
    """Return the error for callers whose tab closed itself while they waited."""
    opener = record.opener
    return TabNotFound(
        f"{record.id} was closed by its page before it could answer: a click that closes a window, "
        "as logins do, has been done then.",
        f"Observe {opener.id}, which had opened it."
        if opener and opener.id in record.session.tabs
        else "Call tabs for the tabs that are open.",
    )
