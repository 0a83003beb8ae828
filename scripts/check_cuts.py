#!/usr/bin/env python3
"""Find texts that are cut by slices, not by `ellipsize` or, in the probe, `cut` and `cutLine`.

By the ellipsis that these add, redaction recognizes a secret that was cut.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

LEAST = 16
"""Shorter slices are prefixes and parts of hashes."""
CHARACTERS = re.compile(
    r"(?!.*(MOST|FARTHEST|FIRST|MOVED|FILES|CHANGES))_?[A-Z][A-Z_]+|limit|longest|most|room"
)
"""Names of limits of characters; the others limit items of lists."""
IN_SCRIPT = re.compile(r"\b(?:slice|substring|substr)\((?:[\w.()[\]]+, )?0, ([\w *]+)\)")

ALLOWED = {
    # functions that add an ellipsis
    "charlotte/base/errors.py: text[:limit]",
    "charlotte/base/files.py: data[:limit]",
    "charlotte/browser/pdf_program.py: text[:room]",
    "charlotte/browser/sandbox.js: slice(text, 0, most)",
    "charlotte/page/modes/lines.py: text[:limit - len(_DOTS)]",
    "charlotte/page/view.py: summary[:limit]",
    "probe/isolated_world/builtins.js: slice(0, limit)",
    # items
    "charlotte/actors/tab/page/frames.py: frame.rows[:room]",
    "charlotte/page/diff/views.py: removed[:most]",
    "charlotte/page/modes/listings.py: entries[:room]",
    "charlotte/toolsets/text.py: scored[:20]",
    "probe/isolated_world/queries.js: slice(0, limit)",
    # bytes, hashes and base64
    "charlotte/actors/state/messages.py: text[:LONGEST_MESSAGE]",
    "charlotte/base/asgi_server.py: unsent[:_PIECE]",
    "charlotte/browser/process/browser_source.py: body[:_LONGEST_ANSWER]",
    "charlotte/secrets/login_store.py: body[:_NONCE_BYTES]",
    "charlotte/server/stdio.py: line[:_EXCERPT]",
    "charlotte/toolsets/openai.py: valid_unicode(self.hidden(text)).encode()[:_LONGEST_TEXT]",
    "probe/build.js: slice(0, 16)",
    # compared, typed or parsed, not shown
    "charlotte/actors/tab/page/page_reader.py: element.label[:_LONGEST_NAME]",
    "charlotte/base/urls.py: text[:100]",
    "charlotte/browser/input/live_input.py: text[:_LONGEST_TEXT]",
    "charlotte/tools/schema/arguments.py: key[:SHOWN]",
}


def find_in_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and source of each slice of as many characters as a limit says."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Subscript(slice=ast.Slice(lower=None, upper=ast.expr() as upper)):
                parts = [upper.left, upper.right] if isinstance(upper, ast.BinOp) else [upper]
                if any(is_limit(ast.unparse(part).rpartition(".")[2]) for part in parts):
                    yield node.lineno, ast.unparse(node)
            case _:
                pass


def find_in_script(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and source of each such slice."""
    for found in IN_SCRIPT.finditer(text):
        if any(map(is_limit, found[1].split())):
            yield text.count("\n", 0, found.start()) + 1, found[0]


def is_limit(bound: str) -> bool:
    """Return whether the end of a slice is a number of characters."""
    return int(bound) >= LEAST if bound.isdecimal() else bool(CHARACTERS.fullmatch(bound))


def find_cuts(root: Path) -> Iterator[tuple[str, int]]:
    """Yield ``path: source`` and line of each slice, in sources that are not generated."""
    for pattern in ("charlotte/**/*.py", "charlotte/**/*.js", "probe/**/*.js"):
        find = find_in_python if pattern.endswith(".py") else find_in_script
        for path in sorted(root.glob(pattern)):
            if not path.name.endswith((".bundle.js", ".min.js")):
                for line, source in find(path.read_text(encoding="utf-8")):
                    yield f"{path.relative_to(root)}: {source}", line


def main() -> None:
    """Print each slice that no exception covers, and each exception that is not needed."""
    found = dict(find_cuts(Path(__file__).parent.parent))
    problems = [
        f"{cut} (line {found[cut]}): cut texts with ellipsize, or cut in scripts"
        for cut in found.keys() - ALLOWED
    ]
    problems += [f"{cut} is an exception that is not needed" for cut in ALLOWED - found.keys()]
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
