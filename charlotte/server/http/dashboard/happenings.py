"""Events as people read them: one line each."""

from collections.abc import Mapping
from typing import Any

from charlotte.actors.kernel.events import (
    ConsoleLogged,
    Crashed,
    DialogOpened,
    DownloadChanged,
    Event,
    Loaded,
    Navigated,
    Restarted,
    Restored,
    TabClosed,
    TabEvent,
    TabOpened,
)

_LONGEST = 300

TOLD: Mapping[type[Event], str] = {
    TabOpened: "opened",
    TabClosed: "closed",
    Navigated: "at {0.url}",
    Loaded: "loaded {0.url}",
    Crashed: "renderer died at {0.url}",
    Restored: "back at {0.url}",
    DialogOpened: "{0.dialog.type}: {0.dialog.message}",
    ConsoleLogged: "{0.message.level}: {0.message.text}",
    DownloadChanged: "download {0.name}: {0.state}",
    Restarted: "{0.actor} crashed, comes back in {0.wait} s",
}


def told(event: Event) -> dict[str, Any]:
    """``{time, kind, tab, text}``; ``tab`` is None for what is about none."""
    return {
        "time": event.time,
        "kind": type(event).__name__,
        "tab": event.tab_id if isinstance(event, TabEvent) else None,
        "text": _text(event)[:_LONGEST],
    }


def _text(event: Event) -> str:
    match event:
        case TabOpened(opener=str(opener)):
            return f"opened by {opener}"
        case Restarted(actor=actor, wait=None):
            return f"{actor} was given up"
        case _:
            return TOLD[type(event)].format(event)
