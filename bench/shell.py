"""``python -m bench.shell``: commands of a warm background server beside an empty Python program.

``charlotte do tabs``, ``agent-browser tab list`` and ``playwright-cli tab-list`` take turns with
``python -c pass``, each with one tab open in the same Chromium. A click of ``charlotte do`` takes
turns with the same click over a standing MCP connection that has joined the session. A pause before
each command lets the work that follows an answer end, such as reading what the page has stored.
"""

import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final

import trio

from bench.peers import NoPeers, install
from charlotte.browser.process.executables import find_executable
from tests.shell.pages import list_page
from tests.shell.running import Background, open_background
from tests.whole.client import Server, open_server

_RESULTS: Final = Path(__file__).with_name("results") / "shell.json"
_PACKAGES: Final = {"agent-browser": "0.41.2", "@playwright/cli": "0.1.22"}
_RUNS: Final = 15
_FLOOR: Final = "python -c pass"
_OURS: Final = "charlotte do tabs"
_PAUSE: Final = 0.3
_MOST_FACTOR, _MOST_MS, _MOST_CLICK = 2, 20.0, 40.0
_PATIENCE: Final = 120.0

Environment = Mapping[str, str]


def _run(words: Sequence[str], environment: Environment) -> str:
    done = subprocess.run(  # noqa: S603 - programs that are compared
        words,
        env=environment,
        cwd=environment["XDG_RUNTIME_DIR"],  # a peer writes its snapshots to it
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def _ms(work: Callable[[], object]) -> float:
    time.sleep(_PAUSE)
    begun = time.perf_counter()
    work()
    return (time.perf_counter() - begun) * 1000


@contextmanager
def _open_peers(environment: Environment) -> Generator[dict[str, list[str]]]:
    """Open a tab with each peer in the same Chromium; yield their commands that list tabs."""
    chromium = find_executable(None)
    try:
        _, modules = trio.run(install, _PACKAGES)
    except NoPeers as error:
        print(f"no peers: {error}")
        yield {}
        return
    programs = modules / ".bin"
    agent, playwright = str(programs / "agent-browser"), str(programs / "playwright-cli")
    launch = {"executablePath": chromium, "headless": True, "chromiumSandbox": False}
    config = {"browser": {"browserName": "chromium", "launchOptions": launch}}
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(config, file)
        file.flush()
        _run([agent, "--executable-path", chromium, "--args", "--no-sandbox", "open",
              "about:blank"], environment)  # fmt: skip
        _run([playwright, "open", "about:blank", f"--config={file.name}"], environment)
        try:
            yield {
                "agent-browser tab list": [agent, "tab", "list"],
                "playwright-cli tab-list": [playwright, "tab-list"],
            }
        finally:
            _run([agent, "close"], environment)
            _run([playwright, "close"], environment)


def _measure_tabs(background: Background, program: str) -> dict[str, list[float]]:
    environment = background.environment
    background.out("-s", "bench", "tab_open")
    with _open_peers(environment) as peers:
        commands = {
            _FLOOR: [sys.executable, "-c", "pass"],
            _OURS: [program, "do", "-s", "bench", "tabs"],
            **peers,
        }
        for words in commands.values():
            _run(words, environment)
        times: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(_RUNS):
            for name, words in commands.items():
                times[name].append(_ms(partial(_run, words, environment)))
    return times


def _measure_clicks(background: Background, program: str, mcp: Server) -> dict[str, list[float]]:
    page = mcp.call("navigate", url=list_page("bench"), answers="text").text
    button = re.search(r"btn-\w+", page)
    if button is None:
        raise RuntimeError(page)
    words = [program, "do", "-s", "clicks", "click", button[0]]
    ways: dict[str, Callable[[], object]] = {
        "MCP": lambda: mcp.call("click", element_id=button[0], answers="text").texts,
        "charlotte do": lambda: _run(words, background.environment),
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(_RUNS):
        for name, work in ways.items():
            times[name].append(_ms(work))
    return times


def main() -> None:
    """Measure, print, and write ``shell.json``."""
    program = shutil.which("charlotte", path=str(Path(sys.executable).parent))
    if program is None:
        raise SystemExit("charlotte is not installed in this environment")
    with ExitStack() as stack:
        background = stack.enter_context(open_background())
        os.environ["XDG_RUNTIME_DIR"] = str(background.runtime)
        tabs = _measure_tabs(background, program)
        answering = {"CHARLOTTE_ANSWERS": "text"}
        mcp = stack.enter_context(open_server("--join", "clicks", env=answering))
        clicks = _measure_clicks(background, program, mcp)
    _report(tabs, clicks)


def _report(tabs: dict[str, list[float]], clicks: dict[str, list[float]]) -> None:
    medians = {name: statistics.median(times) for name, times in tabs.items()}
    limit = _MOST_FACTOR * medians[_FLOOR] + _MOST_MS
    by_way = {name: statistics.median(times) for name, times in clicks.items()}
    extra = by_way["charlotte do"] - by_way["MCP"]
    for name, median in {**medians, **by_way}.items():
        print(f"{name:<26} {median:7.1f} ms")
    print(f"{_OURS}: limit {limit:.1f} ms: {_verdict(medians[_OURS], limit)}")
    print(f"a click costs {extra:.1f} ms more, limit {_MOST_CLICK}: {_verdict(extra, _MOST_CLICK)}")
    results: dict[str, Any] = {
        "runs": _RUNS,
        "versions": _PACKAGES,
        "tabs": {name: round(median, 1) for name, median in medians.items()},
        "limit": round(limit, 1),
        "clicks": {name: round(median, 1) for name, median in by_way.items()},
        "extra": round(extra, 1),
    }
    _RESULTS.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def _verdict(value: float, limit: float) -> str:
    return "ok" if value <= limit else "too slow"


if __name__ == "__main__":
    main()
