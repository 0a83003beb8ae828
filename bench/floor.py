"""The floor: the same work over bare CDP, with only Chromium's flags from Charlotte."""

import json
import os
import signal
import tempfile
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from subprocess import DEVNULL
from typing import Any, Final

import attrs
import trio

from bench.cdp import Cdp, FloorFailed, open_cdp
from charlotte.browser.process.executables import find_executable
from charlotte.browser.process.launch import switches, wants_sandbox
from charlotte.config.config import Config

_LOOK: Final = Path(__file__).with_name("look.js").read_text(encoding="utf-8")
_AFTER_TWO_FRAMES: Final = (
    "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    f".then(() => {_LOOK})"
)
_UNTIL: Final = """new Promise((done) => {
  const look = () => { if (document.querySelector(%s)) done(); else requestAnimationFrame(look); };
  look();
})"""
_POINT: Final = """(() => {
  const { x, y, width, height } = document.querySelector(%s).getBoundingClientRect();
  return JSON.stringify({ x: x + width / 2, y: y + height / 2 });
})()"""
_POLL: Final = 0.002


@attrs.define(eq=False)
class FloorTab:
    """A tab prepared like Charlotte's: accessibility, focus emulation, an isolated world."""

    _cdp: Cdp
    _target: str
    _session: str
    _world: int = 0

    async def navigate(self, url: str) -> None:
        """Load a page and wait for its load event."""
        navigated = await self._cdp.call("Page.navigate", self._session, url=url)
        await self._cdp.loaded(navigated["loaderId"])

    async def enter(self) -> None:
        """Create the isolated world that `observe` and `click` need in every new document."""
        tree = await self._cdp.call("Page.getFrameTree", self._session)
        frame = tree["frameTree"]["frame"]["id"]
        world = await self._cdp.call("Page.createIsolatedWorld", self._session, frameId=frame)
        self._world = world["executionContextId"]

    async def observe(self) -> str:
        """Return role, name and bounds of the relevant elements as JSON."""
        return await self.run(_LOOK)

    async def click(self, css: str) -> str:
        """Click the middle of an element; return the page as `observe` does, two frames later."""
        await self._press(css)
        return await self.run(_AFTER_TWO_FRAMES)

    async def click_until(self, css: str, seen: str) -> str:
        """Click; return the page as `observe` does, two frames after ``seen`` matches."""
        await self._press(css)
        return await self.run(_UNTIL % json.dumps(seen) + f".then(() => {_AFTER_TWO_FRAMES})")

    async def click_away(self, css: str) -> str:
        """Click a link; return the next page as `observe` does, after it has loaded."""
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._press, css)
            await self._cdp.next_load()
        await self.enter()
        return await self.run(_AFTER_TWO_FRAMES)

    async def type(self, css: str, text: str) -> str:
        """Focus an element and type; return the page as `observe` does, two frames later."""
        await self._type(css, text)
        return await self.run(_AFTER_TWO_FRAMES)

    async def fill(self, values: Mapping[str, str]) -> str:
        """Type into several elements; return the page as `observe` does, two frames later."""
        for css, text in values.items():
            await self._type(css, text)
        return await self.run(_AFTER_TWO_FRAMES)

    async def insert(self, css: str, text: str) -> str:
        """Focus an element and insert a text; return the page as `observe` does afterwards."""
        await self._focus(css)
        await self._cdp.call("Input.insertText", self._session, text=text)
        return await self.run(_AFTER_TWO_FRAMES)

    async def _focus(self, css: str) -> None:
        await self.run(f"document.querySelector({json.dumps(css)}).focus(); ''")

    async def _type(self, css: str, text: str) -> None:
        await self._focus(css)
        keys = [
            {"type": kind, "key": one, **({"text": one} if kind == "keyDown" else {})}
            for one in text
            for kind in ("keyDown", "keyUp")
        ]
        await self._cdp.call_all("Input.dispatchKeyEvent", self._session, keys)

    async def _press(self, css: str) -> None:
        point = json.loads(await self.run(_POINT % json.dumps(css)))
        moved = {"type": "mouseMoved", **point}
        press = {"button": "left", "clickCount": 1, **point}
        cycle = [{"type": kind, **press} for kind in ("mousePressed", "mouseReleased")]
        await self._cdp.call_all("Input.dispatchMouseEvent", self._session, [moved, *cycle])

    async def follow_console(self) -> None:
        """Let the browser report the messages that the page logs."""
        await self._cdp.call("Runtime.enable", self._session)

    async def follow_screencast(
        self, options: Mapping[str, object], note: Callable[[int], None]
    ) -> None:
        """Record the page; ``note`` gets the size of each picture, acknowledged at once."""

        async def take(params: dict[str, Any]) -> None:
            note(len(params["data"]))
            number = params["sessionId"]
            await self._cdp.call("Page.screencastFrameAck", self._session, sessionId=number)

        self._cdp.listeners["Page.screencastFrame"] = take
        await self._cdp.call("Page.startScreencast", self._session, **options)

    async def press_at(self, x: float, y: float) -> None:
        """Press and release the mouse button at a point."""
        kinds = {"mousePressed": 1, "mouseReleased": 0}
        at = {"x": x, "y": y, "button": "left", "clickCount": 1}
        events = [{"type": kind, "buttons": buttons, **at} for kind, buttons in kinds.items()]
        await self._cdp.call_all("Input.dispatchMouseEvent", self._session, events)

    async def close(self) -> None:
        """Close the tab."""
        await self._cdp.call("Target.closeTarget", targetId=self._target)

    async def run(self, expression: str) -> str:
        """Evaluate JavaScript that returns a string, in the tab's isolated world."""
        evaluated = await self._cdp.call(
            "Runtime.evaluate",
            self._session,
            expression=expression,
            contextId=self._world,
            returnByValue=True,
            awaitPromise=True,
        )
        value: str = evaluated["result"]["value"]
        return value


