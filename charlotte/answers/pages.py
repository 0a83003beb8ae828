"""Answers about a page, and lists that are returned page by page."""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar, cast

import attrs

from charlotte.actors.dispatcher import TabHandle
from charlotte.actors.state.records import TabRecord
from charlotte.actors.state.sites import Edit
from charlotte.actors.tab.actor import BlockedByDialog, Look
from charlotte.answers.answer import Answer, Found, Page, Text, metadata_of, request_of, row_of
from charlotte.answers.answer_format import wants_text
from charlotte.answers.news import News, news_of
from charlotte.answers.remarks import (
    count_repeated,
    describe_refused,
    extra_remarks,
    partition_refused,
    write_dialog,
    write_tab,
)
from charlotte.answers.render import (
    Envelope,
    PageErrors,
    RenderedText,
    build_list,
    clip_value,
    cut_entry,
    render_view,
)
from charlotte.answers.text.outline import Outline
from charlotte.answers.text_answers import text_answer
from charlotte.base.errors import CharlotteError, InvalidArgument, ellipsize
from charlotte.page.model import Detail, PageView, compact_json, count_fitting, limit_texts

R = TypeVar("R")

_NOTHING: Any = None

_IMAGE = re.compile(r"\[(?:image|canvas|video) .*\d×\d+\]")
_IMAGES_ONLY = "The page has no text: use screenshot to see its images."

_SHARE = 8
_LEAST_SHARE = 200
"""The characters of each extra of an answer: an eighth of the answer, or this minimum."""

_LONGEST_URL = 200
_TRUNCATION = 120
"""Characters reserved for the truncation of a list."""


def page_answer(
    record: TabRecord,
    look: Look,
    detail: Detail,
    *,
    max_chars: int | None = None,
    extras: Mapping[str, Any] | None = None,
    kept: int | None = None,
    outline: Outline | None = None,
) -> Answer[Page]:
    """Return a page rendered at a detail, with the news of its tab; ``kept`` is for its cursors.

    ``outline`` is written in the text form, if it is not the usual one.
    """
    limit = max_chars or record.session.settings.max_chars
    is_whole = kept is None  # a part of a page is no page to compare with
    view = look.snapshot.view if is_whole else None
    if view is not None and _has_only_images(view):
        look = look.with_note(_IMAGES_ONLY)
    news = attrs.evolve(news_of(record), errors=look.errors.until, view=view)
    if wants_text():
        own = tuple(note for note in look.notes if note != look.earlier)
        shown = text_answer(
            record,
            attrs.evolve(look, notes=own, earlier=None),
            news,
            extras or {},
            with_changes=detail in {"delta", "minimal"},
            max_chars=limit,
            outline=outline,
        )
        written = shown.write(detail)
        news = attrs.evolve(news, sections=written.sections)
        answer = _finish(record, look, news, written, {**look.extras, **(extras or {})})
        return attrs.evolve(answer, shown=shown)
    notes = {"note": look.note, "unsettled": look.settled.unsettled if look.settled else None}
    extras = {**look.extras, **(extras or {})}
    is_delta = detail in {"delta", "minimal"} and look.delta is not None
    number = record.deltas.keep(look.delta.changes) if look.delta else None
    envelope = Envelope(
        snapshot_id=look.snapshot.id,
        timestamp=look.snapshot.timestamp,
        tab_id=record.id,
        errors=_errors(record, look, is_delta=is_delta),
        extras=limit_extras(
            {**extras, **news_as_json(news), **{key: text for key, text in notes.items() if text}},
            limit,
        ),
        delta=look.delta,
        delta_number=number,
        kept=kept,
    )
    rendered = render_view(look.snapshot.view, detail, envelope, max_chars=limit)
    if number is not None and rendered.complete:
        record.deltas.forget(number)
    return _finish(record, look, news, rendered, extras)


def _has_only_images(view: PageView) -> bool:
    """Return whether a page has images but no text: a game, a map, a scan."""
    named = view.headings or any(element.label for element in view.interactive)
    counts = (view.counts, *(landmark.counts for landmark in view.landmarks))
    is_drawn = not named and any(count.get("images") for count in counts)
    return is_drawn and all(_IMAGE.fullmatch(line.text) for line in view.lines)


def _finish(
    record: TabRecord, look: Look, news: News, rendered: RenderedText, extras: Mapping[str, Any]
) -> Answer[Page]:
    record.ids.note_shown(rendered.shown)
    record.ids.note_page_shown()
    metadata: dict[str, Any] = {"tab_id": record.id}
    if (settled := look.settled) is not None:
        metadata |= {"settled": settled.unsettled is None, "waited_for": settled.waited_for}
    return Answer(
        (Text(rendered.text, "lines" if wants_text() else "json"),),
        metadata,
        delivered=news.consume,
        news=news,
        value=build_page(news, look, rendered.text, extras),
    )


