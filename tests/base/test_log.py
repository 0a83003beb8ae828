"""The log's way to stderr: neither a reader that does not read nor a full disk is felt."""

import os
import select
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest
import structlog

from charlotte.base.log import Stderr, configure


@contextmanager
def pipe() -> Generator[tuple[int, int]]:
    reading, writing = os.pipe()
    try:
        yield reading, writing
    finally:
        os.close(reading)
        os.close(writing)


def all_there(descriptor: int) -> bytes:
    os.set_blocking(descriptor, False)
    return os.read(descriptor, 2**20)


def test_unread_lines_are_dropped_and_counted_in_the_next_line() -> None:
    with pipe() as (reading, writing):
        stderr = Stderr(writing)
        while select.select((), (writing,), (), 0)[1]:
            os.write(writing, b"x" * select.PIPE_BUF)
        for _ in range(3):
            stderr.msg("never read")
        all_there(reading)
        stderr.warning("read")
        stderr.warning("and read")

        read = all_there(reading)

    assert read == b'\n{"event": "log lines were dropped", "lines": 3}\nread\nand read\n'


def test_a_line_longer_than_the_pipe_does_not_block() -> None:
    with pipe() as (reading, writing):
        stderr = Stderr(writing)
        stderr.error("x" * 2**20)
        torn = all_there(reading)
        stderr.error("after it")

        read = all_there(reading)

    assert 0 < len(torn) < 2**20
    assert read == b'\n{"event": "log lines were dropped", "lines": 1}\nafter it\n'


def test_a_long_line_is_written_completely() -> None:
    line = "å" * 10_000
    with pipe() as (reading, writing):
        Stderr(writing).info(line)

        assert all_there(reading).decode() == f"{line}\n"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_a_full_disk_raises_no_error() -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    try:
        Stderr(full).debug("nowhere")
    finally:
        os.close(full)


@pytest.mark.parametrize("is_terminal", [False, True])
def test_text_of_pages_is_escaped(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: FBT001
    text = "\x1b[2J\x9b2J\nforged"
    with pipe() as (reading, writing), open(writing, "w", closefd=False) as stderr:
        monkeypatch.setattr(stderr, "isatty", lambda: is_terminal)
        monkeypatch.setattr(sys, "stderr", stderr)
        configure("info")
        error = ValueError(text)
        structlog.get_logger().error("crashed", page=text, word=text[:4], exc_info=error)
        read = all_there(reading).decode()

    assert read.count("forged") == 2
    assert [part for part in ("\x1b[2J", "\x9b", "\nforged") if part in read] == []
