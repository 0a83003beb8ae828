"""Programs that are scripted: what the page of `run` sends, and the answers that it gets."""

import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import attrs

from charlotte.base.errors import CharlotteError
from charlotte.browser.sandbox_page import Sandbox
from charlotte.protocol.connection import open_connection
from charlotte.protocol.target import AttachToTarget
from tests.fake_page import FakeTarget, Sent
from tests.fakes import AS_USUAL, FakeBrowser

Message = dict[str, Any]


def call(number: int, tool: str, tab: str | None = None, **arguments: Any) -> Message:
    return {"call": {"id": number, "tool": tool, "tab": tab, "arguments": arguments}}


def end(value: Any = None, *, total: int | None = None) -> Message:
    return {"end": {"value": value, "total": total, "dropped": 0}}


def failure(text: str, *, stack: str = "", number: int | None = None) -> Message:
    return {"end": {"error": {"text": text, "stack": stack, "call": number}, "dropped": 0}}


@attrs.define(eq=False)
class FakeProgram:
    """A program that sends batches of messages, each after as many answers as calls before it."""

    batches: list[Sequence[Message]]
    browser: FakeBrowser = attrs.field(factory=FakeBrowser)
    answers: list[Message] = attrs.field(factory=list[Message])
    refusal: Message | None = None
    has_started: bool = False
    heap: int = 0
    _calls: int = 0
    _asked: list[Sent] = attrs.field(factory=list[Sent])
    page: FakeTarget = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.page = self.browser.open("context-1", "about:blank")
        self.browser.on["Page.navigate"] = self._request
        self.browser.on["Runtime.evaluate"] = self._compile
        self.browser.on["Runtime.callFunctionOn"] = self._act
        self.browser.on["Performance.getMetrics"] = lambda _: {
            "metrics": [{"name": "JSHeapUsedSize", "value": self.heap}]
        }

    @asynccontextmanager
    async def opened(self) -> AsyncGenerator[Sandbox]:
        problem: CharlotteError | None = None
        async with open_connection(self.browser) as connection:
            root = connection.root
            session = connection.session(await root.call(AttachToTarget(target_id=self.page.id)))
            try:
                yield Sandbox("context-1", self.page.id, session, root, is_local=False)
            except CharlotteError as error:  # the nursery of the connection would wrap it
                problem = error
        if problem is not None:
            raise problem

    def request(self, url: str, loader: str | None = None) -> None:
        self.browser.emit_in(
            self.page,
            "Fetch.requestPaused",
            requestId=url,
            request={"url": url, "method": "GET", "headers": {}},
            resourceType="Document",
            networkId=loader,
        )

    def _request(self, sent: Sent) -> Message:
        self.request(sent.params["url"], f"{self.page.id}/{self.page.loads + 1}")
        return AS_USUAL

    def _compile(self, _: Sent) -> Message:
        if self.refusal is not None:
            return {"result": {"type": "object"}, "exceptionDetails": self.refusal}
        return {"result": {"type": "object", "objectId": "channel"}}

    def _act(self, sent: Sent) -> Message | None:
        function = sent.params["functionDeclaration"]
        if "settle" in function:
            self.answers.append(json.loads(sent.params["arguments"][0]["value"]))
        elif "next" in function:
            self._asked.append(sent)
        else:
            self.has_started = True
        self._send()
        return None if "next" in function else {"result": {"type": "undefined"}, **AS_USUAL}

    def _send(self) -> None:
        """Send the next batch if Charlotte waits for it and earlier calls are answered."""
        if self._asked and self.batches and len(self.answers) >= self._calls:
            batch = self.batches.pop(0)
            self._calls += sum("call" in message for message in batch)
            text = {"type": "string", "value": json.dumps(batch)}
            self.browser.answer(self._asked.pop(), result=text)
