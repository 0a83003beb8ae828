"""The markup that the tests of the probe write, to look at it in other ways too."""

import ast
import re
from pathlib import Path

HERE = Path(__file__).parent
FILES = sorted(file.stem for file in HERE.glob("test_*.py"))

_TAG = re.compile("<[a-z]")


def markup_in(name: str) -> list[str]:
    """Every text with a tag in it that stands in one of the test files, without docstrings."""
    tree = ast.parse((HERE / f"{name}.py").read_text(encoding="utf-8"))
    texts = [node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)]
    return [text for text in texts if isinstance(text, str) and _TAG.search(text)]
