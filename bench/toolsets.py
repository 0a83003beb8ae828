"""``python -m bench.toolsets``: scripted tasks with drivers of vendors' browser tools.

The drivers of browser-use and Stagehand are installed from PyPI into environments of their own, in
the cache directory. browser-use 0.13.14 asks for anthropic below 2, which lacks the class that the
driver extends; the SDK is installed over it. A driver that fails is named and left out.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import threading
import venv
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import attrs

from bench.report import save
from bench.toolset_drivers.tasks import PAGES
from charlotte.browser.process.executables import find_executable

_RESULTS: Final = Path(__file__).with_name("results") / "toolsets.json"
_PROGRAM: Final = Path(__file__).with_name("toolset_drivers")
_CACHE: Final = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "charlotte"
_PATIENCE: Final = 600.0
_FEWER_READS: Final = 0.6
"""The share of the reads of the others that Charlotte must save."""

_ENVIRONMENTS: Final[Mapping[str, Sequence[Sequence[str]]]] = {
    "browser-use": (
        ("browser-use==0.13.14",),
        ("--no-deps", "anthropic==2.12.0"),
        ("docstring_parser==0.18.0", "httpx2==2.16.2", "jiter==0.19.0"),
    ),
    "stagehand": (
        ("stagehand-claude-sdk==0.1.0", "stagehand-openai-sdk==0.1.0", "anthropic==2.12.0"),
        ("openai==3.54.0",),
    ),
}
"""Arguments of the calls of pip for each environment."""

_SIDES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "anthropic": (
        ("charlotte-anthropic", ""),
        ("browser-use", "browser-use"),
        ("stagehand-anthropic", "stagehand"),
    ),
    "openai": (("charlotte-openai", ""), ("stagehand-openai", "stagehand")),
}
"""The drivers of each vendor's tool with their environments; Charlotte's first."""


@attrs.frozen
class Side:
    """The results of a driver: medians of the rounds for each task."""

    driver: str
    rows: Mapping[str, Mapping[str, float]]

    def total(self, name: str) -> float:
        """Return the sum over all tasks."""
        return sum(row[name] for row in self.rows.values())


class _Pages(BaseHTTPRequestHandler):
    """The pages of the tasks."""

    def do_GET(self) -> None:
        """Return a page."""
        body = PAGES.get(self.path, "").encode()
        self.send_response(200 if body else 404)
        self.send_header("content-type", "text/html; charset=utf-8")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name there
        """Log nothing."""


@contextmanager
def _served() -> Generator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()


def _python_of(environment: str) -> str:
    """Return the interpreter of an environment, which is created at first."""
    if not environment:
        return sys.executable
    home = _CACHE / "toolsets" / environment
    python, stamp = home / "bin" / "python", home / ".installed"
    if not stamp.exists():
        venv.create(home, with_pip=True, clear=True)
        for arguments in _ENVIRONMENTS[environment]:
            command = [str(python), "-m", "pip", "install", "--quiet", *arguments]
            subprocess.run(command, check=True)  # noqa: S603 - fixed packages
        stamp.touch()
    return str(python)


def _run(driver: str, environment: str, url: str) -> list[Any] | str:
    """Return the results of a driver in one round, or the reason why it is left out."""
    try:
        python = _python_of(environment)
        command = [python, str(_PROGRAM), driver, _chromium(), url, "1"]
        done = subprocess.run(  # noqa: S603 - our own program
            command, capture_output=True, text=True, check=True, timeout=_PATIENCE
        )
    except subprocess.CalledProcessError as error:
        return str(error.stderr or error).strip().splitlines()[-1]
    except subprocess.TimeoutExpired as error:
        return str(error)
    return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"task"')]


def _measure(
    drivers: Sequence[tuple[str, str]], url: str, rounds: int
) -> tuple[list[Side], dict[str, str]]:
    """Run the drivers by turns; return the results, and reasons of those that are left out."""
    lines: dict[str, list[Any]] = {driver: [] for driver, _ in drivers}
    left_out: dict[str, str] = {}
    for _ in range(rounds):
        for driver, environment in drivers:
            found = _run(driver, environment, url) if driver not in left_out else []
            if isinstance(found, str):
                left_out[driver] = found
            else:
                lines[driver] += found
    sides = [_summarize(one, rows) for one, rows in lines.items() if one not in left_out]
    return sides, left_out


def _summarize(driver: str, lines: Sequence[Any]) -> Side:
    rows = {
        task: {
            name: statistics.median(line[name] for line in lines if line["task"] == task)
            for name in ("reads", "calls", "seconds")
        }
        for task in dict.fromkeys(line["task"] for line in lines)
    }
    return Side(driver, rows)


def _chromium() -> str:
    """Return the browser of all drivers: the one with windows, because one needs extensions."""
    return find_executable(None, windows=True)


def main() -> None:
    """Measure, print and save; fail if Charlotte reads too often or is slower."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    rows: list[dict[str, Any]] = []
    missed: list[str] = []
    with _served() as url:
        for tool, drivers in _SIDES.items():
            sides, left_out = _measure(drivers, url, options.rounds)
            for driver, reason in left_out.items():
                print(f"{driver} is left out: {reason}")
                rows.append({"tool": tool, "driver": driver, "left_out": reason})
            for side in sides:
                totals = {name: side.total(name) for name in ("reads", "calls", "seconds")}
                rows.append({"tool": tool, "driver": side.driver, **totals, "tasks": side.rows})
                print(
                    f"{side.driver:<20} {totals['reads']:>4.0f} reads "
                    f"{totals['calls']:>5.0f} calls {totals['seconds']:>7.2f} s"
                )
            missed += _compare(sides)
    save(_RESULTS, rows, runs=options.rounds)
    if missed:
        raise SystemExit("\n".join(missed))


def _compare(sides: Sequence[Side]) -> list[str]:
    """Return what Charlotte, the first side, misses against each other side."""
    ours, *others = sides
    problems: list[str] = []
    for other in others:
        saved = 1 - ours.total("reads") / other.total("reads")
        faster = 1 - ours.total("seconds") / other.total("seconds")
        print(f"  beside {other.driver}: {saved:.0%} fewer reads, {faster:.0%} less time")
        if saved < _FEWER_READS:
            problems.append(f"only {saved:.0%} fewer reads than {other.driver}")
        if faster <= 0:
            problems.append(f"{-faster:.0%} more time than {other.driver}")
    return problems


if __name__ == "__main__":
    main()
