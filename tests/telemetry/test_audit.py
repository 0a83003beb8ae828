"""The audit log: each call is a line, also after a full disk or a crash."""

import errno
import json
import os
import resource
import stat
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs
import pytest
import trio

from charlotte.base.errors import AuditFailed, InvalidArgument
from charlotte.telemetry.audit import AuditFile, AuditLog, Row, open_audit


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


def write(path: Path, *calls: str) -> None:
    with AuditFile.open(path) as file:
        file.append([{"call": call} for call in calls])


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_file_is_private_also_if_it_was_not(path: Path) -> None:
    path.touch(mode=0o644)
    write(path, "1")
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("cut", [1, 20])
def test_the_next_process_begins_a_line_after_an_incomplete_one(path: Path, cut: int) -> None:
    write(path, "1", "2")
    os.truncate(path, os.stat(path).st_size - cut)  # noqa: PTH116
    write(path, "3")
    assert json.loads(path.read_text().splitlines()[-1]) == {"call": "3"}


def test_two_processes_cannot_write_to_one_file(path: Path) -> None:
    taken = pytest.raises(InvalidArgument, match="another process")
    with AuditFile.open(path), taken, AuditFile.open(path):
        pass


def test_only_a_regular_file_can_be_an_audit_log(tmp_path: Path) -> None:
    for place in (tmp_path, Path("/dev/null"), tmp_path / "missing" / "audit.jsonl"):
        with pytest.raises(InvalidArgument), AuditFile.open(place):
            pass


def test_a_full_disk_leaves_no_part_of_a_line(path: Path) -> None:
    with AuditFile.open(path) as file:
        file.append([{"call": "1"}])
        size = path.stat().st_size
        with file_size_limit(size + 5), pytest.raises(OSError, match="too large"):
            file.append([{"call": "2"}])
        assert size == path.stat().st_size
        file.append([{"call": "2"}, {"call": "3"}])

    assert ["1", "2", "3"] == [row["call"] for row in rows(path)]


@contextmanager
def file_size_limit(size: int) -> Generator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_another_program_changes_is_not_written_to(path: Path) -> None:
    with AuditFile.open(path) as file:
        file.append([{"call": "1"}])
        with path.open("a") as other:
            other.write("forged\n")
        with pytest.raises(OSError, match="another program"):
            file.append([{"call": "2"}])


@attrs.define(eq=False)
class FakeFile(AuditFile):
    path: Path = Path("audit.jsonl")
    _descriptor: int = -1
    _size: int = 0
    full: bool = False
    written: list[Row] = attrs.field(factory=list[Row])

    def append(self, rows: Sequence[Row]) -> None:
        if self.full:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.written += rows


@contextmanager
def running(file: FakeFile) -> Generator[FakeFile]:
    yield file


async def settled(file: FakeFile, count: int) -> None:
    with trio.fail_after(60):
        while len(file.written) < count:  # noqa: ASYNC110 - written by a thread
            await trio.sleep(0.01)


async def test_calls_are_refused_while_lines_cannot_be_written_and_none_is_lost() -> None:
    file = FakeFile()
    async with open_audit(file.path, lambda _: running(file)) as audit:
        file.full = True
        audit.check()
        audit.add({"call": "1"})
        await failed(audit, expected=True)
        with pytest.raises(AuditFailed, match="No space left"):
            audit.check()
        file.full = False
        await failed(audit, expected=False)
        audit.check()
        audit.add({"call": "2"})
    assert ["1", "2"] == [row["call"] for row in file.written if "call" in row]


async def failed(audit: AuditLog, *, expected: bool) -> None:
    with trio.fail_after(60):
        while (audit.failure is not None) != expected:  # noqa: ASYNC110 - set after a thread ended
            await trio.sleep(0.01)


async def test_lines_that_were_never_written_are_logged_at_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charlotte.telemetry.audit._CLOSE_WAIT", 0.1)
    file = FakeFile()
    async with open_audit(file.path, lambda _: running(file)) as audit:
        file.full = True
        audit.add({"call": "lost-1"})
    assert "audit line lost" in (shown := capsys.readouterr().out)
    assert "lost-1" in shown


def test_no_call_begins_while_a_thousand_lines_wait() -> None:
    audit = AuditLog(FakeFile())
    for number in range(1000):
        audit.check()
        audit.add({"call": str(number)})
    with pytest.raises(AuditFailed, match="1000 lines wait"):
        audit.check()
