"""Start with a sandbox, and the warning if Chromium cannot have it."""

from pathlib import Path

import pytest
from structlog.testing import capture_logs

from charlotte.base.errors import SessionProblem
from charlotte.browser.process import launch
from charlotte.browser.process.launch import open_chromium
from charlotte.config.config import Config, SandboxChoice
from tests.browser.processes import ANSWERS, script

RUNS = ANSWERS + "exec sleep 60"
NEEDS_NO_SANDBOX = 'case "$*" in *--no-sandbox*) {runs};; esac; echo "{complaint}" >&2; exit 1'


def unsandboxed(path: Path, sandbox: SandboxChoice, complaint: str) -> Config:
    body = NEEDS_NO_SANDBOX.format(runs=RUNS, complaint=complaint)
    executable = script(path / "chromium", f"echo start >> {path}/starts\n{body}")
    return Config(chromium=executable, sandbox=sandbox)


def starts(path: Path) -> int:
    return len((path / "starts").read_text().splitlines())


@pytest.fixture(autouse=True)
def forget_warnings() -> None:
    launch.warn_once.cache_clear()


@pytest.fixture
def ordinary_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "is_root", lambda: False)


@pytest.mark.usefixtures("ordinary_user")
async def test_chromium_starts_without_a_refused_sandbox_and_warns_once(tmp_path: Path) -> None:
    with capture_logs() as logs:
        async with open_chromium(unsandboxed(tmp_path, "auto", "No usable sandbox!")):
            pass
    assert starts(tmp_path) == 2
    assert [(log["log_level"], log["event"]) for log in logs] == [
        ("warning", "chromium runs without its sandbox")
    ]


@pytest.mark.usefixtures("ordinary_user")
async def test_a_required_sandbox_that_is_refused_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SessionProblem, match="No usable sandbox"):
        async with open_chromium(unsandboxed(tmp_path, "on", "No usable sandbox!")):
            pytest.fail("it ran without its sandbox")
    assert starts(tmp_path) == 1


@pytest.mark.usefixtures("ordinary_user")
async def test_another_failure_does_not_disable_the_sandbox(tmp_path: Path) -> None:
    with pytest.raises(SessionProblem, match="disk full"):
        async with open_chromium(unsandboxed(tmp_path, "auto", "disk full")):
            pytest.fail("it ran without its sandbox")
    assert starts(tmp_path) == 1


async def test_root_starts_without_a_sandbox_and_logs_one_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "is_root", lambda: True)
    with capture_logs() as logs:
        for _ in range(2):
            async with open_chromium(unsandboxed(tmp_path, "auto", "")):
                pass
    assert starts(tmp_path) == 2
    assert [log["reason"] for log in logs] == ["running as root"]
