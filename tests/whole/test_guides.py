"""The sessions that README and the guides show: their calls give the answers below them.

A comment `<!-- before: TOOL {…} -->` in a page is a call that readers need not see. The tool
`write` is the reader's editor: it replaces a text in a file. `<!-- server: FLAGS -->` adds flags.
"""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

from tests.whole.client import Server, open_server
from tests.whole.web import Web

pytestmark = pytest.mark.chromium

ROOT = Path(__file__).parents[2]
SHOP = Path(__file__).with_name("shop")
"""The directory that the guides call /home/ada/shop."""
CALL = r"(\w+) (\{[^\n]*\})"
BLOCK = re.compile(rf"^<!-- before: {CALL} -->$|^```\w*\n(.*?)^```$", re.DOTALL | re.MULTILINE)
FLAGS = re.compile(r"^<!-- server: (.*) -->$", re.MULTILINE)
STEP = re.compile(rf"^> {CALL}\n", re.MULTILINE)
LEFT_OUT = "⋮"
VARIES = re.compile(
    r"(?<=bytes\":)\d+|(?<=screenshot )\d+x\d+|(?<=tab-1-)\d+-\d+(?=\.png)"
    r"|(?<=-requests-)\d+|\d\d:\d\d:\d\d\.\d{3}"
    r"|(?<=127\.0\.0\.1:)(?!8000)\d+|(?<=charlotte-output-)\w+|iPhone OS [\d_]+|Version/[\d.]+"
)
GUIDES = (
    *("files", "forms", "local-development", "logins-and-secrets", "parallel-tabs", "programs"),
    "reading-pages",
)
PAGES = [
    "README.md",
    *(
        pytest.param(f"docs/{name}.md", marks=pytest.mark.extended)
        for name in ("first-session", *(f"guides/{guide}" for guide in GUIDES))
    ),
]


@attrs.frozen
class Step:
    """A call of a page, and the parts of its answer that the page shows; None: nothing is."""

    tool: str
    arguments: str
    shown: str | None


def steps(page: str) -> Iterator[Step]:
    for tool, arguments, block in BLOCK.findall((ROOT / page).read_text()):
        if tool:
            yield Step(tool, arguments, None)
        elif block.startswith("> "):
            _, *parts = STEP.split(block)
            for step in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
                yield Step(*step)


def play(server: Server, step: Step, site: str, shop: Path) -> str:
    text = step.arguments.replace("http://127.0.0.1:8000", site)
    arguments: dict[str, Any] = json.loads(text.replace("/home/ada/shop", str(shop)))
    if step.tool == "write":
        file = shop / arguments["path"]
        file.write_text(file.read_text().replace(arguments["replace"], arguments["by"]))
        return ""
    content = server.call(step.tool, **arguments).result["content"]
    answer = "\n".join(block["text"] for block in content if block["type"] == "text")
    return answer.replace(site, "http://127.0.0.1:8000").replace(str(shop), "/home/ada/shop")


def compare(answer: str, shown: str) -> None:
    """Check that the lines that are shown are in the answer, in order, and nothing else."""
    lines = [VARIES.sub("0", line) for line in answer.splitlines()]
    expected = [VARIES.sub("0", line) for line in shown.strip("\n").splitlines()]
    skip = False
    for line in expected:
        if line == LEFT_OUT:
            skip = True
        elif skip:
            assert line in lines, f"{line!r} is not in {lines}"
            del lines[: lines.index(line) + 1]
            skip = False
        else:
            assert lines[:1] == [line]
            del lines[0]
    assert skip or not lines


@pytest.mark.parametrize("page", PAGES)
def test_the_answers_that_a_page_shows_are_real(page: str, web: Web, tmp_path: Path) -> None:
    shop = shutil.copytree(SHOP, tmp_path / "shop")
    site = web.url("").rstrip("/")
    flags = ["--answers", "text", "--root", str(shop), "--output-dir", str(shop / "out")]
    for more in FLAGS.findall((ROOT / page).read_text()):
        flags += more.replace("/home/ada/shop", str(shop)).split()
    with open_server(*flags) as server:
        played = list(steps(page))
        assert played
        for step in played:
            answer = play(server, step, site, shop)
            if step.shown is not None:
                compare(answer, step.shown)
