"""Links, code blocks and figures of the documentation."""

import json
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from charlotte.cli.parser import build_parser, known_flags
from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.toolkit import CATALOG

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [
        *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md")),
        *(ROOT / "docs").rglob("*.md"),
    ]
)
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
BLOCK = re.compile(
    r"^(?:<!-- needs: (?P<needs>[a-z ]+) -->\n)?```(?P<kind>\w*)\n(?P<text>.*?)^```",
    re.DOTALL | re.MULTILINE,
)
NEEDS = {"network", "client", "container"}
MARKED = 2
"""Blocks that cannot be tried in a test; a new one needs a reason."""


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", BLOCK.sub("", page.read_text()), re.MULTILINE)
    plain = [re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings]
    return {
        f"{one}-{repeats}" if (repeats := plain[:index].count(one)) else one
        for index, one in enumerate(plain)
    }


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_link_leads_to_a_file_and_a_heading(page: Path) -> None:
    text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text(), flags=re.DOTALL)
    for link in LINK.findall(text):
        if link.startswith(("http://", "https://")):
            continue
        path, _, anchor = link.partition("#")
        target = page.parent / path if path else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


def test_the_front_page_links_to_every_page() -> None:
    front = ROOT / "docs/index.md"
    linked = {(front.parent / link).resolve() for link in LINK.findall(front.read_text())}
    assert {page for page in PAGES if page.is_relative_to(front.parent)} - linked == {front}


def blocks() -> Iterator[tuple[str, str, str, str]]:
    for page in PAGES:
        for block in BLOCK.finditer(page.read_text()):
            yield name(page), block["kind"], block["text"], block["needs"] or ""


@pytest.mark.parametrize("kind", ["json", "toml"])
def test_every_block_of_data_is_valid(kind: str) -> None:
    read = {"json": json.loads, "toml": tomllib.loads}[kind]
    found = [(page, text) for page, block_kind, text, _ in blocks() if block_kind == kind]
    assert found
    for page, text in found:
        try:
            read(text)
        except ValueError as error:
            pytest.fail(f"{page}: {error}: {text[:80]}")


def commands() -> Iterator[tuple[str, str]]:
    for page, kind, text, needs in blocks():
        if kind in {"sh", "bash", "console"} and not needs:
            for line in text.splitlines():
                if command := line.partition(" #")[0].strip():
                    yield page, command


TARGETS = set(re.findall(r"^([a-z][\w-]*):", (ROOT / "Makefile").read_text(), re.MULTILINE))
TOOLS = Toolbox(CATALOG, profile="full", naming="bare")


@pytest.mark.parametrize(("page", "command"), [*commands()])
def test_every_command_exists_with_its_flags(page: str, command: str) -> None:
    """Flags of charlotte are known, targets of make exist, and other programs are expected."""
    words = shlex.split(command)
    while re.fullmatch(r"[A-Z_]+=.*", words[0]):
        words = words[1:]
    if words[0] in {"uvx", "pipx"}:
        words = ["charlotte", *words[words.index("charlotte-mcp") + 1 :]]
    if words[0] == "make":
        assert {word for word in words[1:] if "=" not in word} <= TARGETS
    elif Path(words[0]).name == "charlotte":
        name_, *rest = words[1:] or ["serve"]
        if name_.startswith("-"):
            name_, rest = "serve", words[1:]
        flags = known_flags(build_parser().subparsers[name_])
        given = rest[: rest.index("--")] if "--" in rest else rest
        assert {word.partition("=")[0] for word in given if word.startswith("-")} <= {*flags}
        if name_ == "call" and rest and not rest[0].startswith("-"):
            TOOLS.find(rest[0])
    else:
        assert words[0] in {"sudo", "apt", "python", "eval", "git", "docker"}, command


def test_blocks_that_cannot_be_tried_are_few_and_marked() -> None:
    marked = [needs for _, _, _, needs in blocks() if needs]
    assert set(marked) <= NEEDS
    assert len(marked) == MARKED


@pytest.mark.parametrize("command", ["doctor --help", "config", "config codex", "call", "--help"])
def test_documented_commands_run(command: str, tmp_path: Path) -> None:
    done = subprocess.run(  # noqa: S603 - it is our own program
        [sys.executable, "-m", "charlotte", *command.split()],
        cwd=tmp_path,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_program_in_readme_compiles() -> None:
    [program] = [
        text for page, kind, text, _ in blocks() if (page, kind) == ("README.md", "python")
    ]
    compile(program, "README.md", "exec")


def test_readme_is_short() -> None:
    text = (ROOT / "README.md").read_text()
    assert len(text.splitlines()) <= 170
    assert len(text) <= 14_000


def measured(file: str) -> Any:
    return json.loads((ROOT / f"bench/results/{file}.json").read_text())


def figures() -> set[str]:
    """Return the figures of README's reasons, as bench/results has them."""
    [tabs] = [row for row in measured("scaling")["rows"] if row["by"] == "tabs of one session"]
    rates = tabs["pages_per_second"]
    [click] = [row for row in measured("actions")["rows"] if row["row"] == "at once"]
    answers = measured("answers")
    share = answers["versions"]["bounds"]["default / @playwright/mcp, median"]
    return {
        "32",
        f"{rates['Charlotte']['32']:.1f}",
        f"{rates['Playwright MCP']['32']:.1f}",
        f"{measured('faults')['renderer killed']['median']:.0f}",
        *(
            f"{click['sides'][side]['median']:.0f}"
            for side in ("Charlotte", "chrome-devtools-mcp", "@playwright/mcp")
        ),
        f"{share:.2f}",
        str(len(answers["rows"])),
    }


def test_every_figure_of_readme_was_measured() -> None:
    reasons = (ROOT / "README.md").read_text().partition("## Why")[2].partition("\n## ")[0]
    assert set(re.findall(r"(?<![\w./-])\d[\d.,]*\d|(?<![\w./-])\d", reasons)) == figures()


def test_every_time_of_the_installation_was_measured() -> None:
    text = (ROOT / "docs/installation.md").read_text()
    times = {row["row"]: f"{row['median']:.1f}" for row in measured("install")["rows"]}
    shown = {"uvx, cold", "pipx run, cold", "uvx, warm", "pipx run, warm", "installed", "MCP SDK"}
    assert set(re.findall(r"([\d.]+) s\b", text)) == {times[row] for row in shown}


def test_readme_states_the_size_of_the_profiles() -> None:
    text = (ROOT / "README.md").read_text()
    reference = (ROOT / "docs/reference/tools.md").read_text()
    for profile in ("core", "browse", "full"):
        [row] = re.findall(rf"^\| `{profile}` \| (\d+) \| ([\d,]+) \|", reference, re.MULTILINE)
        assert f"`{profile}`: {row[0]} tools, {row[1]} characters" in text


def test_readme_names_every_tool() -> None:
    section = (ROOT / "README.md").read_text().partition("## Tools")[2].partition("\n## ")[0]
    assert all(f"`{tool.name}`" in section for tool in CATALOG if not tool.hidden)
