"""With the sandbox where Chromium can have one, and one warning where it cannot."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from charlotte.browser import launch
from charlotte.browser.launch import LaunchOptions, open_chromium
from charlotte.config import SandboxChoice
from charlotte.errors import SessionProblem
from tests.browser.processes import OPENS_PORT, script

RUNS = OPENS_PORT + "exec sleep 60"
NEEDS_NO_SANDBOX = 'case "$*" in *--no-sandbox*) {runs};; esac; echo "{complaint}" >&2; exit 1'


def unsandboxed(path: Path, sandbox: SandboxChoice, complaint: str) -> LaunchOptions:
    body = NEEDS_NO_SANDBOX.format(runs=RUNS, complaint=complaint)
    executable = script(path / "chromium", f"echo start >> {path}/starts\n{body}")
    return LaunchOptions(executable=executable, sandbox=sandbox)


def starts(path: Path) -> int:
    return len((path / "starts").read_text().splitlines())


@pytest.fixture(autouse=True)
def nobody_was_warned() -> None:
    launch.warn_of_no_sandbox.cache_clear()


@pytest.fixture
def ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "_is_root", lambda: False)


@pytest.mark.usefixtures("ordinary_user")
async def test_where_chromium_gets_no_sandbox_it_starts_without_and_one_warning_says_so(
    tmp_path: Path,
) -> None:
    with capture_logs() as logs:
        async with open_chromium(unsandboxed(tmp_path, "auto", "No usable sandbox!")):
            pass
    assert starts(tmp_path) == 2
    assert [(log["log_level"], log["event"]) for log in logs] == [
        ("warning", "chromium runs without its sandbox")
    ]


@pytest.mark.usefixtures("ordinary_user")
async def test_a_sandbox_that_has_to_be_on_is_not_given_up(tmp_path: Path) -> None:
    with pytest.raises(SessionProblem, match="No usable sandbox"):
        async with open_chromium(unsandboxed(tmp_path, "on", "No usable sandbox!")):
            pytest.fail("it ran without its sandbox")
    assert starts(tmp_path) == 1


@pytest.mark.usefixtures("ordinary_user")
async def test_another_failure_is_no_reason_to_go_without_a_sandbox(tmp_path: Path) -> None:
    with pytest.raises(SessionProblem, match="disk full"):
        async with open_chromium(unsandboxed(tmp_path, "auto", "disk full")):
            pytest.fail("it ran without its sandbox")
    assert starts(tmp_path) == 1


async def test_a_sandbox_that_was_switched_off_is_no_reason_to_warn(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with open_chromium(unsandboxed(tmp_path, "off", "")):
            pass
    assert starts(tmp_path) == 1
    assert not logs


async def test_root_goes_without_a_sandbox_at_once_and_is_told_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "_is_root", lambda: True)
    with capture_logs() as logs:
        for _ in range(2):
            async with open_chromium(unsandboxed(tmp_path, "auto", "")):
                pass
    assert starts(tmp_path) == 2
    assert [log["reason"] for log in logs] == ["running as root"]
