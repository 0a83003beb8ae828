"""A blocking client of the real server process: calls may overlap, and every wait is bounded."""

import itertools
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import IO, Any, cast

import attrs

from tests.whole.forking import Forked, fork_server

Message = dict[str, Any]
Process = subprocess.Popen[bytes] | Forked

PATIENCE = 120.0
PROGRAM = (sys.executable, "-m", "charlotte")
OLDEST_VERSION = "2025-06-18"


@attrs.frozen
class Reply:
    """A JSON-RPC response, and the seconds between request and response."""

    message: Message
    seconds: float

    @property
    def result(self) -> Message:
        assert "result" in self.message, self.message
        return cast("Message", self.message["result"])

    @property
    def text(self) -> str:
        """The first text block, of results and of errors."""
        blocks: list[Message] = self.result["content"]
        return str(next(block["text"] for block in blocks if block["type"] == "text"))

    @property
    def texts(self) -> list[str]:
        """The text blocks of a successful call."""
        assert not self.result.get("isError"), self.text
        return [block["text"] for block in self.result["content"] if block["type"] == "text"]

    @property
    def json(self) -> Any:
        """The parsed answer of a successful call."""
        assert not self.result.get("isError"), self.text
        return json.loads(self.text)

    @property
    def error(self) -> Message:
        """The error of a failed call: code, message, optional suggestion and details."""
        assert self.result.get("isError"), self.text[:2000]
        return cast("Message", json.loads(self.text)["error"])

    @property
    def metadata(self) -> Message:
        return cast("Message", self.result["_meta"]["charlotte/metadata"])


@attrs.define(eq=False, repr=False)
class Server:
    process: Process
    stderr: IO[bytes]
    notifications: list[Message] = attrs.field(factory=list[Message])
    stray: list[bytes] = attrs.field(factory=list[bytes])
    _answers: dict[Any, tuple[Message, float]] = attrs.field(
        factory=dict[Any, tuple[Message, float]]
    )
    _received: threading.Condition = attrs.field(factory=threading.Condition)
    _numbers: Iterator[int] = attrs.field(factory=lambda: itertools.count(1))
    _ended: bool = False

    def initialize(self, version: str = OLDEST_VERSION) -> Message:
        info = {"name": "test", "version": "1"}
        params = {"protocolVersion": version, "capabilities": {}, "clientInfo": info}
        # A shared server that a busy machine starts late would fail every test after it.
        answer = self.post("initialize", params).reply(2 * PATIENCE).result
        self.say({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, tool: str, /, **arguments: Any) -> Reply:
        """Call a tool and wait for its answer."""
        return self.start(tool, **arguments).reply()

    def start(self, tool: str, /, **arguments: Any) -> "Pending":
        """Call a tool without waiting for its answer."""
        return self.post("tools/call", {"name": tool, "arguments": arguments})

    def ask(self, method: str, params: Message | None = None) -> Reply:
        return self.post(method, params).reply()

    def post(self, method: str, params: Message | None = None) -> "Pending":
        pending = Pending(self, next(self._numbers), time.monotonic())
        message = {"jsonrpc": "2.0", "id": pending.number, "method": method}
        self.say(message | ({} if params is None else {"params": params}))
        return pending

    def cancel(self, pending: "Pending") -> None:
        params = {"requestId": pending.number, "reason": "cancelled by the test"}
        self.say({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})

    def say(self, message: Message | bytes) -> None:
        """Send a message, or a line of any bytes."""
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def answer_to(self, number: Any, patience: float = PATIENCE) -> tuple[Message, float]:
        """Wait for the answer with an id; return it with its time of arrival (monotonic)."""
        self.wait_until(lambda: number in self._answers or self._ended, patience)
        assert number in self._answers, f"no answer to request {number}; {self.log()[-3000:]}"
        return self._answers.pop(number)

    def answered(self, number: Any) -> bool:
        return number in self._answers

    def wait_until(self, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
        with self._received:
            assert self._received.wait_for(condition, patience), f"not within {patience} s"

    def log(self) -> str:
        file = self.stderr.fileno()  # its offset is shared with the server, so it must stay
        return os.pread(file, os.fstat(file).st_size, 0).decode(errors="replace")

    def listen(self) -> None:
        """Store the messages of the process until it ends."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            with self._received:
                self._take(line)
                self._received.notify_all()
        with self._received:
            self._ended = True
            self._received.notify_all()

    def _take(self, line: bytes) -> None:
        try:
            message: Message = json.loads(line)
        except ValueError:
            self.stray.append(line)
            return
        if "method" in message:
            self.notifications.append(message)
        else:
            self._answers[message["id"]] = message, time.monotonic()


@attrs.frozen(eq=False)
class Pending:
    """A request without a response yet."""

    server: Server
    number: int
    asked_at: float

    def reply(self, patience: float = PATIENCE) -> Reply:
        message, came_at = self.server.answer_to(self.number, patience)
        return Reply(message, came_at - self.asked_at)

    @property
    def is_answered(self) -> bool:
        return self.server.answered(self.number)


@contextmanager
def open_server(
    *flags: str,
    program: Sequence[str] | None = None,
    initialized: bool = True,
    env: dict[str, str] | None = None,
) -> Generator[Server]:
    """Start and initialize a server; end it afterwards, by force if necessary.

    Without ``program``, the server is a fork that has imported everything.
    """
    with (
        tempfile.TemporaryFile() as stderr,
        _start(flags, program, stderr, _environment() | (env or {})) as process,
    ):
        server = Server(process, stderr)
        listener = threading.Thread(target=server.listen, daemon=True)
        listener.start()
        try:
            if initialized:
                server.initialize()
            yield server
        finally:
            _end(process)
            listener.join(PATIENCE)
        assert not server.stray, server.stray


def _start(
    flags: Sequence[str], program: Sequence[str] | None, stderr: IO[bytes], env: dict[str, str]
) -> AbstractContextManager[Process]:
    if program is None:
        return fork_server(flags, stderr, env)
    return subprocess.Popen(  # noqa: S603 - it is our own program
        [*program, *flags], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr, env=env
    )


def _environment() -> dict[str, str]:
    kept = {"CHARLOTTE_ANSWERS", "CHARLOTTE_CHROMIUM"}
    return {
        key: value
        for key, value in os.environ.items()
        if key in kept or not key.startswith("CHARLOTTE_")
    }


def _end(process: Process) -> None:
    assert process.stdin is not None
    with suppress(BrokenPipeError):
        process.stdin.close()
    try:
        process.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
