"""Hears of files that change below a directory."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

import structlog
from watchfiles import Change, DefaultFilter, awatch

Tell = Callable[[tuple[str, ...]], Awaitable[None]]

log = structlog.get_logger(__name__)

_STEP_MS = 100
_MOST_MS = 1000
_POLL_MS = 300
_WAKES_MS = 200
"""How long a cancellation takes: until then the thread that waits does not look up."""


class _Visible(DefaultFilter):
    """What is served: nothing hidden, and none of what editors and tools leave behind.

    A directory is told of by polling, but not by the system, whenever a file in it comes or goes.
    """

    def __init__(self, root: Path) -> None:
        super().__init__()
        self._root = root

    def __call__(self, change: Change, path: str) -> bool:
        if change is Change.modified and Path(path).is_dir():
            return False
        inside = Path(path).relative_to(self._root)
        return not any(part.startswith(".") for part in inside.parts) and super().__call__(
            change, path
        )


async def follow_changes(root: Path, tell: Tell, *, poll: bool) -> None:
    """Tell of the files below ``root`` that change, relative to it, those of one moment together.

    What changes within 100 ms of each other, or 1 s in all, is one moment. Where the system cannot
    tell of changes it is looked for them, as with ``poll``. Raises ``OSError`` where neither works.
    """
    try:
        await _follow(root, tell, poll=poll)
    except OSError as error:
        if poll:
            raise
        log.warning("files are polled for changes", root=str(root), reason=str(error))
        await _follow(root, tell, poll=True)


async def _follow(root: Path, tell: Tell, *, poll: bool) -> None:
    watched = awatch(
        root,
        watch_filter=_Visible(root),
        debounce=_MOST_MS,
        step=_STEP_MS,
        rust_timeout=_WAKES_MS,
        force_polling=poll,
        poll_delay_ms=_POLL_MS,
        ignore_permission_denied=True,
    )
    async with aclosing(watched) as moments:
        async for moment in moments:
            await tell(tuple(sorted({str(Path(path).relative_to(root)) for _, path in moment})))
