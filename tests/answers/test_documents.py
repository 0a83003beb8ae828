"""Answers in JSON are one document; the format is that of a session, a call or a step."""

import json
from typing import Any

import pytest

from charlotte.answers.answer import Answer, Image, Text
from charlotte.answers.answer_format import answering_in, take_format, wants_text
from charlotte.base.errors import InvalidArgument
from charlotte.tools.observe import CONTROLS

NOTE = 'net::ERR "x"; back returns to the previous page'
IMAGE = Image("QQ==", "image/png")
CUT = {"type": "truncation", "total": 2, "returned": 1}
PAGE = Text('[1] "a page"', form="page")


def json_text(value: Any) -> Text:
    return Text(json.dumps(value), form="json")


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ((json_text([1]),), [1]),
        ((json_text({"a": 1}), IMAGE), {"a": 1}),
        ((PAGE, json_text({"tab_id": "tab-1"})), {"text": PAGE.text, "tab_id": "tab-1"}),
        ((Text("one line"),), "one line"),
        ((PAGE, Text("! a remark")), f"{PAGE.text}\n! a remark"),
    ],
)
def test_the_document_of_an_answer_is_valid_json(blocks: Any, expected: Any) -> None:
    assert json.loads(Answer(blocks).document) == expected


@pytest.mark.parametrize(
    ("blocks", "expected"),
    [
        ((json_text({"a": 1}), IMAGE), {"a": 1, "error_page": NOTE}),
        ((json_text([{"id": "a"}]),), [{"id": "a"}, {"type": "error_page", "text": NOTE}]),
        (
            (json_text([{"id": "a"}, CUT]),),
            [{"id": "a"}, {"type": "error_page", "text": NOTE}, CUT],
        ),
        ((PAGE, json_text({})), {"text": PAGE.text, "error_page": NOTE}),
        ((json_text({"error_page": NOTE}),), {"error_page": NOTE}),
    ],
)
def test_the_note_of_an_error_page_is_a_part_of_the_document(blocks: Any, expected: Any) -> None:
    answer = Answer(blocks).with_error_page(NOTE)

    assert len(answer.blocks) == len(blocks)
    assert json.loads(answer.document) == expected


def test_the_note_of_an_error_page_is_a_line_of_the_text_form() -> None:
    with answering_in("text"):
        answer = Answer((Text("tab-1"),)).with_error_page(NOTE)

    assert [block.text for block in answer.blocks if isinstance(block, Text)] == [
        "tab-1",
        f"! error page: {NOTE}",
    ]


def test_a_call_without_the_argument_has_the_format_of_its_session() -> None:
    assert take_format({"url": "a"}, "json") == ("json", {"url": "a"})


@pytest.mark.parametrize("given", ["json", "text"])
def test_a_call_may_ask_for_another_format_and_its_tool_does_not_see_that(given: str) -> None:
    arguments = {"url": "a", "answers": given}
    assert take_format(arguments, "text") == (given, {"url": "a"})
    assert arguments["answers"] == given


@pytest.mark.parametrize("given", ["xml", 1, ["text"], {}])
def test_an_unknown_format_is_an_error_that_names_the_formats(given: Any) -> None:
    with pytest.raises(InvalidArgument, match=r'^answers must be "text" or "json", got '):
        take_format({"answers": given}, "text")


def test_a_step_has_the_format_of_its_batch_unless_it_asks_for_another() -> None:
    with answering_in("json"):
        assert take_format({}, "text")[0] == "json"
        assert take_format({"answers": "text"}, "json")[0] == "text"


def test_text_is_wanted_only_during_a_call_that_is_answered_in_text() -> None:
    assert not wants_text()
    with answering_in("text"):
        assert wants_text()
        with answering_in("json"):
            assert not wants_text()
        assert wants_text()
    assert not wants_text()


def test_control_characters_except_line_feeds_and_tabs_are_replaced() -> None:
    every = "".join(map(chr, range(0x2100)))
    shown = every.translate(CONTROLS)

    assert len(shown) == len(every)
    assert shown.splitlines(keepends=True)[1:] == shown.split("\n")[1:]
    assert [c for c in shown if ord(c) < 32] == ["\t", "\n"]
