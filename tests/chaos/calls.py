"""Calls whose answers are in time, and whose errors are typed, explained and helpful."""

import json
from collections import Counter
from typing import Any

import attrs
import trio

from tests.chaos.ledger import Ledger
from tests.stdio_client import Client

PATIENCE = 75.0
"""Maximum seconds for an answer: a call may wait 60 s in a queue."""

ENDED = ("browser asked to end", "guardian asked to end", "descriptors scarce")
BROWSER = ("browser killed", "browser frozen", "socket cut", *ENDED)
RENDERERS = ("renderer killed", "renderer frozen")
_EXPLAINED: dict[str, tuple[str, ...]] = {
    "TAB_CRASHED": ("renderer killed", *ENDED),
    "FILE_STORAGE_ERROR": ("disk full", "descriptors scarce"),
    "SCREENSHOT_FAILED": (*BROWSER, *RENDERERS),
    "CDP_CONNECTION_LOST": (),
    "TAB_HUNG": (),
    "TIMEOUT": (),
    "SESSION_ERROR": BROWSER,
    "ELEMENT_NOT_FOUND": (*BROWSER, *RENDERERS),
    "ELEMENT_CHANGED": (*BROWSER, *RENDERERS),
    "NAVIGATION_FAILED": (*BROWSER, *RENDERERS),
    "EVALUATION_ERROR": (*BROWSER, *RENDERERS),
}
"""The faults that may cause an error; an empty row allows any fault."""


class Refused(Exception):
    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.code = str(error["code"])
        self.details: dict[str, Any] = error.get("details") or {}


@attrs.define(eq=False)
class Caller:
    """A caller of tools that records wrong answers in the ledger."""

    client: Client
    ledger: Ledger
    answers: Counter[str] = attrs.field(factory=Counter[str])
    _closed: set[str] = attrs.field(factory=set[str])

    async def call(self, tab: str, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and return its parsed answer; raise `Refused` on an error."""
        began = trio.current_time()
        if tool == "tab_close":
            self._closed.add(tab)
        try:
            answer = await self._answer(tab, tool, began, arguments)
        except Refused as refused:
            self.ledger.remember(tab, began, f"{tool} {arguments}: {refused}")
            raise
        self.ledger.remember(tab, began, f"{tool} {arguments}: {json.dumps(answer)}")
        return answer

    async def _answer(self, tab: str, tool: str, began: float, arguments: dict[str, Any]) -> Any:
        result: dict[str, Any] | None = None
        with trio.move_on_after(PATIENCE):
            result = await self.client.call(tool, **arguments)
        if result is None:
            self.ledger.fail(f"{tool} on {tab} was not answered within {PATIENCE:.0f} s", tab)
            raise Refused({"code": "none", "message": "no answer"})
        blocks: list[dict[str, Any]] = result["content"]
        text: str = next((one["text"] for one in blocks if one["type"] == "text"), "null")
        if result.get("isError"):
            self._refused(tab, tool, json.loads(text)["error"], began)
        self.answers["ok"] += 1
        return json.loads(text)

    def _refused(self, tab: str, tool: str, error: dict[str, Any], began: float) -> None:
        refused = Refused(error)
        self.answers[refused.code] += 1
        if not self._is_explained(tab, refused, began):
            self.ledger.fail(f"{tool} on {tab} failed without a cause: {refused}", tab)
        if "nternal error" in error["message"] or not error.get("suggestion"):
            self.ledger.fail(f"{tool} on {tab}: no answer for an agent: {refused}")
        raise refused

    def _is_explained(self, tab: str, refused: Refused, began: float) -> bool:
        if refused.code == "TAB_NOT_FOUND":  # its agent was quicker than the fault
            return tab in self._closed
        if "pending_dialog" in refused.details:
            return self.ledger.excuse(tab, began, "dialog")
        kinds = _EXPLAINED.get(refused.code)
        return kinds is not None and self.ledger.excuse(tab, began, *kinds)
