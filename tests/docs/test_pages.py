"""Links, code blocks and figures of the documentation."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.toolkit import CATALOG
from tests.docs.pages import BLOCK, PAGES, ROOT, blocks, name

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


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


@pytest.mark.parametrize("kind", ["json", "toml"])
def test_every_block_of_data_is_valid(kind: str) -> None:
    read = {"json": json.loads, "toml": tomllib.loads}[kind]
    found = [*blocks(kind)]
    assert found
    for page, text, _ in found:
        try:
            read(text)
        except ValueError as error:
            pytest.fail(f"{page}: {error}: {text[:80]}")


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


ACTIONS = {
    "a click that changes the page at once": "at once",
    "after a timer of 150 ms": "timer 150",
    "after a timer of 400 ms": "timer 400",
    "after a request of 700 ms": "fetch 700",
    "after three requests in a row": "three fetches",
    "a link to another page": "link",
    "a form that leads to another page": "form",
    "typing 20 characters": "type 20",
    "filling ten fields": "fill_form 10",
}


def test_every_time_of_an_action_was_measured() -> None:
    text = (ROOT / "docs/benchmarks.md").read_text()
    rows = {row["row"]: row["sides"] for row in measured("actions")["rows"]}
    sides = ("floor", "Charlotte", "chrome-devtools-mcp", "@playwright/mcp")
    for label, row in ACTIONS.items():
        [shown] = re.findall(rf"^\| {label} \| (.*) \|$", text, re.MULTILINE)
        for cell, side in zip(shown.split(" | "), sides, strict=True):
            assert cell in {"—", f"{rows[row][side]['median']:,.0f}"}, (label, side)


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


def test_readme_names_every_tool_and_marks_those_outside_the_default_profile() -> None:
    section = (ROOT / "README.md").read_text().partition("## Tools")[2].partition("\n## ")[0]
    table = "".join(line for line in section.splitlines() if line.startswith("|"))
    marked = re.findall(r"`(\w+)`", "".join(re.findall(r"\*(.*?)\*", table)))
    listed = {
        profile: {tool.name for tool in Toolbox(CATALOG, profile=profile, naming="bare").listed()}
        for profile in ("browse", "full")
    }
    assert {*re.findall(r"`(\w+)`", table)} == listed["full"]
    assert {*marked} == listed["full"] - listed["browse"]
