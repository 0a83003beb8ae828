"""A Chromium of the tests' own, and just enough of its protocol to ask the probe things."""

import base64
import json
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import attrs

from charlotte.browser.probe import init_main_source, probe_source
from charlotte.browser.process.executables import find_executable
from tests.cdp import Cdp, open_cdp

Json = dict[str, Any]

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--remote-debugging-port=0",
)
FEATURE = "--enable-blink-features=ComputedAccessibilityInfo"
START_DEADLINE = 100


@contextmanager
def chromium(*more: str) -> Generator[str]:
    """Start Chromium; yields the address of its WebSocket."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        process = subprocess.Popen(  # noqa: S603
            [
                find_executable(os.environ.get("CHARLOTTE_CHROMIUM")),
                *FLAGS,
                *more,
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            yield _endpoint(Path(profile) / "DevToolsActivePort")
        finally:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _endpoint(port_file: Path) -> str:
    deadline = time.monotonic() + START_DEADLINE
    while time.monotonic() < deadline:
        if port_file.exists() and len(lines := port_file.read_text("ascii").split("\n")) > 1:
            return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
        time.sleep(0.02)
    raise TimeoutError("Chromium did not start")


@attrs.define(eq=False)
class RawPage:
    """A tab with the probe installed as the product installs it."""

    cdp: Cdp
    session: str = ""
    target: str = ""
    world: int = 0

    async def call(self, method: str, **params: Any) -> Json:
        return await self.cdp.call(method, self.session, **params)

    async def attach(self, target: str) -> None:
        self.target = target
        attached = await self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]

    async def load(self, html: str) -> None:
        """Show a document; links are relative to http://site.test/."""
        text = f'<!doctype html><base href="http://site.test/">{html}'
        encoded = base64.b64encode(text.encode()).decode()
        await self.show(f"data:text/html;charset=utf-8;base64,{encoded}")

    async def write(self, html: str) -> None:
        """Put markup in place of the document, in a fifth of a navigation's time."""
        if not self.world:
            await self.load("")
        text = json.dumps(f'<!doctype html><base href="http://site.test/">{html}')
        await self.run(f"document.open(); document.write({text}); document.close()")

    async def show(self, url: str) -> None:
        """Show the document at an address, all of it."""
        self.cdp.events.clear()
        loader = (await self.call("Page.navigate", url=url))["loaderId"]
        loaded = {"name": "load", "loaderId": loader}.items()
        await self.cdp.event(lambda event: loaded <= event.get("params", {}).items())
        created = [
            event["params"]["context"]
            for event in self.cdp.events
            if event["method"] == "Runtime.executionContextCreated"
        ]
        self.world = next(
            context["id"]
            for context in reversed(created)
            if context["name"] == "charlotte" and context["auxData"]["frameId"] == self.target
        )

    async def run(self, expression: str) -> Any:
        """Evaluate in the page's own world."""
        return await self.cdp.run(self.session, expression, gesture=True)

    async def run_beside(self, expression: str) -> Any:
        """Evaluate in the probe's world."""
        return await self.cdp.run(self.session, expression, gesture=True, contextId=self.world)

    async def ask(self, function: str, *arguments: object) -> Json:
        listed = ", ".join(json.dumps(argument) for argument in arguments)
        answer: Json = json.loads(await self.run_beside(f"charlotte.{function}({listed})"))
        return answer

    async def settle_after(self, script: str, **options: object) -> Json:
        """Run a script in the page's own world and settle, in one round trip."""
        await self.run(f"document.addEventListener('act', () => {{ {script} }}, {{once: true}}); 0")
        expression = f"charlotte.settle({json.dumps(options)})"
        text = await self.run_beside(f"document.dispatchEvent(new Event('act')); {expression}")
        answer: Json = json.loads(text)
        return answer

    async def nid(self, css: str) -> int:
        """The number of the first element that matches."""
        rows = (await self.ask("query", css))["rows"]
        number: int = rows[0][0]
        return number


@asynccontextmanager
async def open_raw_page(endpoint: str) -> AsyncGenerator[RawPage]:
    """The tab that Chromium began with, 1280 by 720, ready to load documents."""
    async with open_target(endpoint, type="page") as page:
        await _prepare(page)
        yield page


@asynccontextmanager
async def open_target(endpoint: str, **known: str) -> AsyncGenerator[RawPage]:
    """The tab whose target has these values, without preparation."""
    async with open_cdp(endpoint) as cdp:
        page, targets = RawPage(cdp), await cdp.targets()
        await page.attach(next(one["targetId"] for one in targets if known.items() <= one.items()))
        yield page


async def _prepare(page: RawPage) -> None:
    for domain in ("Page", "Runtime", "Accessibility"):
        await page.call(f"{domain}.enable")
    await page.call("Page.setLifecycleEventsEnabled", enabled=True)
    await page.call("Emulation.setFocusEmulationEnabled", enabled=True)
    await page.call(
        "Emulation.setDeviceMetricsOverride",
        width=1280,
        height=720,
        deviceScaleFactor=1,
        mobile=False,
    )
    install = "Page.addScriptToEvaluateOnNewDocument"
    await page.call(install, source=init_main_source())
    await page.call(
        install, source=probe_source(), worldName="charlotte", includeCommandLineAPI=True
    )
