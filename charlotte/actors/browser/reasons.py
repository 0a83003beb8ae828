"""The errors for callers whose tab or browser has ended."""

from charlotte.actors.state.records import TabRecord
from charlotte.base.errors import (
    CharlotteError,
    ConnectionLost,
    NavigationBlocked,
    SessionProblem,
    TabCrashed,
    TabNotFound,
    WindowClosed,
)


def connection_lost() -> ConnectionLost:
    """Return the error for callers of tabs when the browser ends during their calls."""
    return ConnectionLost(
        "The browser ended while this ran; whether it happened is not known.",
        "The browser is being started again and its tabs come back. Observe, then go on.",
    )


def not_restored(record: TabRecord, error: CharlotteError, pause: float) -> SessionProblem:
    """Return the error for callers of a tab that a new browser could not open yet."""
    return SessionProblem(
        f"{record.id} could not be reopened after a restart of the browser: {error.message}",
        f"Charlotte tries again in {pause:.0f} s. Repeat the call then, or close the tab.",
    )


def closed_by_page(record: TabRecord) -> TabNotFound:
    """Return the error for callers whose tab closed itself while they waited."""
    opener = record.opener
    if record.adopted is not None:
        return TabNotFound(
            f"{record.id} was closed by the browser's owner or by its page.",
            "Call tabs for the tabs that are open and those that may be adopted.",
        )
    error = WindowClosed(
        f"{record.id} was closed by its page or by a person before it could answer: a click that "
        "closes a window, as logins do, has been done then.",
        f"Observe {opener.id}, which had opened it."
        if opener and opener.id in record.session.tabs
        else "Call tabs for the tabs that are open.",
    )
    error.tab_id, error.opener_id = record.id, opener.id if opener else ""
    return error


def left_the_grant(record: TabRecord) -> NavigationBlocked:
    """Return the error for callers of a tab that shows what its owner has not granted."""
    done = "was released" if record.adopted is not None else "was closed"
    return NavigationBlocked(
        f"{record.id} left the addresses that the browser's owner has granted, and {done}.",
        "Ask the owner to grant that address too, or call tabs for the tabs that may be adopted.",
    )


def renderer_crashed(record: TabRecord) -> TabCrashed:
    """Return the error for callers of an adopted tab whose renderer has ended."""
    return TabCrashed(
        f"The renderer of {record.id} crashed at {record.address}. The tab belongs to the owner "
        "of the browser and was released; what you did may or may not have happened.",
        "Adopt the tab again once its owner has reloaded it: tabs lists it.",
    )


def lost(record: TabRecord, error: CharlotteError) -> TabNotFound:
    """Return the error for callers of an adopted tab that was not found after a reconnection."""
    return TabNotFound(
        f"{record.id} was lost when the connection to its owner's browser ended: {error.message}",
        "Call tabs for the tabs that may be adopted now.",
    )
