"""Errors, notes and events as lines of text answers."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.actors.state.events import PendingDialog
from charlotte.actors.state.logs import ConsoleMessage, Download, RequestRecord
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.actors.state.sites import Edit
from charlotte.actors.state.snapshots import Snapshot
from charlotte.actors.tab.actor import DocumentErrors, Look
from charlotte.answers.news import news_of
from charlotte.answers.remarks import (
    error_remarks,
    extra_remarks,
    fit_lines,
    news_remarks,
    page_remarks,
    tab_states,
    write_dialog,
    write_error,
    write_tab,
)
from charlotte.base.errors import DeadlineExceeded, ElementNotFound, InvalidCoordinates
from charlotte.secrets.redaction import Secrets
from tests.page.pages import Page, view_of

AT = "2026-01-02T10:20:30.400Z"


@pytest.fixture
def record() -> TabRecord:
    session = SessionRecord("session-1")
    tab = TabRecord("tab-1", session, url="http://a.test/page", title="Shop")
    session.add(tab)
    return tab


def console(*texts: str) -> list[ConsoleMessage]:
    return [ConsoleMessage("error", text, AT, number) for number, text in enumerate(texts, 1)]


def request(number: int, **values: Any) -> RequestRecord:
    known: dict[str, Any] = {
        "url": "http://a.test/x",
        "method": "GET",
        "resource_type": "fetch",
        "status": 404,
    }
    return RequestRecord(timestamp=AT, number=number, failure=number, **{**known, **values})


# ---------------------------------------------------------------------------- errors


def test_an_error_has_its_code_and_message_and_then_what_to_do() -> None:
    error = ElementNotFound("No element btn-0000\non tab-1.", "Call find.")
    assert write_error(error).split("\n") == [
        "error ELEMENT_NOT_FOUND: No element btn-0000 on tab-1.",
        "! Call find.",
    ]


def test_details_of_an_error_are_one_line_and_a_page_follows() -> None:
    outside = InvalidCoordinates("Outside.", "x: 0 to 9.", {"x": {"min": 0}, "by": "a\u202eb"})
    assert write_error(outside).split("\n") == [
        "error INVALID_COORDINATES: Outside.",
        "! x: 0 to 9.",
        '! details: {"by":"a\\u202eb"}',
    ]
    late = DeadlineExceeded("Late.", None, {"unmet": ["text 'a'"], "page": "tab-1\n+ Saved."})
    assert write_error(late).split("\n") == [
        "error TIMEOUT: Late.",
        "! the page:",
        "tab-1",
        "+ Saved.",
    ]


# ---------------------------------------------------------------------------- errors of pages


def test_equal_errors_of_a_page_are_counted(record: TabRecord) -> None:
    errors = DocumentErrors(console(*["TypeError: x"] * 3, "other\n at a.js"), [])
    assert _errors(record, errors) == [
        "! console error, 3 times: TypeError: x",
        "! console error: other",
    ]


def test_a_failed_request_has_its_result_and_address(record: TabRecord) -> None:
    lost = request(2, url="http://b.test/y", method="POST", status=0, error="net::ERR_FAILED")
    assert _errors(record, DocumentErrors([], [request(1), lost])) == [
        "! failed request: 404 /x",
        "! failed request: POST net::ERR_FAILED http://b.test/y",
    ]


def test_the_request_of_the_document_is_left_out_if_its_status_is_in_the_header(
    record: TabRecord,
) -> None:
    errors = DocumentErrors([], [request(1, url="http://a.test/page", resource_type="document")])
    assert _errors(record, errors) == ["! failed request: 404 /page"]
    look = _look(errors=errors, extras={"status": 404})
    assert error_remarks(record, look, only_new=False) == []


def test_the_last_errors_are_listed_and_the_others_counted(record: TabRecord) -> None:
    errors = DocumentErrors(console(*map(str, range(10))), [])
    assert _errors(record, errors) == [
        "! 7 more console errors: console{level: error}",
        "! console error: 7",
        "! console error: 8",
        "! console error: 9",
    ]


def test_errors_that_were_reported_are_left_out_of_changes(record: TabRecord) -> None:
    record.news.everyone.errors = 1
    errors = DocumentErrors(console("old", "new"), [request(1), request(2, status=500)])
    assert _errors(record, errors, only_new=True) == [
        "! console error: new",
        "! failed request: 500 /x",
    ]
    assert len(_errors(record, errors)) == 4


def _errors(record: TabRecord, errors: DocumentErrors, *, only_new: bool = False) -> list[str]:
    return error_remarks(record, _look(errors=errors), only_new=only_new)


def _look(**values: Any) -> Look:
    view = view_of(Page(url="http://a.test/page").capture())
    return Look(Snapshot(1, AT, view), **values)


# ---------------------------------------------------------------------------- events and extras


def test_news_of_a_tab_are_lines(record: TabRecord) -> None:
    record.notify(["The alert dialog 'a\\nb' was accepted."])
    popup = TabRecord("tab-2", record.session, url="http://a.test/p q", title='A "popup"')
    record.session.add(popup)
    closed = TabRecord("tab-3", record.session)
    record.news.add(popup)
    record.news.add(closed)
    record.news.add(Edit(("index.html", "a.css"), AT))
    record.news.add(
        Download("http://a.test/f", "report.pdf", "completed", 1234, Path("/out/report.pdf"))
    )
    assert news_remarks(news_of(record)) == [
        "! The alert dialog 'a\\nb' was accepted.",
        '! tab-2 opened: "A \\"popup\\"" http://a.test/p%20q',
        '! tab-3 opened and closed: "" about:blank',
        "! reloaded after changes of index.html, a.css",
        '! download "report.pdf" completed, 1.2 kB: /out/report.pdf',
    ]


@pytest.mark.parametrize(
    ("extras", "expected"),
    [
        ({"status": 404}, []),
        (
            {"scroll": {"x": 0, "y": 600, "max_x": 0, "max_y": 2400}},
            ["! scrolled to y 600 of 2400"],
        ),
        ({"scroll": {"x": 0, "y": 0, "max_x": 0, "max_y": 0}}, ["! nothing to scroll"]),
        ({"invalid": [{"id": "inp-1", "message": "Fill\nit."}]}, ["! invalid: inp-1: Fill it."]),
        (
            {"invalid": [{"id": f"inp-{number}", "message": "Fill it."} for number in (1, 2)]},
            ["! invalid: inp-1, inp-2: Fill it."],
        ),
        (
            {"invalid": [{"id": None, "message": "No.", "name": "Town", "use": "btn-1"}]},
            ['! invalid: a hidden field "Town" (use btn-1): No.'],
        ),
        ({"warnings": ["One.", "Two."]}, ["! One.", "! Two."]),
        (
            {"dialog_handled": {"type": "alert", "message": "Hi", "action": "accepted"}},
            ['! alert dialog "Hi" accepted'],
        ),
        ({"device": {"width": 375}}, []),
        (
            {"device": {"width": 375, "mobile": True, "color_scheme": "dark"}},
            ["! device: mobile, color scheme dark"],
        ),
        (
            {"serving": {"url": "http://a.test/", "path": "/site", "watch": True}},
            ["! http://a.test/ serves /site, reloaded after changes"],
        ),
        ({"other_thing": {"a": [1]}}, ['! other thing: {"a":[1]}']),
        (
            {
                "success": True,
                "action": "click",
                "data": {"coordinates_used": {"x": 3, "y": 4}, "action_timestamp": AT},
                "metadata": {},
            },
            ["! click at 3,4"],
        ),
        (
            {
                "success": True,
                "action": "scroll",
                "data": {"node_id": "btn-1", "scrolled": False, "new_viewport_position": {}},
            },
            ["! btn-1 was in view"],
        ),
    ],
)
def test_further_parts_of_an_answer_are_lines(extras: Any, expected: list[str]) -> None:
    assert extra_remarks(extras) == expected


def test_an_answer_has_all_remarks_in_order(record: TabRecord) -> None:
    record.notify(["A notice."])
    look = _look(
        notes=("A note.",),
        errors=DocumentErrors(console("x"), []),
        extras={"invalid": [], "status": 200},
    )
    extras = {"warnings": ["Careful."]}
    lines = page_remarks(record, look, news_of(record), extras, only_new=False)
    assert lines == ["! Careful.", "! A note.", "! A notice.", "! console error: x"]


def test_a_secret_is_hidden_before_a_text_is_cut(record: TabRecord) -> None:
    secret = "correct horse battery"  # noqa: S105
    record.session.settings.secrets = Secrets.of({"PIN": secret})
    long = f"{'x' * 90} {secret} {'y' * 2000}"
    record.dialog = PendingDialog("alert", long.replace("x", "xx", 20), AT)
    record.news.add(TabRecord("tab-2", record.session, title=long, url=f"http://a.test/{long}"))
    look = _look(
        errors=DocumentErrors(console(long), [request(1, url=f"http://a.test/{long}")]),
        extras={"invalid": [{"id": "inp-1", "message": long}]},
    )
    lines = page_remarks(record, look, news_of(record), {}, only_new=False)
    assert len(lines) == 4
    for line in [*lines, *tab_states(record), write_dialog(record.dialog, record.session.hidden)]:
        assert "corr" not in line


HOSTILE = st.text(
    st.sampled_from('a "[]|!#~+-*…\n\r\t\x0b\x1b\x85\u2028\u2029\u200b\u202e\u2066\ufeff\ud800')
)


@given(HOSTILE)
def test_no_text_of_a_page_starts_a_line_or_hides_in_one(text: str) -> None:
    record = TabRecord("tab-1", SessionRecord("session-1"), title=text, url=f"http://a.test/{text}")
    record.dialog = PendingDialog("prompt", text, AT, text)
    record.notify([text])
    record.news.add(record)
    record.news.add(Download(text, text))
    look = _look(
        errors=DocumentErrors(console(text), [request(1, url=text, method=text)]),
        extras={"invalid": [{"id": None, "message": text, "name": text}], "download": text},
        notes=(text,),
    )
    extras = {
        "warnings": [text],
        "dialog_handled": dict.fromkeys(("type", "message", "action"), ""),
    }
    lines = page_remarks(record, look, news_of(record), extras, only_new=False)
    error = write_error(ElementNotFound(text, text, {"name": text})).split("\n")
    lines += [*error[1:], write_dialog(record.dialog)]
    assert all(line.startswith("! ") for line in lines)
    for line in [*lines, error[0], write_tab(record, tab_states(record))]:
        assert line.splitlines() == [line]
        assert not {*line} & {*"\x1b\u200b\u202e\u2066\ufeff"}


def test_remarks_take_at_most_a_quarter_of_an_answer(record: TabRecord) -> None:
    record.session.settings.max_chars = 1000
    extras = {"warnings": [f"{number} {'x' * 100}" for number in range(9)]}
    *lines, last = page_remarks(record, _look(), news_of(record), extras, only_new=False)
    assert [line[:4] for line in lines] == ["! 0 ", "! 1 "]
    assert last == "! 7 more remarks left out"


# ---------------------------------------------------------------------------- lists


def test_a_tab_is_one_line_with_its_states(record: TabRecord) -> None:
    assert write_tab(record, tab_states(record)) == 'tab-1 "Shop" http://a.test/page [active]'
    record.loading, record.title = True, "a\nb"
    record.dialog = PendingDialog("confirm", "Really?", AT)
    states = tab_states(record)
    assert states == ["active", "loading", 'confirm dialog "Really?"']
    assert write_tab(record, states).startswith('tab-1 "a\\nb" http://a.test/page [active, ')


def test_lines_are_fitted_but_one_is_always_there() -> None:
    assert fit_lines(["abc", "def"], 8) == ["abc", "def"]
    assert fit_lines(["abc", "def"], 7) == ["abc"]
    assert fit_lines(["abcdef"], 3) == ["abc…"]
    assert fit_lines([], 3) == []
