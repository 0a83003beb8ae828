"""Change lines of the text form: a text, row or control that changed, without what stayed."""

import re
from collections.abc import Hashable, Iterator, Sequence
from functools import partial
from itertools import zip_longest

from charlotte.answers.text.lines import (
    RECORDS,
    Line,
    Mark,
    Piece,
    Token,
    join_pieces,
    label_of,
    write_piece,
)
from charlotte.base.errors import ellipsize
from charlotte.page.diff.lines import count_equal
from charlotte.page.diff.views import format_changes
from charlotte.page.model import Element, clip_element
from charlotte.page.tokens import name_states, quote, write_text

ARROW = " → "
_LONGEST_SIDE = 50
"""Characters of each side of a changed text; of longer ones only the part that differs."""

_CONTEXT = 16
"""Characters around the part of a long text that differs."""

LONGEST_LINE = 100
_LEAST = 20
_LONGEST_VALUE = 160
_NAMING_TYPES = {"link", "clickable"}
_WORDS = re.compile(r"\S+\s*")
_DIGITS = re.compile(r"\d+")

_ENDED = {
    "checked": "no check mark",
    "current": "not current",
    "hint": "no hint",
    "icon": "no icon",
    "invalid": "not invalid",
    "options": "no options",
    "pressed": "off",
    "required": "not required",
    "sort": "not sorted",
    "title": "no title",
    "value": '= ""',
}
"""Words for states that ended, if they are not those of the state after ``not``."""


