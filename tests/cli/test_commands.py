"""``charlotte call`` and ``charlotte doctor``, as a shell has them."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
import trio

from charlotte.answers.answer import Answer, Text
from charlotte.base.errors import InvalidArgument
from charlotte.browser.process.running_browser import NotAllowedYet
from charlotte.cli.arguments import arguments_of
from charlotte.cli.call import answer_of
from charlotte.cli.parser import BY_NAME, COMMANDS, parse
from charlotte.config.config import fields
from tests.browser.consent_front import open_front
from tests.programs import Ran, run, run_python


def test_arguments_are_names_and_values() -> None:
    given = arguments_of(["url=https://a.test/?b=c", "timeout=100", "text="])
    assert given == {"url": "https://a.test/?b=c", "timeout": "100", "text": ""}


@pytest.mark.parametrize("word", ["url", "=x", "--url"])
def test_an_invalid_argument_is_quoted(word: str) -> None:
    with pytest.raises(InvalidArgument, match="must be name=value"):
        arguments_of(["url=https://a.test", word])


@pytest.mark.chromium
@pytest.mark.fault
def test_a_call_prints_what_the_tool_answers() -> None:
    ran = run("call", "navigate", "url=data:text/html,<h1>Called</h1>", "timeout=20000")
    assert ran.code == 0
    assert json.loads(ran.out)["structure"]["headings"][0]["text"] == "Called"


@pytest.mark.chromium
@pytest.mark.fault
def test_a_call_that_fails_prints_the_error() -> None:
    ran = run("call", "navigate", "url=file:///etc/passwd")
    assert ran.code == 1
    assert json.loads(ran.out)["error"]["code"] == "NAVIGATION_BLOCKED"


async def test_a_call_goes_on_while_the_browser_asks_its_user() -> None:
    errors = [NotAllowedYet("asked"), NotAllowedYet("asked")]

    class Asking:
        async def call(self, _tool: str, _arguments: object) -> Answer:
            if errors:
                raise errors.pop()
            return Answer((Text("called"),))

    answer = await answer_of(cast("Any", Asking()), "tabs", {})
    assert answer.text == "called"


def test_an_unknown_tool_is_reported_with_a_suggestion(here: Callable[..., Ran]) -> None:
    ran = here("call", "navigat")
    assert ran.code == 2
    assert "did you mean navigate?" in ran.out


def test_flags_can_stand_between_a_tool_and_its_arguments() -> None:
    parsed = parse(["call", "click", "--json", "element_id=btn-1", "--max-chars=2000", "count=2"])
    assert (parsed.tool, parsed.words) == ("click", ["element_id=btn-1", "count=2"])


@pytest.mark.parametrize(
    ("words", "attach", "command"),
    [
        (["--attach"], "chrome", "serve"),
        (["--attach", "--headed"], "chrome", "serve"),
        (["--attach", "edge", "--headed"], "edge", "serve"),
        (["--attach=edge"], "edge", "serve"),
        (["call", "--attach", "tabs"], "chrome", "call"),
        (["call", "--attach", "./agents", "tabs"], "./agents", "call"),
        (["call", "tabs", "--attach"], "chrome", "call"),
        (["serve", "--attach", "http://127.0.0.1:9222"], "http://127.0.0.1:9222", "serve"),
    ],
)
def test_attach_without_a_value_is_chrome(words: list[str], attach: str, command: str) -> None:
    parsed = parse(words)
    assert (parsed.attach, parsed.command) == (attach, command)
    assert command == "serve" or parsed.tool == "tabs"


def test_other_commands_take_no_words(here: Callable[..., Ran]) -> None:
    ran = here("serve", "navigate")
    assert ran.code == 2
    assert "serve takes no arguments, got 'navigate'" in ran.err


@pytest.mark.chromium
@pytest.mark.fault
def test_the_doctor_looks_at_what_is_needed() -> None:
    ran = run("doctor", "--viewport", "640x480")
    rows = [line.split(maxsplit=2) for line in ran.out.splitlines()]
    checks = {row[1]: row[2] for row in rows if row and row[0] in {"PASS", "WARN"}}
    assert ran.code == 0
    assert list(checks) == [
        "charlotte", "setting", "roots", "output", "browser", "sandbox", "page",
    ]  # fmt: skip
    assert checks["setting"] == "viewport = '640x480', from the flag"
    assert " with mcp " in checks["charlotte"]
    assert "Chromium 1" in checks["page"]
    assert ran.err == ""
    assert "'charlotte config' lists clients" in ran.out


def test_the_doctor_finds_what_is_missing(here: Callable[..., Ran]) -> None:
    ran = here("doctor", "--chromium", "no-such-browser")
    assert ran.code == 1
    assert "FAIL  browser" in ran.out
    assert "no-such-browser" in ran.out


def test_the_doctor_finds_an_output_directory_that_cannot_be_created(
    here: Callable[..., Ran],
) -> None:
    ran = here("doctor", "--output-dir", "/dev/null/below", "--chromium", "no-such-browser")
    assert ran.code == 1
    assert "FAIL  output        /dev/null is not a directory" in ran.out


def test_the_doctor_says_how_the_users_browser_can_be_reached(
    here: Callable[..., Ran], tmp_path: Path
) -> None:
    ran = here("doctor", "--attach", str(tmp_path))
    assert ran.code == 1
    assert "is not running, or its remote debugging is off: there is no" in ran.out
    assert "chrome://inspect/#remote-debugging" in ran.out
    assert "sandbox" not in ran.out


async def test_the_doctor_does_not_ask_the_user(tmp_path: Path) -> None:
    async with open_front(tmp_path) as front:
        ran = await trio.to_thread.run_sync(run, "doctor", "--attach", str(tmp_path))
        assert ran.code == 0
        assert f"PASS  browser       the browser of {tmp_path} at 127.0.0.1:{front.port}" in ran.out
        assert "PASS  page          not opened: the browser may ask its user" in ran.out
        assert front.upgrades == 0


def test_an_output_directory_that_cannot_be_created_is_logged_at_start(
    here: Callable[..., Ran],
) -> None:
    ran = here("call", "--output-dir", "/dev/null/below")
    assert ran.code == 0
    assert "the output directory cannot be used" in ran.err
    assert "/dev/null is not a directory" in ran.err


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--profil", "core"], "unknown flag --profil (did you mean --profile?)"),
        (["serve", "--portt", "3"], "unknown flag --portt (did you mean --port?)"),
        (["cal"], "unknown command 'cal' (did you mean call?)"),
        (["--chromium"], "--chromium requires a value"),
        (["--max-chars", "5"], "--max-chars must be between 1000 and 400000, got 5."),
        (["--config", "nope.toml"], "Config file not found: nope.toml."),
        (["call", "--port", "1"], "unknown flag --port"),
        (
            ["--sandbox", "of"],
            "--sandbox must be one of auto, on, off, got 'of' (did you mean off?)",
        ),
    ],
)
def test_an_error_is_one_line_that_names_the_flag_as_typed(
    here: Callable[..., Ran], words: list[str], expected: str
) -> None:
    ran = here(*words)
    assert ran.code == 2
    assert ran.out == ""
    [line] = ran.err.splitlines()
    assert line.startswith(f"charlotte: error: {expected}")


@pytest.mark.parametrize("command", sorted({*BY_NAME} - {"call"}))
def test_every_command_has_help_with_an_example(here: Callable[..., Ran], command: str) -> None:
    ran = here(command, "--help")
    assert ran.code == 0
    assert f"usage: charlotte {command}" in ran.out
    assert BY_NAME[command].description.split(".")[0] in ran.out
    assert "examples:" in ran.out


def test_the_help_lists_the_commands_and_no_settings(here: Callable[..., Ran]) -> None:
    ran = here("--help")
    assert all(f"    {command.name}  " in ran.out for command in COMMANDS)
    assert "--max-chars" not in ran.out


def test_the_help_of_serve_has_every_setting_with_its_default(here: Callable[..., Ran]) -> None:
    text = " ".join(here("serve", "--help").out.split())
    for name, field in fields().items():
        if "secret" not in field.metadata:
            assert f"--{name.replace('_', '-')} " in text
            assert field.metadata["help"] in text
    assert "--max-chars CHARACTERS maximum characters of an answer, 1000 to 400000" in text
    assert "(default: 40000)" in text
    assert "--auth-token" not in text


def test_the_help_of_call_has_no_settings_of_a_server(here: Callable[..., Ran]) -> None:
    text = here("call", "--help").out
    assert "usage: charlotte call" in text
    assert "examples:" in text
    assert "--dashboard" not in text


def test_output_that_is_not_read_to_its_end_is_no_error() -> None:
    command = [sys.executable, "-m", "charlotte", "call"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:  # noqa: S603
        assert program.stdout
        assert program.stderr
        program.stdout.close()
        assert program.wait(timeout=100) == 1
        assert program.stderr.read() == b""


def test_call_without_a_tool_lists_the_tools_by_group(here: Callable[..., Ran]) -> None:
    ran = here("call")
    assert ran.code == 0
    assert "navigation:\n  navigate " in ran.out
    assert "  dev_audit " in ran.out


def test_help_for_a_tool_has_its_parameters(here: Callable[..., Ran]) -> None:
    ran = here("call", "click", "--help")
    assert ran.code == 0
    assert "usage: charlotte call click" in ran.out
    assert "  element_id: text, required" in ran.out
    assert '  click_type: left | right | middle | double | triple\n      default: "left"' in ran.out


def test_help_and_imports_work_on_systems_that_lack_unix_modules() -> None:
    lacking = "import sys; sys.modules['fcntl'] = sys.modules['resource'] = None"
    program = f"{lacking}\nimport charlotte.__main__\ncharlotte.Config\ncharlotte.__main__.main()"
    for words in (["serve", "--help"], ["call", "click", "--help"]):
        ran = run_python("-c", program, *words)
        assert ran.code == 0, ran.err


@pytest.mark.chromium
@pytest.mark.skipif(os.geteuid() != 0, reason="other users have a sandbox")
def test_the_doctor_names_root_as_the_reason_for_a_missing_sandbox() -> None:
    ran = run("doctor", "--sandbox", "on")
    assert ran.code == 1
    assert "FAIL  sandbox       off: Chromium has none as root" in ran.out
    assert "  page " not in ran.out


def test_on_windows_the_server_names_the_alternatives() -> None:
    program = "from charlotte.__main__ import main, sys; import charlotte.cli.program"
    program += "; sys.platform = 'win32'; main()"
    ran = run_python("-c", program)
    assert ran.code == 1
    assert "run it in WSL, or connect over HTTP" in ran.err
