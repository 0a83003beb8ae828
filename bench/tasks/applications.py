"""The applications of the tasks, from PyPI: installed, seeded and served on 127.0.0.1.

Each has a virtual environment and seeded data in the user's cache directory; a run works on a copy
of the data.
"""

import hashlib
import os
import shutil
import socket
import sqlite3
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from subprocess import DEVNULL
from typing import Any, Final

import attrs
import trio

_HERE: Final = Path(__file__).with_name("apps")
_INSTALLING: Final = 600.0
_STARTING: Final = 60.0
_ENDING: Final = 5.0
_DJANGO: Final = ("-m", "django", "runserver", "--noreload", "--pythonpath", ".")


class NoApplication(Exception):
    """An application could not be installed, seeded or started."""


@attrs.frozen
class Application:
    """An application; ``serve`` are the arguments of its Python, with the port as ``{port}``."""

    name: str
    serve: Sequence[str]
    database: str

    @property
    def source(self) -> Path:
        """The directory of its settings and its seed."""
        return _HERE / self.name

    @property
    def home(self) -> Path:
        """The directory of its environment and data, named after what they are made from."""
        cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
        made_from = hashlib.sha256()
        for file in sorted(self.source.rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                made_from.update(file.read_bytes())
        return cache / "charlotte-bench" / "tasks" / f"{self.name}-{made_from.hexdigest()[:12]}"

    @property
    def python(self) -> str:
        """Its interpreter."""
        return str(self.home / "venv" / "bin" / "python")

    async def prepare(self) -> None:
        """Install and seed it if that is not done yet. Raises `NoApplication`."""
        if (self.home / "data").exists():
            return
        for former in self.home.parent.glob(f"{self.name}-*"):
            shutil.rmtree(former)
        fresh = self.home / "fresh"
        fresh.mkdir(parents=True)
        venv = str(self.home / "venv")
        await self._run([sys.executable, "-m", "venv", venv])
        pip = [self.python, "-m", "pip", "install", "--quiet", "-r", "requirements.txt"]
        await self._run(pip)
        await self._run([self.python, "seed.py"], data=fresh)
        fresh.rename(self.home / "data")

    @asynccontextmanager
    async def open(self, scratch: Path) -> AsyncGenerator["Running"]:
        """Serve a copy of the data in a directory. Raises `NoApplication`."""
        data, port = scratch / self.name, _free_port()
        shutil.copytree(self.home / "data", data)
        command = [self.python, *(one.format(port=port, data=data) for one in self.serve)]
        process = await trio.lowlevel.open_process(
            command, cwd=self.source, env=_environment(data), stdout=DEVNULL, stderr=DEVNULL
        )
        try:
            await _wait_for(port, process)
            yield Running(f"http://127.0.0.1:{port}", data / self.database)
        finally:
            with trio.CancelScope(shield=True):
                process.terminate()
                with trio.move_on_after(_ENDING):
                    await process.wait()
                process.kill()
                await process.wait()

    async def _run(self, command: Sequence[str], data: Path | None = None) -> None:
        try:
            with trio.fail_after(_INSTALLING):
                done = await trio.run_process(
                    command, check=False, cwd=self.source, env=_environment(data or self.home),
                    capture_stdout=True, capture_stderr=True,
                )  # fmt: skip
        except trio.TooSlowError:
            raise NoApplication(f"{self.name}: {command} took too long") from None
        if done.returncode:
            raise NoApplication(f"{self.name}: {command}: {done.stderr.decode()[-2000:]}")


@attrs.frozen
class Running:
    """An application that runs; ``query`` reads its database."""

    url: str
    _database: Path

    def query(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Return the rows of a query."""
        with closing(sqlite3.connect(self._database)) as db:
            return db.execute(sql, values).fetchall()


def _environment(data: Path) -> Mapping[str, str]:
    return {
        **os.environ,
        "TASKS_DATA": str(data),
        "DJANGO_SETTINGS_MODULE": "settings",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": "",
    }


def _free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        return int(server.getsockname()[1])


async def _wait_for(port: int, process: trio.Process) -> None:
    with trio.move_on_after(_STARTING):
        while process.poll() is None:
            try:
                stream = await trio.open_tcp_stream("127.0.0.1", port)
            except OSError:
                await trio.sleep(0.05)
            else:
                await stream.aclose()
                return
    raise NoApplication(f"{process.args!r} does not serve")


SHOP: Final = Application("oscar", (*_DJANGO, "127.0.0.1:{port}"), "db.sqlite3")
JOURNAL: Final = Application("wagtail", (*_DJANGO, "127.0.0.1:{port}"), "db.sqlite3")
TRACKER: Final = Application("roundup", ("serve.py", "{port}"), "tracker/db/db")
PORTS: Final = Application(
    "datasette",
    ("-m", "datasette", "serve", "-i", "{data}/harbour.db", "-h", "127.0.0.1", "-p", "{port}"),
    "harbour.db",
)
APPLICATIONS: Final = (SHOP, TRACKER, PORTS, JOURNAL)
