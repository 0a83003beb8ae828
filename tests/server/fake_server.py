"""A Charlotte without a browser: tools that wait, fail, print and change; also a stdio program."""

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import attrs
import structlog
import trio

from charlotte.actors.state.questions import Channel, Question, Verdict
from charlotte.actors.state.session_settings import TabBudget
from charlotte.answers.answer import Answer, Image, Link, Text
from charlotte.base.errors import ElementNotFound
from charlotte.base.progress import Report
from charlotte.base.saved_files import FileContents, FileEntry, list_files, read_file
from charlotte.config.config import Config
from charlotte.server.serve import LazyService, serve_stdio
from charlotte.tools.schema.tool import ListedTool, UnknownTool


def listing(name: str) -> ListedTool:
    schema: dict[str, Any] = {"type": "object", "properties": {}}
    hints = {"readOnlyHint": True, "openWorldHint": False}
    return ListedTool(name, name.capitalize(), f"Fake {name}.", schema, hints)


@attrs.define(eq=False)
class FakeService:
    """Every tool is a method; ``started`` and ``ended`` record the waiting tools.

    ``delivered`` are the tools whose answers have been sent.
    """

    started: list[str] = attrs.field(factory=list[str])
    ended: list[str] = attrs.field(factory=list[str])
    delivered: list[str] = attrs.field(factory=list[str])
    extra: list[ListedTool] = attrs.field(factory=list[ListedTool])
    callbacks: list[Callable[[], None]] = attrs.field(factory=list[Callable[[], None]])
    gate: trio.Event = attrs.field(factory=trio.Event)
    progress: Report | None = None
    kept: Sequence[Path] = ()
    tabs: int = 0
    budget: Callable[[], TabBudget] | None = None
    roots: list[list[Path]] = attrs.field(factory=list[list[Path]])
    may_ask: bool = False
    channel: Channel | None = None
    returned: list[Question] = attrs.field(factory=list[Question])

    def listed(self) -> Sequence[ListedTool]:
        """Return all tools, including those that `grow` added."""
        names = ("noop", "echo", "size", "meet", "wait", "late", "grow", "missing", "crash")
        return [*map(listing, names), *self.extra]

    async def read_status(self) -> dict[str, Any]:
        return {"started": self.started}

    @property
    def tab_count(self) -> int:
        return self.tabs

    def limit_tabs(self, budget: Callable[[], TabBudget]) -> None:
        """Keep the budget."""
        self.budget = budget

    def hidden(self, text: str) -> str:
        return text.replace("hunter2", "<secret>PASSWORD</secret>")

    async def list_files(self) -> Sequence[FileEntry]:
        return list_files(self.kept, self.hidden)

    async def read_file(self, address: str) -> FileContents:
        return read_file(address, self.kept, self.hidden)

    def use_roots(self, directories: Sequence[Path], /) -> None:
        self.roots.append(list(directories))

    def give_back(self, question: Question) -> None:
        """Refuse a question that the client could not show."""
        self.returned.append(question)
        question.answer(Verdict(is_allowed=False, reason="not shown"))

    async def answer(
        self,
        name: str,
        arguments: dict[str, Any],
        progress: Report | None,
        channel: Channel | None = None,
    ) -> Answer:
        """Run ``do_<name>``."""
        self.channel = channel
        tool: Callable[..., Awaitable[Answer]] | None = getattr(self, f"do_{name}", None)
        if tool is None:
            raise UnknownTool(f"Unknown tool: {name}")
        self.progress = progress
        answer = await tool(**arguments)
        return attrs.evolve(answer, delivered=partial(self.delivered.append, name))

    def on_change(self, callback: Callable[[], None]) -> Callable[[], None]:
        self.callbacks.append(callback)

        def forget() -> None:
            if callback in self.callbacks:
                self.callbacks.remove(callback)

        return forget

    async def do_noop(self) -> Answer:
        return Answer((Text("ok"),), {"tab_id": "tab-1"})

    async def do_echo(self, text: str) -> Answer:
        return Answer((Text(text),))

    async def do_size(self, text: str) -> Answer:
        return Answer((Text(str(len(text))),))

    async def do_meet(self, name: str, party: int) -> Answer:
        """Answer only when ``party`` calls are in here at the same time."""
        self.started.append(name)
        if len(self.started) == party:
            self.gate.set()
        await self.gate.wait()
        return Answer((Text(name),))

    async def do_wait(self, name: str = "wait") -> Answer:
        """Wait for `gate`, and record how it ended."""
        self.started.append(name)
        try:
            await self.gate.wait()
        finally:
            self.ended.append(name)
        return Answer((Text(name),))

    async def do_history(self) -> Answer:
        return Answer((Text(f"started={self.started} ended={self.ended}"),))

    async def do_late(self, seconds: float) -> Answer:
        await trio.sleep(seconds)
        return Answer((Text("late"),))

    async def do_grow(self) -> Answer:
        """Add a tool and notify the client."""
        self.extra.append(listing(f"extra_{len(self.extra)}"))
        for callback in self.callbacks:
            callback()
        return Answer((Text("grown"),))

    async def do_save(self) -> Answer:
        file = self.kept[0] / "saved.txt"
        file.write_text("kept")
        return Answer((Link(file.as_uri(), file.name, "text/plain"),))

    async def do_report(self) -> Answer:
        if self.progress:
            await self.progress(1, 2, "half")
            await self.progress(2, 2)
        return Answer((Text("reported"),))

    async def do_media(self) -> Answer:
        return Answer((Image("aGk=", "image/png"), Link("file:///a.png", "a.png", "image/png")))

    async def do_ask(self, times: int = 1) -> Answer:
        verdicts: list[str] = []
        for _ in range(times):
            question = Question(
                "POST https://shop.test/orders", "r", "tab-1", "https://shop.test", 9
            )
            if self.channel is None:
                return Answer((Text("no person to ask"),))
            self.started.append(question.id)
            self.channel(question)
            with trio.move_on_at(question.deadline):
                await question.settled.wait()
            verdicts.append(question.verdict.reason if question.verdict else "no answer")
        self.ended.append("ask")
        return Answer((Text(", ".join(verdicts)),))

    async def do_missing(self) -> Answer:
        raise ElementNotFound("No element btn-1.", details={"element_id": "btn-1"})

    async def do_crash(self) -> Answer:
        raise KeyError("a secret")

    async def do_noisy(self) -> Answer:
        """Write to stdout in every way there is, and read stdin."""
        print("a stray print")  # noqa: T201
        os.write(1, b"a stray write\n")
        subprocess.run(["echo", "a stray child"], check=True)  # noqa: ASYNC221, S607
        return Answer((Text(f"stdin={os.read(0, 10)!r}"),))


CONFIG = Config(answers="json")


def lazy(service: Any) -> LazyService:

    def open_service() -> AbstractAsyncContextManager[Any]:
        return nullcontext(service)

    return LazyService(open_service)


if __name__ == "__main__":
    # Processes in the background ignore interrupts, and their children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    structlog.configure(logger_factory=structlog.PrintLoggerFactory(sys.stderr))
    trio.run(serve_stdio, lazy(FakeService()), CONFIG)
    print("printed after serving")  # noqa: T201
