#!/usr/bin/env python3
"""Measure how readable charlotte/ is: the working tree beside earlier revisions.

scripts/readability.py [TREE…] [--at REV…]     a table, one column for each tree and revision
scripts/readability.py --list METRIC [PATH…]   the places that a figure counts, below the paths
"""

import argparse
import ast
import io
import re
import subprocess
import tarfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from check_language import check_texts, is_checked, load_rules, read_tracked

PACKAGE = "charlotte"
BASELINES = ("df915cc", "622ca0c")
LONGEST_FILE = 600
LONGEST_FUNCTION = 40
VERBS = frozenset(Path(__file__).with_name("verbs.txt").read_text().split())

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, order=True)
class Place:
    """Something that a figure counts."""

    path: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.text}"


@dataclass(frozen=True)
class Definition:
    """A function, the class around it if it is a method, and its name as written in a report."""

    node: Function
    owner: ast.ClassDef | None
    scope: str

    @property
    def lines(self) -> int:
        return (self.node.end_lineno or 0) - self.node.lineno + 1

    @property
    def is_property(self) -> bool:
        names = [ast.unparse(decorator) for decorator in self.node.decorator_list]
        return any(name.endswith(("property", ".setter")) for name in names)


@dataclass
class Module:
    """A parsed module of the package."""

    path: str
    source: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.source, self.path)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @property
    def name(self) -> str:
        return self.path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

    @property
    def lines(self) -> int:
        return self.source.count("\n")

    @cached_property
    def functions(self) -> list[Definition]:
        return list(iterate_functions(self.tree, None, ""))

    @cached_property
    def code_lines(self) -> int:
        """Lines that are neither blank nor a comment nor part of a docstring."""
        documented: set[int] = set()
        for node in self.nodes:
            if isinstance(node, ast.Module | ast.ClassDef | Function):
                first = node.body[0] if node.body else None
                if first and ast.get_docstring(node, clean=False) is not None:
                    documented |= {*range(first.lineno, (first.end_lineno or 0) + 1)}
        rows = enumerate(map(str.strip, self.source.splitlines()), 1)
        return sum(bool(row) and row[0] != "#" and n not in documented for n, row in rows)

    def imported(self, modules: Mapping[str, "Module"]) -> set[str]:
        """Return the modules of the package that this one imports, anywhere in its text."""
        found: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                base = self._absolute(node)
                for alias in node.names:
                    inner = f"{base}.{alias.name}"
                    found.add(inner if inner in modules else base)
        return {name for name in found if name in modules and name != self.name}

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        keep = len(parts) - node.level + self.path.endswith("__init__.py")
        return ".".join([*parts[:keep], *([node.module] if node.module else [])])


@dataclass
class Tree:
    """All text of a working tree or a revision."""

    title: str
    texts: Mapping[str, str]
    modules: dict[str, Module] = field(default_factory=dict[str, Module])

    def __post_init__(self) -> None:
        for path, text in sorted(self.texts.items()):
            if path.startswith(f"{PACKAGE}/") and path.endswith(".py"):
                module = Module(path, text)
                self.modules[module.name] = module

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        return {name: module.imported(self.modules) for name, module in self.modules.items()}

    @property
    def functions(self) -> Iterator[tuple[Module, Definition]]:
        for module in self.modules.values():
            for definition in module.functions:
                yield module, definition


