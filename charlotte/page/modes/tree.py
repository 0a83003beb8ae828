"""The mode ``tree``: the accessibility tree as indented text (V)."""

from collections.abc import Collection, Sequence
from typing import overload

import attrs

from charlotte.page.modes.grep import Grep, TextPredicate
from charlotte.page.modes.lines import ModeOutput, OutputLine, ReferenceTarget, quote
from charlotte.page.modes.survey import Survey, SurveyElement
from charlotte.page.modes.texts import TextRun, split_pieces

_LONGEST = 100
_MOST_REFS = 100
_FIRST_TIER = frozenset(
    [
        "button",
        "link",
        "textbox",
        "checkbox",
        "radio",
        "combobox",
        "slider",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "tab",
        "switch",
        "searchbox",
        "spinbutton",
    ]
)
_SECOND_TIER = frozenset(["listitem", "option", "treeitem", "row", "cell", "gridcell"])
_CONTAINERS = frozenset(
    ["listbox", "combobox", "tree", "grid", "treegrid", "menu", "menubar", "tablist", "radiogroup"]
)
_NEVER_SHOWN = {"", "generic", "presentation", "none"}
_ONLY_NAMED = {"region", "form", "group", "img", "figure", "video", "audio"}
_MORE = "[Note: Page has many interactive elements. Use observe with all_refs: true for all refs.]"
_EMPTY = "[Note: Page has no accessible content.]"


def tree(
    survey: Survey,
    *,
    all_refs: bool = False,
    clickable: frozenset[int] = frozenset(),
    grep: Grep | None = None,
) -> ModeOutput:
    """V-TIER, V-FMT: over 100 elements with refs, only those of the first tier have one.

    ``clickable`` are those that answer clicks without saying so; ``all_refs`` shows them too.
    With ``grep``, only the lines that match and those that they lie in are told.
    """
    tiers = _tiers(survey)
    compact = len(tiers) > _MOST_REFS and not all_refs
    referred = {nid for nid, tier in tiers.items() if tier == 1 or not compact} | clickable
    rows = _Listing(referred).of(survey.root) if survey.root else [_DOCUMENT]
    lines = _Lines(rows, referred)
    return ModeOutput(
        header=(),
        lines=lines.found(grep.matcher()) if grep else lines,
        total=len(tiers),
        captured=lines.count_referred(),
        notes=_notes(survey, more=len(referred) < len(tiers), empty=len(lines) == 1),
    )


def _notes(survey: Survey, *, more: bool, empty: bool) -> list[str]:
    blank = survey.url == "about:blank"
    return [_MORE] * more + [_EMPTY] * (empty and not blank)


def _tiers(survey: Survey) -> dict[int, int]:
    """By number 1 for what always has a ref, and 2 for what has one where it can be chosen."""
    tiers: dict[int, int] = {}
    offering: set[int] = set()  # containers of what can be chosen, and all that lies in them
    for part in survey.elements():
        is_offered = part.parent is not None and part.parent.nid in offering
        if part.role in _FIRST_TIER or "focusable" in part.facts:
            tiers[part.nid] = 1
        elif is_offered and part.role in _SECOND_TIER:
            tiers[part.nid] = 2
        if is_offered or part.role in _CONTAINERS:
            offering.add(part.nid)
    return tiers


_Row = tuple[int, str, str, SurveyElement | None]
"""Depth, role and name of what has a line; the part is None where it is only text."""

_DOCUMENT: _Row = (0, "document:", "", None)


