"""The commands of the documentation: they exist, and those of Charlotte run."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from charlotte.cli.parser import build_parser, known_flags
from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.toolkit import CATALOG
from tests.authority import Authority
from tests.docs.pages import ROOT, blocks

NEEDS = {"network", "container", "cluster"}
MARKED = 5
"""Blocks that cannot be tried in a test; a new one needs a reason."""
SHELL = ("sh", "bash", "console")
TARGETS = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
TOOLS = Toolbox(CATALOG, profile="full", naming="bare")


def commands(*, without: set[str]) -> Iterator[tuple[str, str]]:
    """Return page and text of each command whose block does not need what is left out."""
    for page, text, needs in blocks(*SHELL):
        if needs not in without:
            for line in text.splitlines():
                if command := line.partition(" #")[0].strip():
                    yield page, command


@pytest.mark.parametrize(("page", "command"), [*commands(without={"container", "cluster"})])
def test_every_command_exists_with_its_flags(page: str, command: str) -> None:
    """Flags of charlotte are known, targets of make exist, and other programs are expected."""
    _, words = parse(command)
    if words[0] == "make":
        assert {word for word in words[1:] if "=" not in word} <= TARGETS
    elif words[0] == "charlotte":
        name, *rest = words[1:]
        flags = known_flags(build_parser().subparsers[name])
        given = rest[: rest.index("--")] if "--" in rest else rest
        assert {word.partition("=")[0] for word in given if word.startswith("-")} <= {*flags}
        if name == "call" and rest and not rest[0].startswith("-"):
            TOOLS.find(rest[0])
    else:
        assert words[0] == "sudo", command


def parse(command: str) -> tuple[dict[str, str], list[str]]:
    """Return the variables and the words of a command; ``uvx charlotte-mcp`` is charlotte."""
    words = shlex.split(command)
    variables: dict[str, str] = {}
    while re.fullmatch(r"[A-Z_]+=.*", words[0]):
        variable, _, value = words.pop(0).partition("=")
        variables[variable] = value.replace("…", "token")
    if words[:2] == ["uvx", "charlotte-mcp"]:
        words = ["charlotte", *words[2:]]
    return variables, words


def test_blocks_that_cannot_be_tried_are_few_and_marked() -> None:
    marked = [needs for _, _, needs in blocks(*SHELL) if needs]
    assert set(marked) <= NEEDS
    assert len(marked) == MARKED


def tried() -> Iterator[str]:
    """The commands of Charlotte that need neither a network nor a browser."""
    yield from ("charlotte --help", "charlotte config", "charlotte config codex", "charlotte call")
    for _, command in commands(without=NEEDS):
        program, *words = parse(command)[1]
        if program == "charlotte" and words != ["doctor"]:
            yield command


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A directory with the files that the commands name."""
    (tmp_path / "secrets.env").write_text("SHOP_PASSWORD=correct horse\n")
    (tmp_path / "logins.key").write_bytes(b"k" * 32)
    (tmp_path / "out").mkdir()
    (tmp_path / "out/login.json").write_text(json.dumps({"cookies": [], "origins": []}))
    certificate = Authority(tmp_path).issue("ada")
    shutil.copy(certificate, tmp_path / "ada.key")
    return tmp_path


@pytest.mark.parametrize("command", [*dict.fromkeys(tried())])
@pytest.mark.extended
def test_the_commands_of_charlotte_run(command: str, place: Path) -> None:
    """Servers over stdio end with their input; those over HTTP have printed their address."""
    variables, [_, *words] = parse(command)
    if "--http" in words:
        words[words.index("--port") + 1] = "0"
    program = subprocess.Popen(  # noqa: S603 - it is our own program
        [sys.executable, "-m", "charlotte", *words],
        cwd=place,
        env={"HOME": str(place), "PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        if "--http" in words:
            assert program.stdout
            assert "http://127.0.0.1:" in program.stdout.readline()
            program.terminate()
        printed, errors = program.communicate(timeout=100)
    finally:
        program.kill()
    assert program.returncode == 0, errors
    assert printed or "serve" in words
