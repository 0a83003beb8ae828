"""Comparison of two outlines: the lines that say what changed on a page.

Lines and controls that only moved are no changes. Controls are compared by their ids, texts and
rows with those that they replaced.
"""

import re
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby

import attrs

from charlotte.answers.text.change_lines import (
    LONGEST_LINE,
    is_same_but_ids,
    key_without_ids,
    write_control_change,
    write_row_change,
    write_shortened,
    write_text_change,
)
from charlotte.answers.text.lines import RECORDS, Line, Mark
from charlotte.answers.text.matching import Matching, has_letter, head_of, match_lines, plain_texts
from charlotte.answers.text.outline import Outline
from charlotte.answers.text.reordering import find_reorderings
from charlotte.answers.text.summaries import (
    Kind,
    count_controls,
    count_lines,
    is_large,
    kind_of,
    summarize_added,
    summarize_gone,
    summarize_removed,
)
from charlotte.page.diff.lines import LABELLED_OUTSIDE
from charlotte.page.diff.views import DiffScope, count_reach_changes
from charlotte.page.model import Element, PageView, count_fitting
from charlotte.page.tokens import plural, quote, write_control, write_place_behind
from charlotte.page.view import iter_ids

_FEW = 4
"""Removed lines, or controls of a line, in one place that are written; more are counted."""

_HOVERED = 2
"""Controls that are hidden when the mouse leaves them: these are no changes."""

_TINY = 1
"""Pixels of an invisible element that only catches the focus."""

_NUMBER = re.compile(r"\S*\d\S*")

_ALERT, URGENT, _REMARK, _ADDED, _REMOVED = range(5)
"""What is kept first when a delta is cut."""


@attrs.frozen
class Entry:
    """One change, with its sign; ``place`` is where in the page it is, ``rank`` how urgent.

    ``scopes`` are those of diff that contain it, ``lines`` those before and after a change of text.
    """

    place: tuple[int, int, int]
    rank: int
    text: str
    scopes: Collection[str] = ("content",)
    lines: tuple[Line, Line] | None = None


_ControlEntries = list[tuple[Element, Entry]]


@attrs.frozen
class Changes:
    """The changes of a page in reading order; ``ids`` are the controls that they name."""

    entries: tuple[Entry, ...] = ()
    ids: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries)

    @cached_property
    def lines(self) -> list[str]:
        """All lines."""
        return [entry.text for entry in self.entries]

    @cached_property
    def size(self) -> int:
        """The number of characters with line ends."""
        return sum(len(line) + 1 for line in self.lines)

    def cut(self, room: int) -> tuple[list[str], list[str]]:
        """Return the lines that fit into ``room`` characters, the urgent first, and the others."""
        if self.size <= room:
            return self.lines, []
        urgent = sorted(self.entries, key=lambda entry: entry.rank)
        count = count_fitting([entry.text for entry in urgent], room)
        shown = {id(entry) for entry in urgent[:count]}
        kept = [entry.text for entry in self.entries if id(entry) in shown]
        return kept, [entry.text for entry in self.entries if id(entry) not in shown]


NOTHING_GIVEN: Mapping[str, object] = {}


def compare(
    old: Outline,
    new: Outline,
    *,
    acted_on: str | None = None,
    given: Mapping[str, object] = NOTHING_GIVEN,
    scope: DiffScope = "all",
) -> Changes:
    """Return the changes from one outline to another; focus on ``acted_on`` is no change.

    ``given`` are the values that the action filled in, by id: they are only counted.
    """
    comparison = _TextComparison(old, new, match_lines(old.lines, new.lines), acted_on, given)
    entries = [*comparison.entries()]
    if scope not in {"all", "delta"}:
        entries = [entry for entry in entries if scope in entry.scopes]
    entries.sort(key=lambda entry: entry.place)
    return Changes(tuple(entries), tuple(comparison.covered))


