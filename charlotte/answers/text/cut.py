"""Excerpts of an outline: every section of a long page keeps its first lines.

The room is shared between the sections of the page: dialogs and alerts take what they need, the
main content twice the share of navigation, header and footer. A section that is cut ends with the
number of lines that are left out.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import attrs

from charlotte.answers.text.lines import Line, Mark, Piece, join_pieces, write_piece
from charlotte.answers.text.outline import Outline
from charlotte.base.errors import ellipsize
from charlotte.page.model import LONGEST_TEXT, Element, count_fitting
from charlotte.page.tokens import plural, quote, write_control, write_text

_MARGINAL = ("[header", "[nav", "[footer", "[aside", "[search")
_URGENT = ("[dialog", "[alertdialog")
_URGENT_WEIGHT, _MAIN_WEIGHT, _GROUP_WEIGHT, _MARGINAL_WEIGHT = 24, 8, 3, 1

_SMALL_GROUP = 600
"""Characters up to which a table or list is part of the text around it."""

_MARK = 30
"""Characters reserved for the mark of a cut section."""

_LEAST_TEXT = 160
"""Characters of a block of text that are worth showing without the rest."""

_MOST_ROWS = 21
"""Rows of a table that is cut, with its heads: more of them say little that is new."""

_LEAST_FOLDED = 80
"""Characters of a section from which on one line is shorter."""

_LEAST_MENU = 100
"""Characters of a cut menu that are shown in any case."""

_EXACT_DIGITS = 3
_MOST_HEADINGS = 4
_LONGEST_HEADING = 40


@attrs.frozen
class Excerpt:
    """Lines as they are sent, lines that are left out, and the controls that are shown."""

    texts: Sequence[str]
    rest: Sequence[Line]
    controls: Sequence[Element]


@attrs.define
class _CutSection:
    lines: list[Line]
    weight: int
    size: int


def excerpt(outline: Outline, room: int) -> Excerpt:
    """Return the lines of a page that fit into ``room`` characters, section by section.

    Alerts come before other lines of the same section.
    """
    lines = outline.lines
    if _count_fitting(lines, room) == len(lines):
        return Excerpt([line.written for line in lines], (), _controls(lines))
    alerts = {write_text(alert) for alert in outline.view.alerts}
    sections = [*_split(lines, alerts)]
    shares = _share(sections, room)
    texts: list[str] = []
    shown: list[Line] = []
    rest: list[Line] = []
    for section, share in zip(sections, shares, strict=True):
        if section.size <= share:
            kept: Sequence[Line] = section.lines
        else:
            most = _MOST_ROWS if section.lines[-1].kind == "row" else len(section.lines)
            count = _count_fitting(section.lines, share - _MARK)
            kept = section.lines[: min(count, most)]
        texts += (line.written for line in kept)
        shown += kept
        left_out = section.lines[len(kept) :]
        if left_out:
            used = sum(len(line.written) + 1 for line in kept)
            texts += _write_cut(left_out, share - _MARK - used)
            rest += left_out
    return Excerpt(texts, rest, _controls(shown))


def count_characters(lines: Sequence[Line]) -> str:
    """Return the number of characters of lines; that of rows is estimated, as not all are built."""
    size = _size(lines)
    digits = max(len(str(size)) - _EXACT_DIGITS, 0)
    is_known = not any(line.expected for line in lines)
    return f"{size:,}" if is_known else f"about {round(size, -digits):,}"


def summarize(outline: Outline) -> list[str]:
    """Return the structure and headings of a page with the numbers of controls: ``minimal``."""
    texts: list[str] = []
    controls = 0
    for line in (*outline.lines, None):
        title = None if line is None else _title_of(line)
        if line is not None and line.kind != "structure" and title is None:
            controls += sum(1 for _ in line.controls())
            continue
        if controls:
            texts.append(f"… {controls} {plural(controls, 'control')}")
            controls = 0
        if line is None:
            continue
        texts.append("  " * line.depth + line.mark.rstrip() if title is None else title)
        cells = line.cells if title is None else line.cells[1:]
        controls = sum(isinstance(piece, Element) for cell in cells for piece in cell)
    return texts


def _title_of(line: Line) -> str | None:
    """Return a heading, or the heading that begins an article; of a card on a line, only an h1."""
    if line.kind == "heading":
        return line.written
    first = next(line.pieces(), "")
    if line.kind != "item" or not isinstance(first, Mark):
        return None
    is_shown = len(line.cells) == 1 or first.split()[0] == "#"
    return "  " * line.depth + join_pieces(line.cells[0], write_piece) if is_shown else None


def split_margins(lines: Sequence[Line]) -> Iterator[Sequence[Line]]:
    """Return the lines of each header, navigation, sidebar and footer of a page."""
    start: int | None = None
    for index in range(len(lines) + 1):
        line = lines[index] if index < len(lines) else None
        if line is not None and line.depth:
            continue
        if start is not None:
            yield lines[start:index]
        is_margin = (
            line is not None and line.kind == "structure" and line.mark.startswith(_MARGINAL)
        )
        start = index if is_margin else None


def write_section(section: Sequence[Line]) -> str:
    """Return the text of a section."""
    return "\n".join([line.written for line in section])


def fold_known(
    lines: Sequence[Line], sections: Iterable[Sequence[Line]], known: Collection[str]
) -> tuple[Line, ...]:
    """Return the lines of a page; each section whose text is known takes one line."""
    folded: dict[int, Line | None] = {}
    for section in sections if known else ():
        count = len(_controls(section))
        if _size(section) > _LEAST_FOLDED and write_section(section) in known:
            folded |= dict.fromkeys(map(id, section))
            noun = f"{count} {plural(count, 'control')} " if count else ""
            cells = ((Mark(f"… {noun}as before"),),)
            folded[id(section[0])] = attrs.evolve(section[0], source=cells)
    kept = (folded.get(id(line), line) for line in lines)
    return tuple(line for line in kept if line is not None)


def clip_lines(lines: Iterable[Line], clip: Callable[[Piece], Piece]) -> tuple[Line, ...]:
    """Return lines with the pieces of the long ones cut by ``clip``."""
    return tuple(
        line
        if line.size <= LONGEST_TEXT
        else attrs.evolve(line, source=tuple(tuple(map(clip, cell)) for cell in line.cells))
        for line in lines
    )


def _size(lines: Iterable[Line]) -> int:
    return sum(line.size for line in lines)


def _controls(lines: Iterable[Line]) -> list[Element]:
    return [element for line in lines for element in line.controls()]


def _count_fitting(lines: Sequence[Line], room: int) -> int:
    return count_fitting((line.written for line in lines), room)


def _split(lines: Sequence[Line], urgent: Collection[str]) -> Iterator[_CutSection]:
    """Return the sections: top-level structures, long tables and lists, and what is between."""
    sizes: Counter[int] = Counter()
    for line in lines:
        sizes[line.group] += line.size
    sizes[0] = 0
    part = 0  # number of the top-level structure, or of the content between two of them
    weight = _MAIN_WEIGHT
    last: tuple[int, int, bool] | None = None
    section = _CutSection([], weight, 0)
    for line in lines:
        if line.depth == 0:
            is_structure = line.kind == "structure"
            new_weight = _weigh(line.mark) if is_structure else _MAIN_WEIGHT
            part += is_structure or new_weight != weight
            weight = new_weight
        group = line.group if sizes[line.group] > _SMALL_GROUP else 0
        place = part, group, bool(urgent) and line.text in urgent
        if place != last and section.lines:
            yield section
            section = _CutSection([], 0, 0)
        last = place
        section.weight = min(weight, _GROUP_WEIGHT) if group else weight
        if place[-1]:
            section.weight = _URGENT_WEIGHT
        section.lines.append(line)
        section.size += line.size
    yield section


def _weigh(mark: str) -> int:
    """Return the weight of a top-level structure."""
    if mark.startswith(_URGENT):
        return _URGENT_WEIGHT
    return _MARGINAL_WEIGHT if mark.startswith(_MARGINAL) else _MAIN_WEIGHT


def _share(sections: Sequence[_CutSection], room: int) -> list[int]:
    """Divide the room by weight; what a section does not need is left to the others."""
    shares = [0] * len(sections)
    waiting = sorted(range(len(sections)), key=lambda i: sections[i].size / sections[i].weight)
    weights = sum(section.weight for section in sections)
    for index in waiting:
        section = sections[index]
        shares[index] = min(section.size, room * section.weight // weights)
        room -= shares[index]
        weights -= section.weight
    return shares


def _write_cut(lines: Sequence[Line], room: int) -> Iterator[str]:
    """Return the beginning of the first line if it is a long text, and how many lines follow."""
    first = lines[0]
    is_menu = first.kind == "structure" and first.cells[0]
    if is_menu or (first.kind == "text" and room >= _LEAST_TEXT):
        yield "  " * first.depth + first.mark + _shorten(first.cells[0], max(room, _LEAST_MENU))
        if len(lines) == 1:
            return
    noun = "row" if all(line.kind == "row" for line in lines) else "line"
    count = f"… {len(lines):,} more {plural(len(lines), noun)}"
    headings = [
        next((piece for piece in line.cells[0] if type(piece) is str), "")
        for line in lines
        if line.kind == "heading"
    ]
    named = ", ".join(
        quote(ellipsize(text, _LONGEST_HEADING)) for text in headings[:_MOST_HEADINGS]
    )
    others = len(headings) - _MOST_HEADINGS
    more = f" and {others} more {plural(others, 'heading')}" if others > 0 else ""
    yield "  " * first.depth + count + (f" under {named}{more}" if named else "")


def _shorten(pieces: Iterable[Piece], room: int) -> str:
    """Return the beginning of a block of text or of a menu."""
    kept: list[Piece] = []
    for piece in pieces:
        size = len(piece) if isinstance(piece, str) else len(write_control(piece))
        if size > room:
            is_cut = isinstance(piece, str) and room > 1
            kept.append(ellipsize(str(piece), room) if is_cut else Mark("…"))
            break
        kept.append(piece)
        room -= size + 1
    return join_pieces(kept, write_piece)
