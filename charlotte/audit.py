"""The audit log: JSON lines chained by hashes, written by a task of its own.

A call reserves room for its line before it begins, and adds the line when it ends; no answer waits
for the disk. If lines cannot be written, they are kept and written later, and no further call
begins.
"""

import hashlib
import json
import math
import os
import stat
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol

import attrs
import structlog
import trio

from charlotte.errors import AuditFailed, InvalidArgument
from charlotte.log import now
from charlotte.version import __version__

FIRST = "0" * 64
"""The ``prev`` of the first line."""

Row = Mapping[str, Any]

_PRIVATE = 0o600
_CAPACITY = 1000
"""Calls that may run or wait for their line to be written."""

_ROOM_WAIT = 5.0
_RETRY = 1.0
_CLOSE_WAIT = 2.0
_CHUNK = 1 << 16

log = structlog.get_logger(__name__)


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def write_line(row: Row, before: str) -> tuple[bytes, str]:
    """Return a line with the hash of the line ``before`` it and its own hash, and that hash.

    The own hash is that of the line without its last member.
    """
    text = json.dumps({"prev": before, **row}, ensure_ascii=False, separators=(",", ":"))
    data = text.encode(errors="replace")[:-1]
    own = _hash(data)
    return data + f',"hash":"{own}"}}\n'.encode(), own


def _hash_of(line: bytes) -> str:
    """Return the hash of a line as the next line has it: its own, or that of an incomplete line."""
    with suppress(ValueError, LookupError, TypeError):
        return str(json.loads(line)["hash"])
    return _hash(line)


class Appender(Protocol):
    """Where rows are written to."""

    path: Path

    def append(self, rows: Sequence[Row]) -> None:
        """Write all rows or none. Raises `OSError`."""
        ...


@attrs.define(eq=False)
class AuditFile:
    """An audit file that this process alone appends to.

    ``torn`` is set if the last line is incomplete because a process ended while it wrote.
    """

    path: Path
    _descriptor: int
    _size: int
    _last: str
    torn: bool

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Generator["AuditFile"]:
        """Open a file, or create it with mode 0600. Raises `InvalidArgument`."""
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise InvalidArgument(f"The audit log {path} cannot be opened: {error}.") from error
        try:
            yield cls._begin(path, descriptor)
        finally:
            os.close(descriptor)

    @classmethod
    def _begin(cls, path: Path, descriptor: int) -> "AuditFile":
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise InvalidArgument(f"The audit log {path} must be a regular file.")
        import fcntl  # noqa: PLC0415 - Windows has none, and imports this module

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InvalidArgument(
                f"The audit log {path} is used by another process: each server needs its own file."
            ) from None
        if stat.S_IMODE(status.st_mode) != _PRIVATE:
            os.fchmod(descriptor, _PRIVATE)
        line = _read_last_line(descriptor, status.st_size)
        last = _hash_of(line.rstrip(b"\n")) if line else FIRST
        return cls(path, descriptor, status.st_size, last, bool(line) and not line.endswith(b"\n"))

    def append(self, rows: Sequence[Row]) -> None:
        """Write all rows to the disk, or none of them. Raises `OSError`."""
        status = os.fstat(self._descriptor)
        if status.st_size != self._size or not status.st_nlink:
            raise OSError("another program has changed, moved or deleted the file")
        last, data = self._last, b"\n" if self.torn else b""
        for row in rows:
            line, last = write_line(row, last)
            data += line
        try:
            written = 0
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
            os.fsync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, self._size)  # the chain must not contain half a line
            raise
        self._size, self._last, self.torn = self._size + len(data), last, False


def _read_last_line(descriptor: int, size: int) -> bytes:
    """Return the last line of a file with its line break, if it has one."""
    data, start = b"", size
    while start > 0 and b"\n" not in data[:-1]:
        step = min(_CHUNK, start)
        start -= step
        data = os.pread(descriptor, step, start) + data
    ended = data[:-1] if data.endswith(b"\n") else data
    return data[ended.rfind(b"\n") + 1 :]


