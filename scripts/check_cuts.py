#!/usr/bin/env python3
"""Find texts that are cut by slices, not by `ellipsize` or, in the probe, `cut` and `cutLine`.

By the ellipsis that these add, redaction recognizes a secret that was cut.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

LEAST = 16
"""Shorter slices are prefixes and parts of hashes."""
CHARACTERS = re.compile(
    r"(?!.*(MOST|FARTHEST|FIRST|MOVED|FILES|CHANGES|DISTANCE|LINES|FEW))_?[A-Z][A-Z_]+|limit|longest|length|max_chars|most|room"
)
"""Names of limits of characters; the others limit items of lists."""
_NAMES = ast.Name, ast.Attribute, ast.Constant
IN_SCRIPT = re.compile(r"\b(?:slice|substring|substr)\((?:[\w.()[\]]+, )?0, ([\w *]+)\)")

ALLOWED = {
    # functions that add an ellipsis
    "charlotte/base/errors.py: text[:limit]",
    "charlotte/base/files.py: data[:limit]",
    "charlotte/browser/pdf_program.py: text[:room]",
    "charlotte/browser/sandbox.js: slice(text, 0, most)",
    "charlotte/page/modes/lines.py: text[:limit - len(_DOTS)]",
    "probe/isolated_world/builtins.js: slice(0, limit)",
    # items
    "charlotte/answers/text/cut.py: section.lines[:min(count, most)]",
    "charlotte/page/identity/id_book.py: islice(departed, max(len(departed) - _REMEMBERED, 0))",
    "charlotte/tools/find.py: found[place.offset:place.offset + limit]",
    "charlotte/tools/monitoring.py: older[-limit:]",
    "charlotte/actors/tab/page/frames.py: frame.rows[:room]",
    "charlotte/page/diff/views.py: removed[:most]",
    "charlotte/page/modes/listings.py: entries[:room]",
    "charlotte/toolsets/text.py: scored[:20]",
    "probe/isolated_world/queries.js: slice(0, limit)",
    # bytes, hashes and base64
    "charlotte/base/log.py: data[start:start + select.PIPE_BUF]",
    "charlotte/browser/process/guardian.py: (self.tail + data)[-TAIL:]",
    "charlotte/shell/starting.py: file.read()[-_LONGEST_LOG:]",
    "charlotte/actors/state/messages.py: text[:LONGEST_MESSAGE]",
    "charlotte/base/asgi_server.py: unsent[:_PIECE]",
    "charlotte/browser/process/browser_source.py: body[:_LONGEST_ANSWER]",
    "charlotte/secrets/login_store.py: body[:_NONCE_BYTES]",
    "charlotte/server/stdio.py: line[:_EXCERPT]",
    "charlotte/toolsets/openai.py: valid_unicode(self.hidden(text)).encode()[:_LONGEST_TEXT]",
    "probe/build.js: slice(0, 16)",
    # compared, typed or parsed, not shown
    "charlotte/actors/tab/verbs/keyboard.py: text[start:start + _PASTED]",
    "charlotte/secrets/redaction.py: kept[at:at + _GROUP]",
    "charlotte/secrets/redaction.py: run[-_END:]",
    "charlotte/actors/tab/page/page_reader.py: element.label[:_LONGEST_NAME]",
    "charlotte/base/urls.py: text[:100]",
    "charlotte/browser/input/live_input.py: text[:_LONGEST_TEXT]",
    "charlotte/tools/schema/arguments.py: key[:SHOWN]",
}


def find_in_python(text: str) -> Iterator[tuple[int, str]]:
    """Yield line and source of each cut to as many characters as a limit says."""
    for node in ast.walk(ast.parse(text)):
        bound = _bound_of(node)
        if isinstance(bound, ast.Call) and ast.unparse(bound.func) not in {"min", "max"}:
            continue  # counts lines or items
        parts = ast.walk(bound) if bound is not None else ()
        names = (ast.unparse(part) for part in parts if isinstance(part, _NAMES))
        if any(is_limit(name.rpartition(".")[2]) for name in names):
            yield getattr(node, "lineno", 0), ast.unparse(node)


def _bound_of(node: Any) -> ast.expr | None:
    """Return where a slice from the start, of the end or of a length ends."""
    match node:
        case ast.Subscript(slice=ast.Slice(lower=None | ast.Constant(0), upper=upper)):
            return upper
        case ast.Subscript(slice=ast.Slice(lower=ast.UnaryOp(op=ast.USub()) as lower, upper=None)):
            return lower
        case ast.Subscript(slice=ast.Slice(upper=ast.BinOp(op=ast.Add(), right=length))):
            return length
        case ast.Call(func=ast.Name("islice"), args=[_, length, *_]):
            return length
        case ast.FormattedValue(format_spec=ast.JoinedStr([ast.Constant(str(spec))])):
            precise = re.fullmatch(r".?[<>^]?\d*\.(\d+)", spec)
            return ast.Constant(int(precise[1])) if precise else None
        case _:
            return None


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
