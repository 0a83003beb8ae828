"""The instructions of the server."""

import pytest

from charlotte.config.config import AnswerFormat, Config
from charlotte.server.mcp_server import build_instructions


@pytest.mark.parametrize(("answers", "expected"), [("text", "as lines"), ("json", "(delta)")])
def test_the_instructions_are_short_and_describe_the_format(
    answers: AnswerFormat, expected: str
) -> None:
    text = build_instructions(Config(answers=answers))
    assert len(text) < 1_200
    assert expected in text


@pytest.mark.parametrize(("directory", "is_shared"), [("profile", True), (None, False)])
def test_the_instructions_report_a_profile_that_clients_share(
    directory: str | None, *, is_shared: bool
) -> None:
    text = build_instructions(Config(http=True, no_auth=True, user_data_dir=directory))
    assert ("All sessions share one browser profile" in text) is is_shared
