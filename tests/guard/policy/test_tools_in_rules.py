"""A rule about a tool that does not exist would never match: nothing starts with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from charlotte import Config, open_charlotte
from charlotte.base.errors import InvalidArgument
from charlotte.tools.toolkit import check_policy_tools
from tests.shell.running import open_background

PROBLEM = "--policy: there is no tool 'evalute' (did you mean evaluate?)."


def policy(tmp_path: Path, *tools: str) -> str:
    file = tmp_path / "rules.toml"
    file.write_text(f'[[rule]]\naction = "refuse"\ntool = {[*tools]}\n')
    return str(file)


@pytest.mark.parametrize("command", [["serve"], ["call"]])
def test_a_command_ends_with_the_nearest_name(command: list[str], tmp_path: Path) -> None:
    given = [
        *command,
        "--policy",
        policy(tmp_path, "evalute"),
        *(["tabs"] if command == ["call"] else []),
    ]
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "charlotte", *given],
        capture_output=True,
        text=True,
        input="",
        timeout=100,
        check=False,
    )
    assert done.returncode != 0
    assert PROBLEM in done.stderr
    assert "Traceback" not in done.stderr


def test_a_background_server_does_not_start(tmp_path: Path) -> None:
    with open_background() as background:
        ran = background.do("--policy", policy(tmp_path, "evalute"), "tabs")
    assert PROBLEM in ran.err
    assert "Traceback" not in ran.err


async def test_a_program_gets_an_error(tmp_path: Path) -> None:
    config = Config(policy=(policy(tmp_path, "evalute"),))
    with pytest.raises(InvalidArgument, match="there is no tool 'evalute'"):
        async with open_charlotte(config):
            pass


def test_patterns_and_exceptions_of_known_tools_are_accepted(tmp_path: Path) -> None:
    check_policy_tools(Config(policy=(policy(tmp_path, "dev_*", "!dev_audit"),)).rules)
