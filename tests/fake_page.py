"""The pages of a fake browser, and what is said about them."""

import json
from typing import Any

import attrs

from tests.page.pages import Page


class Refused(Exception):
    """Raised by a scripted answer: the browser refuses the command."""

    def __init__(self, message: str, code: int = -32000) -> None:
        super().__init__(message)
        self.code = code


@attrs.frozen(eq=False)
class Sent:
    """A command as it came over the wire."""

    id: int
    method: str
    params: dict[str, Any]
    session: str | None


@attrs.define(eq=False)
class FakeTarget:
    """A page; its first session is the auto-attached one. While ``silent`` its renderer waits.

    ``refusals`` are by method, and are answered by the browser itself.
    """

    id: str
    context: str
    url: str
    opener: str | None = None
    kind: str = "page"
    loads: int = 0
    sessions: list[str] = attrs.field(factory=list[str])
    silent: bool = False
    waiting: list[Sent] = attrs.field(factory=list[Sent])
    refusals: dict[str, str] = attrs.field(factory=dict[str, str])
    page: Page = attrs.field(factory=Page)

    @property
    def frame(self) -> dict[str, Any]:
        """Its main frame; in Chromium too, the ids of both are the same."""
        return {"id": self.id, "loaderId": f"{self.id}/{self.loads}", "url": self.url}

    @property
    def world(self) -> str:
        """The unique id of the probe's execution context."""
        return f"world of {self.frame['loaderId']}"

    def info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"targetId": self.id, "type": self.kind, "title": self.page.title}
        info |= {"url": self.url, "attached": True, "browserContextId": self.context}
        return info | ({"openerId": self.opener} if self.opener else {})

    def probed(self, expression: str) -> str:
        """What the probe says: the page as the test built it, always settled."""
        if expression.startswith("charlotte.capture"):
            return self.page.as_text()
        if expression.startswith("charlotte.alive"):
            return '{"rows": []}'
        if expression.startswith("charlotte.conditions"):
            return '{"text": true}'
        if expression.startswith("charlotte.stored"):
            return ""
        return json.dumps({"settled": True, "waited": [], "mutations": 0, "outcome": "hit"})
