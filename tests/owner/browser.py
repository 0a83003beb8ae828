"""A running browser of a person: a real Chromium with a persistent profile and windows.

`charlotte --attach PROFILE` finds it by its profile directory.
"""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from subprocess import DEVNULL

import attrs
import trio

from charlotte.browser.process.executables import find_executable
from tests.cdp import Cdp, open_cdp

SWITCHES = (
    "--headless=new",  # the whole browser; in chromium-headless-shell every tab is visible
    "--no-sandbox",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-background-networking",
    "--disable-component-update",
    "--password-store=basic",
    "--use-mock-keychain",
    "--remote-debugging-port=0",
)
START_DEADLINE = 100.0
END_DEADLINE = 60.0
_POLL = 0.02
_OUTLIVES_US = 'read -r _; kill -9 "-$1"; rm -rf "$2"'
"""Ends the browser and deletes its files when its stdin closes, because this process was killed."""


def find_browser() -> str:
    """Return the executable of a browser with windows."""
    return find_executable(None, windows=True)


@attrs.frozen
class OwnerBrowser:
    """A running browser, its profile directory and the owner's directory for downloads."""

    pid: int
    profile: Path
    downloads: Path
    endpoint: str


def _write_settings(profile: Path, downloads: Path) -> None:
    """Write the settings that only files can change."""
    local_state = {"internal_only_uis_enabled": True}  # for chrome://discards
    preferences = {"download": {"default_directory": str(downloads), "prompt_for_download": False}}
    (profile / "Default").mkdir(parents=True)
    downloads.mkdir()
    (profile / "Local State").write_text(json.dumps(local_state))
    (profile / "Default" / "Preferences").write_text(json.dumps(preferences))


async def _read_endpoint(profile: Path, process: trio.Process) -> str:
    file = profile / "DevToolsActivePort"
    with trio.fail_after(START_DEADLINE):
        while True:
            lines = file.read_text("ascii").split("\n") if file.exists() else []
            if len(lines) > 1 and lines[1]:
                return f"ws://127.0.0.1:{lines[0]}{lines[1]}"
            if process.poll() is not None:
                raise RuntimeError(f"Chromium exited with code {process.returncode}.")
            await trio.sleep(_POLL)


@contextmanager
def _ending_with_us(group: int, scratch: str) -> Generator[None]:
    """Have a process group end with this process, however this process ends."""
    with subprocess.Popen(  # noqa: S603 - it is our own script
        ["/bin/sh", "-c", _OUTLIVES_US, "sh", str(group), scratch],
        stdin=subprocess.PIPE,
        stdout=DEVNULL,
        stderr=DEVNULL,
        start_new_session=True,
    ) as watch:
        try:
            yield
        finally:
            watch.kill()


@asynccontextmanager
async def open_owner_browser(*switches: str) -> AsyncGenerator[OwnerBrowser]:
    """Start a browser with one blank tab; kill its processes and delete its files at the end."""
    with tempfile.TemporaryDirectory(prefix="owner-", ignore_cleanup_errors=True) as scratch:
        profile, downloads = Path(scratch) / "profile", Path(scratch) / "downloads"
        _write_settings(profile, downloads)
        command = [find_browser(), *SWITCHES, *switches, f"--user-data-dir={profile}"]
        process = await trio.lowlevel.open_process(
            [*command, "about:blank"], stdout=DEVNULL, stderr=DEVNULL, start_new_session=True
        )
        try:
            with _ending_with_us(process.pid, scratch):
                endpoint = await _read_endpoint(profile, process)
                yield OwnerBrowser(process.pid, profile, downloads, endpoint)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            with trio.move_on_after(END_DEADLINE, shield=True):
                await process.wait()


@asynccontextmanager
async def watching(browser: OwnerBrowser) -> AsyncGenerator["Watcher"]:
    """Watch the targets of a browser until the block ends; attaches to none of them."""
    async with open_cdp(browser.endpoint) as cdp:
        await cdp.call("Target.setDiscoverTargets", discover=True, filter=[{}])
        yield Watcher(cdp)


@attrs.frozen(eq=False)
class Watcher:
    """A client that has no session: it receives the events of targets."""

    cdp: Cdp

    def changes(self, kind: str) -> list[dict[str, object]]:
        """Return the infos of `targetCreated` or `targetInfoChanged` events so far."""
        return [
            event["params"]["targetInfo"]
            for event in self.cdp.events
            if event["method"] == f"Target.{kind}"
        ]

    def destroyed(self) -> set[str]:
        return {
            event["params"]["targetId"]
            for event in self.cdp.events
            if event["method"] == "Target.targetDestroyed"
        }

    def ever_attached(self) -> set[str]:
        """Return the ids of targets that had a session at any time."""
        infos = self.changes("targetCreated") + self.changes("targetInfoChanged")
        return {str(info["targetId"]) for info in infos if info["attached"]}

    async def pages(self) -> dict[str, str]:
        found = await self.cdp.targets()
        return {info["targetId"]: info["url"] for info in found if info["type"] == "page"}

    async def strip(self) -> dict[str, dict[str, object]]:
        """Return position, selection and pinning of each tab, by URL."""
        found = await self.cdp.targets()
        return {info["url"]: info["embedderData"] for info in found if info["type"] == "tab"}

    async def window(self, target: str) -> dict[str, object]:
        found = await self.cdp.call("Browser.getWindowForTarget", targetId=target)
        return dict(found["bounds"])
