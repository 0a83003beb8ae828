"""The envelope (S-RESP) around results and errors of screenshots and calls at coordinates."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib.metadata import version
from typing import Any

import attrs
import trio

from charlotte.clock import now
from charlotte.errors import CharlotteError

_ACTIONS = {"screenshot": "screenshot", "click_at": "click", "type": "type", "scroll": "scroll"}
_ONLY_AT_POINTS = {"type", "scroll"}
_POINT = ("x", "y", "coordinates")
_ALIAS = "page_screenshot"


@attrs.frozen
class Stopwatch:
    """The start of a call, and its tab."""

    tab_id: str | None
    begun: float = attrs.field(factory=trio.current_time)

    def metadata(self) -> dict[str, Any]:
        """Return the duration and other metadata of the call (S-META-01…04)."""
        return {
            "duration_ms": round((trio.current_time() - self.begun) * 1000, 1),
            "tab_id": self.tab_id,
            "timestamp": now(),
            "tool_version": _version(),
        }


@cache
def _version() -> str:
    return version("charlotte")


def success(action: str, data: Mapping[str, Any], watch: Stopwatch) -> dict[str, Any]:
    """Return the envelope of a successful call."""
    return {"success": True, "action": action, "data": data, "metadata": watch.metadata()}


@contextmanager
def failing_in_envelope(
    tool: str, arguments: Mapping[str, Any], tab_id: str | None
) -> Generator[None]:
    """Add the envelope to an error, if the call is one that has an envelope."""
    action = _action(tool, arguments)
    watch = Stopwatch(tab_id)
    try:
        yield
    except CharlotteError as error:
        if action and not error.envelope:
            error.envelope = {"success": False, "action": action, "metadata": watch.metadata()}
        raise


def _action(tool: str, arguments: Mapping[str, Any]) -> str | None:
    if tool == _ALIAS:
        return str(arguments.get("action"))
    if tool in _ONLY_AT_POINTS and all(arguments.get(name) is None for name in _POINT):
        return None
    return _ACTIONS.get(tool)
