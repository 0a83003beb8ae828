"""The browser of a user who is asked whether Charlotte may connect."""

import json
import os
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import pytest

from charlotte import Config, open_charlotte
from charlotte.actors import dispatcher
from charlotte.browser.process.executables import find_executable
from charlotte.browser.process.running_browser import NotAllowedYet, read_port_file
from tests.browser.raw_cdp import FLAGS
from tests.whole.tabs import eventually

pytestmark = pytest.mark.chromium

REMOTE_DEBUGGING = json.dumps({"devtools": {"remote_debugging": {"user-enabled": True}}})


@contextmanager
def consenting_chromium(profile: Path) -> Generator[None]:
    """Run Chromium as its user has set it: each connection has to be allowed."""
    profile.mkdir()
    (profile / "Local State").write_text(REMOTE_DEBUGGING)
    flags = [flag for flag in FLAGS if not flag.startswith(("--headless", "--remote-debugging"))]
    process = subprocess.Popen(  # noqa: S603
        [
            find_executable(os.environ.get("CHARLOTTE_CHROMIUM"), windows=True),
            *flags,
            "--headless=new",
            f"--user-data-dir={profile}",
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        eventually(lambda: read_port_file(profile) is not None)
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.extended
async def test_chromium_that_asks_is_found_and_the_answer_says_to_allow_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dispatcher, "CONSENT_WAIT", 2.0)
    profile = tmp_path / "profile"
    with consenting_chromium(profile):
        async with (
            open_charlotte(Config(attach=str(profile))) as charlotte,
            charlotte.open_session() as session,
        ):
            for tool in ("observe", "tabs", "tab_open"):
                with pytest.raises(NotAllowedYet) as raised:
                    await session.call(tool)
                assert "asks its user whether Charlotte may connect" in raised.value.message
