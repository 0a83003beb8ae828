"""An answer in JSON is one document."""

import json
from typing import Any

import pytest

from charlotte.answers.answer import Answer, Image, Text
from charlotte.answers.answer_format import answering_in

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
