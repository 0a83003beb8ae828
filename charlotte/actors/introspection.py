"""What every actor is doing and since when, for whoever looks after the server: nobody is asked."""

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import trio

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.kernel.supervisor import Child, Supervisor
from charlotte.actors.state.records import Registry, SessionRecord, TabRecord

_PAGE = os.sysconf("SC_PAGE_SIZE")


def status(
    registry: Registry, top: Supervisor, sessions: Sequence[SessionRecord]
) -> dict[str, Any]:
    """The process, the browser, the actors, and these sessions with their tabs.

    Times are in seconds, sizes in bytes; ``None`` is what this system does not tell.
    """
    return {
        "process": _process(),
        "browser": _browser(registry),
        "actors": [*map(_actor, top.children.values()), *_actors_of(registry, sessions)],
        "sessions": [_session(record) for record in sessions],
    }


def _process() -> dict[str, Any]:
    return {
        "pid": os.getpid(),
        "resident": _resident(),
        "files": _files(),
        "tasks": trio.lowlevel.current_statistics().tasks_living,
    }


def _resident() -> int | None:
    with suppress(OSError):
        return int(Path("/proc/self/statm").read_text().split()[1]) * _PAGE
    return None


def _files() -> int | None:
    with suppress(OSError):
        return len(os.listdir("/proc/self/fd"))  # noqa: PTH208 - no paths are wanted
    return None


def _browser(registry: Registry) -> dict[str, Any]:
    """What is open on the connection; just that there is none, while it is started."""
    if (life := registry.incarnation) is None:
        return {"connected": False}
    connection = life.connection
    return {
        "connected": True,
        "cdp_sessions": connection.attached,
        "subscriptions": connection.subscriptions,
        "commands": connection.in_flight,
    }


def _actors_of(registry: Registry, sessions: Iterable[SessionRecord]) -> list[dict[str, Any]]:
    if (life := registry.incarnation) is None:
        return []
    tabs = [tab for session in sessions for tab in session.tabs.values()]
    boxes = [box for tab in tabs for box in tab.mailboxes]
    return [_actor_at(box, life.tabs.children.get(box)) for box in boxes]


def _actor_at(mailbox: Mailbox[Any], child: Child | None) -> dict[str, Any]:
    """What is behind a tab's mailbox, or why there is nothing any more."""
    if child is not None:
        return _actor(child)
    row = {"name": mailbox.name, "phase": "starting"}
    if mailbox.closed is not None:
        row |= {"phase": "given up", "reason": mailbox.closed.message}
    return row


def _actor(child: Child) -> dict[str, Any]:
    mailbox, now = child.mailbox, trio.current_time()
    found = mailbox.statistics()
    row: dict[str, Any] = {
        "name": mailbox.name,
        "phase": "dormant" if mailbox.dormant else child.phase,
        "for": round(now - child.since, 3),
        "queued": found.queued,
        "capacity": found.capacity,
        "restarts": child.restarts,
    }
    if found.since is not None:
        row |= {"doing": found.doing, "doing_for": round(now - found.since, 3)}
    return row


def _session(record: SessionRecord) -> dict[str, Any]:
    return {"id": record.id, "tabs": [_tab(tab) for tab in record.tabs.values()]}


def _tab(record: TabRecord) -> dict[str, Any]:
    """Its row in ``tabs``, and what its monitors had to drop."""
    dropped = {"console": record.console_log.dropped, "requests": record.request_log.dropped}
    return {**record.row(), "dropped": dropped}
