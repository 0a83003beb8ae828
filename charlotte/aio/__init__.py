"""Charlotte for asyncio programs: the same sessions, tabs, methods, objects and errors.

async with open_charlotte(Config()) as charlotte, charlotte.open_session() as session:
    tab = await session.open_tab("https://example.org")
"""

from charlotte.api.aio import (
    AsyncioCharlotte,
    AsyncioEventStream,
    AsyncioSession,
    open_charlotte,
)
from charlotte.api.aio import (
    open_bridge as open_bridge,
)

__all__ = [
    "AsyncioCharlotte",
    "AsyncioEventStream",
    "AsyncioSession",
    "open_charlotte",
]
