#!/usr/bin/env python3
"""Trace one click in-process: the files of charlotte/ that it executes, and calls upwards.

scripts/trace_click.py     print the files, their counts, and each call from actors/ into tools/
"""

import sys
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import trio

import charlotte

PACKAGE = Path(charlotte.__file__).parent
MOST_FILES = 45
MOST_FILES_INSIDE = 30
"""Files outside charlotte/server and charlotte/protocol."""

_PAGE = "data:text/html,<button onclick=\"this.after('Done')\">Press</button>"


class Trace:
    """Calls of functions of charlotte/: by file, and those from actors/ directly into tools/."""

    def __init__(self) -> None:
        self.calls = Counter[str]()
        self.upward: set[tuple[str, str]] = set()

    @property
    def files(self) -> list[str]:
        """The files with functions that were called."""
        return sorted(self.calls)

    @property
    def files_inside(self) -> list[str]:
        """The files outside the server and the protocol."""
        return [file for file in self.files if not file.startswith(("server/", "protocol/"))]

    @contextmanager
    def recording(self) -> Generator[None]:
        """Record calls during the block."""
        sys.setprofile(self._note)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call" or (file := _file(frame)) is None:
            return
        if frame.f_code.co_name == "<module>":
            return
        self.calls[file] += 1
        caller = frame.f_back
        origin = _file(caller) if caller else None
        if caller and origin and origin.startswith("actors/") and file.startswith("tools/"):
            self.upward.add((_name(caller), _name(frame)))


def _file(frame: FrameType) -> str | None:
    path = Path(frame.f_code.co_filename)
    return str(path.relative_to(PACKAGE)) if path.is_relative_to(PACKAGE) else None


def _name(frame: FrameType) -> str:
    return f"{_file(frame)}:{frame.f_code.co_qualname}"


async def trace_click() -> Trace:
    """Click a button twice; trace the second click, which finds nothing to set up."""
    trace = Trace()
    async with charlotte.open_charlotte() as server, server.open_session() as session:
        page = await session.navigate(_PAGE)
        button = page.element("Press").id
        await session.click(button)
        with trace.recording():
            answer = await session.call("click", {"element_id": button})
    if "Done" not in str(answer.blocks[0]):
        raise RuntimeError(f"The click failed: {answer}")
    return trace


def main() -> int:
    """Print the trace; return 1 if a figure is above its limit."""
    trace = trio.run(trace_click)
    for file in trace.files:
        print(f"{trace.calls[file]:6}  {file}")
    print(f"{len(trace.files)} files (at most {MOST_FILES})")
    print(f"{len(trace.files_inside)} outside server/ and protocol/ (at most {MOST_FILES_INSIDE})")
    print(f"{len(trace.upward)} calls from actors/ into tools/ (none allowed)")
    for caller, called in sorted(trace.upward):
        print(f"    {caller} -> {called}")
    return int(
        bool(trace.upward)
        or len(trace.files) > MOST_FILES
        or len(trace.files_inside) > MOST_FILES_INSIDE
    )


if __name__ == "__main__":
    sys.exit(main())
