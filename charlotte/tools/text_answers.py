"""Answers of observe in a text mode: the lines in one block, JSON about them in another."""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import attrs

from charlotte.actors.state.news import news_of
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.reading import Reading
from charlotte.page.model import ReferenceTarget, compact_json
from charlotte.page.modes.lines import OutputLine, count_fitting_lines, format_lines, limit_infos
from charlotte.page.modes.options import ObserveOptions
from charlotte.page.render.cut import Cursor
from charlotte.tools.answer import Answer, Text
from charlotte.tools.pages import build_page, limit_extras, news_as_json
from charlotte.tools.results import Page

_TEXT_SHARE = 0.4
"""The share of the text in an answer that also describes its references."""
_RESERVED = 300
"""Characters reserved for the truncation and for the fences around the text."""

CONTROLS = dict.fromkeys((*range(9), *range(11, 32), *range(127, 160), 0x2028, 0x2029), " ")
"""Control characters and line separators, which the text of a page must not contain."""


def text_answer(
    record: TabRecord, reading: Reading, options: ObserveOptions, max_chars: int
) -> Answer[Page]:
    """Return as many lines as there is room for, with their e-refs, and JSON about them."""
    output, report, refs = reading.output, reading.report, reading.refs
    news = news_of(record)
    stored = reading.look.snapshot.id
    about: dict[str, Any] = {
        **({"snapshot_id": stored} if stored else {}),
        "tab_id": record.id,
        **limit_extras(news_as_json(news), max_chars),
    }
    warnings = [*report.warnings, *options.ignored]
    others = [about, report.as_json(), options.ignored, output.notes]
    room = _room(max_chars, len(compact_json(others)))
    for_text = text_room(options, room)
    count = count_fitting_lines(
        output.header, output.lines, min(for_text, output.longest or for_text)
    )
    record.ids.note_page_shown()
    text = format_lines(output.header, output.lines[:count], output.notes, refs)
    if options.describes_refs:
        infos = reading.infos
        if not output.targets:
            shown = {refs.get(each.nid) for each in _given(output.lines[:count])}
            infos = {name: info for name, info in infos.items() if name in shown}
        about["refs"] = limit_infos(infos, room - len(text))
        if left_out := len(infos) - len(about["refs"]):
            warnings.append(f"{left_out} of {len(infos)} refs were left out for lack of room.")
    about["metadata"] = attrs.evolve(report, warnings=warnings).as_json()
    if count < len(output.lines):
        number = record.lines.keep(output.lines)
        about["truncation"] = _truncation(output.lines, number, 0, count)
    answer = _answer(record, about, build_page(news, reading.look, text))
    return attrs.evolve(answer, delivered=news.consume, news=news)


def text_room(options: ObserveOptions, room: int) -> int:
    """Return the number of characters for the text in an answer with so many characters."""
    return round(room * _TEXT_SHARE) if options.describes_refs else room


def lines_after(
    record: TabRecord, place: Cursor, max_chars: int
) -> tuple[Sequence[OutputLine], Sequence[ReferenceTarget]]:
    """Return the lines of the next part of a cut answer, and the elements in these lines."""
    rest = record.lines.get(place.snapshot_id)[place.offset :]
    lines = rest[: count_fitting_lines((), rest, _room(max_chars))]
    return lines, _given(lines)


def more_lines_answer(
    record: TabRecord, place: Cursor, lines: Sequence[OutputLine], refs: Mapping[int, str]
) -> Answer[Page]:
    """Return the next part of a cut answer."""
    every = record.lines.get(place.snapshot_id)
    about: dict[str, Any] = {"tab_id": record.id}
    if place.offset + len(lines) < len(every):
        about["truncation"] = _truncation(every, place.snapshot_id, place.offset, len(lines))
    text = format_lines((), lines, (), refs)
    return _answer(
        record, about, Page(tab_id=record.id, url=record.url, title=record.title, answer_text=text)
    )


def _room(max_chars: int, others: int = 0) -> int:
    """Return the number of characters for lines: at least half of the answer."""
    return max(max_chars - others - _RESERVED, max_chars // 2)


def _given(lines: Sequence[OutputLine]) -> list[ReferenceTarget]:
    return [line.target for line in lines if line.target]


def _truncation(
    lines: Sequence[OutputLine], number: int, offset: int, count: int
) -> dict[str, Any]:
    return {
        "part": "lines",
        "total": len(lines),
        "returned": count,
        "next_cursor": str(Cursor(number, "lines", offset + count)),
    }


def _answer(record: TabRecord, about: dict[str, Any], page: Page) -> Answer[Page]:
    """Return the text and the JSON, which marks the text as untrusted."""
    about |= {"untrusted": True, "length": len(page.answer_text)}
    text = page.answer_text.translate(CONTROLS)
    if record.session.settings.content_boundaries:
        nonce = secrets.token_hex(8)  # a page that cannot guess it cannot end its text
        text = f"--- page {nonce} ---\n{text}\n--- end of page {nonce} ---"
    return Answer((Text(text), Text(compact_json(about))), {"tab_id": page.tab_id}, value=page)
