"""The check that texts are cut by the functions that add an ellipsis."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest

ROOT = Path(__file__).parent.parent
check = SimpleNamespace(**runpy.run_path(str(ROOT / "scripts/check_cuts.py")))


@pytest.mark.parametrize(
    "source",
    ["text[:_LONGEST]", "title[:200]", "name[:LONGEST - 1]", "text[0:LIMIT]", "text[:max_chars]",
     "text[:min(_LONGEST, room)]", "text[at:at + LIMIT]", "text[-LIMIT:]", "islice(text, LIMIT)"],
)  # fmt: skip
def test_a_slice_of_a_number_of_characters_is_found(source: str) -> None:
    assert [*check.find_in_python(f"\nshown = {source}")] == [(2, source)]


@pytest.mark.parametrize("source", ["digest[:8]", "rows[:_MOST_ROWS]", "text[end:]", "text[1:200]"])
def test_slices_of_lists_hashes_and_rests_are_not(source: str) -> None:
    assert not [*check.find_in_python(source)]


def test_slices_in_scripts_are_found_alike() -> None:
    script = "title.slice(0, LONGEST_TITLE);\nslice(line, 0, limit);\nrows.slice(0, MOST);"
    assert [line for line, _ in check.find_in_script(script)] == [1, 2]