def without_tickers(earlier: Changes, changes: Changes) -> tuple[Changes, Changes]:
    """Replace lines whose numbers go on changing, as prices do, by a remark about the first."""
    known = {id(each.lines[1]): each.lines for each in earlier.entries if each.lines}
    ticks = {
        id(each.lines[0]): each.text[2:]
        for each in changes.entries
        if each.lines and (before := known.get(id(each.lines[0])))
        if _changed_numbers(*each.lines) <= _changed_numbers(*before) - {-1}
    }
    if len(ticks) <= _FEW:
        return earlier, changes
    text = f"! {len(ticks)} lines keep changing, the first: {next(iter(ticks.values()))}"
    old = [each for each in earlier.entries if not each.lines or id(each.lines[1]) not in ticks]
    new = [each for each in changes.entries if not each.lines or id(each.lines[0]) not in ticks]
    remark = Entry((0, 0, 0), _REMARK, text)
    return Changes((*old,), earlier.ids), Changes((*new, remark), changes.ids)


def _changed_numbers(old: Line, new: Line) -> set[int]:
    """Return the places of the numbers that changed, with -1 if anything else did."""
    if _NUMBER.sub("0", old.text) != _NUMBER.sub("0", new.text):
        return {-1}
    pairs = zip(_NUMBER.findall(old.text), _NUMBER.findall(new.text), strict=True)
    return {at for at, (before, now) in enumerate(pairs) if before != now}


def _scopes_of(line: Line) -> list[str]:
    """Return the scopes of diff that contain a line."""
    is_structure = line.kind in {"heading", "structure"}
    has_text, has_controls = bool(plain_texts(line)), any(line.controls())
    scopes = {
        "structure": is_structure,
        "interactive": has_controls,
        "content": has_text and not is_structure,
    }
    return [name for name, holds in scopes.items() if holds]


def _controls_of(view: PageView, lines: Iterable[Line]) -> dict[str, Element]:
    """Return the controls of a page by id, also those behind a dialog and those without a line.

    Those of ``lines`` are as the lines have them, without secrets.
    """
    behind = view.unreachable.interactive if view.unreachable else ()
    controls = {element.id: element for element in (*behind, *view.interactive)}
    controls.update((element.id, element) for line in lines for element in line.controls())
    return controls


def _texts_behind(view: PageView, other: PageView) -> str:
    """Return the texts behind a dialog that are not behind a dialog on the other page."""
    here, there = (
        Counter[str](line.text for _, line in (each.unreachable.lines if each.unreachable else ()))
        for each in (view, other)
    )
    return "\n".join((here - there).elements())


