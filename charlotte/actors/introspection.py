"""Status of the process, the browser and all actors, read without asking any actor."""

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio

from charlotte.actors.kernel.supervisor import Child, Supervisor
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.registry import Registry

_PAGE = os.sysconf("SC_PAGE_SIZE")


def status(
    registry: Registry, top: Supervisor, sessions: Sequence[SessionRecord]
) -> dict[str, Any]:
    """Return the status of the process, the browser, the actors, and these sessions.

    Times are in seconds, sizes in bytes. ``None`` stands for values that this system does not have.
    """
    browser: dict[str, Any] = {"connected": False}
    actors = [_actor_row(child) for child in top.children.values()]
    if (life := registry.incarnation) is not None:
        browser = {
            "connected": True,
            "cdp_sessions": life.connection.attached,
            "subscriptions": life.connection.subscriptions,
            "commands": life.connection.in_flight,
        }
        tabs = [tab for session in sessions for tab in session.tabs.values()]
        boxes = [box for tab in tabs for box in tab.mailboxes]
        for box in boxes:
            if (child := life.tabs.children.get(box)) is not None:
                actors.append(_actor_row(child))
            elif box.closed is not None:  # why the actor has ended
                actors.append({"name": box.name, "phase": "given up", "reason": box.closed.message})
            else:
                actors.append({"name": box.name, "phase": "starting"})
    return {
        "process": process_row(),
        "browser": browser,
        "actors": actors,
        "sessions": [
            {"id": session.id, "tabs": [_tab_row(tab) for tab in session.tabs.values()]}
            for session in sessions
        ],
    }


def _tab_row(record: TabRecord) -> dict[str, Any]:
    dropped = {"console": record.console_log.dropped, "requests": record.request_log.dropped}
    return {**record.row(), "dropped": dropped}


def process_row() -> dict[str, int | None]:
    """Return the row of this process."""
    row: dict[str, int | None] = {"pid": os.getpid(), "resident": None, "files": None}
    with suppress(OSError):
        row["resident"] = int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE
        row["files"] = len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - no paths are wanted
    return row | {"tasks": trio.lowlevel.current_statistics().tasks_living}


def _actor_row(child: Child) -> dict[str, Any]:
    mailbox, now = child.mailbox, trio.current_time()
    load = mailbox.statistics()
    row: dict[str, Any] = {
        "name": mailbox.name,
        "phase": "dormant" if mailbox.dormant else child.phase,
        "for": round(now - child.since, 3),
        "queued": load.queued,
        "capacity": load.capacity,
        "restarts": child.restarts,
    }
    if load.since is not None:
        row |= {"doing": load.doing, "doing_for": round(now - load.since, 3)}
    return row
