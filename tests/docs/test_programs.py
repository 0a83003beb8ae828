"""The Python programs of README and the guides."""

import ast
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import trio

from tests.docs.pages import ROOT, blocks
from tests.site.server import open_site

GUIDES = [(page, text) for page, text, _ in blocks("python") if "reference" not in page]


def complete() -> Iterator[str]:
    """The programs that run as they are, without a cluster or a framework."""
    yield from (text for _, text in GUIDES if ".run(main())" in text)


@pytest.mark.parametrize(("page", "text"), GUIDES)
def test_a_program_compiles_and_its_imports_of_charlotte_exist(page: str, text: str) -> None:
    tree = compile(text, page, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("charlotte"):
            exec(compile(ast.Module([node], []), page, "exec"), {})  # noqa: S102 - our own page


@pytest.mark.chromium
@pytest.mark.parametrize("text", [*complete()])
async def test_a_complete_program_runs(text: str, tmp_path: Path) -> None:
    async with open_site() as site:
        program = tmp_path / "program.py"
        program.write_text(text.replace("https://example.org", site.url("/form.html")))
        ran = await trio.run_process(
            [sys.executable, str(program)],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            capture_stderr=True,
            check=False,
        )
    assert ran.returncode == 0, ran.stderr.decode()
