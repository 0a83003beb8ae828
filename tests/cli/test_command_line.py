"""A command line of ``charlotte do``, and the settings that clients of the server pass."""

from pathlib import Path
from typing import Any

import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.cli.command_line import check_same_settings, load_settings, read_command_line
from charlotte.config.config import Config


def request(*words: str, environment: dict[str, str] | None = None) -> dict[str, Any]:
    return {"kind": "do", "words": list(words), "environment": environment or {}, "cwd": "/w"}


def test_settings_stand_before_the_tool_and_options_anywhere() -> None:
    line = read_command_line(
        ["--headed", "--viewport", "800x600", "-s", "shop", "click", "btn-1", "--tab", "tab-2",
         "--json", "--hold", "5", "-o", "a.png"]
    )  # fmt: skip
    assert line.flags == ["--headed", "--viewport", "800x600"]
    assert (line.session, line.tab, line.output, line.json) == ("shop", "tab-2", "a.png", True)
    assert (line.tool, line.words) == ("click", ["btn-1", "--hold", "5"])


def test_options_are_words_after_two_dashes() -> None:
    line = read_command_line(["type", "inp-1", "--", "--json", "-s"])
    assert (line.json, line.session) == (False, None)
    assert line.words == ["inp-1", "--", "--json", "-s"]


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--hedaed", "tabs"], "unknown flag --hedaed (did you mean --headed?)"),
        (["--json"], "A tool is missing"),
        (["tabs", "-s"], "-s requires a value"),
        (["--viewport"], "--viewport requires a value"),
    ],
)
def test_a_wrong_option_is_named(words: list[str], problem: str) -> None:
    with pytest.raises(InvalidArgument) as raised:
        read_command_line(words)
    assert problem in raised.value.message


def test_flags_and_environment_are_settings_of_the_server() -> None:
    loaded = load_settings(
        request("--idle", "60", "tabs", environment={"CHARLOTTE_VIEWPORT": "800x600"})
    )
    assert (loaded.config.idle, loaded.config.viewport) == (60, "800x600")
    assert set(loaded.sources) == {"idle", "viewport"}


def test_a_file_of_settings_is_relative_to_the_working_directory_of_the_client(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.toml").write_text("idle = 60")
    for given in (
        request("--config", "a.toml", "tabs"),
        request("tabs", environment={"CHARLOTTE_CONFIG": "a.toml"}),
    ):
        assert load_settings(given | {"cwd": str(tmp_path)}).config.idle == 60


def test_a_wrong_value_of_a_flag_is_named() -> None:
    with pytest.raises(InvalidArgument, match="--sandbox must be one of auto, on, off"):
        load_settings(request("--sandbox", "maybe", "tabs"))
    with pytest.raises(InvalidArgument, match="--join is for charlotte serve"):
        load_settings(request("--join", "shop", "tabs"))


def test_other_settings_than_those_of_the_server_are_named() -> None:
    given = load_settings(
        request("--headed", "--viewport", "800x600", "tabs",
                environment={"CHARLOTTE_CLIENT_CERTIFICATE_PASSWORD": "correct horse battery"})
    )  # fmt: skip
    with pytest.raises(InvalidArgument) as raised:
        check_same_settings(Config(viewport="1024x768"), given)
    message = raised.value.message
    assert "--headed is off there, not on" in message
    assert "--viewport is 1024x768 there, not 800x600" in message
    assert "client_certificate_password is not the same" in message
    assert "correct horse" not in message


def test_settings_that_are_not_passed_may_differ() -> None:
    check_same_settings(Config(headed=True, viewport="800x600"), load_settings(request("tabs")))
    same = load_settings(request("--viewport", "800x600", "tabs"))
    check_same_settings(Config(headed=True, viewport="800x600"), same)
