"""Sends what a mode tells: its lines as one block, and one line of JSON about them."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from charlotte.actors.state.news import news_of
from charlotte.actors.tab.actor import Look, Tab
from charlotte.actors.tab.element_info import infos_of
from charlotte.actors.tab.tree_capture import refs_of
from charlotte.page.modes.lines import (
    ModeOutput,
    OutputLine,
    ReferenceTarget,
    count_fitting_lines,
    format_lines,
    limit_infos,
)
from charlotte.page.modes.report import ModeReport
from charlotte.page.record_base import compact_json
from charlotte.page.render.cut import Cursor
from charlotte.tools.answer import Answer, Text
from charlotte.tools.observe_options import Wish
from charlotte.tools.pages import bounded, page_of, told_of
from charlotte.tools.results import Page

_TEXT_BESIDE_REFS = 0.4
"""How much of an answer is text when it is to tell what its references are too."""
_ASIDE = 300
"""Characters for what is known only once the lines are: where they are cut, their fences."""

CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), 0x2028, 0x2029), " ")
"""Characters of pages at which readers begin a line, or that terminals obey."""


@attrs.frozen
class Telling:
    """What is to be sent, and to which wish."""

    look: Look
    told: ModeOutput
    report: ModeReport
    wish: Wish


async def sent(tab: Tab, telling: Telling) -> Answer[Page]:
    """As many lines as there is room for, with their e-refs, and what goes with them."""
    told, wish = telling.told, telling.wish
    news = news_of(tab.record)
    stored = telling.look.snapshot.id
    about: dict[str, Any] = {
        **({"snapshot_id": stored} if stored else {}),
        "tab_id": tab.record.id,
        **bounded(told_of(news), wish.max_chars),
    }
    warnings = [*telling.report.warnings, *wish.ignored]
    beside = [about, telling.report.as_json(), wish.ignored, told.notes]
    room = _room(wish.max_chars, len(compact_json(beside)))
    for_text = round(room * _TEXT_BESIDE_REFS) if wish.tells_refs else room
    count = count_fitting_lines(told.header, told.lines, min(for_text, told.longest or for_text))
    given = _given(told.lines[:count])
    refs = await refs_of(tab, given)
    tab.record.ids.note_page_shown()
    text = format_lines(told.header, told.lines[:count], told.notes, refs)
    if wish.tells_refs:
        infos = await infos_of(tab, _by_reference(told, given, refs))
        about["refs"] = limit_infos(infos, room - len(text))
        if left_out := len(infos) - len(about["refs"]):
            warnings.append(f"{left_out} of {len(infos)} refs were left out for lack of room.")
    about["metadata"] = attrs.evolve(telling.report, warnings=warnings).as_json()
    if count < len(told.lines):
        number = tab.record.told.keep(told.lines)
        about["truncation"] = _truncation(told.lines, number, 0, count)
    answer = _answer(tab, about, page_of(news, telling.look, text))
    return attrs.evolve(answer, delivered=news.consume, news=news)


def _room(max_chars: int, beside: int = 0) -> int:
    """What is left for lines; at least half of the answer, however much there is to say besides."""
    return max(max_chars - beside - _ASIDE, max_chars // 2)


def _given(lines: Sequence[OutputLine]) -> list[ReferenceTarget]:
    return [line.target for line in lines if line.target]


def _by_reference(
    told: ModeOutput, given: Sequence[ReferenceTarget], refs: Mapping[int, str]
) -> dict[str, ReferenceTarget]:
    """What the references stand for that were told: those of the table, or e-refs."""
    if told.targets:
        return {f"@ref:{number}": one for number, one in enumerate(told.targets)}
    return {refs[one.nid]: one for one in given if one.nid in refs}


async def more_lines(tab: Tab, place: Cursor, max_chars: int) -> Answer[Page]:
    """The lines that follow those of a cut answer."""
    lines = tab.record.told.get(place.snapshot_id)
    rest = lines[place.offset :]
    count = count_fitting_lines((), rest, _room(max_chars))
    refs = await refs_of(tab, _given(rest[:count]))
    about: dict[str, Any] = {"tab_id": tab.record.id}
    if count < len(rest):
        about["truncation"] = _truncation(lines, place.snapshot_id, place.offset, count)
    record, text = tab.record, format_lines((), rest[:count], (), refs)
    page = Page(tab_id=record.id, url=record.url, title=record.title, told=text)
    return _answer(tab, about, page)


def _truncation(
    lines: Sequence[OutputLine], number: int, offset: int, count: int
) -> dict[str, Any]:
    return {
        "part": "lines",
        "total": len(lines),
        "returned": count,
        "next_cursor": str(Cursor(number, "lines", offset + count)),
    }


def _answer(tab: Tab, about: dict[str, Any], page: Page) -> Answer[Page]:
    """Block 2 says of block 1 that the page wrote it, and how long it is."""
    about |= {"untrusted": True, "length": len(page.told)}
    is_fenced = tab.record.session.settings.content_boundaries
    text = page.told.translate(CONTROLS)
    told = fenced(text) if is_fenced else text
    blocks = Text(told), Text(compact_json(about))
    return Answer(blocks, {"tab_id": page.tab_id}, value=page)


def fenced(text: str) -> str:
    """A page's text between lines that the page cannot know, so that it cannot end them."""
    nonce = secrets.token_hex(8)
    return f"--- page {nonce} ---\n{text}\n--- end of page {nonce} ---"