def shorten(text: str, limit: int = LONGEST_LINE) -> str:
    """Return the beginning of a text, up to the end of a word."""
    if len(text) <= limit:
        return text
    cut = text.rfind(" ", limit // 2, limit)
    return ellipsize(text, cut if cut > 0 else limit)


def without_digits(text: str) -> str:
    """Return a text without numbers: texts that differ only in numbers become equal."""
    return _DIGITS.sub("", text)


def write_pieces(pieces: Sequence[Piece]) -> str:
    """Return the pieces of a cell as a line contains them; an empty cell is ``""``."""
    return join_pieces(pieces, partial(write_piece, with_near=False)) or '""'


def write_shortened(line: Line) -> str:
    """Return a line; a long one is cut inside a text or after a control."""
    if len(line.text) <= LONGEST_LINE:
        return line.text
    write = partial(write_piece, row_id=line.row_id, with_near=line.kind not in RECORDS)
    cells: list[str] = []
    room = LONGEST_LINE
    for cell in line.cells:
        kept: list[Piece] = []
        for piece in cell:
            if isinstance(piece, str) and not isinstance(piece, Mark):
                kept.append(shorten(piece, max(room, _LEAST)))
            else:
                kept.append(piece)
            room -= len(write(kept[-1])) + 1
            if room <= 0:
                break
        cells.append(join_pieces(kept, write))
        if room <= 0:
            break
    return f"{line.mark}{' | '.join(cells)} …"


def write_text_change(old: Sequence[Piece], new: Sequence[Piece]) -> tuple[str, str]:
    """Return a sign and the change of a line or cell, without what both sides begin and end with.

    ``~`` and ``old → new``, shortened around the difference if long; ``+`` or ``-`` and what only
    one side has.
    """
    before, after = (
        [piece for piece in pieces if not isinstance(piece, Mark)] for pieces in (old, new)
    )
    if written_alike(before, after):
        return "~", write_pieces(after)
    keys, keys_now = [*map(identify, before)], [*map(identify, after)]
    start = count_equal(keys, keys_now)
    end = count_equal(keys[start:][::-1], keys_now[start:][::-1])
    before, after = before[start : len(before) - end], after[start : len(after) - end]
    if len(before) == len(after) == 1:
        (text,), (text_now,) = before, after
        if isinstance(text, str) and isinstance(text_now, str):
            if isinstance(text, Token) or isinstance(text_now, Token):
                return "~", f"{write_piece(text)}{ARROW}{write_piece(text_now)}"
            return "~", ARROW.join(map(write_text, _shorten_both(text, text_now)))
    if not (before and after):
        return "+" if after else "-", write_pieces(after or before)
    return "~", f"{write_pieces(before)}{ARROW}{write_pieces(after)}"


def written_alike(old: Sequence[Piece], new: Sequence[Piece]) -> bool:
    """Return whether pieces differ only in the ids of their controls."""
    return [*map(_without_id, old)] == [*map(_without_id, new)]


def _without_id(piece: Piece) -> Hashable:
    return piece if isinstance(piece, str) else (piece.type, piece.label)


def key_without_ids(line: Line) -> Hashable:
    """Return what lines that differ only in the ids of their controls have in common."""
    return line.mark, tuple(tuple(map(_without_id, cell)) for cell in line.cells)


def is_same_but_ids(old: Line, new: Line) -> bool:
    """Return whether two lines differ only in the ids of their controls."""
    return len(old.cells) == len(new.cells) and all(map(written_alike, old.cells, new.cells))


def _shorten_both(old: str, new: str) -> tuple[str, str]:
    """Return both texts, or of long ones the words that differ with some characters around."""
    if max(len(old), len(new)) <= _LONGEST_SIDE:
        return old, new
    words, words_now = _WORDS.findall(old), _WORDS.findall(new)
    first = count_equal(words, words_now)
    last = count_equal(words[first:][::-1], words_now[first:][::-1])
    start = len("".join(words[:first]))
    end = len("".join(words[len(words) - last :])) if last else 0
    return _part(old, start, len(old) - end), _part(new, start, len(new) - end)


def _part(text: str, start: int, end: int) -> str:
    """Return a part of a text with some characters before and after it."""
    first = text.rfind(" ", 0, max(start - _CONTEXT, 0)) + 1 if start > _CONTEXT else 0
    after = text.find(" ", end + _CONTEXT)
    last = after if after >= 0 else len(text)
    head, tail = "…" * (first > 0), "…" * (last < len(text))
    return f"{head}{shorten(text[first:last].strip(), 2 * LONGEST_LINE)}{tail}"


def write_row_change(old: Line, new: Line) -> tuple[str, set[str]]:
    """Return a changed row or item: its first cell, and the cells with another text.

    The second value has the ids of the controls that came into the changed cells.
    """
    cells = [*zip_longest(old.cells, new.cells, fillvalue=())]
    # states of controls do not count
    changed = [cell for cell in cells if [*map(identify, cell[0])] != [*map(identify, cell[1])]]
    parts = [_write_cell_change(*cell) for cell in changed]
    pieces = [piece for cell in changed for piece in cell[1]]
    known = {*map(identify, old.pieces())}
    shown = {
        piece.id for piece in pieces if not isinstance(piece, str) and identify(piece) not in known
    }
    names = {*map(label_of, pieces)}
    is_named = cells[0] in changed[:1] and any(map(label_of, (*cells[0][0], *cells[0][1])))
    if (first := name_of(new)) and first not in names and not is_named:
        parts.insert(0, write_text(shorten(first, _LONGEST_SIDE)))
    return f"{'| ' if new.kind == 'row' else '* '}{' | '.join(parts)}", shown


def _write_cell_change(old: Sequence[Piece], new: Sequence[Piece]) -> str:
    """Return the change of a cell, with both sides unless they differ only in ids.

    Of these, only the controls with new ids are written.
    """
    if written_alike(old, new):
        both = zip(old, new, strict=True)
        return write_pieces([now for before, now in both if identify(before) != identify(now)])
    sign, text = write_text_change(old, new)
    return text if sign == "~" else f"{write_pieces(old)}{ARROW}{write_pieces(new)}"


def identify(piece: Piece) -> Hashable:
    """Return what makes a piece the same piece: its text, or the id of the control."""
    return piece if isinstance(piece, str) else (piece.id,)


def name_of(line: Line) -> str:
    """Return the first text or link with a letter, or else the name of the first control."""
    names: list[str] = []
    for piece in (piece for piece in line.pieces() if not isinstance(piece, Mark)):
        name = label_of(piece)
        is_name = isinstance(piece, str) or piece.type in _NAMING_TYPES
        if is_name and any(map(str.isalpha, name)):
            return name
        names.append(name)
    return next(filter(None, names), "")


def write_control_change(old: Element, new: Element, *, focus: str = "") -> str:
    """Return ``id "name" [states]`` with what changed only; "" if nothing did.

    ``focus`` is the word for a change of the focus.
    """
    words = [*_changed_states(old, new)]
    if old.revision != new.revision and old.value == new.value:
        words.append("another value")
    for how, texts in zip(("not formatted", "formatted"), format_changes(old, new), strict=True):
        if texts:
            words.append(f"{how} {quote(shorten('; '.join(texts)))}")
    words += [focus] if focus else []
    if old.label != new.label:
        words.insert(0, quote(shorten(new.label)))
        head, *states = words
        return f"{new.id} {head}" + (f" [{', '.join(states)}]" if states else "")
    return f"{new.id} [{', '.join(words)}]" if words else ""


def _changed_states(old: Element, new: Element) -> Iterator[str]:
    """Return the states that began, then those that ended, without the focus."""
    short = [clip_element(each, _LONGEST_VALUE, names=["value"]) for each in (old, new)]
    before, after = (
        {name: word for name, word in name_states(each) if name != "focused"} for each in short
    )
    if "value" in {*before, *after}:
        before.pop("hint", None)
        after.pop("hint", None)
    yield from (word for name, word in after.items() if before.get(name) != word)
    yield from (
        _ENDED.get(name, f"not {word}") for name, word in before.items() if name not in after
    )
