"""The page of a program: blank, without an origin, a network or windows, in its own renderer.

The document is sandboxed by its headers, and the page has no other realm in which scripts run. The
network is closed below the page by the proxy of its browser context, by interception of all
requests, and by the emulation of a broken connection, which also ends WebRTC. The program reaches
nothing but an object of functions, of which it does not know the part that faces Charlotte.
"""

import json
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path
from typing import Any, NoReturn

import attrs
import trio

from charlotte.base.errors import EvaluationFailed, NotCompiled
from charlotte.browser.world.site_storage import open_origin_page
from charlotte.page.model import compact_json
from charlotte.protocol import network, page, runtime, target
from charlotte.protocol.connection import CdpSession, Subscription
from charlotte.protocol.errors import Refused, SessionGone

MOST_TEXT = 1_000_000
"""Characters of JSON of a message of the program: a value, or the arguments of a call."""
MOST_LINES_TEXT = 20_000
"""Characters of all lines of the program's console."""
LONGEST_LINE = 1_000

_URL = "http://program.invalid/"
_HEADERS = (
    network.HeaderEntry(
        "content-security-policy",
        "sandbox allow-scripts; default-src 'none'; form-action 'none'; base-uri 'none'",
    ),
    network.HeaderEntry("x-dns-prefetch-control", "off"),
)
_OFFLINE = network.EmulateNetworkConditions(
    offline=True, latency=0, download_throughput=-1, upload_throughput=-1, packet_loss=100
)
_SOURCE = files(__package__ or "").joinpath("sandbox.js").read_text(encoding="utf-8")
_PLAIN = files(__package__ or "").joinpath("plain.js").read_text(encoding="utf-8")
_NEXT = "function () { return this.next(); }"
_START = "function () { this.start(); }"
_SETTLE = "function (text) { this.settle(text); }"
_HEADER_LINES = 2
"""Lines that the browser puts before the body of a function."""
_POSITION = re.compile(r"program\.js:(\d+)(?::\d+)?")
_SAME_TIME = 0.015
"""Seconds: processes report times in hundredths."""

_Event = network.RequestPaused | target.TargetCrashed


@attrs.frozen(eq=False)
class Sandbox:
    """A blank page outside all sessions, in a browser context without a network.

    ``is_local``: its renderer is a process of this machine.
    """

    context_id: str
    target_id: str
    session: CdpSession
    root: CdpSession
    is_local: bool


@attrs.frozen(eq=False)
class SandboxPage:
    """A page with a program that can be started; ``channel`` is the object for Charlotte."""

    session: CdpSession
    _channel: str
    _events: Subscription[_Event]

    async def start(self) -> None:
        """Start the program, which then runs on its own."""
        await self._call(_START)

    async def next(self) -> list[dict[str, Any]]:
        """Wait for messages of the program: ``{call}``, ``{line}``, and at the end ``{end}``.

        Raises `EvaluationFailed` if the page is gone.
        """
        reply = await self._call(_NEXT, return_by_value=True, await_promise=True)
        messages: list[dict[str, Any]] = json.loads(reply.result.value)
        return messages

    async def settle(self, call: int, value: Any, error: Mapping[str, Any] | None) -> None:
        """Answer a call of the program, without waiting until the program takes the answer."""
        text = compact_json({"id": call, "value": value, "error": error})
        answer = runtime.CallFunctionOn(
            function_declaration=_SETTLE,
            object_id=self._channel,
            arguments=[runtime.CallArgument(value=text)],
        )
        await self.session.begin(answer)

    async def watch(self) -> NoReturn:
        """Refuse all requests; raises `EvaluationFailed` if the page navigates or crashes."""
        try:
            while True:
                match await self._events.next():
                    case network.RequestPaused(request_id=request_id, resource_type=kind):
                        refusal = network.FailRequest(request_id=request_id, error_reason="Aborted")
                        await self.session.begin(refusal)
                        if kind == "Document":
                            raise EvaluationFailed(
                                "The program tried to load a document: its page has no network.",
                                "Open pages with tab_open or navigate.",
                            )
                    case _:
                        raise EvaluationFailed(
                            "The renderer of the program crashed; it may have been out of memory.",
                            "Keep less data in the program.",
                        )
        except SessionGone as gone:
            raise _gone() from gone

    async def _call(self, function: str, **options: Any) -> runtime.Evaluated:
        try:
            return await self.session.call(
                runtime.CallFunctionOn(
                    function_declaration=function, object_id=self._channel, **options
                )
            )
        except (Refused, SessionGone) as error:
            raise _gone() from error


