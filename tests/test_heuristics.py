"""docs/heuristics.md names constants and test files that exist."""

import re
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "docs" / "heuristics.md").read_text(encoding="utf-8")


def test_every_constant_in_the_documentation_exists() -> None:
    files = chain((ROOT / "probe").rglob("*.js"), (ROOT / "charlotte").rglob("*.py"))
    source = "\n".join(file.read_text(encoding="utf-8") for file in files)
    words = set(re.findall(r"\w+", source))
    named = set(re.findall(r"`(_?[A-Z][A-Z_]{2,})`", TEXT))

    assert len(named) > 30
    assert named - words == set()


def test_every_test_file_in_the_documentation_exists() -> None:
    files = {file.name for file in (ROOT / "tests").rglob("*.py")}
    named = set(re.findall(r"`(?:[\w/]+/)?(test_\w+\.py)`", TEXT))

    assert len(named) > 30
    assert named - files == set()
