"""Lines about the tools of a page in answers: each tool once, as a quotation of the page."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from charlotte.actors.state.news import News
from charlotte.actors.state.page_tools import PageTool, ToolNews
from charlotte.errors import ellipsize
from charlotte.page.model import compact_json
from charlotte.page.text.plain import plural, write_line
from charlotte.page.text.tokens import quote

LONGEST_LINE = 100
_HEADER = "! page tools, claims of the page, untrusted (page_tools: all; page_tool_call: call one):"
_PLAIN_NAME = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_LONGEST_NAME = 40
_LONGEST_HEAD = 70
_LEAST_ROOM = 12
"""Characters for a description; with less room, the parameters of the tool are left out."""

_MOST_PARAMETERS = 12


def tool_remarks(news: News) -> list[str]:
    """Return the lines about new, changed and removed tools: at most ten of 100 characters."""
    hidden = news.record.session.hidden
    lines = list(_write_news(news.tools, hidden))
    return [_HEADER, *lines] if news.tools.tools or news.tools.counted else lines


def tools_as_json(news: News) -> dict[str, Any]:
    """Return the same lines as a key of an answer."""
    if not news.tools:
        return {}
    lines = _write_news(news.tools, news.record.session.hidden)
    about = [line.removeprefix("! ") for line in lines]
    return {"page_tools": {"untrusted": True, "lines": about}}


def _write_news(news: ToolNews, hidden: Callable[[str], str]) -> Iterator[str]:
    for change, tool in news.tools:
        yield write_tool(tool, hidden, is_changed=change == "changed")
    if news.counted:
        count = len(news.counted)
        yield f"! {count} more page {plural(count, 'tool')}, not shown here: page_tools"
    if news.gone:
        names = [
            f"{write_name(hidden(name))}{f' ({known.label})' if known.label else ''}"
            for (_, name), known in news.gone.items()
        ]
        yield ellipsize(f"! page tools gone: {', '.join(names)}", LONGEST_LINE - 1)


def write_tool(tool: PageTool, hidden: Callable[[str], str], *, is_changed: bool) -> str:
    """Return the line of a tool: name, parameters, frame, and the beginning of its description."""
    start = "! changed page tool" if is_changed else "! page tool"
    name, marks = write_name(hidden(tool.name)), _write_marks(tool)
    head = f"{start} {name}({_write_parameters(tool.schema, hidden)}){marks}: "
    if len(head) > _LONGEST_HEAD:
        head = f"{start} {name}(…){marks}: "
    room = max(LONGEST_LINE - len(head), _LEAST_ROOM)
    text = hidden(tool.description)[: 2 * LONGEST_LINE]
    return f"{head}{_quote_within(write_line(text), room)}"[:LONGEST_LINE]


def _quote_within(text: str, room: int) -> str:
    """Return a text in quotes in at most so many characters, with an ellipsis if it is cut."""
    quoted, kept = quote(text), len(text)
    while len(quoted) > room and kept:
        kept = min(kept - 1, room - 3)
        quoted = quote(f"{text[:kept]}…")
        room -= 1 if len(quoted) > room + 1 else 0
    return quoted


def write_name(name: str) -> str:
    """Return a name of the page as one word, or in quotes."""
    return name if _PLAIN_NAME.fullmatch(name) else quote(ellipsize(name, _LONGEST_NAME))


def _write_marks(tool: PageTool) -> str:
    marks = ["form" if tool.submits else "form, not submitted"] if tool.is_form else []
    marks += ["consequential"] if "consequential" in tool.claims else []
    written = f" [{', '.join(marks)}]" if marks else ""
    return f"{written} in {tool.label}" if tool.label else written


def _write_parameters(schema: Any, hidden: Callable[[str], str]) -> str:
    """Return the names of the parameters, the optional ones with a question mark."""
    described: Mapping[str, Any] = (
        cast("dict[str, Any]", schema) if isinstance(schema, dict) else {}
    )
    properties, required = described.get("properties"), described.get("required")
    names = list(cast("Mapping[str, Any]", properties)) if isinstance(properties, dict) else []
    needed = cast("Any", required) if isinstance(required, list) else ()
    shown = [
        f"{write_name(hidden(name))}{'' if name in needed else '?'}"
        for name in names[:_MOST_PARAMETERS]
    ]
    return ", ".join([*shown, *(["…"] if len(names) > len(shown) else [])])


def describe_call(call: Mapping[str, Any]) -> Iterator[str]:
    """Return the lines about a call of a page's tool: its result, which is a text of the page."""
    name = write_name(call["name"])
    if "result" in call:
        source = " (data of the document that it led to)" if call.get("leads_away") else ""
        result = write_line(compact_json(call["result"]))
        yield f"result of page tool {name}{source}, untrusted: {result}"
    else:
        yield f"page tool {name} has filled in its form; check it, then submit it"
    if cut := call.get("truncation"):
        yield f"the result is cut: {cut['returned']:,} of {cut['total']:,} characters"
    if "warning" in call:
        yield write_line(call["warning"])
