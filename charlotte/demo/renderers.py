"""Finds the renderer processes of a browser that a given process has started (Linux: /proc)."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE")


def renderers(ancestor: int) -> dict[int, int]:
    """Return the renderers below a process: how many bytes each has in memory, by process id."""
    parents = dict(_parents())
    return {
        pid: _resident(pid)
        for pid in parents
        if _descends(pid, ancestor, parents) and b"--type=renderer" in _read(pid, "cmdline")
    }


def _parents() -> Iterator[tuple[int, int]]:
    """Every process with its parent; a process that ends meanwhile is nobody's child."""
    for directory in Path("/proc").iterdir():
        if directory.name.isdigit():
            pid = int(directory.name)
            # the command's name, in parentheses, may itself contain spaces and parentheses
            fields = _read(pid, "stat").rpartition(b")")[2].split()
            yield pid, int(fields[1]) if fields else 0


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid and pid != ancestor:
        pid = parents.get(pid, 0)
    return pid == ancestor


def _resident(pid: int) -> int:
    fields = _read(pid, "statm").split()
    return int(fields[1]) * _PAGE if fields else 0


def _read(pid: int, name: str) -> bytes:
    with suppress(OSError):
        return Path(f"/proc/{pid}/{name}").read_bytes()
    return b""
