"""Launch with scripts in place of Chromium: every way to start, fail and end."""

import os
import signal
import socket
from contextlib import suppress
from pathlib import Path

import pytest
import trio

from charlotte.base.errors import SessionProblem
from charlotte.browser.process import launch
from charlotte.browser.process.launch import open_chromium
from charlotte.config.config import Config
from tests.browser.processes import (
    ANSWERS,
    eventually,
    group,
    kill,
    open_charlotte,
    running,
    script,
)

RUNS = ANSWERS + "exec sleep 60"


def options(path: Path, body: str) -> Config:
    return Config(chromium=script(path / "chromium", body), sandbox="off")


async def test_chromium_has_messages_at_its_descriptors_3_and_4(tmp_path: Path) -> None:
    first, file = b'{"id":0,"method":"Browser.getVersion"}\0', tmp_path / "first"
    body = f"head -c {len(first)} <&3 > {file}\n{ANSWERS}exec cat <&3 >&4"
    async with open_chromium(options(tmp_path, body)) as chromium:
        await chromium.stream.send_all(b"More")
        assert await chromium.stream.receive_some() == b"More"
        assert file.read_bytes() == first
        assert running(chromium.pid)
        assert chromium.profile.stat().st_mode & 0o777 == 0o700


async def test_no_process_or_file_is_left_after_the_block(tmp_path: Path) -> None:
    body = f"sleep 60 & setsid sleep 61 & echo $! > {tmp_path}/escaped\n" + RUNS
    async with open_chromium(options(tmp_path, body)) as chromium:
        escaped = int((tmp_path / "escaped").read_text())
        await eventually(lambda: os.getpgid(escaped) == escaped)
    assert not group(chromium.pid)
    assert not running(escaped)
    assert not chromium.profile.exists()


async def test_an_exception_that_leaves_a_cancelled_block_is_kept(tmp_path: Path) -> None:
    async def interrupted() -> None:
        with trio.CancelScope() as scope:
            async with open_chromium(options(tmp_path, RUNS)):
                scope.cancel()
                raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await interrupted()


async def test_a_chromium_that_ignores_sigterm_is_killed(tmp_path: Path) -> None:
    stubborn = "trap '' TERM\n" + ANSWERS + "while :; do sleep 0.05; done"
    async with open_chromium(options(tmp_path, stubborn)) as chromium:
        pass
    assert not group(chromium.pid)
    assert not chromium.profile.exists()


async def test_a_cancelled_start_leaves_nothing(tmp_path: Path) -> None:
    body = f'echo "$$" > {tmp_path}/started; ln -s "$profile" {tmp_path}/profile; exec sleep 60'
    with trio.CancelScope() as waiting:
        async with trio.open_nursery() as nursery:

            @nursery.start_soon
            async def _leave() -> None:
                await eventually((tmp_path / "profile").exists)
                waiting.cancel()

            async with open_chromium(options(tmp_path, body)):
                pytest.fail("it never answered")
    assert not group(int((tmp_path / "started").read_text()))
    assert not (tmp_path / "profile").exists()


@pytest.mark.parametrize(("end", "code"), [("exit 7", 7), ("kill -SEGV $$", -signal.SIGSEGV)])
async def test_all_waiters_get_the_exit_code(tmp_path: Path, end: str, code: int) -> None:
    body = ANSWERS + f"while [ ! -e {tmp_path}/end ]; do sleep 0.02; done; {end}"
    codes: list[int] = []
    async with open_chromium(options(tmp_path, body)) as chromium, trio.open_nursery() as nursery:
        for _ in range(2):

            @nursery.start_soon
            async def _wait() -> None:
                codes.append(await chromium.exited())

        (tmp_path / "end").touch()
    assert codes == [code, code]


async def test_the_rest_of_a_killed_guardian_is_removed(tmp_path: Path) -> None:
    async with open_chromium(options(tmp_path, "sleep 60 &\n" + RUNS)) as chromium:
        kill(os.getsid(chromium.pid))
        assert await chromium.exited() == -signal.SIGKILL
        await eventually(lambda: not running(chromium.pid))
    await eventually(lambda: not group(chromium.pid))
    assert not chromium.profile.exists()


async def test_a_killed_server_leaves_nothing_even_while_its_children_live(tmp_path: Path) -> None:
    async with open_charlotte(script(tmp_path / "chromium", RUNS)) as charlotte:
        guardian = os.getsid(charlotte.chromium)
        kill(charlotte.process.pid)
        await eventually(lambda: not running(guardian))
        assert not group(charlotte.chromium)
        assert not charlotte.profile.exists()
        assert running(charlotte.neighbour)


