"""Answers in the text form are marked as untrusted, in boundary lines if configured."""

import re

from charlotte.answers.answer import Answer, Image, Text
from charlotte.secrets.redaction import Secrets

ANSWER = Answer((Text("tab-1\nno changes"), Image("aGk=", "image/png"), Text("{}", form="json")))


def test_metadata_marks_a_text_answer_as_untrusted() -> None:
    marked = ANSWER.marked_untrusted(with_boundaries=False)
    assert marked.metadata == {"untrusted": True}
    assert marked.blocks == ANSWER.blocks


def test_boundaries_enclose_every_text_but_json_and_have_another_number_each_time() -> None:
    first, second = (ANSWER.marked_untrusted(with_boundaries=True) for _ in range(2))
    text, *others = first.blocks
    assert others == list(ANSWER.blocks[1:])
    assert isinstance(text, Text)
    assert re.fullmatch(
        r"--- page (\w{16}) ---\ntab-1\nno changes\n--- end of page \1 ---", text.text
    )
    assert text != second.blocks[0]


def test_text_of_a_page_is_enclosed_too() -> None:
    answer = Answer((Text("- a list of the page", form="page"),))
    [block] = answer.marked_untrusted(with_boundaries=True).blocks
    assert isinstance(block, Text)
    assert block.text.startswith("--- page ")


def test_secrets_are_hidden_in_text_and_the_form_of_a_block_is_kept() -> None:
    secrets = Secrets.of({"PIN": "hunter2"})
    answer = Answer((Text('inp-1 "Code" [= "hunter2"]'), Text('{"a":"hunter2"}', form="json")))
    assert answer.hiding(secrets).blocks == (
        Text('inp-1 "Code" [= "<secret>PIN</secret>"]'),
        Text('{"a":"<secret>PIN</secret>"}', form="json"),
    )


def test_what_follows_the_text_of_a_page_begins_a_line() -> None:
    answer = Answer((Text("- a list", form="page"), Text("… 3 more lines")))
    assert answer.text == "- a list\n… 3 more lines"
    page, end = answer.marked_untrusted(with_boundaries=True).text.split("\n- a list\n")
    assert page.startswith("--- page ")
    assert end.splitlines()[0] == page.replace("page", "end of page")
    assert Answer((Text("- a list", form="page"),)).text == "- a list"
