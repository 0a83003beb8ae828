#!/usr/bin/env python3
"""Print the size of the project: the working tree beside earlier revisions.

scripts/size.py [REVISION…]     a table with a column for each revision that the history has
"""

import ast
import io
import re
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path

PACKAGE = "charlotte"
OTHERS = {"probe": ".js", "tests": ".py", "bench": ".py"}
RECORDS = ("TabRecord", "SessionRecord")
CONSTANT = re.compile(r"^(?:const )?_?[A-Z][A-Z0-9_]* *(?::[^=]+)?= -?[0-9.]", re.MULTILINE)

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Tree:
    """The text of all Python and JavaScript files of a working tree or a revision, by path."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self.texts = texts

    @cached_property
    def modules(self) -> dict[str, ast.Module]:
        """The parsed modules of the package, by path."""
        paths = sorted(self._below(PACKAGE, ".py"))
        return {path: ast.parse(self.texts[path], path) for path in paths}

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return [node for module in self.modules.values() for node in ast.walk(module)]

    @cached_property
    def classes(self) -> dict[str, list[ast.ClassDef]]:
        """The classes that modules define at any level, by name."""
        found: dict[str, list[ast.ClassDef]] = {}
        for node in self.nodes:
            if isinstance(node, ast.ClassDef):
                found.setdefault(node.name, []).append(node)
        return found

    def _below(self, top: str, suffix: str) -> Iterator[str]:
        return (path for path in self.texts if path.startswith(f"{top}/") and path.endswith(suffix))

    def lines(self, top: str, suffix: str) -> int:
        return sum(self.texts[path].count("\n") for path in self._below(top, suffix))

    def rooms(self) -> dict[str, list[str]]:
        """Return the paths of each package and module at the top level of the package."""
        found: dict[str, list[str]] = {}
        for path in self.modules:
            found.setdefault(path.split("/")[1].removesuffix(".py"), []).append(path)
        return found

    def arrows(self) -> int:
        """Return the number of pairs of packages or modules at the top level that import."""
        rooms = self.rooms()
        found: set[tuple[str, str]] = set()
        for room, paths in rooms.items():
            for path in paths:
                for name in imported(self.modules[path]):
                    parts = name.split(".")
                    if parts[0] == PACKAGE and len(parts) > 1 and parts[1] in rooms:
                        found.add((room, parts[1]))
        return sum(room != other for room, other in found)

    def single_callers(self) -> tuple[int, int]:
        """Return the private functions with exactly one reference, and all private functions."""
        single = total = 0
        for module in self.modules.values():
            nodes = [*ast.walk(module)]
            names = [node.id for node in nodes if isinstance(node, ast.Name)]
            uses = Counter(names + [node.attr for node in nodes if isinstance(node, ast.Attribute)])
            for node in nodes:
                if isinstance(node, Function) and re.match("_[^_]", node.name):
                    total += 1
                    single += uses[node.name] == 1
        return single, total

    def tools(self) -> list[Function]:
        """Return the functions of the tools that are not hidden."""
        return [
            node
            for node in self.nodes
            if isinstance(node, Function)
            for decorator in node.decorator_list
            if isinstance(decorator, ast.Call)
            and ast.unparse(decorator.func).endswith(("tool", "_setting"))
            and not any(keyword.arg == "hidden" for keyword in decorator.keywords)
        ]

    def settings(self) -> int:
        """Return the number of fields of `Config` that flags, variables or files set."""
        return sum(
            isinstance(node, ast.AnnAssign)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func) in {"setting", "secret"}
            for config in self.classes.get("Config", ())
            for node in config.body
        )

    def members(self, name: str) -> int:
        """Return the number of fields and methods of a class."""
        bodies = [node for found in self.classes.get(name, ()) for node in found.body]
        return sum(isinstance(node, ast.AnnAssign | Function) for node in bodies)

    def constants(self) -> int:
        """Return the number of constants of modules that are numbers, in Python and JavaScript."""
        paths = [*self._below(PACKAGE, ".py"), *self._below("probe", ".js")]
        return sum(len(CONSTANT.findall(self.texts[path])) for path in paths)


def imported(module: ast.Module) -> Iterator[str]:
    """Yield the full names that a module imports, anywhere in its text."""
    for node in ast.walk(module):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def measure(tree: Tree) -> dict[str, str]:
    """Return all figures of a tree, by title."""
    rooms = tree.rooms()
    packages = {name: paths for name, paths in rooms.items() if paths[0].count("/") > 1}
    packages["modules at the top"] = [path for path in tree.modules if path.count("/") == 1]
    figures = {
        f"{PACKAGE}/{name}": _files_and_lines(tree, paths) for name, paths in packages.items()
    }
    figures[f"{PACKAGE}: files, lines"] = _files_and_lines(tree, [*tree.modules])
    others = {top: tree.lines(top, suffix) for top, suffix in OTHERS.items()}
    figures |= {f"{top}: lines": f"{lines:,}" for top, lines in others.items()}
    single, private = tree.single_callers()
    tools = tree.tools()
    arguments = [len([*node.args.args, *node.args.kwonlyargs]) - 1 for node in tools]
    figures["total: lines"] = f"{sum(others.values()) + tree.lines(PACKAGE, '.py'):,}"
    figures["rooms and arrows of the top level"] = f"{len(rooms)}, {tree.arrows()}"
    twice = [name for name, found in tree.classes.items() if len(found) > 1]
    figures["class names defined twice or more"] = f"{len(twice)}"
    figures["private functions with one caller"] = f"{single / private:.0%}"
    for name in RECORDS:
        figures[f"fields and methods of {name}"] = f"{tree.members(name)}"
    figures["settings, tools, parameters"] = f"{tree.settings()}, {len(tools)}, {sum(arguments)}"
    figures["numbers as constants of modules"] = f"{tree.constants():,}"
    return figures


def _files_and_lines(tree: Tree, paths: list[str]) -> str:
    return f"{len(paths)}, {sum(tree.texts[path].count(chr(10)) for path in paths):,}"


def read_revision(revision: str) -> Tree | None:
    """Read a revision; None if the history lacks it."""
    command = ["git", "archive", revision]
    archive = subprocess.run(command, check=False, capture_output=True)
    if archive.returncode:
        return None
    texts: dict[str, str] = {}
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as members:
        for member in members:
            content = members.extractfile(member) if member.isfile() else None
            if content and member.name.endswith((".py", ".js")):
                texts[member.name] = content.read().decode()
    return Tree(texts)


def read_working_tree() -> Tree:
    """Read the files of the working tree that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.py", "*.js"]
    listed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
    paths = {Path(path) for path in listed}
    return Tree({str(path): path.read_text() for path in paths if path.is_file()})


def main() -> None:
    """Print a line for each figure."""
    trees = {revision: read_revision(revision) for revision in sys.argv[1:]}
    columns = {name: measure(tree) for name, tree in trees.items() if tree is not None}
    columns["now"] = measure(read_working_tree())
    order = [*columns["now"]]
    titles = {title for column in columns.values() for title in column if title not in order}
    print(" " * 38, *(f"{name:>14}" for name in columns))
    for title in sorted(titles) + order:
        print(f"{title:<38}", *(f"{column.get(title, ''):>14}" for column in columns.values()))


if __name__ == "__main__":
    main()
