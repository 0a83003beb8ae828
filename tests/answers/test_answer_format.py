"""The format of answers: of a session, of one call, of the steps of a batch."""

from typing import Any

import pytest

from charlotte.answers.answer_format import answering_in, take_format, wants_text
from charlotte.base.errors import InvalidArgument


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
