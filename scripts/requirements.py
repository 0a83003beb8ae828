#!/usr/bin/env python3
"""Write docs/requirements.md: every requirement id, its meaning and the tests that name it.

scripts/requirements.py            write the page
scripts/requirements.py --check    fail if the page is not current, or an id has no meaning or test
"""

import ast
import re
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

from check_language import read_tracked

SENTENCES = Path(__file__).with_suffix(".toml")
PAGE = "docs/requirements.md"
# One id, a range of ids, or a group: C-PR-15, C-PR-01…08, C-SDIFF.
MENTION = re.compile(r"\b(?:[CVSB]-[A-Z]{2,}|P-PROG|P(?=-\d))(?:-(\d\d)(?:…(\d\d))?)?\b")
HEAD = """# Requirements

Tests and docstrings refer to requirements by id. This page gives each id one sentence and lists
the tests that cover it. `scripts/requirements.py` writes it from `scripts/requirements.toml` and
from the marks of the tests (`@pytest.mark.req("C-PR-15")`).
"""


def iterate_marks(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Yield requirement id and test name for each mark of a test module."""
    for owner in ast.walk(tree):
        if isinstance(owner, ast.FunctionDef | ast.AsyncFunctionDef):
            name, marks = owner.name, owner.decorator_list
        elif isinstance(owner, ast.Assign) and ast.unparse(owner.targets[0]) == "pytestmark":
            name, marks = "all tests", [owner.value]
        else:
            continue
        for node in (each for mark in marks for each in ast.walk(mark)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.req":
                yield from ((ast.literal_eval(each), name) for each in node.args)


def find_tests(texts: Mapping[str, str]) -> dict[str, dict[str, list[str]]]:
    """Return the test names by requirement id and file."""
    tests: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path, text in sorted(texts.items()):
        if path.startswith("tests/") and "mark.req(" in text:
            for requirement, name in iterate_marks(ast.parse(text)):
                if name not in tests[requirement][path]:
                    tests[requirement][path].append(name)
    return tests


def find_mentions(texts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield path and id of each mention in Python and documents; groups keep no number."""
    for path, text in texts.items():
        if path.endswith((".py", ".js", ".md")) and path != PAGE:
            for match in MENTION.finditer(text):
                group = match.group().split("…")[0].removesuffix(f"-{match[1]}")
                if not match[1]:
                    yield path, group
                    continue
                for number in range(int(match[1]), int(match[2] or match[1]) + 1):
                    yield path, f"{group}-{number:02}"


def write_page(
    areas: Mapping[str, Mapping[str, str]], tests: Mapping[str, Mapping[str, list[str]]]
) -> str:
    """Return the text of the page."""
    lines = [HEAD]
    for area, sentences in areas.items():
        lines += [f"## {area}", ""]
        for requirement, sentence in sentences.items():
            lines.append(f"- **{requirement}** {sentence}")
            for path, names in tests.get(requirement, {}).items():
                lines.append(f"  - {path}: {', '.join(names)}")
        lines.append("")
    return "\n".join(lines)


def main() -> None:
    """Write the page, or check it."""
    root = Path.cwd()
    texts = read_tracked(root)
    areas: dict[str, dict[str, str]] = tomllib.loads(SENTENCES.read_text())
    known = {requirement for sentences in areas.values() for requirement in sentences}
    groups = {requirement.rsplit("-", 1)[0] for requirement in known}
    tests = find_tests(texts)
    problems = [f"{PAGE}: no test for {each}" for each in sorted(known - tests.keys())]
    mentioned = [*find_mentions(texts), *((SENTENCES.name, each) for each in tests)]
    for path, requirement in dict.fromkeys(mentioned):
        if requirement not in known | groups:
            problems.append(f"{path}: {requirement} is not in scripts/{SENTENCES.name}")
    page = write_page(areas, tests)
    if "--check" not in sys.argv[1:]:
        (root / PAGE).write_text(page)
    elif texts.get(PAGE) != page:
        problems.append(f"{PAGE} is not current: run scripts/requirements.py")
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