@attrs.define(eq=False)
class _TextComparison:
    """The comparison of two outlines; ``covered`` are the controls that the changes name.

    ``built`` are the lines that the outlines do not share, by their index.
    """

    old: Outline
    new: Outline
    matching: Matching
    acted_on: str | None
    given: Mapping[str, object]
    built: dict[int, Line] = attrs.field(init=False)
    known: dict[str, Element] = attrs.field(init=False)
    present: dict[str, Element] = attrs.field(init=False)
    covered: set[str] = attrs.field(factory=set[str], init=False)
    returning: frozenset[str] = attrs.field(init=False)
    gone_keys: frozenset[Hashable] = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        shared = {id(line) for line in self.old.lines} & {id(line) for line in self.new.lines}
        rest = [line for line in self.old.lines if id(line) not in shared]
        self.built = {i: line for i, line in enumerate(self.new.lines) if id(line) not in shared}
        self.known = _controls_of(self.old.view, rest)
        self.present = _controls_of(self.new.view, self.built.values())
        self.returning = frozenset(iter_ids(self.old.view.unreachable))
        gone = (self.old.lines[index] for index in self.matching.gone)
        self.gone_keys = frozenset(map(key_without_ids, gone))

    def entries(self) -> Iterator[Entry]:
        """Return all changes, in no order."""
        reorderings = find_reorderings(self.old.lines, self.new.lines, self.matching)
        filtered = {index for one in reorderings for index in one.removed}
        yield from self._text_changes()
        yield from self._additions()
        yield from self._removals(filtered)
        yield from self._changes_behind()
        yield from self._control_changes()
        for one in reorderings:
            yield Entry((one.place, -1, 0), _REMARK, f"! {one.text}")

    def _text_changes(self) -> Iterator[Entry]:
        """Return the lines with another text."""
        for index, index_old in self.matching.pairs.items():
            line, line_old = self.new.lines[index], self.old.lines[index_old]
            if line.kind in RECORDS:
                sign, (text, shown) = "~", write_row_change(line_old, line)
            else:
                sign, text = write_text_change([*line_old.pieces()], [*line.pieces()])
                shown = {element.id for element in line.controls()} - self.known.keys()
            self.covered |= shown
            rank, scopes = URGENT, _scopes_of(line)
            if is_same_but_ids(line_old, line):
                rank, scopes = _ADDED, ["interactive"]
            yield Entry((index, 0, 0), rank, f"{sign} {text}", scopes, (line_old, line))
        # controls that became transparent, or no longer are
        for index in self.built.keys() & self.matching.partners:
            line, line_old = self.new.lines[index], self.old.lines[self.matching.partners[index]]
            if (Mark in map(type, line.pieces())) is not (Mark in map(type, line_old.pieces())):
                yield Entry((index, 0, 0), _ADDED, f"~ {line.text}", _scopes_of(line))

    def _additions(self) -> Iterator[Entry]:
        """Return the lines that have a new control or text, many of one kind as one entry."""
        lines = self.new.lines
        news = self._find_news(self.matching.fresh, self.new, self.old, self.known)
        for run in _runs(sorted(news)):
            base = min(lines[index].depth for index in run)
            for kind, part in groupby(run, lambda index: kind_of(lines[index])):
                yield from self._added_part(kind, [*part], news, base)

    def _added_part(
        self, kind: Kind | None, part: Sequence[int], news: dict[int, list[Element]], base: int
    ) -> Iterator[Entry]:
        """Return the lines of a part of a run, or a summary of many of one kind."""
        lines = [self.new.lines[index] for index in part]
        elements = [element for index in part for element in news[index]]
        self.covered.update(element.id for element in elements)
        if kind is None or not is_large(kind, elements, lines):
            for index in part:
                yield self._addition(index, news[index], base)
            return
        text = f"{kind[2]} {summarize_added(elements)}".strip()
        indent, place = "  " * (lines[0].depth - base), (part[0], 1, 0)
        yield Entry(place, _ADDED, f"+ {indent}{text}", scopes=("interactive", "content"))

    def _addition(self, index: int, elements: Sequence[Element], base: int) -> Entry:
        line = self.new.lines[index]
        is_whole = plain_texts(line) or len(elements) == sum(1 for _ in line.controls())
        is_known = len(line.text) > LONGEST_LINE and key_without_ids(line) in self.gone_keys
        if elements and (is_known or not is_whole):
            with_near = line.kind not in RECORDS
            text = " ".join(write_control(each, with_near=with_near) for each in elements)
        else:
            text = line.text
        alerts = self.new.view.alerts
        is_alert = any(each in alert for alert in alerts for each in plain_texts(line))
        indent = "  " * (line.depth - base)
        rank = _ALERT if is_alert else _ADDED
        return Entry((index, 1, 0), rank, f"+ {indent}{text}", _scopes_of(line))

    def _find_news(
        self, candidates: Iterable[int], here: Outline, other: Outline, known: Collection[str]
    ) -> dict[int, list[Element]]:
        """Return the lines with a control that is not ``known``, or a text, with these controls.

        Texts that moved and those that are or were behind a dialog are no news; heads of structures
        that contain something new are, unless they are in the other outline.
        """
        lines, pool = here.lines, self._moved_texts.copy()
        behind = _texts_behind(other.view, here.view)
        news: dict[int, list[Element]] = {}
        for index in candidates:
            texts = plain_texts(lines[index])
            elements = [
                element
                for element in lines[index].controls()
                if element.id not in known and not _is_sentinel(element)
            ]
            if texts and not elements:
                if not Counter(texts) - pool:
                    pool.subtract(texts)
                    continue
                if behind and all(text in behind for text in texts):
                    continue
            if texts or elements:
                news[index] = elements
        heads = {head_of(line) for line in other.lines if line.kind == "structure"}
        around = {
            index: list[Element]()
            for index in candidates
            if index not in news
            if (head := head_of(lines[index])) and not lines[index].cells[0]
            if head not in heads and any(each in news for each in _inside(lines, index))
        }
        return news | around

    @cached_property
    def _moved_texts(self) -> Counter[str]:
        """The texts of lines without a counterpart that are in both outlines."""
        gone = (text for i in self.matching.gone for text in plain_texts(self.old.lines[i]))
        fresh = (text for j in self.matching.fresh for text in plain_texts(self.new.lines[j]))
        both = Counter(gone) & Counter(fresh)
        return Counter({text: count for text, count in both.items() if has_letter([text])})

    def _removals(self, filtered: Collection[int]) -> Iterator[Entry]:
        lines, places = self.old.lines, self.matching.places
        left_out = {*self._find_replaced(), *self.present}
        gone = [index for index in self.matching.gone if index not in filtered]
        news = self._find_news(gone, self.old, self.new, left_out)
        for part in _split_removed(lines, news):
            head = head_of(lines[part[0]])
            if head and len(part) > 1:
                texts = [(part, f"{head}, {count_lines(lines, part, news)}")]
            elif len(part) > _FEW:
                texts = [(part, summarize_removed(lines, part, news))]
            else:
                texts = [([index], self._removed_text(index, news[index])) for index in part]
            for indexes, text in texts:
                place = places[indexes[0]], 0, indexes[0]
                scopes = [scope for index in indexes for scope in _scopes_of(lines[index])]
                yield Entry(place, _REMOVED, f"- {text}", scopes=scopes)

    def _changes_behind(self) -> Iterator[Entry]:
        """Return the controls that went since they were behind a dialog, and what went or came."""
        behind, view, end = self.old.view.unreachable, self.new.view, len(self.new.lines)
        present = {*iter_ids(view), *iter_ids(view.unreachable), *view.hidden}
        elements = behind.interactive if behind else ()
        gone = [element for element in elements if element.id not in present]
        texts = map(write_control, gone) if len(gone) <= _FEW else [summarize_gone(gone)]
        for index, text in enumerate(texts):
            yield Entry((end, 8, index), _REMOVED, f"- {text}", scopes=["interactive"])
        hidden, shown = count_reach_changes(self.old.view, view)
        for count, how, content in ((hidden, "", view.unreachable), (shown, "no longer ", behind)):
            if count and content:
                text = f"{count} {plural(count, 'element')} {how}"
                text += write_place_behind(content.covered_by)
                scopes = "structure", "interactive"
                yield Entry((end, 9, 0), _REMARK, f"! {text}", scopes=scopes)

    def _find_replaced(self) -> Iterator[str]:
        """Return the named controls that are gone and in whose place a control like them is new."""
        added = Counter(
            (self.matching.gaps[index], element.type, element.label)
            for index in self.matching.fresh
            for element in self.new.lines[index].controls()
            if element.label and element.id not in self.known
        )
        for index in self.matching.gone:
            for element in self.old.lines[index].controls():
                like = self.matching.places[index], element.type, element.label
                if element.id not in self.present and added[like] > 0:
                    added[like] -= 1
                    yield element.id

    def _removed_text(self, index: int, elements: Sequence[Element]) -> str:
        line = self.old.lines[index]
        is_whole = len(elements) == sum(1 for _ in line.controls())
        if (head := head_of(line)) and elements and is_whole:
            return f"{head}, {count_lines(self.old.lines, [index], {index: elements})}"
        if plain_texts(line) or not elements or (line.kind in RECORDS and is_whole):
            return write_shortened(line)
        if len(elements) > _FEW:
            return summarize_gone(elements)
        more = {element.id: "hidden" for element in elements if element.id in self.new.view.hidden}
        with_near = line.kind not in RECORDS
        return " ".join(
            write_control(each, more=more.get(each.id, ""), with_near=with_near)
            for each in elements
        )

    def _control_changes(self) -> Iterator[Entry]:
        """Return the controls whose name, value or states changed."""
        is_focused = any("focused" in element.state for element in self.new.view.interactive)
        filled: list[Entry] = []
        equal: dict[tuple[str, str], _ControlEntries] = {}
        for index, line in self.built.items():
            for number, element in enumerate(line.controls()):
                old = self.known.get(element.id)
                if old is None or old is element or element.id in self.covered:
                    continue
                focus = self._focus_word(old, element, is_focused=is_focused)
                if text := write_control_change(old, element, focus=focus):
                    self.covered.add(element.id)
                    place = index, 2, number
                    entry = Entry(place, URGENT, f"~ {text}", scopes=("interactive",))
                    if text in self._as_given(element):
                        filled.append(entry)
                    else:
                        change = element.type, text.removeprefix(element.id)
                        equal.setdefault(change, []).append((element, entry))
        for (_, states), every in equal.items():
            some = self._without_hover(states, every)
            yield from _fold_equal(states, some)
        if len(filled) > 1:
            text = f"~ … {len(filled)} fields as given"
            filled = [attrs.evolve(filled[0], text=text)]
        yield from filled

    def _without_hover(self, states: str, some: _ControlEntries) -> _ControlEntries:
        """Return changes without those of controls that show under the mouse only.

        These are in the element acted on now, or few and where the mouse was before.
        """
        acted_on = self.present.get(self.acted_on or "")
        if acted_on is None:
            return some
        if states == " [not hidden]":
            return [each for each in some if not _is_within(each[0], acted_on)]
        is_left = states == " [hidden]" and len(some) <= _HOVERED
        return [each for each in some if not is_left or each[0] is acted_on]

    def _as_given(self, element: Element) -> Collection[str]:
        """Return the change of a field that has exactly the value that was filled in."""
        value = self.given.get(element.id)
        if isinstance(value, bool):
            return (f"{element.id} [{'x' if value else ' '}]",)
        return (f"{element.id} [= {quote(value)}]",) if isinstance(value, str) else ()

    def _focus_word(self, old: Element, new: Element, *, is_focused: bool) -> str:
        """Return the word for a change of focus; a lost focus counts only if nothing has it."""
        had_focus, has_focus = "focused" in old.state, "focused" in new.state
        if _is_sentinel(new):
            return ""
        if has_focus and not had_focus and new.id not in (self.acted_on, *self.returning):
            return "focused"
        is_lost = had_focus and not has_focus and not is_focused
        is_same = self.old.view.document == self.new.view.document
        return "not focused" if is_lost and is_same else ""