@attrs.frozen
class _Listing:
    """Lists what has a line; those elements that are ``referred`` to always have one."""

    referred: Collection[int]
    _rows: list[_Row] = attrs.field(factory=list[_Row])

    def of(self, root: SurveyElement) -> list[_Row]:
        """All rows of a document or a part of one."""
        self._document(root, 0)
        return self._rows

    def _document(self, root: SurveyElement, depth: int) -> None:
        self._rows.append((depth, *_DOCUMENT[1:]))
        if root.role != "document":  # a part of a page
            self._element(root, depth + 1)
        else:
            self._inside(root, depth + 1)

    def _inside(self, part: SurveyElement, depth: int) -> None:
        """What lies in a part that has no line, or has one with a name that says nothing of it."""
        for piece in split_pieces(part, self.referred):
            if isinstance(piece, TextRun):
                self._rows.append((depth, "text", piece.text, None))
            else:
                self._element(piece, depth)

    def _element(self, part: SurveyElement, depth: int) -> None:
        if part.role == "iframe":
            self._frame(part, depth)
        elif not self._is_shown(part):
            self._inside(part, depth)
        else:
            self._shown(part, depth)

    def _is_shown(self, part: SurveyElement) -> bool:
        if part.nid in self.referred:
            return True
        return part.role not in _NEVER_SHOWN and bool(part.name or part.role not in _ONLY_NAMED)

    def _shown(self, part: SurveyElement, depth: int) -> None:
        pieces = split_pieces(part, self.referred)
        name = part.name
        muted = "editable" in part.facts or (bool(name) and part.role in _NAMED_BY_TEXT)
        first = pieces[0] if pieces and part.role in _TEXT_ROLES and not name else None
        if isinstance(first, TextRun):
            name, pieces = first.text, pieces[1:]
        if not (name or pieces or part.nid in self.referred) and part.role in _WORTH_NOTHING_EMPTY:
            return
        self._rows.append((depth, part.role or "generic", name, part))
        for piece in pieces:
            if isinstance(piece, SurveyElement):
                self._element(piece, depth + 1)
            elif not muted:
                self._rows.append((depth + 1, "text", piece.text, None))

    def _frame(self, part: SurveyElement, depth: int) -> None:
        self._rows.append((depth, part.role, part.name, part))
        for child in part.elements():
            self._document(child, depth + 1)


@attrs.frozen(eq=False)
class _Lines(Sequence[OutputLine]):
    """The lines, each written when first asked for: of a long page only the first ones are."""

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
            return [self[one] for one in range(*index.indices(len(self)))]
        return self._lines.get(index) or self._lines.setdefault(
            index, self._written(*self._rows[index])
        )

    def found(self, matches: TextPredicate) -> list[OutputLine]:
        """Those that match with no name cut, and those that they lie in: from the last one on."""
        kept: list[OutputLine] = []
        wanted = -1  # rows less deep than this lead to one that is kept
        for index in reversed(range(len(self._rows))):
            depth, role, name, part = self._rows[index]
            if depth < wanted or matches(_text(role, name, part)):
                kept.append(self[index])
                wanted = depth
        return kept[::-1]

    def count_referred(self) -> int:
        """How many of them have a reference."""
        return sum(part is not None and part.nid in self._referred for *_, part in self._rows)

    def _written(self, depth: int, role: str, name: str, part: SurveyElement | None) -> OutputLine:
        is_given = part and part.nid in self._referred
        given = ReferenceTarget(part.nid, part.role, part.name) if part and is_given else None
        text = _text(role, name, part, _LONGEST)
        full = _text(role, name, part) if len(name) > _LONGEST else text
        return OutputLine(text, "" if full == text else full, depth, given)


def _text(role: str, name: str, part: SurveyElement | None, limit: int | None = None) -> str:
    marks = _marks(part) if part else ""
    return f"- {role} {quote(name, limit)}{marks}" if name else f"- {role}{marks}"


_TEXT_ROLES = (
    frozenset(["paragraph", "columnheader", "rowheader", "term", "definition", "caption", "code"])
    | _SECOND_TIER
    | {"", "generic", "blockquote"}
)
_WORTH_NOTHING_EMPTY = {"paragraph", "listitem", "definition", "term", "blockquote", "caption"}
_NAMED_BY_TEXT = _FIRST_TIER | {"heading", "option", "treeitem"}


_BOTH_WAYS = {
    "expanded": ("expanded", "collapsed"),
    "checked": ("checked", "unchecked"),
    "selected": ("selected", ""),
    "pressed": ("pressed", ""),
}


_FLAGS = ("required", "disabled", "readonly", "invalid", "hidden")
_MARKED = frozenset([*_FLAGS, *_BOTH_WAYS, "level", "sort", "current", "value"])


def _told(value: object, yes: str, no: str) -> str:
    return "mixed" if value == "mixed" else yes if value else no


def _marks(part: SurveyElement) -> str:
    """The states in parentheses, as ``(required) (unchecked)``."""
    facts = part.facts
    boundary = " [frame-boundary]" if part.role == "iframe" else ""
    if _MARKED.isdisjoint(facts):
        return boundary
    said: list[str] = [name for name in _FLAGS if name in facts]
    said += [_told(facts[name], *words) for name, words in _BOTH_WAYS.items() if name in facts]
    if "level" in facts and "unsaid" not in facts:
        said.append(f"level {facts['level']}")
    if facts.get("sort", "none") != "none":
        said.append(f"sorted {facts['sort']}")
    if current := facts.get("current"):
        said.append("current" if current is True else f"current {current}")
    if facts.get("value"):
        said.append(f"value: {quote(str(facts['value']), _LONGEST)}")
    return "".join([f" ({one})" for one in said if one]) + boundary
