"""What holds for the changes of any two outlines."""

import re
from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from charlotte.answers.text.changes import compare
from charlotte.answers.text.lines import Line
from charlotte.page.model import Element
from tests.answers.text.outlines import changes, control, head, heading, line, outline, row

_ID = re.compile(r"\b(?:btn|lnk|inp)-[0-9a-f]+\b")
_WORDS = ("ash", "elm", "fir", "oak", "yew", "3", "17")

texts = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=4).map(" ".join)
states = st.sampled_from([{}, {"enabled": False}, {"expanded": True}, {"checked": True}])


@st.composite
def controls(draw: st.DrawFn) -> Element:
    number = draw(st.integers(0, 11))
    kind = ("btn", "lnk", "inp")[number % 3]
    label = draw(st.sampled_from(["Save", f"Name {number}"]))
    return control(f"{kind}-{number:x}", label, state=draw(states))


@st.composite
def lines(draw: st.DrawFn) -> Line:
    cells = st.one_of(texts, controls())
    match draw(st.integers(0, 5)):
        case 0:
            return heading(draw(texts))
        case 1:
            return head(f'[group "{draw(texts)}"]')
        case 2:
            return row(*draw(st.lists(cells, min_size=1, max_size=3)))
        case 3:
            return line(*draw(st.lists(cells, min_size=1, max_size=3)))
        case 4:
            return line(draw(controls()))
        case _:
            return line(draw(texts))


def _with_unique_ids(given_lines: Sequence[Line]) -> list[Line]:
    """Return the lines without those that contain a control of an earlier line again."""
    seen: set[str] = set()
    kept: list[Line] = []
    for each in given_lines:
        ids = [element.id for element in each.controls()]
        if len({*ids}) == len(ids) and seen.isdisjoint(ids):
            kept.append(each)
            seen.update(ids)
    return kept


pages = st.lists(lines(), max_size=12).map(_with_unique_ids)


def _ids(given_lines: Sequence[Line]) -> dict[str, Element]:
    return {element.id: element for each in given_lines for element in each.controls()}


@given(pages)
def test_equal_pages_have_no_changes(page: list[Line]) -> None:
    assert changes(outline(*page), outline(*page)) == []


@given(pages, st.data())
def test_lines_with_words_that_moved_are_at_most_a_remark(
    page: list[Line], data: st.DataObject
) -> None:
    named = [each for each in page if any(map(str.isalpha, each.text))]
    moved = data.draw(st.permutations(named))
    found = changes(outline(*named), outline(*moved))
    assert all(text.startswith("! ") for text in found)
    assert len(found) <= 2


@given(pages, pages)
def test_every_new_removed_and_changed_control_is_named_or_counted(
    old: list[Line], new: list[Line]
) -> None:
    found = changes(outline(*old), outline(*new))
    named = set(_ID.findall("\n".join(found)))
    counted = sum(int(count) for text in found for count in re.findall(r"(\d+) control", text))
    rows = any(re.search(r"\d+ rows?", text) for text in found)
    before, after = _ids(old), _ids(new)
    assert after.keys() - before.keys() <= named
    added = [after[name] for name in after.keys() - before.keys()]
    replaced = {(element.type, element.label) for element in added}
    unnamed = [
        name
        for name in before.keys() - after.keys() - named
        if (before[name].type, before[name].label) not in replaced
    ]
    assert rows or len(unnamed) <= counted
    for name in before.keys() & after.keys():
        if before[name] != after[name]:
            assert name in named


@given(pages, pages)
def test_changes_say_nothing_that_is_not_so(old: list[Line], new: list[Line]) -> None:
    before, after = _ids(old), _ids(new)
    written, written_now = ("\n".join(each.text for each in page) for page in (old, new))
    for text in changes(outline(*old), outline(*new)):
        if text.startswith("~ ") and " → " in text and not _ID.search(text) and "|" not in text:
            side, side_now = text[2:].split(" → ")
            assert side == '""' or side in written
            assert side_now == '""' or side_now in written_now
        elif text.startswith("+ "):
            assert set(_ID.findall(text)) <= after.keys()
            assert text[2:].strip() in written_now or _ID.match(text[2:].strip())
        elif text.startswith("- "):
            assert set(_ID.findall(text)) <= before.keys()
        elif text.startswith("~ ") and "→" not in text:
            assert set(_ID.findall(text)) <= after.keys()


@given(pages, pages, st.integers(10, 400))
def test_a_cut_delta_and_its_rest_are_all_changes(
    old: list[Line], new: list[Line], room: int
) -> None:
    found = compare(outline(*old), outline(*new))
    kept, rest = found.cut(room)
    texts = [entry.text for entry in found.entries]
    shown = [text for text in [*kept, *rest] if text in texts]
    assert sorted(shown) == sorted(texts)
    assert sum(len(text) + 1 for text in kept) <= max(room, 0) or not rest
