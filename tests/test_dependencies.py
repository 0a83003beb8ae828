"""Dependencies are documented and pinned."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def name_of(requirement: str) -> str:
    return re.split(r"[\[<>=~!; ]", requirement, maxsplit=1)[0].lower().replace("_", "-")


def names_of(requirements: list[str]) -> list[str]:
    return [name_of(one) for one in requirements]


EXTRAS = [one for extra in PROJECT["optional-dependencies"].values() for one in extra]


def test_the_documentation_gives_the_purpose_of_each_dependency_in_one_line() -> None:
    row = re.compile(r"^\| `([\w-]+)`(?: \(extra\))? \| \S.* \|$", re.MULTILINE)
    lines = row.findall(section("Dependencies"))
    assert sorted(names_of(lines)) == sorted(names_of([*PROJECT["dependencies"], *EXTRAS]))


def section(title: str) -> str:
    text = (ROOT / "CONTRIBUTING.md").read_text()
    return text.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


@pytest.mark.parametrize("dependency", names_of(PROJECT["dependencies"]))
def test_each_dependency_is_pinned(dependency: str) -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    assert any(name_of(line) == dependency and "==" in line for line in lines)


def test_the_license_of_the_accessibility_engine_is_in_the_package() -> None:
    files = [path for pattern in PROJECT["license-files"] for path in ROOT.glob(pattern)]
    assert {"LICENSE", "LICENSE-3RD-PARTY.txt"} <= {
        path.name for path in files if path.parent.name == "axe-core"
    }
    version = re.search(r"^AXE := axe-core@(.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    engine = (ROOT / "charlotte/dev/audits/axe-core/axe.min.js").read_text()
    assert version
    assert engine.startswith(f"/*! axe v{version[1]}\n")
