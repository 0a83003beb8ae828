"""Lines of Charlotte's own in text answers: errors, notes, and what happened beside the page.

They begin with ``! `` or ``error ``. No text of a page can start a line of its own in them. Secrets
are hidden before a text is cut, because a part of a secret would not be recognized.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from charlotte.actors.state.events import PendingDialog
from charlotte.actors.state.logs import RequestRecord
from charlotte.actors.state.owner_tabs import OwnerTab
from charlotte.actors.state.records import TabRecord
from charlotte.actors.tab.actor import Look
from charlotte.answers.news import News
from charlotte.base.errors import LONGEST, SNAPSHOT_ADVICE, CharlotteError, ellipsize
from charlotte.guard.host_patterns import place_of
from charlotte.guard.url_guard import REFUSED
from charlotte.page.model import compact_json, count_fitting
from charlotte.page.tokens import plural, quote, write_address, write_line, write_size

LONGEST_REMARK = 120
"""Characters of a remark that quotes the page's errors, files or addresses."""

_LONGEST_NOTE = 600
_LONGEST_ERROR = 96
_SHARE = 4
"""The remarks take at most a quarter of an answer."""

_MOST_ERRORS = 3
"""Distinct errors of one kind that are listed; `console` and `requests` list all."""

_MOST_HOSTS = 8
"""Hosts that the line of refused requests names; `requests` lists all."""

_REPEATED = {"unmet", "x", "y", "viewport"}
"""Details that the message or the suggestion also has."""

_IN_HEADER = {"status", "url", "title"}


def write_remark(text: str, limit: int = LONGEST_REMARK) -> str:
    """Return the line of a remark, cut to ``limit`` characters."""
    return f"! {ellipsize(write_line(text), limit)}"


def write_error(error: CharlotteError) -> str:
    """Return the lines of an error: code and message, then what to do next, then details."""
    lines = [f"error {error.code}: {write_line(ellipsize(error.message, LONGEST))}"]
    suggestion = error.suggestion or ""
    for advice in SNAPSHOT_ADVICE:
        suggestion = suggestion.removeprefix(advice)
    if suggestion:
        lines.append(write_remark(suggestion, LONGEST))
    details = error.details or {}
    if shown := {name: details[name] for name in details if name not in {*_REPEATED, "page"}}:
        lines.append(f"! details: {write_line(compact_json(shown))}")
    if isinstance(page := details.get("page"), str):
        lines += ["! the page:", page]
    return "\n".join(lines)


def page_remarks(
    record: TabRecord, look: Look, news: News, extras: Mapping[str, Any], *, only_new: bool
) -> list[str]:
    """Return all remarks of an answer about a page, the most important first.

    ``extras`` are those of the look and of the tool. With ``only_new``, errors that an earlier
    answer reported are left out.
    """
    unsettled = look.settled.unsettled if look.settled else None
    settings = record.session.settings
    lines = [
        *extra_remarks(settings.secrets.hidden_in({**look.extras, **extras})),
        *(write_remark(note, _LONGEST_NOTE) for note in (look.note, unsettled) if note),
        *news_remarks(news),
        *error_remarks(record, look, only_new=only_new),
    ]
    shown = fit_lines(
        [settings.secrets.hidden(line) for line in lines], settings.max_chars // _SHARE
    )
    more = len(lines) - len(shown)
    left_out = [f"! {more} more {plural(more, 'remark')} left out"] if more else []
    return [*shown, *left_out]


def fit_lines(lines: Sequence[str], room: int) -> list[str]:
    """Return the first lines that fit into ``room`` characters, at least one, cut if necessary."""
    count = count_fitting(lines, room)
    return [*lines[:count]] or [ellipsize(line, room) for line in lines[:1]]


def write_tab(record: TabRecord, states: Sequence[str] = ()) -> str:
    """Return the line of a tab: id, title, URL, and its states in brackets."""
    listed = f" [{', '.join(states)}]" if states else ""
    row = record.row()
    return f"{record.id} {quote(row['title'])} {write_address(row['url'], limit=LONGEST)}{listed}"


def write_adoptable(tab: OwnerTab, hidden: Callable[[str], str]) -> str:
    """Return the line of a tab that the browser's owner has granted; ``hidden`` redacts secrets."""
    row = tab.row(hidden)
    # the browser shows an address without its scheme as the title of a page without one
    title = "" if row["url"].endswith(row["title"]) else f"{quote(row['title'])} "
    return f"{tab.id} {title}{write_address(row['url'], limit=LONGEST)}"


