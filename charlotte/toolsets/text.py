"""Text that models get: lines as ``role "name" [ref_N]``, refs, errors and remarks.

Text of a page cannot contain a ref: ``[ref_`` in it becomes ``(ref_``.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from charlotte.answers.text.lines import Line, Mark, Piece
from charlotte.base.errors import CharlotteError, ellipsize
from charlotte.page.identity.assignment import PREFIXES
from charlotte.page.model import Element
from charlotte.page.tokens import quote, write_states, write_text
from charlotte.tools.toolkit import CATALOG

Name = Callable[[str], str]
"""Returns the ref of an element by Charlotte's id."""


class ToolsetError(Exception):
    """A failure whose text is for the model: without addresses, paths and names of Charlotte."""


class TabMissing(ToolsetError):
    """The tab of a call is not open."""


class StaleRef(ToolsetError):
    """A ref belongs to another document or tab, or its element is gone."""

    def __init__(self, ref: str) -> None:
        super().__init__(
            f"{ellipsize(ref, 40)} is stale or not found on the current page. "
            "Re-read the page to get fresh references."
        )


class RefTable:
    """The refs of the present document of each tab; a number is never used again."""

    def __init__(self) -> None:
        self._documents: dict[str, str] = {}
        self._refs: dict[tuple[str, str], str] = {}
        self._count = 0

    def enter(self, tab_id: str, document: str) -> None:
        """Forget the refs of a tab's earlier document."""
        if self._documents.get(tab_id) != document:
            self._documents[tab_id] = document
            self._refs = {key: ref for key, ref in self._refs.items() if key[0] != tab_id}

    def name(self, tab_id: str, element_id: str) -> str:
        """Return the ref of an element of the tab's present document, a new one if necessary."""
        key = tab_id, element_id
        if key not in self._refs:
            self._count += 1
            self._refs[key] = f"ref_{self._count}"
        return self._refs[key]

    def resolve(self, tab_id: str, ref: str) -> str:
        """Return Charlotte's id of a ref; raises `StaleRef`."""
        for (tab, element_id), known in self._refs.items():
            if tab == tab_id and known == ref:
                return element_id
        raise StaleRef(ref)


# ---------------------------------------------------------------------------- lines

_TYPE_ROLES = {
    "text_input": "textbox", "textarea": "textbox", "date_input": "textbox",
    "color_input": "textbox", "file_input": "file input", "range": "slider", "select": "combobox",
    "toggle": "switch",
}  # fmt: skip
_GENERAL_ROLES = {"", "generic", "clickable", "button", "textbox"}
"""Roles that say less than the type of an element."""

_PREFIX_ROLES = {
    "btn": "button", "lnk": "link", "inp": "textbox", "sel": "combobox", "chk": "checkbox",
    "rad": "radio", "tog": "switch", "clk": "clickable", "txt": "text",
}  # fmt: skip
_TOKEN = re.compile(
    rf"(?<![\w-])({'|'.join(sorted({*PREFIXES.values()}))})(-[0-9a-f]{{4}}(?:-\d+)?)(?![\w-])"
    r'(?: ("(?:[^"\\]|\\.)*"))?'
)
"""An id of Charlotte's, and the name that may follow it."""


_RECORD_WORDS = {"|": "row", "*": "item"}


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
        prefix, rest, label = found.groups()
        element, ref = elements.get(prefix + rest), name(prefix + rest)
        role = role_of(element) if element else _PREFIX_ROLES.get(prefix, "")
        label = label or (without_refs(quote(element.label)) if element else "")
        return " ".join(filter(None, (role, label, f"[{ref}]")))

    return _TOKEN.sub(replace, without_refs(text))


def write_piece(piece: Piece, name: Name, implied: str = "") -> str:
    """Return a text, a mark, or a control as ``role "name" [ref_N] [states]``."""
    if isinstance(piece, Mark):
        return rewrite(piece, name, {})
    if isinstance(piece, str):
        return without_refs(write_text(piece))
    states = write_states(piece, implied=implied or piece.role)
    control = f"{role_of(piece)} {without_refs(quote(piece.label))} [{name(piece.id)}]"
    return f"{control} [{without_refs(states)}]" if states else control


def line_parts(line: Line, name: Name) -> list[str]:
    """Return the head of a line, which may be empty, and the texts and controls below it."""
    pieces = [piece for piece in line.pieces() if isinstance(piece, Element) or piece.strip()]
    mark = rewrite(line.mark.strip(), name, {})
    mark = mark[1:-1] if mark.startswith("[") else mark
    first = pieces[0] if pieces else None
    is_heading = isinstance(first, Mark) and first.startswith("#")
    if isinstance(first, Mark) and is_heading:
        text = quote("".join(piece for piece in pieces[1:] if isinstance(piece, str)))
        mark = f"{mark} heading {without_refs(text)}{rewrite(first.lstrip('#'), name, {})}".strip()
        pieces = [piece for piece in pieces if isinstance(piece, Element)]
    texts = [write_piece(piece, name, line.implied) for piece in pieces]
    if is_heading or (len(pieces) > 1 and any(isinstance(piece, Element) for piece in pieces)):
        return [_RECORD_WORDS.get(mark, mark), *texts]
    return [f"{mark} {(' | ' if line.kind == 'row' else ' ').join(texts)}".strip()]


