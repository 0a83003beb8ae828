"""Runs of programs that make tool calls: the exchange with the program, its limits and its end."""

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from typing import Any, cast

import attrs
import trio

from charlotte.actors.kernel.supervisor import reason_for
from charlotte.base.errors import CharlotteError, DeadlineExceeded, EvaluationFailed
from charlotte.browser.sandbox_page import (
    MOST_LINES_TEXT,
    RendererMemory,
    Sandbox,
    SandboxPage,
    line_of,
    open_sandbox_page,
)

MOST_CALLS = 1000
MOST_AT_ONCE = 50
MOST_MEMORY = 512 * 2**20
"""Bytes of the program's renderer."""

_SHOWN_LINES = 20
"""The last lines of the console that an error has."""

Perform = Callable[[str, dict[str, Any]], Awaitable[Any]]
"""Makes a call of a tool; returns its JSON value, raises `CharlotteError`."""


@attrs.frozen
class ProgramResult:
    """The value of a program as JSON, the lines of its console, and the number of its calls.

    ``total`` is the length of a value that was too long; ``value`` is the first part of its JSON
    then. ``dropped`` counts the lines beyond the limit.
    """

    value: Any
    total: int | None
    console: tuple[str, ...]
    dropped: int
    calls: int


@attrs.define(eq=False)
class ProgramRun:
    """A run of a program. Its calls go to ``perform``, `MOST_AT_ONCE` at the same time."""

    _perform: Perform
    calls: int = 0
    lines: list[str] = attrs.field(factory=list[str])
    running: dict[int, str] = attrs.field(factory=dict[int, str])
    _failed: dict[int, tuple[str, CharlotteError]] = attrs.field(
        factory=dict[int, "tuple[str, CharlotteError]"]
    )
    _lines_left: int = MOST_LINES_TEXT
    _slots: trio.Semaphore = attrs.field(factory=lambda: trio.Semaphore(MOST_AT_ONCE))
    _end: dict[str, Any] | None = None
    _problem: CharlotteError | None = None

    async def run(self, sandbox: Sandbox, code: str, timeout_ms: int) -> ProgramResult:
        """Run a program; return its result once all of its calls have ended.

        Raises `NotCompiled`, `DeadlineExceeded`, `EvaluationFailed`, or the error of a call that
        the program did not catch; ``details`` have the line, the call and the console.
        """
        with trio.move_on_after(timeout_ms / 1000) as deadline:
            await self._run(sandbox, code)
        if deadline.cancelled_caught:
            names = ", ".join(dict.fromkeys(self.running.values()))
            raise self._describe(
                DeadlineExceeded(
                    f"The program was stopped after {timeout_ms} ms; it had made {self.calls} "
                    f"calls{f', and {names} did not end' if names else ''}.",
                    "Observe the tabs that it used; pass a larger timeout, or split the work.",
                )
            )
        if self._problem is not None:
            raise self._describe(self._problem)
        end = self._end or {}
        if (error := end.get("error")) is not None:
            raise self._failure(error)
        return ProgramResult(
            end.get("value"), end.get("total"), tuple(self.lines), end["dropped"], self.calls
        )

    async def _run(self, sandbox: Sandbox, code: str) -> None:
        """Serve the messages of a program until its end, and finish its calls."""
        try:
            async with open_sandbox_page(sandbox, code) as page, trio.open_nursery() as nursery:
                nursery.start_soon(page.watch)
                nursery.start_soon(_watch_memory, RendererMemory(sandbox))
                async with trio.open_nursery() as calls:
                    await page.start()
                    while self._end is None:
                        for message in await page.next():
                            await self._take(page, message, calls)
                nursery.cancel_scope.cancel("program ended")
        except* CharlotteError as errors:
            self._problem = reason_for(errors, "run")

    async def _take(
        self, page: SandboxPage, message: Mapping[str, Any], nursery: trio.Nursery
    ) -> None:
        match message:
            case {"call": call}:
                self.calls += 1
                if self.calls > MOST_CALLS:
                    raise EvaluationFailed(
                        f"The program made more than {MOST_CALLS} calls.",
                        "Split the work into several runs.",
                    )
                await self._slots.acquire()
                nursery.start_soon(self._serve, page, call)
            case {"line": str(line)} if len(line) < self._lines_left:
                self._lines_left -= len(line)
                self.lines.append(line)
            case {"end": end}:
                self._end = end
            case _:
                pass

    async def _serve(self, page: SandboxPage, call: Mapping[str, Any]) -> None:
        """Make one call of the program and answer it."""
        number, tool = call["id"], str(call["tool"])
        self.running[number] = tool
        try:
            value, error = await self._perform(tool, _arguments(call)), None
        except CharlotteError as failed:
            self._failed[number] = tool, failed
            value, error = None, {"suggestion": None, **failed.as_json()["error"]}
        finally:
            self._slots.release()
        del self.running[number]  # not if it is cancelled: the error names it
        with suppress(CharlotteError):  # the page is gone, which ends the run
            await page.settle(number, value, error)

    def _failure(self, end: Mapping[str, Any]) -> CharlotteError:
        """Return the error of a program that threw: that of a call, or its own."""
        line = line_of(str(end["stack"]))
        where = "The program" if line is None else f"Line {line} of the program"
        if (failed := self._failed.get(end["call"])) is None:
            error: CharlotteError = EvaluationFailed(
                f"{where} failed: {end['text']}",
                "Fix the program and retry; the calls before the error were made.",
            )
            return self._describe(error, line)
        tool, cause = failed
        error = cause.again()
        error.message = f"{where}: {tool} failed. {cause.message}"
        error.args, error.envelope, error.text = (error.message,), {}, None
        return self._describe(error, line, {"number": end["call"], "tool": tool})

    def _describe(
        self, error: CharlotteError, line: int | None = None, call: Mapping[str, Any] | None = None
    ) -> CharlotteError:
        """Add line, call, number of calls and console to the details of an error."""
        about = {"line": line, "call": call, "calls": self.calls or None}
        known = {name: value for name, value in about.items() if value is not None}
        console = {"console": self.lines[-_SHOWN_LINES:]} if self.lines else {}
        error.details = {**(error.details or {}), **known, **console}
        return error


def _arguments(call: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call, with the tab on which the program made it."""
    given: Any = call["arguments"]
    # of another value, the tool reports that it has no such parameter
    is_object = isinstance(given, dict)
    arguments = cast("dict[str, Any]", given) if is_object else {"arguments": given}
    tab = call["tab"]
    return arguments if tab is None else {**arguments, "tab_id": tab}


async def _watch_memory(memory: RendererMemory) -> None:
    """Raise `EvaluationFailed` once the program uses too much memory."""
    while True:
        await trio.sleep(0.2)
        if await memory.measure() > MOST_MEMORY:
            raise EvaluationFailed(
                f"The program used more than {MOST_MEMORY >> 20} MiB of memory and was stopped.",
                "Keep less data: return or log only what you need of each page.",
            )
