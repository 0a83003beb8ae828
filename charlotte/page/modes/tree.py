"""Mode ``tree``: the accessibility tree as indented text (V)."""

from collections.abc import Collection, Sequence
from typing import overload

import attrs

from charlotte.page.model import ReferenceTarget
from charlotte.page.modes.grep import Grep, TextPredicate
from charlotte.page.modes.lines import INTERACTIVE, ModeOutput, OutputLine, quote
from charlotte.page.modes.survey import Survey, SurveyElement
from charlotte.page.modes.texts import TextRun, split_pieces

_LONGEST = 100
_MOST_REFS = 100
_FIRST_TIER = INTERACTIVE - {"listbox", "option", "treeitem"}
_SECOND_TIER = {"listitem", "option", "treeitem", "row", "cell", "gridcell"}
_CONTAINERS = {
    *("listbox", "combobox", "tree", "grid", "treegrid", "menu", "menubar", "tablist"),
    "radiogroup",
}
_NEVER_SHOWN = {"", "generic", "presentation", "none"}
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

_Row = tuple[int, str, str, SurveyElement | None]
"""Depth, role and name of a line; the element is None for text."""


def tree(
    survey: Survey,
    *,
    all_refs: bool = False,
    clickable: frozenset[int] = frozenset(),
    grep: Grep | None = None,
) -> ModeOutput:
    """List the accessibility tree (V-TIER, V-FMT).

    With more than 100 elements with refs, only those of the first tier keep them. ``clickable`` are
    the numbers of elements that handle clicks but have no role; with ``all_refs`` they are listed.
    With ``grep``, only matching lines and those of their ancestors are returned.
    """
    tiers = _find_tiers(survey)
    is_limited = len(tiers) > _MOST_REFS and not all_refs
    referred = {nid for nid, tier in tiers.items() if tier == 1 or not is_limited} | clickable
    builder = _RowBuilder(referred)
    if survey.root:
        builder.add_document(survey.root, 0)
    else:
        builder.rows.append((0, "document:", "", None))
    lines = _Lines(builder.rows, referred)
    is_empty = len(lines) == 1 and survey.url != "about:blank"
    return ModeOutput(
        header=(),
        lines=lines.filter(grep.matcher()) if grep else lines,
        total=len(tiers),
        captured=lines.count_referred(),
        notes=[_MORE] * (len(referred) < len(tiers)) + [_EMPTY] * is_empty,
    )


def _find_tiers(survey: Survey) -> dict[int, int]:
    """Return by number 1 for elements that always have a ref, and 2 for those to choose from."""
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


@attrs.frozen
class _RowBuilder:
    """Builder of the rows; elements that are ``referred`` to always have one."""

    referred: Collection[int]
    rows: list[_Row] = attrs.field(factory=list[_Row])

    def add_document(self, root: SurveyElement, depth: int) -> None:
        """Add the rows of a document or a part of one."""
        self.rows.append((depth, "document:", "", None))
        if root.role != "document":  # a part of a page
            self._add_element(root, depth + 1)
        else:
            self._add_children(root, depth + 1)

    def _add_children(self, element: SurveyElement, depth: int) -> None:
        for piece in split_pieces(element, self.referred):
            if isinstance(piece, TextRun):
                self.rows.append((depth, "text", piece.text, None))
            else:
                self._add_element(piece, depth)

    def _add_element(self, element: SurveyElement, depth: int) -> None:
        if element.role == "iframe":
            self.rows.append((depth, element.role, element.name, element))
            for child in element.elements():
                self.add_document(child, depth + 1)
        elif element.nid in self.referred or (
            element.role not in _NEVER_SHOWN
            and (element.name or element.role not in _SHOWN_IF_NAMED)
        ):
            self._add_shown(element, depth)
        else:
            self._add_children(element, depth)

    def _add_shown(self, element: SurveyElement, depth: int) -> None:
        pieces = split_pieces(element, self.referred)
        name = element.name
        is_text_known = "editable" in element.facts or (
            bool(name) and element.role in _NAMED_BY_TEXT
        )
        first = pieces[0] if pieces and element.role in _TEXT_ROLES and not name else None
        if isinstance(first, TextRun):
            name, pieces = first.text, pieces[1:]
        is_empty = not (name or pieces or element.nid in self.referred)
        if is_empty and element.role in _DROPPED_IF_EMPTY:
            return
        self.rows.append((depth, element.role or "generic", name, element))
        for piece in pieces:
            if isinstance(piece, SurveyElement):
                self._add_element(piece, depth + 1)
            elif not is_text_known:
                self.rows.append((depth + 1, "text", piece.text, None))


@attrs.frozen(eq=False)
class _Lines(Sequence[OutputLine]):
    """Lines that are formatted on first use: of a long page only the first ones are sent."""

    _rows: Sequence[_Row]
    _referred: Collection[int]
    _lines: dict[int, OutputLine] = attrs.field(factory=dict[int, OutputLine])

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> OutputLine: ...

    @overload
    def __getitem__(self, index: slice) -> list[OutputLine]: ...

    def __getitem__(self, index: int | slice) -> OutputLine | list[OutputLine]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        if index not in self._lines:
            self._lines[index] = self._format(*self._rows[index])
        return self._lines[index]

    def filter(self, matches: TextPredicate) -> list[OutputLine]:
        """Return the lines that match with full names, and the lines of their ancestors."""
        kept: list[OutputLine] = []
        ancestors_below = -1  # rows above this depth are ancestors of the last kept row
        for index in reversed(range(len(self._rows))):
            depth, role, name, element = self._rows[index]
            if depth < ancestors_below or matches(_format_row(role, name, element)):
                kept.append(self[index])
                ancestors_below = depth
        return kept[::-1]

    def count_referred(self) -> int:
        """Count the lines with a reference."""
        return sum(
            element is not None and element.nid in self._referred for *_, element in self._rows
        )

    def _format(
        self, depth: int, role: str, name: str, element: SurveyElement | None
    ) -> OutputLine:
        target = None
        if element and element.nid in self._referred:
            target = ReferenceTarget(element.nid, element.role, element.name)
        text = _format_row(role, name, element, _LONGEST)
        full = _format_row(role, name, element) if len(name) > _LONGEST else text
        return OutputLine(text, "" if full == text else full, depth, target)


def _format_row(
    role: str, name: str, element: SurveyElement | None, limit: int | None = None
) -> str:
    marks = _format_states(element) if element else ""
    return f"- {role} {quote(name, limit)}{marks}" if name else f"- {role}{marks}"


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
    if "level" in facts and "unsaid" not in facts:
        texts.append(f"level {facts['level']}")
    if facts.get("sort", "none") != "none":
        texts.append(f"sorted {facts['sort']}")
    if current := facts.get("current"):
        texts.append("current" if current is True else f"current {current}")
    if facts.get("value"):
        texts.append(f"value: {quote(str(facts['value']), _LONGEST)}")
    return "".join(f" ({text})" for text in texts if text) + boundary