@attrs.define(eq=False)
class Floor:
    """A Chromium for the floor measurements."""

    _cdp: Cdp

    async def version(self) -> str:
        """Return Chromium's name and version: ``Chrome/156.0.0.0``."""
        product: str = (await self._cdp.call("Browser.getVersion"))["product"]
        return product

    async def tabs(self) -> str:
        """Return all targets as JSON, the data of a list of tabs."""
        return json.dumps(await self._cdp.call("Target.getTargets"))

    async def tab(self) -> FloorTab:
        """Open a blank tab, ready to be used."""
        created = await self._cdp.call("Target.createTarget", url="about:blank")
        target = created["targetId"]
        attached = await self._cdp.call("Target.attachToTarget", targetId=target, flatten=True)
        session = attached["sessionId"]
        await self._cdp.call("Page.enable", session)
        await self._cdp.call("Page.setLifecycleEventsEnabled", session, enabled=True)
        await self._cdp.call("Accessibility.enable", session)
        await self._cdp.call("Emulation.setFocusEmulationEnabled", session, enabled=True)
        return FloorTab(self._cdp, target, session)


@asynccontextmanager
async def open_floor() -> AsyncGenerator[Floor]:
    """Start Chromium with Charlotte's flags and connect; remove process and profile at the end."""
    with tempfile.TemporaryDirectory(prefix="bench-", ignore_cleanup_errors=True) as profile:
        sandboxed = wants_sandbox("auto", root=os.geteuid() == 0)
        flags = " ".join(switches(Config(), sandboxed=sandboxed))
        command = [find_executable(None), *flags.replace("-pipe", "-port=0").split()]
        process = await trio.lowlevel.open_process(
            [*command, f"--user-data-dir={profile}"], stderr=DEVNULL, start_new_session=True
        )
        try:
            async with open_cdp(await _endpoint(process, Path(profile))) as cdp:
                yield Floor(cdp)
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            with trio.CancelScope(shield=True):
                await process.wait()


async def _endpoint(process: trio.Process, profile: Path) -> str:
    """Wait until Chromium has written its endpoint file; return the endpoint."""
    port_file = profile / "DevToolsActivePort"
    while process.poll() is None:
        port, _, path = port_file.read_text().partition("\n") if port_file.exists() else ("",) * 3
        if path:
            return f"ws://127.0.0.1:{port}{path.strip()}"
        await trio.sleep(_POLL)
    raise FloorFailed(f"Chromium ended with code {process.returncode}")
