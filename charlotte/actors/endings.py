"""What callers are told when a tab or the browser ends under them."""

from charlotte.actors.records import TabRecord
from charlotte.errors import ConnectionLost, TabNotFound


def connection_lost() -> ConnectionLost:
    """What callers of tabs are told when the browser goes away under them."""
    return ConnectionLost(
        "The browser ended while this ran; whether it happened is not known.",
        "The browser is being started again and its tabs come back. Observe, then go on.",
    )


def closed(record: TabRecord) -> TabNotFound:
    """What callers of a closed tab are told."""
    return TabNotFound(f"{record.id} was closed.", "Call tabs for the tabs that are open.")
