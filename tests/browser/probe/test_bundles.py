"""The shipped scripts and their sources."""

import re
from hashlib import sha256
from pathlib import Path

import pytest

from charlotte.browser.probe import init_main_source, late_source, probe_source, read_bundle
from charlotte.page.capture import LINE_FIELDS, PART_FIELDS, ROW_FIELDS

SOURCES = Path(__file__).parents[3] / "probe"
BUNDLES = ["isolated_world", "main_world", "late_listeners"]


def _hash_sources() -> str:
    """Return the hash that probe/build.js writes into the first line of each bundle."""
    digest = sha256()
    for path in sorted(SOURCES.rglob("*.js"), key=str):
        digest.update(f"{path.relative_to(SOURCES).as_posix()}\n".encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@pytest.mark.parametrize("name", BUNDLES)
def test_a_bundle_was_built_from_the_present_sources(name: str) -> None:
    first = read_bundle(name).partition("\n")[0]
    assert first == f"// Built by `make probe` from the sources {_hash_sources()}."


@pytest.mark.parametrize("source", [probe_source, init_main_source, late_source])
def test_a_script_is_one_function_in_parentheses_that_v8_compiles_at_once(source: object) -> None:
    assert callable(source)
    text = str(source())
    assert text.startswith("(()=>{'use strict';")
    assert text.endswith("})();\n")


@pytest.mark.parametrize(
    ("name", "fields"), [("Row", ROW_FIELDS), ("Part", PART_FIELDS), ("Line", LINE_FIELDS)]
)
def test_the_reader_of_captures_has_the_fields_of_the_type(
    name: str, fields: tuple[str, ...]
) -> None:
    declared = re.search(
        rf"^type {name} = \[(.*)\];$", (SOURCES / "types.d.ts").read_text(), re.MULTILINE
    )
    assert declared is not None
    assert tuple(re.findall(r"(\w+)\??: ", declared[1])) == fields
