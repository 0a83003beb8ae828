"""``charlotte call`` and ``charlotte doctor``, as a shell has them."""

import json
import subprocess
import sys

import attrs
import pytest

from charlotte.command import arguments_of
from charlotte.errors import InvalidArgument
from tests.whole.client import PATIENCE


@attrs.frozen
class Ran:
    code: int
    out: str
    err: str


def run(*words: str) -> Ran:
    done = subprocess.run(  # noqa: S603 - it is our own program
        [sys.executable, "-m", "charlotte", *words],
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


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


@pytest.mark.chromium
def test_an_unknown_tool_is_reported_with_a_suggestion() -> None:
    ran = run("call", "navigat")
    assert ran.code == 2
    assert "did you mean charlotte_navigate" in ran.out


def test_other_commands_take_no_words() -> None:
    ran = run("serve", "navigate")
    assert ran.code == 2
    assert "serve takes no arguments, got 'navigate'" in ran.err


@pytest.mark.chromium
@pytest.mark.fault
def test_the_doctor_looks_at_what_is_needed() -> None:
    ran = run("doctor")
    lines = [line.split(maxsplit=2) for line in ran.out.splitlines()]
    assert ran.code == 0
    assert [what for _, what, _ in lines] == [
        "charlotte", "roots", "output", "browser", "sandbox", "descriptors", "page",
    ]  # fmt: skip
    assert all(verdict in {"PASS", "WARN"} for verdict, _, _ in lines)
    assert "Chrome/" in lines[-1][2]


def test_the_doctor_finds_what_is_missing() -> None:
    ran = run("doctor", "--chromium", "no-such-browser")
    assert ran.code == 1
    assert "FAIL  browser" in ran.out
    assert "no-such-browser" in ran.out


def test_the_doctor_finds_an_output_directory_that_cannot_be_created() -> None:
    ran = run("doctor", "--output-dir", "/dev/null/below", "--chromium", "no-such-browser")
    assert ran.code == 1
    assert "FAIL  output        /dev/null is not a directory" in ran.out


def test_an_output_directory_that_cannot_be_created_is_logged_at_start() -> None:
    ran = run("completion", "bash", "--output-dir", "/dev/null/below")
    assert ran.code == 0
    assert "the output directory cannot be used" in ran.err
    assert "/dev/null is not a directory" in ran.err
