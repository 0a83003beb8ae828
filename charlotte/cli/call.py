"""``charlotte call``: one call of a tool in a new session."""

import inspect
import json
import sys
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import attrs

from charlotte.app import open_charlotte
from charlotte.browser.running_browser import NotAllowedYet
from charlotte.cli.invocation import ANSWERED, FAILED, MISUSED, Invocation
from charlotte.cli.parser import build_parser
from charlotte.errors import CharlotteError, InvalidArgument
from charlotte.session import Session
from charlotte.tools.answer import Answer, Image, Link, Text
from charlotte.tools.schema.arguments import public_name
from charlotte.tools.schema.tool import Tool, Toolbox, UnknownTool, by_group
from charlotte.tools.toolkit import CATALOG

_WIDTH = 100


async def run(invocation: Invocation) -> int:
    """List the tools, print help, or call a tool and print its answer."""
    arguments, write = invocation.arguments, invocation.write
    toolbox = Toolbox(CATALOG, profile="full", naming="bare")
    try:
        tool = toolbox.find(arguments.tool) if arguments.tool else None
        given = arguments_of(arguments.words)
        if tool:
            _check_json(tool, given)
    except UnknownTool as error:
        write(f"{error}\nRun 'charlotte call' for a list of the tools.")
        return MISUSED
    except InvalidArgument as error:
        write(f"{error.message} {error.suggestion}")
        return MISUSED
    if arguments.help:
        write("\n".join(help_of(tool)) if tool else _help_of_call())
    elif tool:
        return await _call(invocation, tool.name, given)
    elif arguments.json:
        rows = [
            {"name": tool.name, "group": tool.group, "description": tool.description}
            for tool in toolbox.tools
        ]
        write(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        write("\n".join(list_tools(toolbox)))
    return ANSWERED


def arguments_of(words: Sequence[str]) -> dict[str, str]:
    """Parse words such as ``url=https://example.org``; tools parse numbers and JSON in texts."""
    pairs = [word.partition("=") for word in words]
    wrong = [name for name, sign, _ in pairs if not (name and sign)]
    if wrong:
        raise InvalidArgument(
            f"Arguments must be name=value, got {', '.join(map(repr, wrong))}.",
            "Pass arguments such as url=https://example.org; write lists and objects as JSON.",
        )
    return {name: value for name, _, value in pairs}


def _check_json(tool: Tool, given: Mapping[str, str]) -> None:
    for name, schema in tool.input_schema["properties"].items():
        value = given.get(name, "").strip()
        if schema.get("type") in {"array", "object"} and value.startswith(("[", "{")):
            try:
                json.loads(value)
            except ValueError as error:
                raise InvalidArgument(
                    f"{name} is not valid JSON: {error}.", "Put it into single quotes."
                ) from None


async def _call(invocation: Invocation, tool: str, given: Mapping[str, str]) -> int:
    config = invocation.config
    if invocation.arguments.json:
        config = attrs.evolve(config, answers="json")
    async with open_charlotte(config) as charlotte, charlotte.open_session() as session:
        try:
            answer = await answer_of(session, tool, given)
        except CharlotteError as error:
            invocation.write(error.text or json.dumps(error.as_json(), ensure_ascii=False))
            return FAILED
    # In JSON, the output must stay valid.
    note = partial(print, file=sys.stderr) if invocation.arguments.json else invocation.write
    for block in answer.blocks:
        match block:
            case Text(text):
                invocation.write(text)
            case Image(mime_type=kind):
                is_saved = given.get("save") == "true"
                hint = "" if is_saved else "; pass save=true to write it to a file"
                note(f"(an image, {kind}{hint})")
            case Link(uri):
                note(uri)
    return FAILED if answer.is_error else ANSWERED


async def answer_of(session: Session, tool: str, given: Mapping[str, str]) -> Answer:
    """Call a tool; while the browser asks its user, wait: leaving would end the question."""
    while True:
        with suppress(NotAllowedYet):
            return await session.call(tool, dict(given))


def list_tools(toolbox: Toolbox) -> Iterator[str]:
    """Return a line for each tool, by group."""
    groups = by_group(toolbox.tools)
    width = max(len(tool.name) for tools in groups.values() for tool in tools)
    for group, tools in groups.items():
        yield f"{group}:"
        for tool in tools:
            summary = tool.description.partition(". ")[0].rstrip(".")
            shortened = textwrap.shorten(summary, _WIDTH - 4 - width, placeholder=" …")
            yield f"  {tool.name:<{width}}  {shortened}"
    yield "\n'charlotte call TOOL --help' prints the parameters of a tool."


def help_of(tool: Tool) -> Iterator[str]:
    """Return the description of a tool and its parameters."""
    yield f"usage: charlotte call {tool.name} [name=value …]\n"
    yield textwrap.fill(tool.description, _WIDTH)
    parameters = list(parameters_of(tool))
    if parameters:
        yield "\nparameters:"
    for each in parameters:
        yield f"  {each.name}: {each.type}{', required' if each.is_required else ''}"
        if each.default:
            yield f"      default: {each.default}"
        if each.meaning:
            indent = " " * 6
            yield textwrap.fill(
                each.meaning, _WIDTH, initial_indent=indent, subsequent_indent=indent
            )


@attrs.frozen
class Parameter:
    """A parameter for people: ``fields[].value`` is in a list; ``default`` is JSON, or empty."""

    name: str
    type: str
    is_required: bool
    default: str
    meaning: str


def parameters_of(tool: Tool) -> Iterator[Parameter]:
    """Return the parameters of a tool; nested ones follow the one that contains them."""
    unset = {
        public_name(name)
        for name, parameter in inspect.signature(tool.handler).parameters.items()
        if parameter.default is None
    }
    return _parameters(tool.input_schema, "", unset)


def _parameters(
    schema: Mapping[str, Any], path: str, unset: Collection[str] = ()
) -> Iterator[Parameter]:
    for name, described in schema["properties"].items():
        is_required = name in schema.get("required", ())
        default = ""
        if "default" in described:
            default = json.dumps(described["default"], ensure_ascii=False)
        elif described.get("type") == "boolean" and not is_required and name not in unset:
            default = "false"
        meaning = described.get("description", "")
        yield Parameter(path + name, describe_type(described), is_required, default, meaning)
        for inner, suffix in ((described, "."), (described.get("items", {}), "[].")):
            if "properties" in inner:
                yield from _parameters(inner, path + name + suffix)


def describe_type(schema: Mapping[str, Any]) -> str:
    """Return the type of a JSON Schema in words, such as ``list of text``, with its bounds."""
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{_kind_of(schema)}, {low:,} to {high:,}"
    if low is not None:
        return f"{_kind_of(schema)}, at least {low:,}"
    return _kind_of(schema) + ("" if high is None else f", at most {high:,}")


def _kind_of(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if alternatives := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(dict.fromkeys(map(describe_type, alternatives)))
    kind = schema.get("type", "any")
    if kind == "array":
        return f"list of {describe_type(schema.get('items', {}))}"
    if kind == "object" and (properties := schema.get("properties")):
        return f"object with {', '.join(properties)}"
    kinds = [kind] if isinstance(kind, str) else kind
    return " or ".join("text" if one == "string" else one for one in kinds)


def _help_of_call() -> str:
    return build_parser().subparsers["call"].format_help().rstrip()