def _gone() -> EvaluationFailed:
    return EvaluationFailed(
        "The program left or closed its page, which ended it.",
        "Use the tools for navigation: the program's own page has nothing to load.",
    )


def line_of(stack: str) -> int | None:
    """Return the line of the program that the innermost frame of a stack names."""
    found = _POSITION.search(stack)
    return max(int(found[1]) - _HEADER_LINES, 1) if found else None


@asynccontextmanager
async def open_sandbox_page(sandbox: Sandbox, code: str) -> AsyncGenerator[SandboxPage]:
    """Prepare the page of a program; raises `NotCompiled` for a syntax error."""
    session = sandbox.session
    types: tuple[type[_Event], ...] = (network.RequestPaused, target.TargetCrashed)
    with session.events(*types) as events:
        channel = ""
        with trio.move_on_after(10.0) as opening:
            async with open_origin_page(session, _HEADERS) as blank:
                await blank.navigate(_URL)
            events.now()  # the request for the page itself
            await session.call_all(
                page.DisablePage(),  # its events would have URLs of any length
                target.EnableInspector(),
                runtime.EnablePerformance(),
                _OFFLINE,
            )
            channel = await _open_channel(session, code)
        if opening.cancelled_caught:
            raise EvaluationFailed(
                "The page of the program was not ready in time.", "Repeat the call."
            )
        yield SandboxPage(session, channel, events)


async def _open_channel(session: CdpSession, code: str) -> str:
    options = {
        "code": code,
        "mostText": MOST_TEXT,
        "mostLines": MOST_LINES_TEXT,
        "longestLine": LONGEST_LINE,
    }
    expression = f"({_SOURCE})({{...{compact_json(options)}, plain: ({_PLAIN})}})"
    evaluated = await session.call(runtime.Evaluate(expression=expression))
    if (thrown := evaluated.exception_details) is not None:
        text = (thrown.exception and thrown.exception.description) or thrown.text
        line = max(thrown.line_number + 1 - _HEADER_LINES, 1)
        reason = text.partition("\n")[0]
        raise NotCompiled(f"Line {line} of the program: {reason}", "Fix the program and retry.")
    return evaluated.result.object_id or ""


class RendererMemory:
    """The memory of a program's renderer, in bytes.

    The operating system knows the whole of it. The browser does not report which process serves a
    page, but the CPU times of processes and of the page; they become equal for a single process.
    """

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self._candidates: set[int] | None = None if sandbox.is_local else set()

    async def measure(self) -> int:
        """Return the memory of the process, or of the JavaScript heap if that is not known."""
        metrics = await self._sandbox.session.call(runtime.GetMetrics())
        values = {metric.name: metric.value for metric in metrics}
        if self._candidates is None or len(self._candidates) > 1:
            processes = await self._sandbox.root.call(runtime.GetProcessInfo())
            time = values.get("ProcessTime", -1.0)
            found = {each.id for each in processes if abs(each.cpu_time - time) < _SAME_TIME}
            self._candidates = found & (self._candidates or found)
        size = int(values.get("JSHeapUsedSize", 0))
        if len(self._candidates) == 1:
            size = max(size, *map(_resident, self._candidates))
        return size


def _resident(process: int) -> int:
    """Return the private memory of a process; 0 if it is not known."""
    with suppress(OSError):
        status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
        if found := re.search(r"^RssAnon:\s+(\d+) kB", status, re.MULTILINE):
            return int(found[1]) * 1024
    return 0
