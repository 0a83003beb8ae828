"""The Python programs of README and the guides."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.pages import ROOT, blocks

SDKS = {"anthropic", "openai"}
MODEL = "model"
"""The mark of programs that call a model; `tests.toolsets.test_programs` runs them."""

WHOLE = [block for block in blocks("python") if "reference" not in block[0]]
GUIDES = [(page, text) for page, text, _ in WHOLE]
COMPLETE = [
    (page, text)
    for page, text, needs in WHOLE
    if needs != MODEL and re.search(r"\.run\(main\(?\)", text)
]
PAGE = "data:text/html,<title>Shown</title><button>Press</button>"


@pytest.mark.parametrize(("page", "text"), GUIDES)
def test_a_program_compiles_and_its_imports_of_charlotte_exist(page: str, text: str) -> None:
    tree = compile(text, page, "exec", ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    for sdk in SDKS:
        if f"charlotte.toolsets.{sdk}" in text:
            pytest.importorskip(sdk, reason="an SDK of the extras")
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("charlotte"):
            exec(compile(ast.Module([node], []), page, "exec"), {})  # noqa: S102 - our own page


@pytest.mark.chromium
@pytest.mark.parametrize(("page", "text"), COMPLETE)
def test_a_complete_program_runs(page: str, text: str, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(text.replace("https://example.org", PAGE))

    done = subprocess.run(  # noqa: S603 - it is our own page
        [sys.executable, str(program)],
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )

    assert done.returncode == 0, done.stderr
    assert done.stdout == ("Shown ['Press']\n" if "print(" in text else ""), page


def test_there_are_programs_for_both_event_loops() -> None:
    assert {text.split()[1] for _, text in COMPLETE} == {"trio", "asyncio"}
