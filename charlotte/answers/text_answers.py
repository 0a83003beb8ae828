"""Answers about a page in the text form: the page, or what an action changed."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import attrs

from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look
from charlotte.answers.deltas import Delta, compare_views, find_delta, outline_of, write_delta
from charlotte.answers.news import News
from charlotte.answers.remarks import page_remarks
from charlotte.answers.render import AUTO_CHARS, RenderedText
from charlotte.answers.text.lines import Line
from charlotte.answers.text.outline import Outline
from charlotte.answers.text.page import render_page, write_header
from charlotte.page.diff.views import DiffScope
from charlotte.page.find import Cursor
from charlotte.page.model import Detail, PageDetail, PageView
from charlotte.page.modes.lines import OutputLine


@attrs.frozen
class TextAnswer:
    """The parts of an answer; ``change`` is what an action changed, None without an action.

    ``outline`` is None for the usual outline of the view.
    """

    record: TabRecord
    view: PageView
    header: str
    remarks: Sequence[str]
    change: Delta | None
    max_chars: int
    outline: Outline | None = None

    def write(self, detail: Detail, known: Collection[str] = ()) -> RenderedText:
        """Return the changes or the page; if nearly everything is new, the shorter of both.

        ``known`` are texts of sections that the answer has already.
        """
        change = self.change
        if change is None:
            return self._page("auto" if detail == "delta" else detail, known)
        is_minimal = detail == "minimal"
        text, is_cut = write_delta(
            change,
            self.header,
            self.remarks,
            keep=lambda lines: str(keep_lines(self.record, lines, self.max_chars)),
            max_chars=self.max_chars,
            is_minimal=is_minimal,
        )
        if change.is_replaced and not is_minimal:
            page = self._page("auto", known)
            if is_cut or len(page.text) <= len(text):
                return page
        return RenderedText(text, change.changes.ids, complete=not is_cut)

    def _page(self, detail: PageDetail, known: Collection[str]) -> RenderedText:
        budget = min(AUTO_CHARS, self.max_chars) if detail == "auto" else self.max_chars
        return render_page(
            self.outline or outline_of(self.record, self.view),
            detail,
            self.header,
            self.remarks,
            keep=lambda lines: str(keep_lines(self.record, lines, budget)),
            known={*self.record.session.sections, *known},
            max_chars=self.max_chars,
        )


def text_answer(
    record: TabRecord,
    look: Look,
    news: News,
    extras: Mapping[str, Any],
    *,
    with_changes: bool,
    max_chars: int,
    outline: Outline | None = None,
) -> TextAnswer:
    """Return the parts of an answer; ``extras`` are further keys of the tool."""
    change = find_delta(record, look) if with_changes else None
    look = _without_shown_messages(look) if change is not None else look
    view, status = look.snapshot.view, {**look.extras, **extras}.get("status")
    return TextAnswer(
        record,
        view,
        write_header(
            record.id,
            view,
            record.news.current.view,
            status,
            redact=record.session.hidden,
            requested=look.requested,
        ),
        page_remarks(record, look, news, extras, only_new=change is not None),
        change,
        max_chars,
        outline,
    )


def _without_shown_messages(look: Look) -> Look:
    """Return a look without the invalid fields whose new messages its changes show."""
    rows = look.extras.get("invalid")
    if not rows or look.before is None or look.before.document != look.snapshot.view.document:
        return look
    before, now = (
        {one.id: one.message for one in view.interactive if one.message}
        for view in (look.before, look.snapshot.view)
    )
    left = [
        row
        for row in rows
        if now.get(row["id"]) != row["message"] or before.get(row["id"]) == row["message"]
    ]
    extras = {name: value for name, value in look.extras.items() if name != "invalid"}
    return attrs.evolve(look, extras={**extras, "invalid": left} if left else extras)


def diff_text(
    record: TabRecord, before: PageView, after: PageView, scope: DiffScope, *, max_chars: int
) -> RenderedText:
    """Return the changes between two views, also of two documents; or the page, if shorter."""
    header = write_header(record.id, after, record.news.current.view, redact=record.session.hidden)
    change = compare_views(record, before, after, scope=scope)
    is_other = before.document != after.document
    remarks = ("! the snapshot is of another document",) if is_other else ()
    return TextAnswer(record, after, header, remarks, change, max_chars).write("delta")


def keep_lines(
    record: TabRecord, lines: Sequence[Line] | Sequence[OutputLine] | Sequence[str], budget: int
) -> Cursor:
    """Store lines that are left out of an answer; return the cursor of the first.

    The next parts have as many characters as the answer could have: ``budget``.
    """
    return Cursor(record.lines.keep(lines, budget), "lines", 0)


def write_kept(line: Line | OutputLine | str) -> OutputLine:
    """Return a stored line for an answer."""
    if isinstance(line, OutputLine):
        return line
    return OutputLine(line if isinstance(line, str) else line.written)
