"""Tools that the page of a tab offers (WebMCP), and which of them an agent was shown.

A tool is identified by its name and a digest of everything that its page says about it.
A tool that is replaced under the same name is another tool. Input is checked against its schema.
"""

import hashlib
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, cast

import attrs

from charlotte.base.errors import PageToolNotFound, PageToolNotShown, ellipsize
from charlotte.page.model import compact_json, short_json
from charlotte.page.tokens import quote, write_line
from charlotte.protocol import webmcp

MOST_TOOLS, _LARGEST_SCHEMA = 200, 40_000
"""Tools of a tab and characters of a schema; tools beyond are neither listed nor called."""

_LONGEST_TEXT, _LONGEST_NAME = 8_000, 128
INLINE = "the document"
"""The script of a tool that an inline script registers."""

_MOST_PROBLEMS = 5
_LONGEST_PROBLEM = 200
_COUNTS = {f"{end}{what}" for end in ("min", "max") for what in ("Items", "Properties", "Length")}
_NUMBERS = {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}
_VALUES = {"type", "enum", "const", "required"} | _COUNTS | _NUMBERS
_CLOSED = "additionalProperties"


@attrs.frozen(kw_only=True)
class PageTool:
    """A tool as its page describes it: nothing here is checked or trusted.

    ``registered_by`` are the URLs of the scripts that registered it, innermost first. ``claims``
    are its annotations. ``schema`` is None without one. ``digest`` covers all of that, with the
    description in full.
    """

    name: str
    origin: str
    description: str
    schema: Any = None
    registered_by: Sequence[str] = ()
    claims: Sequence[str] = ()
    digest: str


def read_tool(tool: webmcp.OfferedTool, origin: str, document: str) -> PageTool | None:
    """Return a tool of the browser's report, with a long description cut.

    None for a form, which agents fill in as such, and for a huge schema. Inline scripts have the
    URL of their ``document``, which differs from page to page of a site; a tool with the same text
    is the same on all of them.
    """
    schema = json.dumps(tool.input_schema, sort_keys=True)
    if tool.backend_node_id is not None or len(schema) > _LARGEST_SCHEMA:
        return None
    origin = "null" if origin in {"", "://"} else origin
    claims = [name for name, claimed in attrs.asdict(tool.annotations).items() if claimed]
    stack = tool.stack_trace.call_frames if tool.stack_trace else ()
    urls = (INLINE if call.url == document else call.url for call in stack)
    scripts = list(dict.fromkeys(urls))
    registrars = [*scripts[:1], *sorted(scripts[1:])]  # who calls the innermost script varies
    identity = [origin, tool.name, tool.description, schema, registrars, claims]
    return PageTool(
        name=tool.name,
        origin=origin,
        description=ellipsize(tool.description, _LONGEST_TEXT),
        schema=tool.input_schema,
        registered_by=tuple(scripts),
        claims=tuple(claims),
        digest=hashlib.sha256(json.dumps(identity).encode()).hexdigest(),
    )


@attrs.define(eq=False)
class PageTools:
    """The present tools of a tab; ``shown`` returns what the present call's answer is to note.

    These are digests by name, those of the agent of the call first.
    """

    shown: Callable[[], Sequence[dict[str, str]]]
    by_name: dict[str, PageTool] = attrs.field(factory=dict[str, PageTool])

    def __bool__(self) -> bool:
        return bool(self.by_name)

    @property
    def present(self) -> frozenset[tuple[str, str]]:
        """The names and digests of all tools."""
        return frozenset((name, tool.digest) for name, tool in self.by_name.items())

    def find(self, name: str) -> PageTool:
        """Return a tool as the agent was shown it.

        Raises `PageToolNotFound`, or `PageToolNotShown` if no delivered answer has shown this tool.
        """
        if (found := self.by_name.get(name)) is None:
            raise PageToolNotFound(
                f"The page offers no tool {quote(ellipsize(name, _LONGEST_NAME))}.",
                "page_tools lists its tools." if self.by_name else "Use the page itself.",
            )
        if (digest := self.shown()[0].get(name)) != found.digest:
            raise not_shown(found, was_shown=digest is not None)
        return found

    def note_shown(self, tools: Collection[PageTool]) -> None:
        """Note that an answer has shown tools to the agent."""
        for shown in self.shown():
            shown.update((tool.name, tool.digest) for tool in tools)


def not_shown(tool: PageTool, *, was_shown: bool) -> PageToolNotShown:
    """Return the error for a tool that is not the one that the agent was shown."""
    name = quote(tool.name)
    problem = (
        f"The page has replaced its tool {name} since it was shown to you"
        if was_shown
        else f"The tool {name} of the page has not been shown to you"
    )
    return PageToolNotShown(f"{problem}; it was not called.")


def gone(tool: PageTool) -> PageToolNotFound:
    """Return the error for a tool that the page has removed."""
    return PageToolNotFound(
        f"The page no longer offers its tool {quote(tool.name)}; it was not called."
    )


def find_problems(schema: Any, given: Mapping[str, Any]) -> list[str] | None:
    """Return what does not fit the schema of a tool; None if the schema cannot be evaluated."""
    jsonschema: Any = import_module("jsonschema")  # only when it is needed: that takes long
    # the library raises errors of any kind for values that are no schema
    wrong = ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError
    problems: list[str] = []
    try:
        for error in jsonschema.Draft202012Validator(_cheap(schema)).iter_errors(given):
            problems.append(_describe(error))
            if len(problems) == _MOST_PROBLEMS:
                break
    except (*wrong, jsonschema.exceptions.UnknownType):
        return problems or None
    return problems


def _cheap(schema: Any) -> Any:
    """Return a schema without the keywords that are not checked."""
    if not isinstance(schema, dict):
        return True if schema is None else schema
    keywords = cast("dict[str, Any]", schema)
    kept = {name: value for name, value in keywords.items() if name in _VALUES}
    if "items" in keywords:
        kept["items"] = _cheap(keywords["items"])
    if "anyOf" in keywords:
        kept["anyOf"] = [_cheap(one) for one in keywords["anyOf"]]
    if "properties" in keywords:
        kept["properties"] = {key: _cheap(one) for key, one in keywords["properties"].items()}
    if _CLOSED in keywords and "patternProperties" not in keywords:
        kept[_CLOSED] = _cheap(keywords[_CLOSED])
    return kept


def _describe(error: Any) -> str:
    """Return one line on a problem; the message of the library would quote the whole schema."""
    place = ".".join(map(str, error.absolute_path))
    if error.validator in {"required", _CLOSED}:
        text = error.message
    elif error.validator is None:
        text = "is not allowed"
    else:
        text = f"must match {compact_json({error.validator: error.validator_value})}, "
        text = f"{ellipsize(text, _LONGEST_PROBLEM)}got {short_json(error.instance)}"
    return ellipsize(write_line(f"{place}: {text}" if place else text), 2 * _LONGEST_PROBLEM)