def iterate_functions(
    node: ast.AST, owner: ast.ClassDef | None, scope: str
) -> Iterator[Definition]:
    """Yield the functions below a node, nested ones and methods included."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, Function):
            yield Definition(child, owner, scope + child.name)
            yield from iterate_functions(child, None, f"{scope}{child.name}.")
        elif isinstance(child, ast.ClassDef):
            yield from iterate_functions(child, child, f"{scope}{child.name}.")
        else:
            yield from iterate_functions(child, owner, scope)


def count_references(nodes: Iterable[ast.AST]) -> Counter[str]:
    """Count the uses of each name and attribute."""
    counts: Counter[str] = Counter()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            counts[node.id] += 1
        elif isinstance(node, ast.Attribute):
            counts[node.attr] += 1
    return counts


def find_single_use(tree: Tree) -> Iterator[Place]:
    """Yield the private functions with exactly one reference in the package."""
    foreign: Counter[str] = Counter()
    for module in tree.modules.values():
        for node in module.nodes:
            if isinstance(node, ast.ImportFrom):
                foreign.update(alias.name for alias in node.names if alias.name[:1] == "_")
    for module in tree.modules.values():
        in_module = count_references(module.nodes)
        definitions = Counter(each.node.name for each in module.functions)
        for each in module.functions:
            name = each.node.name
            if not name.startswith("_") or name.startswith("__"):
                continue
            uses = in_module[name]
            if each.owner and definitions[name] > 1:
                uses = count_references(ast.walk(each.owner))[name]
            uses -= count_references(ast.walk(each.node))[name]
            if uses + foreign[name] == 1:
                text = f"{each.scope} ({each.lines} lines)"
                yield Place(module.path, each.node.lineno, text)


def is_imperative(docstring: str) -> bool:
    """Return whether a docstring starts with a verb in the base form."""
    words = re.findall(r"[\w'-]+", docstring.split("\n", 1)[0])
    return bool(words) and words[0].lower() in VERBS and docstring[:1].isupper()


def iterate_docstrings(tree: Tree) -> Iterator[tuple[Module, Definition, str]]:
    """Yield the functions with a docstring; D401 does not apply to properties."""
    for module, definition in tree.functions:
        docstring = ast.get_docstring(definition.node)
        if docstring and not definition.is_property:
            yield module, definition, docstring


def find_docstrings(tree: Tree) -> Iterator[Place]:
    """Yield the function docstrings that do not start with a verb in the base form."""
    for module, definition, docstring in iterate_docstrings(tree):
        if not is_imperative(docstring):
            first = docstring.split("\n", 1)[0]
            yield Place(module.path, definition.node.lineno, f"{definition.scope}: {first}")


def find_banned(tree: Tree) -> Iterator[Place]:
    """Yield the banned words and phrases that no exception allows, in all text."""
    rules = load_rules()
    for finding in check_texts(rules, tree.texts):
        if not rules.is_allowed(finding):
            yield Place(finding.path, finding.line, f"{finding.phrase}: {finding.text[:120]}")


def find_speech(tree: Tree) -> Iterator[Place]:
    """Yield the lines in which data is said to speak; a hint, some of them are right."""
    for path, text in tree.texts.items():
        if is_checked(path):
            for number, line in enumerate(text.splitlines(), 1):
                if re.search(r"(?<![a-z])(say|says|said|saying)(?![a-z])", line, re.IGNORECASE):
                    yield Place(path, number, line.strip()[:120])


def find_components(graph: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the strongly connected components with more than one node (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        index[node] = low[node] = len(index)
        stack.append(node)
        for following in sorted(graph[node]):
            if following not in index:
                visit(following)
                low[node] = min(low[node], low[following])
            elif following in stack:
                low[node] = min(low[node], index[following])
        if low[node] == index[node]:
            at = stack.index(node)
            component = stack[at:]
            del stack[at:]
            if len(component) > 1:
                found.append(sorted(component))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return found


def find_cycles(tree: Tree) -> Iterator[Place]:
    """Yield the imports inside each import cycle; imports for type checkers count."""
    for number, component in enumerate(find_components(tree.imports), 1):
        for name in component:
            inner = sorted(tree.imports[name] & {*component})
            yield Place(tree.modules[name].path, 1, f"cycle {number} imports {', '.join(inner)}")


def split_at_fork(importer: str, imported: str) -> tuple[str, str, str]:
    """Return the deepest package around two modules, and its two members that contain them."""
    first, second = importer.split("."), imported.split(".")
    shortest = min(len(first), len(second)) - 1
    depth = next((n for n in range(shortest) if first[n] != second[n]), shortest)
    sibling, other = (".".join(parts[: depth + 1]) for parts in (first, second))
    return ".".join(first[:depth]), sibling, other


def find_package_cycles(tree: Tree) -> Iterator[Place]:
    """Yield the imports between packages that import each other, siblings at every level."""
    edges: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    examples: dict[tuple[str, str], list[str]] = defaultdict(list)
    for importer, imported in tree.imports.items():
        for name in imported:
            parent, sibling, other = split_at_fork(importer, name)
            if sibling != other:
                edges[parent][sibling].add(other)
                examples[sibling, other].append(f"{importer} -> {name}")
    for graph in edges.values():
        complete: dict[str, set[str]] = {}
        for importer, imported in graph.items():
            complete[importer] = imported
            for name in imported:
                complete.setdefault(name, graph.get(name, set[str]()))
        for component in find_components(complete):
            for sibling in component:
                for other in sorted(complete[sibling] & {*component}):
                    texts = sorted(examples[sibling, other])
                    yield Place(sibling, len(texts), f"-> {other}: {'; '.join(texts[:3])}")


def is_alias(node: ast.stmt) -> str | None:
    """Return the name that a statement defines if it is a type alias."""
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
        name, value = node.targets[0].id, node.value
        if re.fullmatch(r"[A-Z]\w*[a-z]\w*", name):
            is_type = isinstance(value, ast.Subscript | ast.BinOp | ast.Name | ast.Attribute)
            return name if is_type else None
    return None


def iterate_names(module: Module) -> Iterator[tuple[str, str, int]]:
    """Yield kind, name and line of the classes, aliases and public functions of a module."""
    for node in module.nodes:
        if isinstance(node, ast.ClassDef):
            yield "type", node.name, node.lineno
    for node in module.tree.body:
        if isinstance(node, Function):
            if not node.name.startswith("_"):
                yield "function", node.name, node.lineno
        elif alias := is_alias(node):
            yield "type", alias, node.lineno


def find_duplicates(tree: Tree, kind: str = "type") -> Iterator[Place]:
    """Yield the definitions of names that more than one module defines."""
    where: dict[str, dict[str, int]] = defaultdict(dict)
    for module in tree.modules.values():
        for each, name, line in iterate_names(module):
            if each == kind:
                where[name].setdefault(module.path, line)
    for name, lines in sorted(where.items()):
        if len(lines) > 1:
            yield from (Place(path, line, name) for path, line in lines.items())


def find_duplicate_functions(tree: Tree) -> Iterator[Place]:
    """Yield the definitions of public functions that more than one module defines."""
    yield from find_duplicates(tree, "function")


def find_one_importer(tree: Tree) -> Iterator[Place]:
    """Yield the modules that exactly one other module imports."""
    importers: dict[str, list[str]] = defaultdict(list)
    for importer, imported in tree.imports.items():
        for name in imported:
            importers[name].append(importer)
    for name, names in sorted(importers.items()):
        if len(names) == 1:
            module = tree.modules[name]
            yield Place(module.path, module.lines, f"lines, imported by {names[0]}")


def find_long_files(tree: Tree) -> Iterator[Place]:
    """Yield the files over the limit."""
    for module in tree.modules.values():
        if module.lines > LONGEST_FILE:
            yield Place(module.path, module.lines, "lines")


def find_long_functions(tree: Tree) -> Iterator[Place]:
    """Yield the functions over the limit."""
    for module, definition in tree.functions:
        if definition.lines > LONGEST_FUNCTION:
            text = f"{definition.scope} ({definition.lines} lines)"
            yield Place(module.path, definition.node.lineno, text)


LISTS: dict[str, Callable[[Tree], Iterator[Place]]] = {
    "single-use": find_single_use,
    "docstrings": find_docstrings,
    "banned": find_banned,
    "speech": find_speech,
    "cycles": find_cycles,
    "package-cycles": find_package_cycles,
    "duplicates": find_duplicates,
    "duplicate-functions": find_duplicate_functions,
    "one-importer": find_one_importer,
    "long-files": find_long_files,
    "long-functions": find_long_functions,
}


def count_lines(tree: Tree, top: str, suffix: str = ".py") -> int:
    """Count the lines of the files below a directory."""
    texts = tree.texts.items()
    return sum(t.count("\n") for path, t in texts if re.match(top, path) and path.endswith(suffix))


def measure(tree: Tree) -> dict[str, str]:
    """Return all figures of a tree, by title."""
    modules = tree.modules.values()
    functions = [definition for _, definition in tree.functions]
    lengths = sorted(each.lines for each in functions)
    private = [each for each in functions if re.match("_[^_]", each.node.name)]
    single = len([*find_single_use(tree)])
    documented = len([*iterate_docstrings(tree)])
    imperative = documented - len([*find_docstrings(tree)])
    components = find_components(tree.imports)
    pairs = [(place.path, place.text.split(":")[0]) for place in find_package_cycles(tree)]
    return {
        f"lines of Python in {PACKAGE}/": f"{sum(module.lines for module in modules):,}",
        f"files of Python in {PACKAGE}/": f"{len(modules)}",
        "code lines": f"{sum(module.code_lines for module in modules):,}",
        f"lines of JavaScript in {PACKAGE}/": f"{count_lines(tree, f'{PACKAGE}/', '.js'):,}",
        "lines of Python in tests/": f"{count_lines(tree, 'tests/'):,}",
        "lines of Python elsewhere": f"{count_lines(tree, f'(?!{PACKAGE}/|tests/)'):,}",
        "functions": f"{len(functions):,}",
        "median lines of a function": f"{lengths[len(lengths) // 2]}",
        "private functions": f"{len(private):,}",
        "private functions with one reference": f"{single:,} ({single / len(private):.0%})",
        "docstrings of functions": f"{documented:,}",
        "of these in the imperative": f"{imperative:,} ({imperative / documented:.1%})",
        "banned words and phrases": f"{len([*find_banned(tree)]):,}",
        "lines with say, says, said": f"{len([*find_speech(tree)]):,}",
        "import cycles (modules in them)": f"{len(components)} ({sum(map(len, components))})",
        "imports between cyclic packages": f"{len(pairs)}",
        "types with more than one definition": f"{len({p.text for p in find_duplicates(tree)})}",
        "functions with more than one definition": (
            f"{len({p.text for p in find_duplicate_functions(tree)})}"
        ),
        "modules with one importer": f"{len([*find_one_importer(tree)])}",
        f"files over {LONGEST_FILE} lines": f"{len([*find_long_files(tree)])}",
        "lines of the longest function": f"{lengths[-1]}",
    }


def read_revision(root: Path, revision: str) -> Tree:
    """Read all text of a revision."""
    command = ["git", "-C", str(root), "archive", revision]
    archive = subprocess.run(command, check=True, capture_output=True).stdout
    texts: dict[str, str] = {}
    with tarfile.open(fileobj=io.BytesIO(archive)) as members:
        for member in members:
            content = members.extractfile(member) if member.isfile() else None
            if content and is_checked(member.name):
                texts[member.name] = content.read().decode(errors="replace")
    return Tree(revision, texts)


def read_tree(root: Path) -> Tree:
    """Read the tracked text of a working tree."""
    return Tree(root.resolve().name, read_tracked(root))


def print_table(trees: Sequence[Tree]) -> None:
    """Print one row for each figure and one column for each tree."""
    columns = [{"": tree.title} | measure(tree) for tree in trees]
    widths = [max(map(len, column.values())) for column in columns]
    first = max(map(len, columns[0]))
    for title in columns[0]:
        cells = (column[title].rjust(width) for column, width in zip(columns, widths, strict=True))
        print(title.ljust(first), *cells, sep="  ")


def main() -> None:
    """Print the table or the places of one figure."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("paths", nargs="*", metavar="PATH", help="trees, or with --list paths")
    parser.add_argument("--at", nargs="*", default=BASELINES, metavar="REV", help="revisions")
    parser.add_argument("--list", choices=LISTS, metavar="METRIC", help=", ".join(LISTS))
    arguments = parser.parse_args()
    root = Path.cwd()
    if not arguments.list:
        earlier = [read_revision(root, revision) for revision in arguments.at]
        print_table([*earlier, *(read_tree(Path(path)) for path in arguments.paths or ["."])])
        return
    paths = tuple(path.removesuffix("/") for path in arguments.paths)
    for place in sorted(LISTS[arguments.list](read_tree(root))):
        if not paths or place.path.startswith(paths):
            print(place)


if __name__ == "__main__":
    main()
