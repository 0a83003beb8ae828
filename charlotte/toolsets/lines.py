"""Lines of vendors' browser tools, ``role "name" [ref_N]``, made from views and answers.

Text of a page cannot contain a ref: ``[ref_`` in it becomes ``(ref_``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from charlotte.page.identity.assignment import PREFIXES
from charlotte.page.model import Element
from charlotte.page.text.lines import Line, Mark, Piece
from charlotte.page.text.tokens import quote, write_states, write_text

LONGEST_LINE = 4096
"""Characters of the text that an action may return."""

LONGEST_READING = 50_000

_TYPE_ROLES = {
    "text_input": "textbox",
    "textarea": "textbox",
    "date_input": "textbox",
    "color_input": "textbox",
    "file_input": "file input",
    "range": "slider",
    "select": "combobox",
    "toggle": "switch",
}
_GENERAL_ROLES = {"", "generic", "clickable", "button", "textbox"}
"""Roles that say less than the type of an element."""

_PREFIX_ROLES = {
    "btn": "button", "lnk": "link", "inp": "textbox", "sel": "combobox", "chk": "checkbox",
    "rad": "radio", "tog": "switch", "clk": "clickable", "txt": "text",
}  # fmt: skip
_STRUCTURES = {"frm", "rgn", "hdg"}
_TOKEN = re.compile(
    rf"(?<![\w-])({'|'.join(sorted({*PREFIXES.values()}))})(-[0-9a-f]{{4}}(?:-\d+)?)(?![\w-])"
    r'(?: ("(?:[^"\\]|\\.)*"))?'
)
"""An id of Charlotte's, and the name that may follow it."""

_HEADING = re.compile(r"(#+)(?: (hdg-\S+))?$")
_STRUCTURE = re.compile(
    r"\[([a-z ]+?)(?: ((?:frm|rgn|hdg)-\S+?))?(?: (\"(?:[^\"\\]|\\.)*\"))?(, [^\]]*)?\] ?$"
)
_RECORD_WORDS = {"|": "row", "*": "item"}
_ANSWERED_ELSEWHERE = re.compile(
    r"! (?:download |(?:changed |\d+ more )?page tool|tab-\d+ opened"
    r"|The \w+ dialog .* \(dialog_auto_dismiss\)|click at |scroll at |type at "
    r"|.*\[ref_\d+\] (?:scrolled into|was in) view)"
)
"""Remarks on what the state of the browser reports or the model knows, and on tools of pages.

Members of vendors' tools cannot call the tools of pages.
"""

_MORE = "… {} more lines were left out: read_page returns the page."
_CUT = "[Truncated: {} more lines.{}]"
_NARROWER = " Narrow with a ref or a smaller depth, or use find."

Name = Callable[[str], str]
"""Returns the ref of an element by Charlotte's id."""


def role_of(element: Element) -> str:
    """Return the role that a line about an element begins with."""
    if element.role not in _GENERAL_ROLES:
        return element.role
    return _TYPE_ROLES.get(element.type, element.type)


def without_refs(text: str) -> str:
    """Return a text of a page in which nothing is a ref."""
    return text.replace("[ref_", "(ref_")


def rewrite(text: str, name: Name, elements: Mapping[str, Element]) -> str:
    """Return a text of Charlotte's with refs instead of ids; ``elements`` are those of the page."""

    def replace(found: re.Match[str]) -> str:
        prefix, label = found[1], found[3]
        element_id = f"{prefix}{found[2]}"
        element = elements.get(element_id)
        ref = name(element_id)
        if prefix in _STRUCTURES and element is None:
            return f"{ref} {label}" if label else ref
        role = role_of(element) if element else _PREFIX_ROLES.get(prefix, "element")
        label = label or (quote(element.label) if element else "")
        return f"{role} {label} [{ref}]" if label else f"{role} [{ref}]"

    return _TOKEN.sub(replace, without_refs(text))


def write_control(
    element: Element, name: Name, *, implied: str = "", with_near: bool = True
) -> str:
    """Return a control as ``role "name" [ref_N] [states]``."""
    states = write_states(element, implied=implied or element.role, with_near=with_near)
    listed = f" [{states}]" if states else ""
    text = without_refs(f"{quote(element.label)}{{ref}}{listed}")
    return f"{role_of(element)} {text.replace('{ref}', f' [{name(element.id)}]', 1)}"