def _errors(record: TabRecord, look: Look, *, is_delta: bool) -> PageErrors:
    """Return the errors and warnings since they were cleared (C-ERR-07); for a delta, new ones."""
    heard = record.news.current.errors if is_delta else 0
    console = [
        (("level", one.level), ("text", one.text))
        for one in look.errors.all_console
        if one.number > heard
    ]
    network = [
        (("url", one.url), ("status", one.status), ("statusText", one.error or one.status_text))
        for one in look.errors.all_failed
        if one.failure > heard
    ]
    return PageErrors(_counted(console), _counted(network))


def _counted(rows: Iterable[tuple[tuple[str, Any], ...]]) -> list[dict[str, Any]]:
    counts = count_repeated(rows).items()
    return [dict(row) | ({"count": count} if count > 1 else {}) for row, count in counts]


def list_refusals(record: TabRecord, since: int, number: int) -> list[str]:
    """Return the requests that a barrier refused: failures and requests after two numbers."""
    log = record.request_log
    held = [
        f"{request.method} {ellipsize(request.url.partition('?')[0], _LONGEST_URL)} {error}"
        for request in log.records.values()
        if request.number > number and (error := log.refusal_of(request)) is not None
    ]
    refused, _ = partition_refused(log.errors_since(since))
    return [*held, *([describe_refused(refused)] if refused else [])]


def build_page(
    news: News, look: Look, text: str, extras: Mapping[str, Any] = MappingProxyType({})
) -> Page:
    """Return the complete answer as an object for programs."""
    view, record = look.snapshot.view, news.record
    others = dict(extras)
    if news.edits:
        others["reload_event"] = reload_event(news.edits)
    return Page(
        tab_id=record.id,
        url=view.url,
        title=view.title,
        answer_text=text,
        view=view,
        snapshot_id=look.snapshot.id,
        timestamp=look.snapshot.timestamp,
        delta=look.delta,
        status=others.pop("status", None),
        dialog=record.dialog,
        unsettled=look.settled.unsettled if look.settled else None,
        note=look.note,
        errors=tuple(record.console_log.errors_since(look.since)),
        failed=tuple(map(request_of, record.request_log.errors_since(look.since))),
        notices=tuple(news.notices),
        opened_tabs=tuple(map(row_of, news.opened)),
        downloads=tuple(attrs.evolve(one) for one in news.downloads),
        extras=others,
    )


def with_page(error: CharlotteError, answer: Answer[Page]) -> CharlotteError:
    """Add the page of an answer to the details of an error, which reports its news instead."""
    page = answer.text if wants_text() else json.loads(answer.text)
    error.details = {**(error.details or {}), "page": page}
    error.delivered = answer.delivered
    return error


def page_without_view(record: TabRecord, text: str) -> Page:
    """Return an answer without the page itself as an object for programs."""
    return Page(tab_id=record.id, url=record.url, title=record.title, answer_text=text)


def rendered_answer(record: TabRecord, rendered: RenderedText, value: R) -> Answer[R]:
    """Return an answer with a list, or with the rest of a list or page."""
    return Answer((Text(rendered.text, "json"),), {"tab_id": record.id}, value=value)


def json_answer(body: Any, value: R = _NOTHING, **metadata: Any) -> Answer[R]:
    """Return an answer with a JSON value as text, and its value for programs."""
    return Answer((Text(compact_json(body), form="json"),), metadata, value=value)


def lines_answer(lines: Iterable[str], value: R = _NOTHING, **metadata: Any) -> Answer[R]:
    """Return an answer in the text form, and its value for programs."""
    return Answer((Text("\n".join(lines)),), metadata, value=value)


