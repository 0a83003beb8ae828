"""Mode ``tree``: the accessibility tree as indented text (V)."""

from collections.abc import Collection, Iterator, Sequence

import attrs

from charlotte.page.modes.inline import FIELDS, formula_text
from charlotte.page.modes.lines import Grep, ModeOutput, OutputLine, build_line, one_line, quote
from charlotte.page.modes.survey import GROUPING_ROLES, INTERACTIVE, Survey, SurveyElement

_LONGEST = 100
_MOST_REFS = 100
_FIRST_TIER = INTERACTIVE - {"listbox", "option", "treeitem"}
_SECOND_TIER = {"listitem", "option", "treeitem", "row", "cell", "gridcell"}
_CONTAINERS = {
    *("listbox", "combobox", "tree", "grid", "treegrid", "menu", "menubar", "tablist"),
    "radiogroup",
}
_SHOWN_IF_NAMED = {"region", "form", "group", "img", "figure", "video", "audio"}
_MORE = "[Note: Page has many interactive elements. Use observe with all_refs: true for all refs.]"
_EMPTY = "[Note: Page has no accessible content.]"

_TEXT_ROLES = {
    *("paragraph", "columnheader", "rowheader", "term", "definition", "caption", "code"),
    *("", "generic", "blockquote"),
    *_SECOND_TIER,
}
"""Roles of elements whose first text is their name."""
_DROPPED_IF_EMPTY = {"paragraph", "listitem", "definition", "term", "blockquote", "caption"}
_NAMED_BY_TEXT = _FIRST_TIER | {"heading", "option", "treeitem"}

_PAIRED_STATES = {
    "expanded": ("expanded", "collapsed"),
    "checked": ("checked", "unchecked"),
    "selected": ("selected", ""),
    "pressed": ("pressed", ""),
}
"""Words for true and false states."""
_FLAGS = ("required", "disabled", "readonly", "invalid", "hidden")
_STATES = {*_FLAGS, *_PAIRED_STATES, "level", "sort", "current", "value"}


def tree(
    survey: Survey,
    *,
    all_refs: bool = False,
    clickable: frozenset[int] = frozenset(),
    grep: Grep | None = None,
) -> ModeOutput:
    """List the accessibility tree (V-TIER, V-FMT).

    With more than 100 elements with refs, only those of the first tier keep them. ``clickable`` are
    the numbers of elements that handle clicks but have no role, which are listed. With
    ``all_refs``, each line about an element has a ref.
    With ``grep``, only matching lines and those of their ancestors are returned.
    """
    tiers = _find_tiers(survey)
    is_limited = len(tiers) > _MOST_REFS and not all_refs
    referred = {nid for nid, tier in tiers.items() if tier == 1 or not is_limited} | clickable
    writer = _LineWriter(referred, all_refs=all_refs)
    writer.write_document(survey.root, 0)
    lines = writer.lines
    is_empty = len(lines) == 1 and survey.url != "about:blank"
    return ModeOutput(
        header=(),
        lines=_filter(lines, grep) if grep else lines,
        counted=(len(tiers), sum(line.target is not None for line in lines)),
        notes=[_MORE] * (len(referred) < len(tiers)) + [_EMPTY] * is_empty,
    )


def _find_tiers(survey: Survey) -> dict[int, int]:
    """Return tiers by number: 1 always has a ref, 2 only if there are few elements."""
    tiers: dict[int, int] = {}
    containers: set[int] = set()  # and everything in them
    for element in survey.elements():
        is_inside = element.parent is not None and element.parent.nid in containers
        if element.role in _FIRST_TIER or "focusable" in element.facts:
            tiers[element.nid] = 1
        elif is_inside and element.role in _SECOND_TIER:
            tiers[element.nid] = 2
        if is_inside or element.role in _CONTAINERS:
            containers.add(element.nid)
    return tiers


def _filter(lines: Sequence[OutputLine], grep: Grep) -> list[OutputLine]:
    """Return the lines that match with full names, and the lines of their ancestors."""
    matches = grep.matcher()
    kept: list[OutputLine] = []
    ancestors_below = -1  # lines above this depth are ancestors of the last kept line
    for line in reversed(lines):
        if line.depth < ancestors_below or matches(line.searched):
            kept.append(line)
            ancestors_below = line.depth
    return kept[::-1]


