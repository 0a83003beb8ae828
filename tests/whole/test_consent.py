"""The browser of a user who is asked: one connection and one question for all sessions."""

import json
import os
import signal
import subprocess
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
import trio

from bench.agents import open_http_server
from charlotte import Config, open_charlotte
from charlotte.actors import dispatcher
from charlotte.browser.executables import find_executable
from charlotte.browser.running_browser import NotAllowedYet, read_port_file
from tests.browser.consent_front import ConsentFront, open_front
from tests.browser.raw_cdp import FLAGS, chromium
from tests.server.http.clients import Handshaking, Stateless, connected
from tests.whole.tabs import eventually

pytestmark = pytest.mark.chromium

PAGE = "data:text/html,<title>Shown</title><button>Buy</button>"
SESSIONS = 6
REMOTE_DEBUGGING = json.dumps({"devtools": {"remote_debugging": {"user-enabled": True}}})


@asynccontextmanager
async def clients(url: str, number: int) -> AsyncGenerator[list[Handshaking | Stateless]]:
    async with AsyncExitStack() as stack:
        kinds: list[type[Any]] = [Handshaking, Stateless]
        yield [
            await stack.enter_async_context(connected(kinds[each % 2], url))
            for each in range(number)
        ]


async def navigate(client: Handshaking | Stateless, texts: list[str]) -> None:
    result = await client.call("navigate", url=PAGE)
    texts.append(result["content"][0]["text"])


async def call_all(agents: list[Handshaking | Stateless], front: ConsentFront) -> list[str]:
    """Let all sessions call at once, and allow the connection when one has been asked for."""
    texts = list[str]()
    async with trio.open_nursery() as nursery:
        for agent in agents:
            nursery.start_soon(navigate, agent, texts)
        await front.until(lambda: front.upgrades > 0)
        await trio.testing.wait_all_tasks_blocked()
        front.answer("allow")
    return texts


@pytest.mark.extended
async def test_many_sessions_cause_one_connection_and_one_question(tmp_path: Path) -> None:
    directory = tmp_path / "profile"
    with chromium() as browser:
        async with (
            open_front(directory, browser) as front,
            open_http_server("--attach", str(directory)) as (url, _),
            clients(url, SESSIONS) as agents,
        ):
            assert front.connections == 0
            texts = await call_all(agents, front)
            assert ["Shown" in text for text in texts] == [True] * SESSIONS
            assert (front.connections, front.upgrades) == (1, 1)


@contextmanager
def consenting_chromium(profile: Path) -> Generator[None]:
    """Run Chromium as its user has set it: each connection has to be allowed."""
    profile.mkdir()
    (profile / "Local State").write_text(REMOTE_DEBUGGING)
    flags = [flag for flag in FLAGS if not flag.startswith(("--headless", "--remote-debugging"))]
    process = subprocess.Popen(  # noqa: S603
        [
            find_executable(os.environ.get("CHARLOTTE_CHROMIUM"), windows=True),
            *flags,
            "--headless=new",
            f"--user-data-dir={profile}",
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        eventually(lambda: read_port_file(profile) is not None)
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.extended
async def test_chromium_that_asks_is_found_and_the_answer_says_to_allow_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "CONSENT_WAIT", 2.0)
    profile = tmp_path / "profile"
    with consenting_chromium(profile):
        async with (
            open_charlotte(Config(attach=str(profile))) as charlotte,
            charlotte.open_session() as session,
        ):
            for tool in ("observe", "tabs", "tab_open"):
                with pytest.raises(NotAllowedYet) as raised:
                    await session.call(tool)
                assert "asks its user whether Charlotte may connect" in raised.value.message
