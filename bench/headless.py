"""``python -m bench.headless``: compare what pages see of a headless and of a headed browser.

Writes docs/operations/headless.md. Needs Chromium with windows, chromium-headless-shell, and Xvfb.
"""

import json
import os
import subprocess
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import trio

from charlotte import Config, open_charlotte
from charlotte.browser.process.launch import SWITCHES
from tests.site.server import open_site

_PAGE: Final = Path(__file__).parents[1] / "docs" / "operations" / "headless.md"
_SEEN: Final = Path(__file__).with_name("surroundings.js").read_text(encoding="utf-8")
_STARTS: Final[Mapping[str, Mapping[str, Any]]] = {
    "headed": {"headed": True},
    "default": {},
    "`--chromium chromium`": {"chromium": "chromium"},
}
_MOUSE: Final = next(one for one in SWITCHES if one.startswith("--blink-settings"))
_INTRODUCTION: Final = """# What pages see of a headless browser

Pages can ask their browser for media features, properties of `navigator` and `screen`,
permissions and some interfaces. `python -m bench.headless` starts Charlotte three times and
compares the answers: with `--headed` (on Xvfb, so a machine with a real screen and a graphics
card differs in more), by default (`chromium-headless-shell`), and with `--chromium chromium` (the
whole browser without windows).

Pages see a desktop with a mouse in all three: `pointer: fine`, `hover: hover` and their `any-`
forms, whatever devices the machine has. Only the touch devices of `viewport` have `pointer:
coarse` and `hover: none`. A page that was loaded as a touch device sees the mouse again after a
reload. A browser at `--cdp-endpoint` keeps its own values: the protocol cannot change them. Start
it with `%s`.
"""


def main() -> None:
    """Compare, and write the page."""
    with _screen() as display:
        os.environ["DISPLAY"] = display
        seen = trio.run(_seen_by_all)
    version = next(iter(seen.values()))["navigator.userAgent"].partition("Chrome/")[2].split(".")[0]
    names = sorted({name for one in seen.values() for name in one})
    rows = [[one.get(name, "(none)") for one in seen.values()] for name in names]
    differing = [(name, row) for name, row in zip(names, rows, strict=True) if len(set(row)) > 1]
    lines = [
        f"With Chromium {version}, {len(names)} answers were compared, {len(differing)} differ:",
        "",
        f"| question | {' | '.join(seen)} |",
        "|---|" + "---|" * len(seen),
        *(f"| {_cell(name)} | {' | '.join(map(_cell, row))} |" for name, row in differing),
    ]
    _PAGE.write_text("\n".join([_INTRODUCTION % _MOUSE, *lines, ""]), encoding="utf-8")
    print(f"{len(differing)} of {len(names)} answers differ; see {_PAGE}")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


@contextmanager
def _screen() -> Generator[str]:
    """Run an X server; yield its display."""
    read, write = os.pipe()
    command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x800x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[write], stderr=subprocess.DEVNULL) as server:  # noqa: S603
        os.close(write)
        with os.fdopen(read) as output:
            number = output.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


async def _seen_by_all() -> dict[str, dict[str, str]]:
    async with open_site() as site:
        return {name: await _seen(site.url("/"), start) for name, start in _STARTS.items()}


async def _seen(url: str, start: Mapping[str, Any]) -> dict[str, str]:
    """Return what a page sees, by question."""
    async with open_charlotte(Config(**start)) as charlotte, charlotte.open_session() as session:
        await session.navigate(url)
        answer = await session.evaluate(_SEEN, timeout=60_000)
    seen: dict[str, str] = json.loads(str(answer.value))
    return seen


if __name__ == "__main__":
    main()
