"""``python -m bench.install``: from `uvx charlotte-mcp` or `pipx run charlotte-mcp` to an answer.

Each sample starts the server as an MCP client does, over stdio, and ends with the answer to the
first `navigate`. The home directory and with it all caches are new in each cold run. ``on disk``
uses a directory of wheels instead of an index. ``installed`` is the server alone, after
`uv tool install`; ``MCP SDK`` is the import of the SDK alone, which is the floor of each warm row.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import attrs
import trio

from bench.floor import open_floor
from bench.report import save
from tests.stdio_client import open_client

_RESULTS: Final = Path(__file__).with_name("results") / "install.json"
_ROOT: Final = Path(__file__).parents[1]
_UV: Final = "0.13.9"
_PIPX: Final = "1.18.4"
_PAGE: Final = "data:text/html,<h1>Installed</h1>"
_COLD: Final = 15.0
_WARM: Final = 1.5
_PATIENCE: Final = 180.0
_FOREIGN: Final = ("XDG_", "PYTHON", "VIRTUAL_ENV", "PIPX_", "UV_CACHE_DIR", "PIP_CACHE_DIR")


@attrs.frozen
class Place:
    """A temporary directory with the tools, the wheel, and the wheels of all dependencies."""

    path: Path

    @property
    def programs(self) -> Path:
        """The directory of uvx, pipx and pip."""
        return self.path / "tools" / "bin"

    def prepare(self) -> None:
        """Install the tools, build the wheel and download its dependencies."""
        venv.create(self.path / "tools", with_pip=True)
        self._pip("install", f"uv=={_UV}", f"pipx=={_PIPX}")
        self._pip("wheel", "--no-deps", "--wheel-dir", str(self.path / "wheel"), str(_ROOT))
        [wheel] = (self.path / "wheel").iterdir()
        # pipx updates its own pip.
        self._pip("download", "--dest", str(self.path / "wheels"), "pip", str(wheel))
        home = self.path / "installed"
        home.mkdir()
        command = [str(self.programs / "uv"), "tool", "install", "--quiet", "charlotte-mcp"]
        env = self.env(home, "wheels", index=False)
        subprocess.run(command, check=True, env=env)  # noqa: S603 - a fixed command

    def _pip(self, command: str, *arguments: str) -> None:
        words = [str(self.programs / "pip"), command, "--quiet", *arguments]
        subprocess.run(words, check=True, cwd=self.path)  # noqa: S603 - it is our own pip

    def env(self, home: Path, wheels: str, *, index: bool) -> dict[str, str]:
        """Return an environment with an own home and no setting of caches or of Python."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(_FOREIGN)}
        own = str(Path(sys.prefix) / "bin")
        path = [one for one in kept["PATH"].split(os.pathsep) if one != own]
        found = {
            **kept,
            "HOME": str(home),
            "PATH": os.pathsep.join([str(self.programs), *path]),
            "PIP_FIND_LINKS": str(self.path / wheels),
            "UV_FIND_LINKS": str(self.path / wheels),
            "PIPX_DEFAULT_BACKEND": "pip",
        }
        return found if index else {**found, "PIP_NO_INDEX": "1", "UV_OFFLINE": "1"}


@attrs.frozen
class Way:
    """A row: a command, and whether the ordinary index is used and the home is kept."""

    name: str
    command: Sequence[str]
    bound: float
    wheels: str = "wheel"
    index: bool = True
    cold: bool = False

    async def measure(self, place: Place, home: Path, runs: int) -> dict[str, Any]:
        """Return the row's record; times are in seconds since the start of the command."""
        times = list[dict[str, float]]()
        for _ in range(runs):
            if self.cold:
                _clear(home)
            env = place.env(home, self.wheels, index=self.index)
            times.append(await self._sample(env))
        median = statistics.median(sample["navigate"] for sample in times)
        return {
            "row": self.name,
            "median": round(median, 2),
            "initialize": [round(sample["initialize"], 2) for sample in times],
            "navigate": [round(sample["navigate"], 2) for sample in times],
            "bound": self.bound,
            "met": median <= self.bound,
        }

    async def _sample(self, env: dict[str, str]) -> dict[str, float]:
        program = shutil.which(self.command[0], path=env["PATH"]) or self.command[0]
        begun = trio.current_time()
        with trio.fail_after(_PATIENCE):
            async with open_client([program, *self.command[1:]], env=env) as client:
                await client.initialize()
                initialized = trio.current_time()
                result = await client.call("charlotte_navigate", url=_PAGE)
                answered = trio.current_time()
        text = result["content"][0]["text"]
        if result.get("isError") or "Installed" not in text:
            raise RuntimeError(text)
        return {"initialize": initialized - begun, "navigate": answered - begun}


def _clear(home: Path) -> None:
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir()


def _ways(program: str, *command: str) -> list[Way]:
    return [
        Way(f"{program}, cold, on disk", command, _COLD, "wheels", index=False, cold=True),
        Way(f"{program}, cold", command, _COLD, cold=True),
        Way(f"{program}, warm", command, _WARM),
        Way(f"{program}, warm, offline", command, _WARM, index=False),
    ]


async def measure(place: Place, *, cold: int, warm: int) -> list[dict[str, Any]]:
    """Measure and print all rows."""
    installed = place.path / "installed" / ".local"
    ways = [
        *_ways("uvx", "uvx", "charlotte-mcp"),
        *_ways("pipx run", "pipx", "run", "charlotte-mcp"),
        Way("installed", [str(installed / "bin" / "charlotte-mcp")], _WARM),
    ]
    rows = [_sdk(installed / "share" / "uv" / "tools" / "charlotte-mcp" / "bin" / "python", warm)]
    print(rows[0], flush=True)
    for way in ways:
        rows.append(await way.measure(place, place.path / "home", cold if way.cold else warm))
        print(rows[-1], flush=True)
    return rows


def _sdk(python: Path, runs: int) -> dict[str, Any]:
    """Return the times of the import of the MCP SDK, after one run that compiles it."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    command = [str(python), "-c", "import mcp.server.lowlevel"]
    times = list[float]()
    for _ in range(runs + 1):
        begun = time.perf_counter()
        subprocess.run(command, check=True, env=env)  # noqa: S603 - a fixed command
        times.append(round(time.perf_counter() - begun, 2))
    return {"row": "MCP SDK", "median": statistics.median(times[1:]), "import": times[1:]}


async def _chromium() -> str:
    async with open_floor() as floor:
        return await floor.version()


def main() -> None:
    """Measure, write ``install.json``, exit with 1 if a bound does not hold."""
    parser = argparse.ArgumentParser(prog="bench.install", description=__doc__)
    parser.add_argument("--cold", type=int, default=3, metavar="N")
    parser.add_argument("--warm", type=int, default=5, metavar="N")
    options = parser.parse_args()
    chromium = trio.run(_chromium)
    with tempfile.TemporaryDirectory() as directory:
        place = Place(Path(directory))
        place.prepare()
        rows = trio.run(lambda: measure(place, cold=options.cold, warm=options.warm))
    save(_RESULTS, rows, runs=options.warm, chromium=chromium, uv=_UV, pipx=_PIPX)
    over = [row["row"] for row in rows if not row.get("met", True)]
    sys.exit(f"Not within its bound: {', '.join(over)}." if over else 0)


if __name__ == "__main__":
    main()
