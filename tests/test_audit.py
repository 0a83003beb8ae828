"""The audit log: a chain of lines that shows every change, also after a full disk or a crash."""

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
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.audit import FIRST, AuditFile, AuditLog, Row, open_audit, verify
from charlotte.errors import AuditFailed, InvalidArgument


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "audit.jsonl"


def write(path: Path, *calls: str) -> None:
    with AuditFile.open(path) as file:
        file.append([{"call": call} for call in calls])


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_each_line_has_the_hash_of_the_line_before(path: Path) -> None:
    write(path, "1", "2", "3")

    lines = rows(path)
    assert [FIRST, lines[0]["hash"], lines[1]["hash"]] == [line["prev"] for line in lines]
    assert (3, lines[2]["hash"], None) == (
        (found := verify(path)).lines,
        found.last,
        found.problem,
    )


def test_another_process_continues_the_chain(path: Path) -> None:
    write(path, "1")
    write(path, "x" * 200_000)
    write(path, "3", "4")

    assert verify(path).problem is None
    assert 4 == verify(path).lines


def test_the_file_is_private_also_if_it_was_not(path: Path) -> None:
    path.touch(mode=0o644)
    write(path, "1")
    assert 0o600 == stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_changed_line_is_named(path: Path, number: int) -> None:
    write(path, "one", "two", "three")
    lines = path.read_text().splitlines(keepends=True)
    lines[number - 1] = lines[number - 1].replace('"call":"', '"call":"x')
    path.write_text("".join(lines))

    found = verify(path)

    assert number - 1 == found.lines
    assert (found.problem or "").startswith(f"line {number} was changed")


@pytest.mark.parametrize("kept", [(0, 2, 3), (1, 2, 3), (0, 1, 1, 2, 3), (0, 2, 1, 3)])
def test_a_removed_repeated_or_moved_line_breaks_the_chain(path: Path, kept: Sequence[int]) -> None:
    write(path, "1", "2", "3", "4")
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[index] for index in kept))

    first = next(place for place, index in enumerate(kept) if place != index)
    assert (verify(path).problem or "").startswith(f"line {first + 1} does not follow")


def test_an_incomplete_last_line_is_named(path: Path) -> None:
    write(path, "1", "2")
    path.write_bytes(path.read_bytes()[:-20])

    assert (1, "line 2 is not complete") == (verify(path).lines, verify(path).problem)


@pytest.mark.parametrize("cut", [1, 20])
async def test_the_next_process_notes_an_incomplete_line_and_continues(
    path: Path, cut: int
) -> None:
    write(path, "1", "2")
    os.truncate(path, os.stat(path).st_size - cut)  # noqa: PTH116
    async with open_audit(path) as audit:
        await audit.reserve()
        audit.add({"call": "3"})

    found = verify(path)

    assert found.problem is None
    assert 4 == found.lines
    assert [2] == list(found.torn) or cut == 1
    assert rows_of_events(path) == [("opened", True)]


def rows_of_events(path: Path) -> list[tuple[str, bool]]:
    lines = [line for line in path.read_text().splitlines() if '"event"' in line]
    return [(row["event"], row.get("torn", False)) for row in map(json.loads, lines)]


def test_a_line_that_the_next_one_does_not_note_is_not_accepted(path: Path) -> None:
    write(path, "1", "2")
    data = path.read_bytes()[:-20] + b"\n"
    path.write_bytes(data)
    write(path, "3")

    assert (1, "line 2 is not complete") == (verify(path).lines, verify(path).problem)


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
        with file_size_limit(size + 30), pytest.raises(OSError, match="too large"):
            file.append([{"call": "2"}])
        assert size == path.stat().st_size
        file.append([{"call": "2"}, {"call": "3"}])

    assert (3, None) == (verify(path).lines, verify(path).problem)


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
class FakeFile:
    """A disk that can be full."""

    path: Path = Path("audit.jsonl")
    torn: bool = False
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
    with trio.fail_after(5):
        while len(file.written) < count:  # noqa: ASYNC110 - written by a thread
            await trio.sleep(0.01)


async def test_calls_are_refused_while_lines_cannot_be_written_and_none_is_lost() -> None:
    file = FakeFile()
    async with open_audit(file.path, lambda _: running(file)) as audit:
        file.full = True
        await audit.reserve()
        audit.add({"call": "1"})
        await failure_of(audit)
        with pytest.raises(AuditFailed, match="No space left"):
            await audit.reserve()
        with pytest.raises(AuditFailed, match="No space left"):
            audit.reserve_now()
        file.full = False
        await settled(file, 2)
        await audit.reserve()
        audit.add({"call": "2"})
    assert ["1", "2"] == [row["call"] for row in file.written if "call" in row]


async def failure_of(audit: AuditLog) -> None:
    with trio.fail_after(5):
        while audit.failure is None:  # noqa: ASYNC110 - set after a thread has ended
            await trio.sleep(0.01)


async def test_lines_that_were_never_written_are_logged_at_the_end(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("charlotte.audit._CLOSE_WAIT", 0.1)
    file = FakeFile()
    async with open_audit(file.path, lambda _: running(file)) as audit:
        file.full = True
        audit.add({"call": "lost-1"}, reserved=False)
    assert "audit line lost" in (shown := capsys.readouterr().out)
    assert "lost-1" in shown


async def test_a_call_waits_for_room_and_is_refused_after_some_seconds(
    autojump_clock: MockClock,
) -> None:
    audit = AuditLog(FakeFile())
    for _ in range(1000):
        await audit.reserve()
    begun = trio.current_time()
    with pytest.raises(AuditFailed, match="1000 lines wait"):
        await audit.reserve()
    assert 5 == trio.current_time() - begun
    with pytest.raises(AuditFailed):
        audit.reserve_now()
    await wait_all_tasks_blocked()
