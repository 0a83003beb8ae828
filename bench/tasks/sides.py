"""The sides of the benchmark: which server each starts, and how it is driven."""

from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from subprocess import DEVNULL
from typing import Final

import attrs

from bench.ours import COMMAND
from bench.peers import PLAYWRIGHT, commands
from bench.tasks import json_answers, text_answers
from bench.tasks.charlotte_side import Charlotte
from bench.tasks.counter import Counter
from bench.tasks.playwright_side import Playwright
from bench.tasks.shell_side import ShellKind
from tests.stdio_client import open_client

AnySide = Charlotte | Playwright

OURS: Final = "text"
OTHERS: Final = ("json", "playwright")
"""Sides on which the agent sees each page for the first time."""

SHELL: Final = "shell"
"""The side whose agent has a shell and the skill; it has no bound."""

FINDING: Final = ("text-find", "playwright-find")
"""Sides on which the agent knows all pages and only searches; they have no bound."""


@attrs.frozen
class SideKind:
    """A side: the command of its server, and what drives a connection to it."""

    command: Sequence[str]
    drive: Callable[[Counter], AnySide]

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[AnySide]:
        """Start a server with a browser; end both afterwards."""
        async with open_client(self.command, stderr=DEVNULL) as client:
            await client.initialize()
            yield self.drive(Counter(client))


async def side_kinds(scratch: Path) -> Mapping[str, SideKind | ShellKind]:
    """Return all sides by name. Raises `NoPeers`."""
    playwright = (await commands(scratch))[PLAYWRIGHT]
    text = (*COMMAND, "--answers", "text")
    return {
        "text": SideKind(text, _drive_text),
        "shell": ShellKind(),
        "json": SideKind((*COMMAND, "--answers", "json"), _drive_json),
        "playwright": SideKind(playwright, partial(Playwright, knowing=False)),
        "text-find": SideKind(text, partial(_drive_text, knowing=True)),
        "playwright-find": SideKind(playwright, partial(Playwright, knowing=True)),
    }


def _drive_text(counter: Counter, *, knowing: bool = False) -> Charlotte:
    return Charlotte(counter, text_answers.parse, text_answers.parse_steps, knowing=knowing)


def _drive_json(counter: Counter) -> Charlotte:
    return Charlotte(counter, json_answers.parse, json_answers.parse_steps)