class AuditLog:
    """The queue before the file; see the module for what happens if the file is not writable."""

    def __init__(self, file: Appender) -> None:
        self._file = file
        self._room = trio.Semaphore(_CAPACITY)
        self._send, self._receive = trio.open_memory_channel[tuple[Row, bool]](math.inf)
        self.failure: str | None = None
        """Why lines cannot be written at present."""
        self._waiting: list[tuple[Row, bool]] = []

    async def reserve(self) -> None:
        """Reserve room for the line of a call. Raises `AuditFailed` if lines are not written."""
        if self.failure is None:
            with trio.move_on_after(_ROOM_WAIT):
                await self._room.acquire()
                return
        raise self._problem()

    def reserve_now(self) -> None:
        """Do the same as `reserve` without waiting for room."""
        try:
            if self.failure is None:
                self._room.acquire_nowait()
                return
        except trio.WouldBlock:
            pass
        raise self._problem()

    def _problem(self) -> AuditFailed:
        reason = self.failure or f"{_CAPACITY} lines wait to be written"
        return AuditFailed(f"Nothing was done: {self._file.path} cannot be written: {reason}.")

    def add(self, row: Row, *, reserved: bool = True) -> None:
        """Queue a line, for which a call has ``reserved`` room."""
        self._send.send_nowait((row, reserved))

    async def run(self, scope: trio.CancelScope) -> None:
        """Write lines until `end` or until the scope is cancelled, as many at once as wait."""
        with scope:
            async for first in self._receive:
                self._waiting.append(first)
                self._take_all()
                while not await self._write():  # noqa: ASYNC110 - a full disk has no event
                    await trio.sleep(_RETRY)

    def _take_all(self) -> None:
        with suppress(trio.WouldBlock, trio.EndOfChannel):
            while True:
                self._waiting.append(self._receive.receive_nowait())

    async def _write(self) -> bool:
        """Write the waiting lines; return whether that was possible."""
        rows = [row for row, _ in self._waiting]
        try:
            await trio.to_thread.run_sync(self._file.append, rows, abandon_on_cancel=True)
        except OSError as error:
            if self.failure is None:
                problem = {"file": str(self._file.path), "error": str(error)}
                log.error("audit lines cannot be written", **problem)  # noqa: TRY400
            self.failure = error.strerror or str(error)
            return False
        if self.failure is not None:
            log.warning("audit lines are written again", file=str(self._file.path))
        self.failure = None
        for _, reserved in self._waiting:
            if reserved:
                self._room.release()
        self._waiting = []
        return True

    def end(self) -> None:
        """Accept no more lines; `run` ends when all are written."""
        self._send.close()

    def log_unwritten(self) -> None:
        """Log the lines that could not be written."""
        self._take_all()
        for row, _ in self._waiting:
            log.error("audit line lost", line=row)


@asynccontextmanager
async def open_audit(
    path: Path,
    open_file: Callable[[Path], Any] = AuditFile.open,
) -> AsyncGenerator[AuditLog]:
    """Continue the audit log in a file; raises `InvalidArgument` or `OSError` if that fails.

    At the end of the block, waits up to `_CLOSE_WAIT` seconds for the last lines.
    """
    with open_file(path) as file:
        opened = {"at": now(), "event": "opened", "pid": os.getpid(), "version": __version__}
        file.append([{**opened, "torn": True} if file.torn else opened])
        audit = AuditLog(file)
        writing = trio.CancelScope(shield=True)  # a server that is cancelled writes its last lines
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(audit.run, writing)
                try:
                    yield audit
                finally:
                    audit.end()
                    writing.deadline = trio.current_time() + _CLOSE_WAIT
        finally:
            audit.log_unwritten()


@attrs.frozen
class Verified:
    """The result of a check: the number of good ``lines``, and the hash of the last one.

    ``problem`` describes the line after these, if it is bad. ``torn`` are the numbers of incomplete
    lines that the next line notes.
    """

    lines: int
    last: str
    torn: Sequence[int] = ()
    problem: str | None = None


def verify(path: Path) -> Verified:
    """Check the chain of an audit file. Raises `OSError` if it cannot be read."""
    last, number = FIRST, 0
    torn: list[int] = []
    is_torn = False
    with path.open("rb") as file:
        for line in file:
            found, problem = _check_line(line, last)
            row = found or {}
            if is_torn and not (problem is None and row.get("torn") and row.get("event")):
                return Verified(number - 1, last, torn[:-1], f"line {number} is not complete")
            is_torn = found is None and line.endswith(b"\n")
            if problem is not None and not is_torn:
                return Verified(number, last, torn, f"line {number + 1} {problem}")
            number += 1
            last = _hash(line.rstrip(b"\n")) if is_torn else str(row["hash"])
            if is_torn:
                torn.append(number)
    if is_torn:
        return Verified(number - 1, last, torn[:-1], f"line {number} is not complete")
    return Verified(number, last, torn)


def _check_line(line: bytes, before: str) -> tuple[dict[str, Any] | None, str | None]:
    """Return a line as an object, None for other text, and its problem, if it has one."""
    try:
        row: Any = json.loads(line)
        own, prev = row["hash"], row["prev"]
    except (ValueError, LookupError, TypeError):
        return None, "is not complete"
    member = f',"hash":"{own}"}}'.encode()
    body = line.rstrip(b"\n")
    if not body.endswith(member) or _hash(body.removesuffix(member)) != own:
        return row, "was changed: it does not have the hash that it states"
    if not line.endswith(b"\n"):
        return row, "is not complete: its line break is missing"
    if prev != before:
        return row, "does not follow the line before it: a line was changed, removed or added"
    return row, None
