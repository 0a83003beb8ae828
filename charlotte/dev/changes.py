"""Reports of files that change below a directory."""

from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path

import structlog
from watchfiles import Change, DefaultFilter, awatch

OnChange = Callable[[tuple[str, ...]], Awaitable[None]]

log = structlog.get_logger(__name__)

_STEP_MS = 100
_MOST_MS = 1000
_POLL_MS = 300
_WAKES_MS = 200
"""Duration of a cancellation: the interval at which the waiting thread checks for it."""


class _Visible(DefaultFilter):
    """Filter of served files: excludes hidden files and those that editors and tools leave.

    Excludes directories, which polling reports, unlike the system, if a file is added or removed.
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


async def follow_changes(root: Path, on_change: OnChange, *, poll: bool) -> None:
    """Call ``on_change`` with the changed files below ``root``, as paths relative to it.

    Changes within 100 ms of each other, at most 1 s, are reported in one call. If the system cannot
    report changes, files are polled, as with ``poll``. Raises ``OSError`` if neither works.
    """
    try:
        await _follow(root, on_change, poll=poll)
    except OSError as error:
        if poll:
            raise
        log.warning("files are polled for changes", root=str(root), reason=str(error))
        await _follow(root, on_change, poll=True)


async def _follow(root: Path, on_change: OnChange, *, poll: bool) -> None:
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
    async with aclosing(watched) as batches:
        async for changes in batches:
            paths = {str(Path(path).relative_to(root)) for _, path in changes}
            await on_change(tuple(sorted(paths)))
