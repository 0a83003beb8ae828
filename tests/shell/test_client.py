"""The light client of the background server, with a fake server."""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from charlotte.cli.shell_service import EXIT_CODES
from charlotte.shell import client, is_command
from charlotte.shell.place import SOCKET, Unusable, directory
from tests.programs import Ran, run_python

Reply = dict[str, object]


@pytest.fixture
def runtime(monkeypatch: pytest.MonkeyPatch) -> Generator[Path]:
    """Provide a runtime directory of its own; the path of a socket must be short."""
    with tempfile.TemporaryDirectory(prefix="ch-") as place:
        monkeypatch.setenv("XDG_RUNTIME_DIR", place)
        yield Path(place) / "charlotte"


@contextmanager
def serving(runtime: Path, answer: bytes) -> Generator[list[dict[str, Any]]]:
    requests: list[dict[str, Any]] = []
    directory()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(runtime / SOCKET))
        listening.listen()
        listening.settimeout(10)

        def serve() -> None:
            line, _ = listening.accept()
            with line, line.makefile("rb") as reading:
                requests.append(json.loads(reading.readline()))
                line.sendall(answer)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield requests
        thread.join(10)
        assert not thread.is_alive()


def as_json(reply: Reply) -> bytes:
    return json.dumps(reply).encode()


def test_a_command_prints_the_answer_and_returns_its_code(
    runtime: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    reply: Reply = {"out": "tab-1", "err": "note", "exit": 3}
    with serving(runtime, as_json(reply)) as requests:
        assert client.main(["do", "-s", "shop", "tabs"]) == 3
    assert capfd.readouterr() == ("tab-1\n", "note\n")
    assert requests[0]["words"] == ["-s", "shop", "tabs"]
    assert requests[0]["cwd"] == str(Path.cwd())


def test_a_server_that_ends_before_its_answer_may_have_run_the_command(
    runtime: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for incomplete in (b"", as_json({"out": "ran", "exit": 0})[:-1]):
        with serving(runtime, incomplete):
            assert client.main(["do", "click", "btn-1"]) == client.LOST
        (runtime / SOCKET).unlink()
    out, err = capfd.readouterr()
    assert (out, err.count("may or may not have happened")) == ("", 2)


def test_an_image_is_written_to_its_file(
    runtime: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    image: Reply = {"exit": 0, "data": "aW1hZ2U=", "file": str(tmp_path / "a.png")}
    with serving(runtime, as_json(image)):
        assert client.main(["do", "screenshot"]) == 0
    assert (tmp_path / "a.png").read_bytes() == b"image"
    (runtime / SOCKET).unlink()
    with serving(runtime, as_json(image | {"file": str(tmp_path / "no" / "a.png")})):
        assert client.main(["do", "screenshot"]) == 1
    assert "could not be written: No such file or directory" in capfd.readouterr().err


def test_without_a_server_there_is_nothing_to_list_or_to_stop(
    runtime: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    for words in (["ps"], ["stop"], ["stop", "-s", "shop"]):
        assert client.main(words) == 0
        assert capfd.readouterr().out == "No background server is running.\n"


def test_a_list_of_the_sessions_takes_no_arguments(capfd: pytest.CaptureFixture[str]) -> None:
    assert client.main(["ps", "--json"]) == client.MISUSED
    assert capfd.readouterr() == ("", "charlotte: error: ps takes no arguments, got '--json'\n")


def test_a_server_of_another_user_is_not_used(
    runtime: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def another(_: object) -> tuple[int, int]:
        return 1, os.getuid() + 1

    monkeypatch.setattr("charlotte.shell.client.peer", another)
    directory()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(runtime / SOCKET))
        listening.listen()
        assert client.main(["do", "tabs"]) == client.UNUSABLE
    assert "belongs to another user" in capfd.readouterr().err


def open_to_others(place: Path) -> None:
    place.mkdir()
    place.chmod(0o755)


def link(place: Path) -> None:
    target = place.parent / "elsewhere"
    target.mkdir(mode=0o700)
    place.symlink_to(target)


@pytest.mark.parametrize("spoil", [open_to_others, link, Path.touch])
def test_a_directory_that_others_could_have_made_is_refused(
    runtime: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(runtime)
    with pytest.raises(Unusable, match="must be a directory that only you can enter"):
        directory()


def test_without_a_runtime_directory_it_is_in_the_temporary_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    assert directory() == f"{tmp_path}/charlotte-{os.getuid()}"
    assert Path(directory()).stat().st_mode & 0o777 == 0o700


IDENTITY = "from charlotte.shell.client import identify_shell as i; print(i())"


def test_a_shell_for_one_command_counts_as_the_process_that_started_it() -> None:
    def run(*words: str) -> str:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()  # noqa: S603

    asked = f"{sys.executable} -c '{IDENTITY}'"
    own = run(sys.executable, "-c", IDENTITY)
    assert own.split("-")[1] == str(os.getpid())
    assert own == run("/bin/sh", "-c", f"{asked}; true")
    assert own == run("/bin/bash", "-lc", f'/bin/sh -c "{asked}; true"; true')
    lasting = f"{asked}\n{asked}\n"
    first, second = subprocess.run(
        ["/bin/bash"], input=lasting, capture_output=True, text=True, check=True
    ).stdout.split()
    assert first == second != own
    assert client.identify_shell().startswith("shell-")


def test_the_guide_lists_the_exit_code_of_each_error() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "shell.md").read_text()
    rows = {
        int(code): text for code, text in re.findall(r"^\| (\d+) \| (.*) \|$", guide, re.MULTILINE)
    }
    for error, code in EXIT_CODES.items():
        assert f"`{error}`" in rows[code]
    assert {*rows} == {0, 1, *EXIT_CODES.values(), client.LOST, client.UNUSABLE, client.INTERRUPTED}


@pytest.mark.parametrize(
    ("words", "is_ours"),
    [
        (["do", "tabs"], True),
        (["ps"], True),
        (["stop", "-s", "shop"], True),
        (["do", "type", "inp-1", "--", "--help"], True),
        (["do"], False),
        (["do", "click", "--help"], False),
        (["serve"], False),
        (["--headed", "do", "tabs"], False),
        ([], False),
    ],
)
def test_commands_for_the_server_are_recognised(words: list[str], *, is_ours: bool) -> None:
    assert is_command(words) is is_ours


def test_a_command_imports_neither_trio_nor_anything_else_that_takes_long() -> None:
    program = (
        "import sys; from charlotte.__main__ import main\n"
        "import charlotte.shell.client\n"
        "heavy = {'trio', 'mcp', 'attrs', 'attr', 'argparse', 'typing', 'subprocess', 'pathlib'}\n"
        "print(sorted(heavy & {*sys.modules}))"
    )
    here = f"import sys; sys.path.append('.')\n{program}"
    ran = run_python("-I", "-S", "-c", here, cwd=Path(__file__).parents[2])
    assert ran == Ran(0, "[]\n", "")