def tab_states(record: TabRecord) -> list[str]:
    """Return what `tabs` reports of a tab beside its title and URL."""
    row = record.row()
    states = [name for name in ("active", "loading", "crashed", "hung") if row.get(name)]
    if row.get("person"):
        states.append("a person works in it")
    if row.get("waits_for_person"):
        states.append("waits for a person")
    if record.error_page:
        states.append(f"error page {record.error_page}")
    if record.adopted is not None:
        shared = ", another program is attached to it: an agent or developer tools"
        states.append(f"adopted{shared if record.adopted.is_debugged else ''}")
    elif "context" in row:
        states.append(f"context {quote(row['context'])}")
    if record.dialog:
        message = quote(ellipsize(record.session.hidden(record.dialog.message), LONGEST_REMARK))
        states.append(f"{record.dialog.type} dialog {message}")
    return states


# ---------------------------------------------------------------------------- errors of pages


def error_remarks(record: TabRecord, look: Look, *, only_new: bool) -> list[str]:
    """Return the console errors and failed requests of the document, equal ones counted.

    The request of the document itself is left out if the header or a remark has its result.
    """
    heard = record.news.current.errors if only_new else 0
    hidden, page_url = record.session.hidden, look.snapshot.view.url
    document = hidden(page_url.partition("#")[0])  # as requests are logged
    console = [
        hidden(message.text).lstrip().partition("\n")[0]  # without the stack
        for message in look.errors.console
        if message.number > heard
    ]
    refused, failed = partition_refused(
        request
        for request in look.errors.failed
        if request.failure > heard
        if request.url != document
        or (record.error_page is None and request.status != look.extras.get("status"))
    )
    texts = [
        f"{'' if request.method == 'GET' else f'{request.method} '}"
        f"{request.status or request.error or 'failed'} "
        f"{hidden(write_address(request.url, page_url))}"
        for request in failed
    ]
    return [
        *([write_remark(describe_refused(refused), _LONGEST_NOTE)] if refused else []),
        *_counted("console error", console, "console{level: error}"),
        *_counted("failed request", texts, "requests{failed: true}"),
    ]


def partition_refused(
    requests: Iterable[RequestRecord],
) -> tuple[Sequence[RequestRecord], Sequence[RequestRecord]]:
    """Return the requests that were refused by ``--only-host``, and the others."""
    refused, failed = list[RequestRecord](), list[RequestRecord]()
    for request in requests:
        (refused if REFUSED in (request.error or "") else failed).append(request)
    return refused, failed


def describe_refused(requests: Sequence[RequestRecord]) -> str:
    """Return one line for all refused requests, with their hosts."""
    places = [place_of(request.url) for request in requests]
    hosts = Counter(host if port in {80, 443} else f"{host}:{port}" for host, port in places)
    named = [f"{host} ({count})" if count > 1 else host for host, count in hosts.items()]
    listed = ", ".join(named[:_MOST_HOSTS])
    more = f" and {len(named) - _MOST_HOSTS} more" if len(named) > _MOST_HOSTS else ""
    return f"{REFUSED}: {listed}{more}"


def count_repeated(values: Iterable[Any]) -> dict[Any, int]:
    """Return the numbers of equal values, in the order of their last occurrences."""
    counts: dict[Any, int] = {}
    for value in values:
        counts[value] = counts.pop(value, 0) + 1
    return counts


def _counted(kind: str, texts: Sequence[str], tool: str) -> Iterator[str]:
    """Return the last distinct texts with their numbers, and a line that counts the others."""
    counts = count_repeated(ellipsize(write_line(text), _LONGEST_ERROR) for text in texts)
    shown = [*counts.items()][-_MOST_ERRORS:]
    if more := len(texts) - sum(count for _, count in shown):
        yield f"! {more} more {plural(more, kind)}: {tool}"
    for line, count in shown:
        yield f"! {kind}{f', {count} times' if count > 1 else ''}: {line}"


# ---------------------------------------------------------------------------- events and extras


def news_remarks(news: News) -> list[str]:
    """Return the notices, opened tabs, reloads and downloads since the last answer."""
    hidden = news.record.session.hidden
    error = news.record.error_note
    lines = [f"! error page: {error}"] if error else []
    lines += [f"! waits for a person: {text}" for text in news.record.waiting_for_people]
    if news.left_out:
        lines.append(f"! {news.left_out} earlier notices were left out.")
    lines += [write_remark(hidden(notice), _LONGEST_NOTE) for notice in news.notices]
    for tab in news.opened:
        did = "opened" if tab.id in tab.session.tabs else "opened and closed"
        url, title = map(hidden, tab.shown)
        shown = quote(ellipsize(title, LONGEST_REMARK))
        lines.append(f"! {tab.id} {did}: {shown} {write_address(url)}")
    if files := dict.fromkeys(file for edit in news.edits for file in edit.files):
        lines.append(write_remark(f"reloaded after changes of {', '.join(files)}", _LONGEST_NOTE))
    for download in news.downloads:
        row = download.row()
        path = row.get("path")
        place = f": {write_line(path)}" if path else f" from {write_address(hidden(row['url']))}"
        size = f", {write_size(row['bytes'])}" if row["bytes"] else ""
        state = row["state"].replace("_", " ")
        lines.append(f"! download {quote(row['name'])} {state}{size}{place}")
    if news.offered:
        count = len(news.offered)
        lines.append(f"! {count} page {plural(count, 'tool')}: page_tools")
    return lines


