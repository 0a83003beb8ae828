"""Sweeping of files that killed servers left behind."""

import fcntl
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from charlotte.browser.process.guardian import OWNER, remove_once
from charlotte.browser.process.launch import hold_output, sweep
from tests.whole.client import PATIENCE, open_server
from tests.whole.processes import browser_of, gone, parent, profile_of, within


def test_a_profile_is_swept_once_its_guardian_is_dead(tmp_path: Path) -> None:
    left, used, starting = (tmp_path / f"charlotte-{n:012x}" for n in range(3))
    for profile in (left, used, starting):
        profile.mkdir()
        (profile / "Cookies").write_text("secret")
    (left / OWNER).touch()
    with (used / OWNER).open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)

        sweep(tmp_path)

    assert sorted(tmp_path.iterdir()) == sorted([used, starting])


def test_a_profile_without_an_owner_is_swept_once_it_is_old(tmp_path: Path) -> None:
    old, new, session = (
        tmp_path / name
        for name in (f"charlotte-{1:012x}", f"charlotte-{2:012x}", f"charlotte-session-{3:016x}")
    )
    for directory in (old, new, session):
        directory.mkdir()
        (directory / "Cookies").write_text("secret")
    for directory in (old, session):
        os.utime(directory, (0, 0))

    sweep(tmp_path)

    assert [*tmp_path.iterdir()] == [new]


def _keep(*_: object, **__: object) -> None:
    """Remove nothing, as an interrupted removal."""


def test_a_removal_that_is_interrupted_leaves_the_owner_for_the_sweep(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = tmp_path / "profile"
    for name in ("Cache", "Default", "tmp"):
        (profile / name).mkdir(parents=True)
    (profile / "Cookies").touch()
    (profile / OWNER).touch()

    with monkeypatch.context() as patching:
        patching.setattr(shutil, "rmtree", _keep)
        remove_once(str(profile))
        assert (profile / OWNER).exists()
    remove_once(str(profile))

    assert not profile.exists()


def test_files_of_a_session_are_swept_once_its_server_is_dead(tmp_path: Path) -> None:
    left, used, starting = (tmp_path / f"charlotte-session-{n:016x}" for n in range(3))
    holding = list[int]()
    for output in (left, used, starting):
        output.mkdir()
        (output / "tab-1.png").write_text("image")
    for output in (left, used):
        owner = hold_output(output)
        assert owner is not None
        holding.append(owner)
    os.close(holding.pop(0))

    sweep(tmp_path)

    assert sorted(tmp_path.iterdir()) == sorted([used, starting])
    os.close(holding.pop())


def test_other_files_are_kept(tmp_path: Path) -> None:
    others = [tmp_path / name for name in ("charlotte-notes", "charlotte-session-1", "photos")]
    for other in others:
        other.mkdir()
        (other / OWNER).touch()
    (tmp_path / f"charlotte-{9:012x}").symlink_to(others[0])

    sweep(tmp_path)

    assert all((other / OWNER).exists() for other in others)


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory for profiles; `tmp_path` is too long for sockets."""
    with tempfile.TemporaryDirectory() as directory:
        yield Path(directory)


@pytest.mark.chromium
@pytest.mark.fault
@pytest.mark.extended
def test_the_profile_of_a_server_killed_with_its_guardian_is_swept(place: Path) -> None:
    env = {"TMPDIR": str(place)}
    with open_server(env=env) as killed:
        killed.call("tab_open")
        browser = browser_of(killed.process.pid)
        profile, guardian = profile_of(browser), parent(Path(f"/proc/{browser}"))
        killed.process.kill()
        os.kill(guardian, signal.SIGKILL)
    assert profile.parent == place
    assert profile.exists()
    with open_server(env=env) as server:
        server.call("tab_open")
        assert within(PATIENCE, lambda: not profile.exists())
        assert profile_of(browser_of(server.process.pid)).exists()


@pytest.mark.chromium
@pytest.mark.fault
def test_a_stopped_guardian_ends_with_its_server(place: Path) -> None:
    with open_server(env={"TMPDIR": str(place)}) as server:
        server.call("tab_open")
        browser = browser_of(server.process.pid)
        profile = profile_of(browser)
        os.kill(parent(Path(f"/proc/{browser}")), signal.SIGSTOP)
    assert within(PATIENCE, lambda: gone([browser], profile))


@pytest.mark.chromium
@pytest.mark.extended
def test_the_browser_starts_although_the_directory_for_temporary_files_has_a_long_path(
    place: Path, tmp_path: Path
) -> None:
    long = place / ("x" * 70)
    long.mkdir()

    for flags in ((), ("--user-data-dir", str(tmp_path))):
        with open_server(*flags, env={"TMPDIR": str(long)}) as server:
            assert server.call("tab_open").json["tab_id"] == "tab-1"