def write_outline(lines: Iterable[Line], name: Name, depth: int | None = None) -> Iterator[str]:
    """Yield the lines of a page, each with at most one control, down to a depth from 1 on."""
    for line in lines:
        head, *parts = line_parts(line, name)
        level = line.depth + bool(head)
        if head and (depth is None or line.depth < depth):
            yield f"{'  ' * line.depth}{head}"
        if depth is None or level < depth:
            yield from (f"{'  ' * level}{part}" for part in parts)


def find_parts(lines: Iterable[Line], query: str, name: Name) -> list[str]:
    """Return at most 20 texts and controls of a page that fit a description, the best first.

    A word counts three times in a text or control, and once in the rest of its line.
    """
    wanted = _words(query) - _STOP_WORDS or _words(query)
    scored: list[tuple[int, str]] = []
    for line in lines:
        parts = list(filter(None, line_parts(line, name)))
        around = _REF.sub("", " ".join(parts))
        near = f" (near {quote(ellipsize(around, _LONGEST_NEAR))})" if len(parts) > 1 else ""
        beside = len(wanted & _words(around))
        owns = ((len(wanted & _words(part)), part) for part in parts)
        scored += [(3 * own + beside, part + near) for own, part in owns if own]
    scored.sort(key=lambda each: -each[0])
    best = [text for score, text in scored[:20] if score >= scored[0][0] / 2]
    return [text if _REF.search(text) else ellipsize(text, _LONGEST_TEXT) for text in best]


_LONGEST_NEAR, _LONGEST_TEXT = 160, 400
_REF = re.compile(r" \[ref_\d+\]")
_STOP_WORDS = {"a", "and", "for", "in", "of", "on", "that", "the", "to", "with"}
_ROLE_WORDS = {"dropdown": "combobox", "field": "textbox", "input": "textbox", "toggle": "switch"}


def _words(text: str) -> set[str]:
    """Return the words of a text without endings of plurals; everyday words of roles as roles."""
    words = re.findall(r"[^\W_]+", _REF.sub("", text).casefold())
    return {_ROLE_WORDS.get(word, re.sub(r"(?<=\w{3})(?<!s)s$", "", word)) for word in words}


def cut_lines(lines: Iterable[str], room: int, between: str, more: str) -> str:
    """Return as many lines as there is room for; ``more`` has the number of others as ``{}``."""
    kept: list[str] = []
    room -= len(more) + 10
    waiting = iter(lines)
    for line in waiting:
        room -= len(line) + len(between)
        if room < 0:
            left_out = more.format(1 + sum(1 for _ in waiting))
            return between.join([*(kept or [ellipsize(line, room + len(line))]), left_out])
        kept.append(line)
    return between.join(kept)


# ---------------------------------------------------------------------------- wording

_REST = r"""[^\s'"<>]*[^\s'"<>.,;:!?]"""
_ADDRESS = re.compile(
    rf"""(['"])[a-z][a-z0-9+.-]{{1,20}}://[^'"]*\1"""
    rf"""|\b(?!https?://example\.org(?:/|\b(?![.-])))[a-z][a-z0-9+.-]{{1,20}}://{_REST}"""
    rf"""|['"]?\b(?:data|blob|javascript|chrome-error):{_REST}['"]?""",
    re.IGNORECASE,
)
_PATH = re.compile(r"""(?<![\w/.:])['"]?~?(?:/[\w@+-]+(?:\.[\w@+-]+)*)+/?['"]?""")
_FAILED_REQUEST = re.compile(r"^(! failed request: .*) the (?:address|file)")
_KNOWN = re.compile(
    r"! (?:\d+ page tool|click at |scroll at |type at |.*\[ref_\d+\] (?:scrolled into|was in) view)"
)
"""Remarks on what the model knows, and on tools of pages."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
_NAMES = "|".join(tool.name for tool in CATALOG if "_" in tool.name)
_OTHERS = re.compile(
    rf"--[a-z][a-z-]+|\bCharlotte\b|\w\{{|\b(?:[Oo]bserve|{_NAMES}|(?:element|source|tab)_id)\b"
)
"""Flags, calls, parameters, and tools whose names are no words, which a model cannot use."""


def without_places(text: str) -> str:
    """Return a text without addresses and paths; addresses of examples stay."""
    return _PATH.sub("the file", _ADDRESS.sub("the address", text))


def _advise(text: str) -> str:
    """Return the sentences of a text that name no tool or flag of Charlotte's, without places."""
    usable = (one for one in _SENTENCE.split(text) if not _OTHERS.search(one))
    return without_places(" ".join(usable))


def describe(error: CharlotteError, rewrite: Callable[[str], str]) -> str:
    """Return what failed and what to do; ``rewrite`` puts refs in place of ids."""
    message, suggestion = rewrite(error.message), rewrite(error.suggestion or "")
    return f"{without_places(message)} {_advise(suggestion)}".strip()


def write_remark(line: str) -> str:
    """Return a line of an answer without a cursor; remarks also without places."""
    if line.startswith("…"):
        return f"{line.partition(':')[0]}: read_page"
    return _FAILED_REQUEST.sub(r"\1", _advise(line)) if line.startswith("!") else line


def answer_lines(text: str) -> list[str]:
    """Return the lines of Charlotte's answer to an action that matter to the model.

    The header is left out, and so are remarks on what the model knows.
    """
    lines = text.split("\n")
    if lines[0].startswith("tab-"):
        del lines[0]
    shown = (line.strip() for line in lines if not _KNOWN.match(line))
    return [line for line in map(write_remark, shown) if line]
