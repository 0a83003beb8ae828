"""The audit log: JSON lines, written by a task of its own.

A call adds its line when it ends; no answer waits for the disk. If lines cannot be written, they
are kept and written later, and no further call begins.
"""

import json
import os
import stat
from collections.abc import AsyncGenerator, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import attrs
import structlog
import trio

from charlotte.base.errors import AuditFailed, InvalidArgument
from charlotte.base.log import now
from charlotte.base.version import __version__

Row = Mapping[str, Any]

_PRIVATE = 0o600
_CAPACITY = 1000
"""Lines that may wait while calls begin."""

_RETRY = 1.0
_CLOSE_WAIT = 2.0

log = structlog.get_logger(__name__)


@attrs.define(eq=False)
class AuditFile:
    """An audit file that this process alone appends to."""

    path: Path
    _descriptor: int
    _size: int

    @classmethod
    @contextmanager
    def open(cls, path: Path) -> Generator["AuditFile"]:
        """Open a file, or create it with mode 0600. Raises `InvalidArgument`."""
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise InvalidArgument(f"The audit log {path} cannot be opened: {error}.") from error
        try:
            status = os.fstat(descriptor)
            if not stat.S_ISREG(status.st_mode):
                raise InvalidArgument(f"The audit log {path} must be a regular file.")
            import fcntl  # noqa: PLC0415 - Windows has none, and imports this module

            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise InvalidArgument(
                    f"The audit log {path} is used by another process: each server needs its own "
                    "file."
                ) from None
            if stat.S_IMODE(status.st_mode) != _PRIVATE:
                os.fchmod(descriptor, _PRIVATE)
            yield cls(path, descriptor, status.st_size)
        finally:
            os.close(descriptor)

    def append(self, rows: Sequence[Row]) -> None:
        """Write all rows to the disk, or none of them. Raises `OSError`."""
        status = os.fstat(self._descriptor)
        if status.st_size != self._size or not status.st_nlink:
            raise OSError("another program has changed, moved or deleted the file")
        lines = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows]
        data = "".join(lines).encode(errors="replace")
        if self._size and os.pread(self._descriptor, 1, self._size - 1) != b"\n":
            data = b"\n" + data  # a process ended while it wrote the last line
        try:
            written = 0
            while written < len(data):
                written += os.write(self._descriptor, data[written:])
            os.fsync(self._descriptor)
        except OSError:
            os.ftruncate(self._descriptor, self._size)  # no half lines
            raise
        self._size += len(data)


class AuditLog:
    """The lines that wait for the file; ``failure`` is why none can be written at present."""

    def __init__(self, file: AuditFile) -> None:
        self._file = file
        self.waiting: list[Row] = []
        self._changed = trio.Event()
        self._has_ended = False
        self.failure: str | None = None

    def check(self) -> None:
        """Raise `AuditFailed` if lines are not written, so that no call may begin."""
        reason = self.failure
        if reason is None and len(self.waiting) >= _CAPACITY:
            reason = f"{_CAPACITY} lines wait to be written"
        if reason is not None:
            raise AuditFailed(f"Nothing was done: {self._file.path} cannot be written: {reason}.")

    def add(self, row: Row) -> None:
        """Queue a line."""
        self.waiting.append(row)
        self._changed.set()

    def end(self) -> None:
        """Have `run` end when all lines are written."""
        self._has_ended = True
        self._changed.set()

    async def run(self) -> None:
        """Write lines until `end`, as many at once as wait."""
        while self.waiting or not self._has_ended:
            if not self.waiting:
                await self._changed.wait()
                self._changed = trio.Event()
            elif not await self._write():  # a full disk has no event
                await trio.sleep(_RETRY)

    async def _write(self) -> bool:
        """Write the waiting lines; return whether that was possible."""
        rows = [*self.waiting]
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
        del self.waiting[: len(rows)]
        return True


@asynccontextmanager
async def open_audit(
    path: Path, open_file: Callable[[Path], Any] = AuditFile.open
) -> AsyncGenerator[AuditLog]:
    """Continue the audit log in a file; raises `InvalidArgument` or `OSError` if that fails.

    At the end of the block, waits up to `_CLOSE_WAIT` seconds for the last lines.
    """
    with open_file(path) as file:
        opened = {"at": now(), "event": "opened", "pid": os.getpid(), "version": __version__}
        file.append([opened])
        audit = AuditLog(file)
        writing = trio.CancelScope(shield=True)  # a server that is cancelled writes its last lines

        async def write() -> None:
            with writing:
                await audit.run()

        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(write)
                try:
                    yield audit
                finally:
                    audit.end()
                    writing.deadline = trio.current_time() + _CLOSE_WAIT
        finally:
            for row in audit.waiting:
                log.error("audit line lost", line=row)