def write_dialog(dialog: PendingDialog, hidden: Callable[[str], str] = str) -> str:
    """Return the remark about the dialog that blocks a page; ``hidden`` hides secrets."""
    message = quote(ellipsize(hidden(dialog.message), LONGEST))
    default = dialog.default_value
    typed = "" if default is None else f" (default {quote(ellipsize(hidden(default), LONGEST))})"
    parameters = "accept, prompt_text" if dialog.type == "prompt" else "accept"
    return (
        f"! {dialog.type} dialog {message}{typed} blocks the page: answer it with "
        f"dialog{{{parameters}}}"
    )


def extra_remarks(extras: Mapping[str, Any]) -> list[str]:
    """Return the lines of further parts of an answer: form errors, a scroll position, …."""
    lines: list[str] = []
    envelope = extras.get("data") if "success" in extras else None
    if envelope is not None:
        lines.append(f"! {_describe_point_action(extras['action'], envelope)}")
    known = {"success", "action", "data", "metadata", *_IN_HEADER}
    for name, value in extras.items():
        if name in known:
            continue
        if describe := _DESCRIBE.get(name):
            lines += [f"! {line}" for line in describe(value)]
        else:
            lines.append(f"! {name.replace('_', ' ')}: {write_line(compact_json(value))}")
    return lines


def _describe_point_action(action: str, data: Mapping[str, Any]) -> str:
    if at := data.get("coordinates_used"):
        return f"{action} at {at['x']},{at['y']}"
    if "node_id" in data:
        done = "scrolled into view" if data["scrolled"] else "was in view"
        return f"{data['node_id']} {done}"
    return f"{action} done"


def _describe_invalid(rows: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Return a line for the fields with each reason why the browser does not submit the form."""
    fields: dict[str, list[str]] = {}
    for row in rows:
        name = f" {quote(ellipsize(row['name'], LONGEST_REMARK))}" if row.get("name") else ""
        use = f" (use {row['use']})" if row.get("use") else ""
        message = ellipsize(write_line(row["message"]), LONGEST_REMARK)
        fields.setdefault(message, []).append(f"{row['id'] or 'a hidden field'}{name}{use}")
    for message, names in fields.items():
        yield f"invalid: {', '.join(names)}: {message}"


def _describe_scroll(position: Mapping[str, float]) -> Iterator[str]:
    """Return the position and extent of a scroller, without an axis that cannot scroll."""
    axes = [
        f"{axis} {position[axis]} of {position[f'max_{axis}']}"
        for axis in ("x", "y")
        if position.get(f"max_{axis}")
    ]
    yield f"scrolled to {', '.join(axes)}" if axes else "nothing to scroll"


def _describe_handled(dialog: Mapping[str, str]) -> Iterator[str]:
    message = quote(ellipsize(dialog["message"], LONGEST_REMARK))
    yield f"{dialog['type']} dialog {message} {dialog['action']}"


def _describe_device(device: Mapping[str, Any]) -> Iterator[str]:
    """Return the settings of a device, without the size, which the header has."""
    facts = [
        name.replace("_", " ") if value is True else f"{name.replace('_', ' ')} {value}"
        for name, value in device.items()
        if name not in {"width", "height"}
    ]
    if facts:
        yield ellipsize(write_line(f"device: {', '.join(facts)}"), _LONGEST_NOTE)


def _describe_served(site: Mapping[str, Any]) -> Iterator[str]:
    watched = ", reloaded after changes" if site["watch"] else ""
    yield f"{site['url']} serves {write_line(site['path'])}{watched}"


_DESCRIBE: Mapping[str, Callable[[Any], Iterable[str]]] = {
    "invalid": _describe_invalid,
    "scroll": _describe_scroll,
    "dialog_handled": _describe_handled,
    "device": _describe_device,
    "serving": _describe_served,
    "warnings": lambda texts: [ellipsize(write_line(text), _LONGEST_NOTE) for text in texts],
    "download": lambda url: [f"the address is a download: {write_address(url)}"],
}
