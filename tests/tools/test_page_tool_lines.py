"""Lines about the tools of a page: short, one per tool, and quotations of the page."""

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from charlotte.actors.state.news import News, news_of
from charlotte.actors.state.page_tools import MOST_TOOLS, PageTool, read_tool
from charlotte.actors.state.records import SessionRecord, TabRecord
from charlotte.protocol.webmcp import Tool
from charlotte.protocol.wire import wire
from charlotte.redaction import Secrets
from charlotte.tools.page_tool_lines import tool_remarks, tools_as_json, write_tool
from tests.page.text.hostile import FRAGMENTS

TEXTS = st.lists(st.sampled_from(FRAGMENTS) | st.text(), max_size=8).map("".join)
MAIN = "main"


def tool(name: str = "add", *, label: str = "", **more: Any) -> PageTool:
    """Return a tool as the page registered it."""
    frame = label or MAIN
    reported = {"name": name, "description": "Adds", "frameId": frame, **more}
    return read_tool(wire.structure(reported, Tool), "session", label, "http://a.test", None)


def news(record: TabRecord, *tools: PageTool) -> News:
    """Return the news of a tab that offers only these tools."""
    record.page_tools.drop()
    for one in tools:
        record.page_tools.add(one)
    return news_of(record)


@pytest.fixture
def record() -> TabRecord:
    return TabRecord("tab-1", SessionRecord("session-1"))


SCHEMA: Any = {"type": "object", "properties": {"by": {}, "note": {}}, "required": ["by"]}


@pytest.mark.parametrize(
    ("offered", "line"),
    [
        (tool(), '! page tool add(): "Adds"'),
        (tool(inputSchema=SCHEMA), '! page tool add(by, note?): "Adds"'),
        (tool(label="frame-2"), '! page tool add() in frame-2: "Adds"'),
        (tool(backendNodeId=1), '! page tool add() [form, not submitted]: "Adds"'),
        (
            tool(backendNodeId=1, annotations={"autosubmit": True, "consequential": True}),
            '! page tool add() [form, consequential]: "Adds"',
        ),
        (tool(annotations={"readOnly": True}), '! page tool add(): "Adds"'),
        (tool(inputSchema=["x"]), '! page tool add(): "Adds"'),
        (
            tool(inputSchema={"properties": {"p" * 200: {}, "q" * 40: {}}}),
            '! page tool add(…): "Adds"',
        ),
    ],
)
def test_a_line_has_name_parameters_and_marks(offered: PageTool, line: str) -> None:
    assert write_tool(offered, str, is_changed=False) == line


@given(TEXTS, TEXTS, TEXTS)
def test_no_text_of_a_page_makes_a_line_longer_or_breaks_it(
    name: str, description: str, parameter: str
) -> None:
    offered = tool(name, description=description, inputSchema={"properties": {parameter: {}}})
    line = write_tool(offered, str, is_changed=False)
    assert len(line) <= 100
    assert line.startswith("! page tool ")
    assert len(line.splitlines()) == 1
    assert not {"Cc", "Cf", "Cs", "Zl", "Zp"} & {unicodedata.category(char) for char in line}


def test_new_changed_and_removed_tools_are_reported_once(record: TabRecord) -> None:
    first = news(record, tool("a"), tool("b"))
    assert tool_remarks(first)[1:] == ['! page tool a(): "Adds"', '! page tool b(): "Adds"']
    assert tool_remarks(news_of(record)) == tool_remarks(first)  # it was not delivered
    first.consume()
    assert tool_remarks(news_of(record)) == []
    second = news(record, tool("a", description="Other"))
    assert tool_remarks(second)[1:] == ['! changed page tool a(): "Other"', "! page tools gone: b"]
    second.consume()
    assert tool_remarks(news(record, tool("a", description="Other"))) == []


def test_tools_beyond_the_lines_are_counted_once(record: TabRecord) -> None:
    first = news(record, *(tool(f"t{number}") for number in range(30)))
    lines = tool_remarks(first)
    assert len(lines) <= 10
    assert lines[-1] == "! 23 more page tools, not shown here: page_tools"
    first.consume()
    assert tool_remarks(news_of(record)) == []


def test_a_short_answer_has_few_lines(record: TabRecord) -> None:
    record.session.settings.max_chars = 1000
    lines = tool_remarks(news(record, *(tool(f"t{number}") for number in range(30))))
    assert len(lines) == 3


def test_removed_tools_share_one_line(record: TabRecord) -> None:
    news(record, *(tool(f"tool{number}") for number in range(30))).consume()
    [line] = tool_remarks(news(record))
    assert line.startswith("! page tools gone: tool0, tool1")
    assert len(line) == 100


def test_json_has_the_same_lines(record: TabRecord) -> None:
    found = news(record, tool())
    lines = ['page tool add(): "Adds"']
    assert tools_as_json(found) == {"page_tools": {"untrusted": True, "lines": lines}}
    found.consume()
    assert tools_as_json(news_of(record)) == {}


def test_secrets_are_hidden_before_a_line_is_cut(record: TabRecord) -> None:
    record.session.settings.secrets = Secrets.of({"PIN": "hunter2-is-long"})
    text = "x" * 74 + "hunter2-is-long"
    [_, line] = tool_remarks(news(record, tool(description=text)))
    assert "hunter2" not in line


def test_more_tools_than_the_most_are_ignored(record: TabRecord) -> None:
    news(record, *(tool(f"t{number}") for number in range(MOST_TOOLS + 5)))
    assert len(record.page_tools.tools) == MOST_TOOLS
    assert record.page_tools.left_out == 5
