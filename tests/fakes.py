"""A browser made of answers: what Chromium does over CDP as far as Charlotte can see, and no page.

`FakeBrowser.on` scripts the answer to a method, `hold` keeps it back, and an unscripted method is
answered as Chromium does. A renderer that does not run yet, hangs or crashed lets its
commands wait, as in Chromium.
"""

import itertools
import json
from collections.abc import Callable, Sequence
from math import inf
from typing import Any

import trio

from charlotte.protocol.transport import TransportClosed
from tests.fake_page import FakeTarget, Refused, Sent

PAST_THE_RENDERER = {
    "Inspector.enable",
    "Page.enable",
    "Page.getNavigationHistory",
    "Page.handleJavaScriptDialog",
    "Page.navigate",
    "Page.reload",
    "Page.setLifecycleEventsEnabled",
    "Network.enable",
    "Runtime.runIfWaitingForDebugger",
    "Runtime.terminateExecution",
}


Answer = Callable[[Sent], dict[str, Any] | None]

PROFILE = "profile"
"""The id of the context that is the browser's own profile."""

AS_USUAL: dict[str, Any] = {}
"""What a scripted answer returns that has nothing to say."""


class FakeBrowser:
    """One browser process, and the transport of the one connection to it."""

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.on: dict[str, Answer] = {}
        self.targets: dict[str, FakeTarget] = {}
        self._ids = itertools.count(1)
        self._came = trio.Event()
        self._outbox, self._inbox = trio.open_memory_channel[str](inf)
        self._ended = False
        self._why = ""
        self.is_discovered = False

    async def send_message(self, message: str | bytes) -> None:
        await trio.lowlevel.checkpoint()
        if self._ended:
            raise TransportClosed
        parts = json.loads(message)
        self._take(Sent(parts["id"], parts["method"], parts["params"], parts.get("sessionId")))

    async def get_message(self) -> str:
        try:
            return await self._inbox.receive()
        except trio.EndOfChannel:
            raise TransportClosed(self._why) from None

    def say(self, **message: Any) -> None:
        """Send a message; what is None is left out."""
        self.say_text(json.dumps({key: one for key, one in message.items() if one is not None}))

    def say_text(self, text: str) -> None:
        if not self._ended:
            self._outbox.send_nowait(text)

    def drop(self, why: str = "") -> None:
        """End the connection, as the browser's death does."""
        self._ended, self._why = True, why
        self._outbox.close()

    def hold(self, method: str, *, having: str = "") -> None:
        """Leave commands unanswered; `answer` and `refuse` are for later."""
        self.on[method] = lambda sent: None if having in str(sent.params) else AS_USUAL

    def answer(self, sent: Sent, **result: Any) -> None:
        """Answer a command that was held."""
        self.say(id=sent.id, sessionId=sent.session, result=result)

    def refuse(self, sent: Sent, message: str, code: int = -32000) -> None:
        self.say(id=sent.id, sessionId=sent.session, error={"code": code, "message": message})

    async def until_sent(self, method: str, number: int = 1, *, having: str = "") -> Sent:
        """Wait for the ``number``th command of that method whose parameters have that text."""
        while len(found := self.received(method, having=having)) < number:
            await self._came.wait()
        return found[number - 1]

    def received(self, method: str, *, having: str = "") -> list[Sent]:
        """The commands of that method whose parameters have that text."""
        return [one for one in self.sent if one.method == method and having in str(one.params)]

    def methods(self, session: str | None = None) -> list[str]:
        """Commands sent in a session, or to the browser itself, in order."""
        return [one.method for one in self.sent if one.session == session]

    def emit(self, method: str, session: str | None = None, **params: Any) -> None:
        self.say(method=method, sessionId=session, params=params)

    def emit_in(self, target: FakeTarget, method: str, **params: Any) -> None:
        """Emit an event in all sessions of a page."""
        for session in target.sessions:
            self.emit(method, session, **params)

    def open(
        self, context: str, url: str, opener: str | None = None, *, held: bool = False
    ) -> FakeTarget:
        """Open a page, and attach to it; one that is held stays paused at first.

        Where targets are only discovered, it is neither attached nor held.
        """
        target = FakeTarget(f"target-{next(self._ids)}", context, url, opener, silent=held)
        self.targets[target.id] = target
        if self.is_discovered:
            target.silent = False
            self.emit("Target.targetCreated", targetInfo=target.info())
        else:
            self.attach(target, held=held)
        return target

    def open_worker(self, context: str, url: str, kind: str = "service_worker") -> FakeTarget:
        """Start a worker, which stays paused at first."""
        target = FakeTarget(f"target-{next(self._ids)}", context, url, kind=kind, silent=True)
        self.targets[target.id] = target
        self.attach(target, held=True)
        return target

    def attach(self, target: FakeTarget, *, held: bool = False) -> str:
        session = f"session-{next(self._ids)}"
        target.sessions.append(session)
        self.emit(
            "Target.attachedToTarget",
            sessionId=session,
            targetInfo=target.info(),
            waitingForDebugger=held,
        )
        return session

    def close(self, target: FakeTarget) -> None:
        """Close a page: its sessions are detached in the order in which they were opened."""
        del self.targets[target.id]
        for session in target.sessions:
            self.emit("Target.detachedFromTarget", sessionId=session, targetId=target.id)
        if self.is_discovered:
            self.emit("Target.targetDestroyed", targetId=target.id)

    def show(self, target: FakeTarget, url: str) -> None:
        """Have a page of the browser's owner show another address."""
        self.load(target, url)
        self.emit("Target.targetInfoChanged", targetInfo=target.info())

    def crash(self, target: FakeTarget) -> None:
        """Kill the renderer: what it is asked waits until the page is loaded again."""
        target.silent = True
        self.emit_in(target, "Inspector.targetCrashed")

    def load(
        self,
        target: FakeTarget,
        url: str,
        milestones: Sequence[str] = ("DOMContentLoaded", "load", "networkIdle"),
    ) -> None:
        """Bring up a new document, from its commit to its load or another milestone."""
        target.loads, target.url, target.page.url = target.loads + 1, url, url
        target.page.document = target.frame["loaderId"]
        self.emit_in(target, "Runtime.executionContextsCleared")
        self.emit_in(target, "Page.frameNavigated", frame=target.frame)
        for session in target.sessions:
            self._announce_world(target, session)
        loader = target.frame["loaderId"]
        for name in milestones:
            self.emit_in(
                target, "Page.lifecycleEvent", name=name, frameId=target.id, loaderId=loader
            )

    def _announce_world(self, target: FakeTarget, session: str) -> None:
        about = {"name": "charlotte", "origin": "", "auxData": {"frameId": target.id}}
        context = {"id": 1, "uniqueId": target.world, **about}
        self.emit("Runtime.executionContextCreated", session, context=context)

    def _take(self, sent: Sent) -> None:
        self.sent.append(sent)
        self._came.set()
        self._came = trio.Event()
        target = next((one for one in self.targets.values() if sent.session in one.sessions), None)
        if sent.session is not None and target is None:
            self.refuse(sent, "Session with given id not found.", -32001)
        elif target and sent.method in target.refusals:
            self.refuse(sent, target.refusals[sent.method])
        elif target and target.silent and sent.method not in PAST_THE_RENDERER:
            target.waiting.append(sent)
        else:
            self._reply(sent, target or self.targets.get(sent.params.get("targetId", "")))

    def _reply(self, sent: Sent, target: FakeTarget | None) -> None:
        try:
            result = self.on[sent.method](sent) if sent.method in self.on else AS_USUAL
            if result is AS_USUAL:
                result = self._ask_target(sent, target) if target else self._ask_browser(sent)
        except Refused as refused:
            self.refuse(sent, str(refused), refused.code)
        else:
            if result is not None:
                self.answer(sent, **result)

    def _ask_browser(self, sent: Sent) -> dict[str, Any]:
        match sent.method, sent.params:
            case "Target.createBrowserContext", _:
                return {"browserContextId": f"context-{next(self._ids)}"}
            case "Target.setDiscoverTargets", _:
                self._discover()
            case "Target.getBrowserContexts", _:
                return {"browserContextIds": [], "defaultBrowserContextId": PROFILE}
            case "Target.detachFromTarget", {"sessionId": session} if self.is_discovered:
                self._detach(session)
            case "Target.createTarget", {"url": url, **others}:
                context = others.get("browserContextId") or PROFILE
                return {"targetId": self.open(context, url, held=True).id}
            case "Target.getTargets", _:
                return {"targetInfos": [target.info() for target in self.targets.values()]}
            case "Storage.getCookies", _:
                return {"cookies": []}
            case _, {"targetId": _}:
                raise Refused("No target with given id found", -32602)
            case _:
                pass
        return {"product": "Fake/1", "protocolVersion": "1.3"}

    def _discover(self) -> None:
        self.is_discovered = True
        for target in self.targets.values():
            self.emit("Target.targetCreated", targetInfo=target.info())

    def _detach(self, session: str) -> None:
        """End a session; what its page has not answered is dropped."""
        for target in self.targets.values():
            if session in target.sessions:
                target.sessions.remove(session)
                target.waiting = [one for one in target.waiting if one.session != session]
                self.emit("Target.detachedFromTarget", sessionId=session)

    def _ask_target(self, sent: Sent, target: FakeTarget) -> dict[str, Any]:
        result: dict[str, Any] = {}
        replies: dict[str, dict[str, Any]] = {
            "Target.getTargetInfo": {"targetInfo": target.info()},
            "Page.getFrameTree": {"frameTree": {"frame": target.frame}},
            "Page.addScriptToEvaluateOnNewDocument": {"identifier": "1"},
        }
        match sent.method:
            case method if method in replies:
                result = replies[method]
            case "Target.attachToTarget":
                result = {"sessionId": self.attach(target)}
            case "Target.closeTarget":
                self.close(target)
            case "Page.navigate":
                self.load(target, sent.params["url"])
                result = {"frameId": target.id, "loaderId": target.frame["loaderId"]}
            case "Page.reload":
                self.wake(target, "Target crashed")
                self.load(target, target.url)
            case "Runtime.enable":
                self._announce_world(target, sent.session or "")
            case "Runtime.evaluate":
                text = target.probed(sent.params["expression"])
                result = {"result": {"type": "string", "value": text}}
            case "Runtime.terminateExecution" | "Runtime.runIfWaitingForDebugger":
                self.wake(target)
            case _:
                pass
        return result

    def wake(self, target: FakeTarget, refusal: str = "") -> None:
        """Have a silent renderer answer all that waits, or refuse it."""
        target.silent, waiting, target.waiting = False, target.waiting, []
        for sent in waiting:
            if refusal:
                self.refuse(sent, refusal)
            else:
                self._reply(sent, target)