@attrs.frozen
class _LineWriter:
    """Writer of the lines; each element in ``referred`` gets a line with a ref."""

    referred: Collection[int]
    all_refs: bool
    lines: list[OutputLine] = attrs.field(factory=list[OutputLine])

    def write_document(self, root: SurveyElement | None, depth: int) -> None:
        """Write the lines of a document or a part of one."""
        self.lines.append(OutputLine("- document:", depth=depth))
        if root is not None and root.role != "document":  # a part of a page
            self._write_element(root, depth + 1)
        elif root is not None:
            self._write_children(root, depth + 1)

    def _write_children(self, element: SurveyElement, depth: int) -> None:
        for piece in _split_pieces(element, self.referred):
            if isinstance(piece, str):
                self._write_line(depth, "text", piece)
            else:
                self._write_element(piece, depth)

    def _write_element(self, element: SurveyElement, depth: int) -> None:
        if element.role == "iframe":
            self._write_line(depth, element.role, element.name, element)
            for child in element.elements():
                self.write_document(child, depth + 1)
        elif element.nid in self.referred or (
            element.role not in GROUPING_ROLES
            and (element.name or element.role not in _SHOWN_IF_NAMED)
        ):
            self._write_shown(element, depth)
        else:
            self._write_children(element, depth)

    def _write_shown(self, element: SurveyElement, depth: int) -> None:
        pieces = _split_pieces(element, self.referred)
        name = element.name
        is_text_known = "editable" in element.facts or (
            bool(name) and element.role in _NAMED_BY_TEXT
        )
        first = pieces[0] if pieces and element.role in _TEXT_ROLES and not name else None
        if isinstance(first, str):
            name, pieces = first, pieces[1:]
        is_empty = not (name or pieces or element.nid in self.referred)
        if is_empty and element.role in _DROPPED_IF_EMPTY:
            return
        self._write_line(depth, element.role or "generic", name, element)
        for piece in pieces:
            if isinstance(piece, SurveyElement):
                self._write_element(piece, depth + 1)
            elif not is_text_known:
                self._write_line(depth + 1, "text", piece)

    def _write_line(
        self, depth: int, role: str, name: str, element: SurveyElement | None = None
    ) -> None:
        states = _format_states(element) if element else ""
        has_ref = element is not None and (self.all_refs or element.nid in self.referred)
        target = element.target if element is not None and has_ref else None
        line = build_line(f"- {role}", name, states, _LONGEST, depth=depth, target=target)
        self.lines.append(line)


def _format_states(element: SurveyElement) -> str:
    """Return the states in parentheses, such as `` (required) (unchecked)``."""
    facts = element.facts
    boundary = " [frame-boundary]" if element.role == "iframe" else ""
    if _STATES.isdisjoint(facts):
        return boundary
    texts: list[str] = [name for name in _FLAGS if name in facts]
    for name, (yes, no) in _PAIRED_STATES.items():
        if name in facts:
            texts.append("mixed" if facts[name] == "mixed" else yes if facts[name] else no)
    if "level" in facts and "levelImplied" not in facts:
        texts.append(f"level {facts['level']}")
    if facts.get("sort", "none") != "none":
        texts.append(f"sorted {facts['sort']}")
    if current := facts.get("current"):
        texts.append("current" if current is True else f"current {current}")
    if facts.get("value"):
        texts.append(f"value: {quote(str(facts['value']), _LONGEST)}")
    return "".join(f" ({text})" for text in texts if text) + boundary


def _split_pieces(element: SurveyElement, others: Collection[int]) -> list[str | SurveyElement]:
    """Return the lines of text in an element, and the elements with a role between them.

    Elements whose numbers are in ``others`` are pieces too. The text of a label is left out: it is
    the name of the control in it.
    """
    match element.children:
        case []:
            return []
        case [str() as text] if "\n" not in text:  # most elements
            return [*filter(None, [one_line(text)])]
        case _:
            pass
    found: list[str | SurveyElement] = []
    line = ""
    for piece in (*_find_pieces(element, others), None):
        if isinstance(piece, str):
            line += piece
            continue
        if line and (text := one_line(line)):
            found.append(text)
        line = ""
        if piece is not None:
            found.append(piece)
    return found


def _find_pieces(
    element: SurveyElement, others: Collection[int]
) -> Iterator[str | SurveyElement | None]:
    """Return texts, elements with a role, and None for the end of a line.

    A text in ``pre`` is one line.
    """
    for child in element.children:
        if isinstance(child, str):
            ancestor: SurveyElement | None = element if "\n" in child else None
            while ancestor is not None and ancestor.tag != "pre":
                ancestor = ancestor.parent
            lines = child.split("\n") if ancestor is None else [child]
            yield lines[0]
            yield from (piece for line in lines[1:] for piece in (None, line))
        elif child.role not in GROUPING_ROLES or child.nid in others:
            yield child
        elif child.tag == "label" and any(inner.tag in FIELDS for inner in child.walk()):
            yield from (one for one in _find_pieces(child, others) if not isinstance(one, str))
        elif child.tag in {"br", "math"}:
            yield formula_text(child) if child.tag == "math" else None
        else:
            ends = [None] * child.is_block
            yield from ends
            yield from _find_pieces(child, others)
            yield from ends
