"""Calls of an agent, which have to be answered well unless something was killed."""

import json
import re
from typing import Any

import attrs
import httpx2
import trio

from tests.chaos.calls import Refused
from tests.cluster.chaos.ledger import MOST_ERROR_WAIT, Calls, Ledger
from tests.server.http.clients import Stateless

PATIENCE = 75.0
"""Maximum seconds for an answer."""
MARK = re.compile(r"mark-[0-9a-f]{8}")
"""The texts that only one agent may see: they are in its addresses, cookies and localStorage."""
_HOST = re.compile(r"\bhost-\d+\b")
_LOST = "CDP_CONNECTION_LOST"
_AFTER_LOSS = {"TAB_NOT_FOUND", "ELEMENT_NOT_FOUND", "ELEMENT_CHANGED"}
"""Errors about tabs and elements that are younger than the last saved state."""


@attrs.define(eq=False)
class Caller:
    """A client with a session of its own, whose errors have to follow from a kill.

    ``trusted`` is the begin of the last call that was answered well.
    """

    mark: str
    ledger: Ledger
    client: Stateless
    calls: Calls = attrs.field(factory=Calls)
    trusted: float = attrs.field(factory=trio.current_time)
    _is_down: bool = False

    async def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and return its parsed answer; raise `Refused` on an error."""
        began = trio.current_time()
        try:
            result = await self._send(tool, arguments)
            answer = self._parse(result)
        except Refused as refused:
            self.calls.add(began, f"{tool} {arguments}: {refused}")
            self._note_error(tool, refused, began)
            raise
        self.calls.add(began, f"{tool} {arguments}: {json.dumps(answer)}")
        self._note_answer(answer, began)
        return answer

    def fail(self, what: str) -> None:
        """Record a failure with the last calls."""
        self.ledger.fail(f"{self.mark} {what}", self.calls.lines())

    async def close(self) -> None:
        response = await self.client.leave()
        if not response.is_success:
            self.fail(f"could not end its session: {response.status_code}")

    async def _send(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            with trio.fail_after(PATIENCE):
                return await self.client.call(tool, **arguments)
        except (trio.TooSlowError, httpx2.TimeoutException):
            self.fail(f"had no answer of {tool} within {PATIENCE:.0f} s")
            problem = "no answer"
        except httpx2.TransportError as error:
            problem = repr(error)
            self.fail(f"lost its connection to the server: {problem}")
        except (KeyError, ValueError) as error:  # not the result of a tool
            problem = repr(error)
            self.fail(f"got an answer without a result: {problem}")
        raise Refused({"code": "NO_ANSWER", "message": problem, "suggestion": "go on"})

    def _parse(self, result: dict[str, Any]) -> Any:
        text = json.dumps(result)
        if foreign := {*MARK.findall(text)} - {self.mark}:
            self.fail(f"was shown data of {foreign}: {text}")
        answer = json.loads(result["content"][0]["text"])
        if result.get("isError"):
            raise Refused(answer["error"])
        return answer

    def _note_error(self, tool: str, refused: Refused, began: float) -> None:
        self.ledger.answers[refused.code] += 1
        if refused.code == _LOST:
            named = _HOST.search(str(refused))  # the host of the session during the call
            host = named and named[0]
            first_kill = self.ledger.first_kill
            kill = first_kill(began, host) or first_kill(self.trusted, host)
            if kill is None:
                self.fail(f"lost its session, though its host was not killed: {refused}")
            else:
                waited = trio.current_time() - max(began, kill.at)
                self.ledger.error_waits.append(waited)
                if waited > MOST_ERROR_WAIT:
                    self.fail(f"got an error of {tool} after {waited:.1f} s: {refused}")
            self._is_down = True
        elif refused.code not in _AFTER_LOSS:
            self.fail(f"got an error that no kill explains from {tool}: {refused}")

    def _note_answer(self, answer: Any, began: float) -> None:
        self.ledger.answers["ok"] += 1
        kill = self.ledger.first_kill(self.trusted)
        if kill is not None and (self._is_down or is_reopened(answer)):
            self.ledger.use_waits.append(trio.current_time() - kill.at)
        self.trusted, self._is_down = began, False


def is_reopened(answer: Any) -> bool:
    """Return whether an answer has the notice that its tab was reopened."""
    return isinstance(answer, dict) and "reopened" in json.dumps(answer.get("notices", []))  # pyright: ignore[reportUnknownMemberType]
