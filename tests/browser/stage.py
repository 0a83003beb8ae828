"""A page of a fake browser with what follows it, as a tab has them."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import Any

import attrs
import trio

from charlotte.browser.world.isolated_world import ContextEvent, FrameWorlds
from charlotte.browser.world.settle import FEED, Activity
from charlotte.protocol import page, runtime
from charlotte.protocol.connection import CdpSession, Subscription, open_connection, open_session
from charlotte.protocol.errors import SessionGone
from charlotte.protocol.wire import CdpEvent
from tests.fake_page import FakeTarget
from tests.fakes import FakeBrowser

_CONTEXTS: tuple[type[ContextEvent], ...] = (
    runtime.ExecutionContextCreated,
    runtime.ExecutionContextDestroyed,
    runtime.ExecutionContextsCleared,
)


def in_json(value: Any) -> dict[str, Any]:
    """The reply to a question that the probe answers with a value."""
    return {"result": {"type": "string", "value": json.dumps(value)}}


@attrs.define(eq=False)
class Stage:
    """What the verbs of charlotte.browser work on, and the browser behind it."""

    browser: FakeBrowser
    shown: FakeTarget
    session: CdpSession
    activity: Activity
    frames: FrameWorlds

    def emit(self, method: str, **params: Any) -> None:
        self.browser.emit_in(self.shown, method, **params)

    async def follow(self, events: Subscription[CdpEvent]) -> None:
        """Keep up with the page until it is closed."""
        with suppress(SessionGone):
            while True:
                event = await events.next()
                if isinstance(event, _CONTEXTS):
                    self.frames.feed(self.session, event)
                else:
                    self.activity.feed(event)

    def requests(self, request_id: str, *, kind: str = "Fetch", **more: Any) -> None:
        """The page sends a request."""
        frame = self.shown.frame
        event = {
            "requestId": request_id,
            "loaderId": frame["loaderId"],
            "frameId": frame["id"],
            "request": {"url": f"http://a.test/{request_id}", "method": "GET"},
            "wallTime": 1.0,
            "type": kind,
        }
        self.emit("Network.requestWillBeSent", **(event | more))

    def hears(self, request_id: str) -> None:
        """A piece of a response's body comes in."""
        self.emit("Network.dataReceived", requestId=request_id)

    def finishes(self, request_id: str) -> None:
        """The last byte of a response is in."""
        self.emit("Network.loadingFinished", requestId=request_id)

    def starts_navigating(self, url: str, kind: str = "differentDocument") -> None:
        """A navigation of the main frame begins."""
        about = {"frameId": self.shown.id, "url": url, "loaderId": "next", "navigationType": kind}
        self.emit("Page.frameStartedNavigating", **about)

    def commits(self, url: str) -> None:
        """Another document comes, and is not loaded yet."""
        self.shown.loads, self.shown.url = self.shown.loads + 1, url
        self.emit("Page.frameNavigated", frame=self.shown.frame)

    def probe_answers(self, *answers: Any) -> None:
        """Let the probe give these answers, one after the other, the last for ever."""
        left = list(answers)

        def answer(_: object) -> dict[str, Any]:
            return in_json(left.pop(0) if len(left) > 1 else left[0])

        self.browser.on["Runtime.evaluate"] = answer


@asynccontextmanager
async def open_stage(url: str = "http://a.test/") -> AsyncGenerator[Stage]:
    browser = FakeBrowser()
    shown = browser.open("context", url)
    with trio.fail_after(60):
        async with (
            open_connection(browser) as connection,
            open_session(connection, shown.id) as session,
        ):
            with session.events(*FEED, *_CONTEXTS) as events:
                *_, tree = await session.call_all(runtime.EnableRuntime(), page.GetFrameTree())
                frame = tree.frame
                frames = FrameWorlds(session, frame.id)
                stage = Stage(browser, shown, session, Activity(frame), frames)
                async with trio.open_nursery() as nursery:
                    nursery.start_soon(stage.follow, events)
                    yield stage
                    nursery.cancel_scope.cancel()
