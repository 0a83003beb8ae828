"""Charlotte from a shell: the calls of a side as commands that ``charlotte skill`` teaches."""

import json
import subprocess
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final

import attrs
import trio

from bench.tasks import text_answers
from bench.tasks.charlotte_side import Charlotte
from bench.tasks.counter import Counter
from tests.shell.running import Background, open_background

_TAUGHT: Final = {"toggle": "click"}
"""Tools that the skill leaves out, and the one that it teaches instead."""


@attrs.frozen
class ShellClient:
    """A client that runs a command for each call; an answer is all that the command prints."""

    _background: Background

    async def call(self, tool: str, /, **arguments: Any) -> Mapping[str, Any]:
        """Return an answer in the form of MCP."""
        words = ["do", *words_of(tool, arguments)]
        try:
            ran = await trio.to_thread.run_sync(lambda: self._background.run(*words))
        except subprocess.TimeoutExpired:
            return {"content": [{"type": "text", "text": "timeout"}], "isError": True}
        text = "\n".join(part.rstrip("\n") for part in (ran.out, ran.err) if part)
        return {"content": [{"type": "text", "text": text}], "isError": ran.code != 0}


def words_of(tool: str, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of a command."""
    given = _without_mode(arguments)
    if "tab_id" in given:
        yield from ("--tab", given.pop("tab_id"))
    yield _TAUGHT.get(tool, tool)
    match tool:
        case "fill_form":
            for field in given.pop("fields"):
                yield f"{field['element_id']}={_text(field['value'])}"
        case "batch":
            steps: Sequence[Mapping[str, Any]] = given.pop("steps")
            yield json.dumps(
                [{**step, "arguments": _without_mode(step["arguments"])} for step in steps]
            )
        case "type":
            yield from (given.pop("element_id"), "--", given.pop("text"))
        case _:
            for name in ("element_id", "url", "text", "value"):
                if name in given:
                    yield given.pop(name)
    for name, value in given.items():
        yield from [f"--{name}"] if value is True else [f"--{name}", _text(value)]


def _without_mode(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments with ``--grep`` alone: the skill does not teach it with ``content``."""
    return {name: value for name, value in arguments.items() if name != "mode"}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@attrs.frozen
class ShellKind:
    """The side whose agent has a shell and the skill."""

    @asynccontextmanager
    async def open(self) -> AsyncGenerator[Charlotte]:
        """Provide a background server of its own, which the first command starts."""
        with open_background() as background:
            counter = Counter(ShellClient(background))
            yield Charlotte(counter, text_answers.parse, text_answers.parse_steps)
