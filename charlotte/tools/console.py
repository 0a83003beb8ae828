"""The tool that reads a tab's console; it answers whatever the page is doing."""

from typing import Any, Literal

from charlotte.actors.monitors.console import ConsoleMonitor
from charlotte.actors.state.console_log import ConsoleMessage
from charlotte.tools.answer import Answer
from charlotte.tools.pages import json_answer
from charlotte.tools.paging import ClearAfter, Older, Window, check_cursor
from charlotte.tools.results import Listing
from charlotte.tools.schema.parameters import Limit
from charlotte.tools.schema.tool import tool

LevelFilter = Literal["all", "log", "info", "warn", "error", "debug"]


@tool(group="monitoring", position=460, read_only=True, check=check_cursor)
async def console(
    monitor: ConsoleMonitor,
    *,
    level: LevelFilter = "all",
    clear: ClearAfter = False,
    limit: Limit = 100,
    cursor: Older = None,
) -> Answer[Listing[ConsoleMessage]]:
    """Return console messages of a tab, oldest first, and uncaught exceptions (level error)."""
    messages, dropped = await monitor.read(None if level == "all" else level, clear=clear)
    window = Window(cursor, limit, monitor.max_chars())
    body = {
        **window.newest("messages", messages, _message_row),
        "count": len(messages),
        "level": level,
        "cleared": clear,
        **({"note": monitor.note} if monitor.note else {}),
        **({"dropped": dropped} if dropped else {}),
    }
    newest = tuple(window.older(messages)[-limit:])
    value = Listing(items=newest, total=len(messages), dropped=dropped, note=monitor.note)
    return json_answer(body, value, tab_id=monitor.tab_id)


def _message_row(message: ConsoleMessage) -> dict[str, Any]:
    return {"level": message.level, "text": message.text, "timestamp": message.timestamp}
