"""Real shells, the background server that they share, and its processes."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

from tests.browser.processes import running
from tests.programs import Ran, run
from tests.whole.processes import arguments, browser_of, within

PATIENCE = 40.0
CHARLOTTE = f"{shlex.quote(sys.executable)} -m charlotte"


@attrs.define(eq=False)
class Background:
    """A runtime directory of its own, and with it a background server of its own."""

    runtime: Path
    environment: dict[str, str]

    def run(self, *words: str, stdin: str = "", cwd: Path | None = None) -> Ran:
        """Run ``charlotte`` as a child of this process, which counts as one client."""
        return run(*words, stdin=stdin, env=self.environment, cwd=cwd, timeout=PATIENCE)

    def do(self, *words: str, stdin: str = "") -> Ran:
        return self.run("do", *words, stdin=stdin)

    def out(self, *words: str) -> str:
        ran = self.do(*words)
        assert (ran.code, ran.err) == (0, ""), (words, ran)
        return ran.out

    @property
    def server(self) -> int:
        """The process of the server; 0 if none runs."""
        found = re.match(r"server (\d+),", self.run("ps").out)
        return int(found[1]) if found else 0

    @property
    def browser(self) -> int:
        """The process of the browser; 0 while no browser runs."""
        with suppress(ValueError, OSError):
            return browser_of(self.server)
        return 0

    def processes(self) -> list[int]:
        """Return the processes that were started with this runtime directory, and still run."""
        mark = f"XDG_RUNTIME_DIR={self.runtime}".encode()
        found = list[int]()
        for entry in Path("/proc").iterdir():
            with suppress(OSError, ValueError):
                if mark in (entry / "environ").read_bytes().split(b"\0"):
                    found.append(int(entry.name))
        return [pid for pid in found if running(pid)]

    def assert_nothing_is_left(self) -> None:
        """Check that the server, its browser, its socket and the files of sessions are gone."""
        ended = within(PATIENCE, lambda: not self.processes())
        assert ended, list(map(arguments, self.processes()))
        left = {file.name for file in (self.runtime / "charlotte").iterdir()}
        assert left == {"server.lock", "server.log", "start.lock"}


@contextmanager
def open_background(**environment: str) -> Generator[Background]:
    """Provide a runtime directory; stop its server afterwards. Socket paths must be short."""
    runtime = Path(tempfile.mkdtemp(prefix="ch-"))
    kept = {
        key: value
        for key, value in os.environ.items()
        if key == "CHARLOTTE_CHROMIUM" or not key.startswith("CHARLOTTE_")
    }
    background = Background(
        runtime, kept | environment | {"XDG_RUNTIME_DIR": str(runtime), "PYTHONUTF8": "1"}
    )
    try:
        yield background
    finally:
        background.run("stop")
        shutil.rmtree(runtime)


@attrs.define(eq=False)
class Shell:
    """A shell that stays open: a client of its own."""

    _process: subprocess.Popen[str]
    _errors: Path

    def do(self, *words: str) -> Ran:
        """Run ``charlotte do`` in the shell and wait for its end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        command = f"{CHARLOTTE} do {shlex.join(words)} 2>{shlex.quote(str(self._errors))}"
        self._process.stdin.write(f'{command}; echo "end of command $?"\n')
        self._process.stdin.flush()
        lines = list[str]()
        while not (line := self._process.stdout.readline()).startswith("end of command "):
            assert line, "the shell has ended"
            lines.append(line)
        return Ran(int(line.split()[-1]), "".join(lines), self._errors.read_text())


@contextmanager
def open_shell(background: Background) -> Generator[Shell]:
    with (
        tempfile.NamedTemporaryFile() as errors,
        subprocess.Popen(
            ["/bin/bash"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=background.environment,
        ) as process,
    ):
        try:
            yield Shell(process, Path(errors.name))
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(PATIENCE)