def _is_within(element: Element, other: Element) -> bool:
    """Return whether the middle of a control is in the box of another one."""
    box, around = element.bounds, other.bounds
    if box is None or around is None:
        return False
    x, y = box.centre()
    return 0 <= x - around.x <= around.w and 0 <= y - around.y <= around.h


def _fold_equal(change: str, some: _ControlEntries) -> Iterator[Entry]:
    """Return the entries of controls with the same change, or one for many of them."""
    elements, entries = [element for element, _ in some], [entry for _, entry in some]
    if len(some) <= _FEW or not change.startswith(" ["):
        yield from entries
        return
    text = f"~ … {count_controls(elements)}{change}, {elements[0].id} to {elements[-1].id}"
    yield attrs.evolve(entries[0], text=text)


def _inside(lines: Sequence[Line], index: int) -> range:
    """Return the indexes of the lines in a structure; rows of a table are not indented."""
    head = lines[index]
    end = index + 1
    while end < len(lines) and (
        lines[end].depth > head.depth or (head.group and lines[end].group == head.group)
    ):
        end += 1
    return range(index + 1, end)


def _split_removed(lines: Sequence[Line], news: Collection[int]) -> list[list[int]]:
    """Return removed structures, the rows of each table, and runs of other lines.

    A structure has the lines in it if all of them are gone.
    """
    structures: list[list[int]] = []
    rows: dict[int, list[int]] = {}
    others: list[int] = []
    end = 0
    for index in sorted(news):
        if index < end:
            continue
        if head_of(lines[index]):
            inner = _inside(lines, index)
            is_whole = all(each in news for each in inner)
            structures.append([index, *(inner if is_whole else ())])
            end = inner.stop if is_whole else end
        elif group := lines[index].group:
            rows.setdefault(group, []).append(index)
        else:
            others.append(index)
    return [*structures, *rows.values(), *_runs(others)]


def _runs(indexes: Sequence[int]) -> Iterator[list[int]]:
    """Return the runs of numbers that follow one another."""
    for _, run in groupby(enumerate(indexes), lambda pair: pair[1] - pair[0]):
        yield [index for _, index in run]


def _is_sentinel(element: Element) -> bool:
    """Return whether a control only catches the focus: it has no name, no size and no value."""
    if element.label or element.value is not None or element.type in LABELLED_OUTSIDE:
        return False
    box = element.bounds
    return box is None or min(box.w, box.h) <= _TINY
