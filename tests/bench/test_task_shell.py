"""The shell of the task benchmark uses the commands of the skill."""

from typing import Any

import pytest

from bench.tasks.shell_side import words_of
from charlotte.cli.arguments import Words
from charlotte.cli.command_line import read_command_line
from charlotte.tools.schema.tool import Toolbox
from charlotte.tools.toolkit import CATALOG

TOOLS = Toolbox(CATALOG, profile="full", naming="bare")


@pytest.mark.parametrize(
    ("tool", "arguments", "words", "given"),
    [
        ("navigate", {"url": "http://a.test/?b=c"}, ["navigate", "http://a.test/?b=c"], {}),
        ("type", {"element_id": "inp-0001", "text": "a=b"}, ["type", "inp-0001", "--", "a=b"], {}),
        ("toggle", {"element_id": "chk-0001"}, ["click", "chk-0001"], {}),
        (
            "find",
            {"text": "Total", "type": "link", "tab_id": "tab-2"},
            ["--tab", "tab-2", "find", "Total", "--type", "link"],
            {"text": "Total", "type": "link"},
        ),
        ("observe", {"mode": "content", "grep": "a b"}, ["observe", "--grep", "a b"], {}),
        (
            "fill_form",
            {"fields": [{"element_id": "chk-0001", "value": True}], "submit": True},
            ["fill_form", "chk-0001=true", "--submit" ],
            {"fields": [{"element_id": "chk-0001", "value": "true"}], "submit": "true"},
        ),
        ("dialog", {"accept": True}, ["dialog", "--accept"], {}),
    ],
)  # fmt: skip
def test_calls_are_commands(
    tool: str, arguments: dict[str, Any], words: list[str], given: dict[str, Any]
) -> None:
    assert [*words_of(tool, arguments)] == words
    line = read_command_line(words)
    wanted = {name: value for name, value in arguments.items() if name not in {"mode", "tab_id"}}
    read = Words(TOOLS.find(line.tool)).read(line.words)
    assert read == (given or {name: _written(value) for name, value in wanted.items()})
    assert line.tab == arguments.get("tab_id")


def _written(value: Any) -> Any:
    return "true" if value is True else value
