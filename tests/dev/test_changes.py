"""Files that change below a directory, on the real file system."""

import os
from collections.abc import AsyncGenerator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
from trio.testing import wait_all_tasks_blocked
from watchfiles import awatch

from charlotte.dev import changes as changes_module
from charlotte.dev.changes import follow_changes

PATIENCE = 60
LATER = 2**31


async def first(root: Path, act: Callable[[], object], *, poll: bool = False) -> tuple[str, ...]:
    """Return the first reported changes after an action."""
    reports: list[tuple[str, ...]] = []

    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:

            async def report(files: tuple[str, ...]) -> None:
                reports.append(files)
                nursery.cancel_scope.cancel("reported")

            nursery.start_soon(partial(follow_changes, root, report, poll=poll))
            await wait_all_tasks_blocked()
            act()
    return reports[0]


@pytest.mark.req("C-DEV-04")
@pytest.mark.parametrize("poll", [False, True])
async def test_a_new_file_is_reported_by_its_path_below_the_directory(
    tmp_path: Path, *, poll: bool
) -> None:
    (tmp_path / "css").mkdir()

    def act() -> None:
        (tmp_path / "css" / "a.css").touch()
        os.utime(tmp_path / "css", (LATER, LATER))

    assert await first(tmp_path, act, poll=poll) == ("css/a.css",)


async def test_files_that_are_not_served_are_not_reported(tmp_path: Path) -> None:
    def act() -> None:
        for name in (".git", "node_modules"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "x").touch()
        (tmp_path / ".env").touch()
        (tmp_path / "page.html.swp").touch()
        (tmp_path / "page.html").touch()

    assert await first(tmp_path, act) == ("page.html",)


@pytest.mark.req("C-DEV-04")
async def test_files_are_polled_if_the_system_cannot_report_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unable(root: Path, *, force_polling: bool, **options: Any) -> AsyncGenerator[Any]:
        if not force_polling:
            raise OSError("OS file watch limit reached.")
        return awatch(root, force_polling=True, **options)

    monkeypatch.setattr(changes_module, "awatch", unable)
    assert await first(tmp_path, (tmp_path / "a").touch) == ("a",)


async def test_a_cancelled_watch_ends_soon(tmp_path: Path) -> None:
    with trio.move_on_after(0.05):
        await first(tmp_path, lambda: None)
    (tmp_path / "a").touch()