async def test_a_fork_of_a_killed_program_does_not_keep_chromium_alive(tmp_path: Path) -> None:
    executable = script(tmp_path / "chromium", RUNS)
    async with open_charlotte(executable, forks=True) as charlotte:
        kill(charlotte.process.pid)
        await eventually(lambda: not group(charlotte.chromium))
        await eventually(lambda: not charlotte.profile.exists())
        assert running(charlotte.neighbour)


def open_files(process: Path) -> dict[str, str]:
    """Return what each file descriptor of a process leads to, of a pipe without its number."""
    files: dict[str, str] = {}
    for fd in (process / "fd").iterdir():
        with suppress(FileNotFoundError):
            files[fd.name] = str(fd.readlink()).partition(":")[0]
    return files


async def test_chromium_inherits_neither_other_files_nor_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CHARLOTTE_AUTH_TOKEN", "s3cret")
    async with open_chromium(options(tmp_path, RUNS)) as chromium:
        process = Path(f"/proc/{chromium.pid}")
        environment = (process / "environ").read_bytes()
        inherited = {"0": "/dev/null", "1": "/dev/null", "2": "pipe", "3": "socket", "4": "socket"}
        # While a program starts, it also has its libraries and its locale open.
        await eventually(lambda: open_files(process) == inherited)
    assert b"CHARLOTTE_AUTH_TOKEN" not in environment


async def test_a_kept_profile_stays(tmp_path: Path) -> None:
    profile = tmp_path / "kept"
    executable = script(tmp_path / "chromium", 'touch "$profile/file"\n' + RUNS)
    kept = Config(chromium=executable, sandbox="off", user_data_dir=str(profile))
    async with open_chromium(kept) as chromium:
        assert chromium.profile == profile
    assert [file.name for file in profile.iterdir()] == ["file"]


async def test_an_early_exit_is_an_error_with_the_output_of_chromium(tmp_path: Path) -> None:
    with pytest.raises(SessionProblem, match=r"code 3 .*: libnss3 is missing$"):
        async with open_chromium(options(tmp_path, "echo libnss3 is missing >&2; exit 3")):
            pytest.fail("it never answered")


async def test_a_profile_of_another_host_is_an_error_that_names_its_lock(tmp_path: Path) -> None:
    lock = tmp_path / "SingletonLock"
    lock.symlink_to("old-container-17")
    executable = script(tmp_path / "chromium", "echo 'in use' >&2; exit 21")
    kept = Config(chromium=executable, sandbox="off", user_data_dir=str(tmp_path))
    with pytest.raises(SessionProblem, match=f"{lock} .* 17 of the host 'old-container'") as raised:
        async with open_chromium(kept):
            pytest.fail("the profile is locked")
    assert "delete the file" in str(raised.value.suggestion)


async def test_a_profile_in_use_is_an_error_that_names_the_process(tmp_path: Path) -> None:
    (tmp_path / "SingletonLock").symlink_to(f"{socket.gethostname()}-{os.getpid()}")
    executable = script(tmp_path / "chromium", "exit 0")
    kept = Config(chromium=executable, sandbox="off", user_data_dir=str(tmp_path))
    with pytest.raises(SessionProblem, match=f"process {os.getpid()} of the host") as raised:
        async with open_chromium(kept):
            pytest.fail("the profile is locked")
    assert "Close that browser" in str(raised.value.suggestion)


async def test_a_chromium_that_does_not_answer_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "START_DEADLINE", 0.3)
    with pytest.raises(SessionProblem, match="did not answer"):
        async with open_chromium(options(tmp_path, "exec sleep 60")):
            pytest.fail("it never answered")


async def test_a_profile_that_cannot_be_created_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    executable = script(tmp_path / "chromium", RUNS)
    nowhere = Config(chromium=executable, user_data_dir=str(tmp_path / "file" / "profile"))
    with pytest.raises(SessionProblem, match="Not a directory"):
        async with open_chromium(nowhere):
            pytest.fail("there is no place for the profile")


@pytest.mark.parametrize(
    ("options", "windows"),
    [(Config(), False), (Config(headed=True), True), (Config(user_data_dir="profile"), True)],
)
def test_headed_browsers_and_kept_profiles_need_windows(options: Config, *, windows: bool) -> None:
    assert options.has_windows is windows
