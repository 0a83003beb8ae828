"""Launch of the real Chromium."""

import json
import os
import signal
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from charlotte.base.errors import SessionProblem
from charlotte.browser.process.executables import find_executable
from charlotte.browser.process.launch import Chromium, open_chromium
from charlotte.config.config import Config
from charlotte.protocol.transport import Transport, open_pipe
from tests.browser.processes import eventually, group, kill, open_charlotte, running

pytestmark = pytest.mark.chromium

ROLES = """
document.body.innerHTML = '<nav><button>Go</button></nav>';
[...document.querySelectorAll('body *')].map(each => each.computedRole).join()
"""
EXECUTABLE = os.environ.get("CHARLOTTE_CHROMIUM")


@asynccontextmanager
async def open_browser(
    user_data_dir: str | None = None,
) -> AsyncGenerator[tuple[Chromium, Transport]]:
    options = Config(chromium=EXECUTABLE, user_data_dir=user_data_dir)
    async with open_chromium(options) as chromium, open_pipe(chromium.stream) as pipe:
        yield chromium, pipe


async def ask(pipe: Transport, method: str, **params: Any) -> Any:
    """Send one command and wait for its reply; there is never more than one on its way."""
    await pipe.send_message(json.dumps({"id": 1, "method": method, "params": params}))
    with trio.fail_after(60):
        while "id" not in (message := json.loads(await pipe.get_message())):
            pass
    return message["result"]


async def open_window(pipe: Transport) -> None:
    context = await ask(pipe, "Target.createBrowserContext")
    await ask(pipe, "Target.createTarget", url="about:blank", **context)


async def test_a_browser_answers_and_leaves_neither_processes_nor_files() -> None:
    async with open_browser() as (chromium, pipe):
        assert (await ask(pipe, "Browser.getVersion"))["protocolVersion"] == "1.3"
        await open_window(pipe)
        assert len(group(chromium.pid)) > 1
    assert not group(chromium.pid)
    assert not chromium.profile.exists()


async def test_only_requested_pages_have_a_renderer() -> None:
    async with open_browser() as (_, pipe):
        for _ in range(2):
            await open_window(pipe)
        await ask(pipe, "Target.setDiscoverTargets", discover=True, filter=[{}])
        targets = (await ask(pipe, "Target.getTargets", filter=[{}]))["targetInfos"]
    kinds = [target["type"] for target in targets]
    assert kinds.count("page") == 2
    assert "browser_ui" not in kinds


async def test_a_browser_runs_without_any_window() -> None:
    async with open_browser() as (chromium, pipe):
        target = await ask(pipe, "Target.createTarget", url="about:blank")
        await ask(pipe, "Target.closeTarget", **target)
        with trio.move_on_after(0.5):
            await chromium.exited()
        assert running(chromium.pid)
        await open_window(pipe)


async def test_a_killed_server_leaves_nothing() -> None:
    async with open_charlotte(find_executable(EXECUTABLE)) as charlotte:
        kill(charlotte.process.pid)
        await eventually(lambda: not group(charlotte.chromium) and not charlotte.profile.exists())


async def test_a_killed_guardian_ends_chromium() -> None:
    async with open_chromium(Config(chromium=EXECUTABLE)) as chromium:
        kill(os.getsid(chromium.pid))
        await eventually(lambda: not group(chromium.pid))
    assert not chromium.profile.exists()


async def test_a_killed_chromium_is_detected() -> None:
    async with open_chromium(Config(chromium=EXECUTABLE)) as chromium:
        kill(chromium.pid)
        with trio.fail_after(60):
            assert await chromium.exited() == -signal.SIGKILL
        assert not group(chromium.pid)


async def test_a_kept_profile_stores_the_latest_changes(tmp_path: Path) -> None:
    profile = str(tmp_path / "profile")
    cookie = {
        "name": "a",
        "value": "1",
        "url": "http://example.test/",
        "expires": time.time() + 900,
    }
    async with open_browser(profile) as (_, pipe):
        await open_window(pipe)
        await ask(pipe, "Storage.setCookies", cookies=[cookie])
    async with open_browser(profile) as (_, pipe):
        cookies = (await ask(pipe, "Storage.getCookies"))["cookies"]
    assert [cookie["name"] for cookie in cookies] == ["a"]


async def test_a_profile_in_use_is_an_error_and_its_browser_continues(tmp_path: Path) -> None:
    options = Config(chromium=EXECUTABLE, user_data_dir=str(tmp_path / "profile"))
    async with open_chromium(options) as first:
        with pytest.raises(SessionProblem, match="profile"):
            async with open_chromium(options):
                pytest.fail("two browsers share a profile")
        assert running(first.pid)