def success(tab: TabHandle, action: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the envelope of a successful call."""
    metadata = metadata_of(tab.record.id, tab.begun)
    return {"success": True, "action": action, "data": data, "metadata": metadata}


def nested_answer(head: Mapping[str, Any], name: str, answer: Answer[Page]) -> Answer[Page]:
    """Return one JSON object: ``head`` and, under ``name``, the JSON of ``answer``.

    In text, the head follows the answer as remarks.
    """
    if wants_text():
        remarks = extra_remarks(head)
        text = "\n".join([answer.text, *remarks])
        if (shown := answer.shown) is not None:
            shown = attrs.evolve(shown, remarks=[*shown.remarks, *remarks])
            answer = attrs.evolve(answer, shown=shown)
    else:
        text = f"{compact_json(head)[:-1]},{compact_json(name)}:{answer.text}}}"
    extras = {**answer.value.extras, **head}
    value = attrs.evolve(answer.value, answer_text=text, extras=extras)
    block = Text(text, "lines" if wants_text() else "json")
    return attrs.evolve(answer, blocks=(block,), value=value)


def dialog_answer(record: TabRecord) -> Answer[Page]:
    """Return the answer in place of a page that a dialog blocks (C-REND-05)."""
    dialog = record.dialog
    if wants_text():
        lines = [write_tab(record)]
        lines += [write_dialog(dialog, record.session.hidden)] if dialog else []
        answer: Answer[Any] = lines_answer(lines, tab_id=record.id)
    else:
        row = record.row()
        body = {"url": row["url"], "title": row["title"], "tab_id": record.id}
        body |= {"pending_dialog": dialog.as_json()} if dialog else {}
        answer = json_answer(body, tab_id=record.id)
    page = attrs.evolve(page_without_view(record, answer.text), dialog=dialog)
    return attrs.evolve(answer, value=page)


def nothing_while_dialog(record: TabRecord) -> Answer[Found]:
    """Return no elements, and the dialog; in JSON as the only entry of the list."""
    stub = dialog_answer(record)
    nothing = Found(tab_id=record.id, items=(), total=0, dialog=record.dialog)
    if wants_text():
        return Answer(stub.blocks, stub.metadata, value=nothing)
    return json_answer([{"type": "dialog", **json.loads(stub.text)}], nothing, **stub.metadata)


def blocked_answer(
    error: BlockedByDialog, blocked: Callable[[TabRecord], Answer[Any]] | None = None
) -> Answer[Any]:
    """Return the answer of a tool whose page a dialog blocks.

    A tool without a ``blocked`` answer fails with the error if it has not begun.
    """
    if blocked is None and error.opened_before:
        raise error
    return (blocked or dialog_answer)(error.record)


def news_as_json(news: News) -> dict[str, Any]:
    """Return what happened since the last answer as keys of an answer."""
    error = news.record.error_note
    keys: dict[str, Any] = {"error_page": error} if error else {}
    if held := news.record.waiting_for_people:
        keys["held"] = held
    if news.notices:
        left_out = [f"{news.left_out} earlier notices were left out."] if news.left_out else []
        keys["notices"] = [*left_out, *news.notices]
    if news.opened:
        keys["opened_tabs"] = [
            {"id": tab.id, "url": tab.shown[0]}
            | ({} if tab.id in tab.session.tabs else {"closed": True})
            for tab in news.opened
        ]
    if news.edits:
        keys["reload_event"] = reload_event(news.edits)
    if news.downloads:
        keys["downloads"] = [one.row() for one in news.downloads]
    if news.offered:
        keys["page_tools"] = len(news.offered)
    return keys


def limit_extras(extras: Mapping[str, Any], max_chars: int) -> dict[str, Any]:
    """Return the extras of an answer, each cut to its share of the characters.

    Of a list, the last rows stay, and ``left_out`` counts the others.
    """
    room = max(max_chars // _SHARE, _LEAST_SHARE)
    left_out: dict[str, int] = {}
    shown: dict[str, Any] = {}
    for name, value in extras.items():
        shown[name] = value
        if isinstance(value, str) and len(value) > room:
            shown[name] = ellipsize(value, room)
        elif isinstance(value, list):
            rows = [clip_value(row, room // 2) for row in cast("list[object]", value)]
            count = count_fitting(map(compact_json, reversed(rows)), room)
            shown[name] = rows[len(rows) - max(count, 1) :]
            if more := len(rows) - len(shown[name]):
                left_out[name] = more
    return shown | ({"left_out": left_out} if left_out else {})


def limit_value(name: str, value: Any, room: int) -> dict[str, Any]:
    """Return a value under a name, or the beginning of its text or JSON with its length."""
    text = value if isinstance(value, str) else compact_json(value)
    if len(compact_json(value)) <= room:
        return {name: value}
    size = min(len(text), room)
    while len(compact_json(part := ellipsize(text, size))) > room and size:
        size = size * 3 // 4
    return {name: part, "truncation": cut_entry(name, len(text), len(part))}


def reload_event(edits: Sequence[Edit]) -> dict[str, Any]:
    """Return the changed files that reloaded the page since the last answer (C-PR-31)."""
    files = dict.fromkeys(file for edit in edits for file in edit.files)
    return {
        "trigger": "file_change",
        "files_changed": limit_texts([*files]),
        "timestamp": edits[-1].timestamp,
    }


def position(cursor: str) -> int:
    """Return the number that a cursor consists of; raises `InvalidArgument`."""
    if re.fullmatch("[0-9]{1,9}", cursor) is None:
        raise InvalidArgument(
            f"cursor must be a next_cursor of a truncation, got {ellipsize(cursor, 60)!r}.",
            "Pass a next_cursor exactly as an answer contains it.",
        )
    return int(cursor)


def rows_from(
    name: str, rows: list[dict[str, Any]], cursor: str | None, max_chars: int
) -> dict[str, Any]:
    """Return ``rows`` from ``cursor`` on, under their name: as many as fit, and a next cursor."""
    part = build_list(
        name, rows, dict, room=max_chars - _TRUNCATION, offset=position(cursor or "0")
    )
    if not part.is_cut:
        return {name: part.items}
    return {name: part.items, "truncation": cut_entry(name, part.total, len(part.items), part.end)}