def write_outline(lines: Iterable[Line], name: Name, depth: int | None = None) -> Iterator[str]:
    """Yield the lines of a page, each with at most one control, down to a depth from 1 on."""
    for line in lines:
        for text in _write_line(line, name):
            indent = len(text) - len(text.lstrip(" "))
            if depth is None or indent < 2 * depth:
                yield text


def _write_line(line: Line, name: Name) -> Iterator[str]:
    """Yield the lines of a line: its structure and heading, and its texts and controls."""
    pieces = [piece for piece in line.pieces() if isinstance(piece, Element) or piece.strip()]
    mark, indent = _write_mark(line.mark, name), "  " * line.depth
    heading = _HEADING.match(pieces[0]) if pieces and isinstance(pieces[0], Mark) else None
    if heading is not None:
        text = "".join(piece for piece in pieces[1:] if isinstance(piece, str))
        pieces = [piece for piece in pieces if isinstance(piece, Element)]
        ref = f" [{name(heading[2])}]" if heading[2] else ""
        yield from [f"{indent}{mark}"] if mark else []
        yield without_refs(f"{indent}heading {quote(text)}") + ref
        mark, indent = "", f"{indent}  "
    texts = [_write_piece(piece, line, name) for piece in pieces]
    if len(pieces) <= 1 or not any(isinstance(piece, Element) for piece in pieces):
        between = " | " if line.kind == "row" else " "
        if mark or texts:
            yield f"{indent}{mark}{' ' if mark and texts else ''}{between.join(texts)}"
        return
    if mark:
        yield f"{indent}{_RECORD_WORDS.get(mark, mark)}"
        indent += "  "
    yield from (f"{indent}{text}" for text in texts)


def _write_mark(mark: str, name: Name) -> str:
    """Return the beginning of a line: ``[form frm-1a2b] `` becomes ``form [ref_1]``."""
    found = _STRUCTURE.match(mark)
    if found is None:
        return without_refs(mark.strip())
    word, element_id, label, rest = found.groups()
    ref = f"[{name(element_id)}]" if element_id else ""
    return " ".join(filter(None, [word, without_refs(label or ""), ref, (rest or "").strip(" ,")]))


def _write_piece(piece: Piece, line: Line, name: Name) -> str:
    if isinstance(piece, Mark):
        return rewrite(piece, name, {})
    if isinstance(piece, str):
        return without_refs(write_text(piece))
    return write_control(piece, name, implied=line.implied)


def cut_reading(lines: Iterable[str], advice: str = _NARROWER) -> str:
    """Return as many lines as a reading may have, and how to read the others."""
    kept: list[str] = []
    room = LONGEST_READING - len(_CUT) - len(advice) - 10
    waiting = iter(lines)
    for line in waiting:
        room -= len(line) + 1
        if room < 0:
            return "\n".join([*kept, _CUT.format(1 + sum(1 for _ in waiting), advice)])
        kept.append(line)
    return "\n".join(kept)


def shorten_answer(lines: Sequence[str], between: str) -> str:
    """Return the lines of an action's answer in one text of at most `LONGEST_LINE` characters."""
    room = LONGEST_LINE - len(_MORE) - len(between) - 10
    for count, line in enumerate(lines):
        room -= len(line) + len(between)
        if room < 0:
            shown = lines[:count] or [line[: LONGEST_LINE // 2]]
            left_out = len(lines) - len(shown)
            return between.join([*shown, _MORE.format(left_out)] if left_out else shown)
    return between.join(lines)


def answer_lines(text: str) -> list[str]:
    """Return the lines of Charlotte's answer to an action that matter to the model.

    The header is left out, and so are remarks on tabs, dialogs and downloads, which the state of
    the browser reports, and on tools of the page.
    """
    first, *others = text.split("\n")
    lines = others if first.startswith("tab-") else [first, *others]
    return [line.strip() for line in lines if line and not _ANSWERED_ELSEWHERE.match(line)]
