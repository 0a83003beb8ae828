"""The servers that work through the tasks."""

import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import attrs

from bench.libraries.devtools import Devtools
from bench.libraries.peer import PeerAgent
from bench.libraries.playwright import Playwright
from bench.peers import CHROME_DEVTOOLS, PLAYWRIGHT, commands
from tests.libraries.agent import Agent
from tests.libraries.calls import Calls
from tests.libraries.running import Worker, in_charlotte
from tests.whole.client import Server, open_server

OURS: Final = "Charlotte"
NAMES: Final = (OURS, PLAYWRIGHT, CHROME_DEVTOOLS)


@attrs.frozen
class Side:
    """A running server; ``start`` makes a worker for a task."""

    server: Server
    _agent: Callable[[Calls], Worker]

    def start(self) -> tuple[Worker, Callable[[str], str]]:
        """Return a worker without any calls yet, and what evaluates expressions in its page."""
        calls = Calls(self.server)
        worker = self._agent(calls)
        if isinstance(worker, PeerAgent):
            return worker, lambda expression: worker.evaluate(f"async () => await {expression}")
        return worker, in_charlotte(calls)


@attrs.frozen
class SideKind:
    """How to start a server, and the agent that works with it."""

    command: Sequence[str]
    agent: Callable[[Calls, Path], Worker]

    @contextmanager
    def open(self, files: Path) -> Generator[Side]:
        """Start the server; end it afterwards."""
        with open_server(program=self.command) as server:
            yield Side(server, lambda calls: self.agent(calls, files))


async def side_kinds(files: Path) -> Mapping[str, SideKind]:
    """Return all sides by name; ``files`` is where they may read files. Raises `NoPeers`."""
    peers = await commands(files)
    ours = [sys.executable, "-m", "charlotte", "--answers", "text", "--root", str(files)]
    playwright = [*peers[PLAYWRIGHT], "--caps", "vision", "--allow-unrestricted-file-access"]
    devtools = [*peers[CHROME_DEVTOOLS], "--experimentalVision", "--workspace", str(files)]
    return {
        OURS: SideKind(ours, Agent),
        PLAYWRIGHT: SideKind(playwright, Playwright),
        CHROME_DEVTOOLS: SideKind(devtools, Devtools),
    }
