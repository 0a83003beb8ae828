"""Arguments of tools as words of a command line, and their description for people."""

import inspect
import json
import re
import textwrap
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import attrs

from charlotte.base.errors import CharlotteError, InvalidArgument
from charlotte.page.identity.references import ReferenceForm, get_reference_form
from charlotte.page.model import DECIMAL
from charlotte.tools.schema.arguments import public_name, snake_case
from charlotte.tools.schema.tool import Tool, Toolbox, by_group

WIDTH = 100
_PATHS = {"path", "paths", "screenshot_dir"}
"""Parameters that name files; a shell means them relative to its working directory."""
_CLEAR_FORMS: tuple[ReferenceForm, ...] = ("hash", "dom", "table")
_PATTERNS = {"integer": DECIMAL, "number": DECIMAL, "boolean": re.compile("true|false")}


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


@attrs.define
class Words:
    """The words after the name of a tool: named arguments, and others in natural order.

    A word fills the first free parameter that accepts it, in the order of the definition; further
    words extend a list. ``name=value``, ``--name value`` and ``--name`` name a parameter. After
    ``--``, no word is a name. The word ``-`` stands for the text on ``stdin``.
    """

    tool: Tool
    stdin: str | None = None
    given: dict[str, Any] = attrs.field(factory=dict[str, Any], init=False)
    _last: str = attrs.field(default="", init=False)

    @property
    def properties(self) -> Mapping[str, Any]:
        """The parameters, with their schemas."""
        schemas: Mapping[str, Any] = self.tool.input_schema["properties"]
        return schemas

    @property
    def _order(self) -> list[str]:
        """The parameters in their natural order."""
        return list(dict.fromkeys((*self.tool.words, *self.properties)))

    def read(self, words: Sequence[str]) -> dict[str, Any]:
        """Return the arguments; raises `InvalidArgument` for a word that nothing accepts."""
        rest = list(words)
        while rest:
            word = rest.pop(0)
            name, sign, value = word.removeprefix("--").partition("=")
            name = snake_case(name).replace("-", "_")
            if word == "--":
                for literal in rest:
                    self._place(literal)
                break
            if word.startswith("--"):
                given = value if sign else self._value_of_flag(word, name, rest)
                self.given[name] = self._text_of(given)
            elif sign and name in self.properties:
                self.given[name] = self._text_of(value)
            else:
                self._place(self._text_of(word))
        return self.given

    def _value_of_flag(self, word: str, name: str, rest: list[str]) -> str:
        schema = self.properties.get(name)
        if schema is None:
            raise self._refusal(f"has no parameter {word!r}")
        if schema.get("type") == "boolean" and (not rest or rest[0] not in {"true", "false"}):
            return "true"
        if not rest:
            raise self._refusal(f"needs a value after {word}")
        return rest.pop(0)

    def _text_of(self, value: str) -> str:
        return self.stdin if value == "-" and self.stdin is not None else value

    def _place(self, word: str) -> None:
        """Give a word to the first free parameter that accepts it, or to the last list."""
        if name := next(self._accepting(word), None):
            self.given[name] = _value(self.properties[name], word)
            self._last = name
            return
        last = self.given.get(self._last)
        schema: Mapping[str, Any] = self.properties[self._last] if self._last else {}
        if any(one.get("type") == "array" for one in (schema, *schema.get("anyOf", ()))):
            more = _value(schema, word)
            self.given[self._last] = [
                *(last if isinstance(last, list) else [last]),
                *(more if isinstance(more, list) else [more]),
            ]
            return
        raise self._refusal(f"takes no further argument, got {word!r}")

    def _accepting(self, word: str) -> Iterator[str]:
        """Return the free parameters that accept a word; the id of an element prefers an id."""
        required = {*self.tool.input_schema.get("required", ())} - {*self.tool.words}
        free = [
            name
            for name in self._order
            if name not in self.given and not (name == "tab_id" and self.tool.tab)
        ]
        accepting = [
            name
            for name in free
            if name in required or (accepts(self.properties[name], word) and _can_be(name, word))
        ]
        if accepting and accepting[0] not in required and _is_reference(word, *_CLEAR_FORMS):
            yield from (name for name in accepting if name == "element_id")
        yield from accepting

    def _refusal(self, problem: str) -> InvalidArgument:
        return InvalidArgument(
            f"{self.tool.name} {problem}.",
            f"It takes {', '.join(self._order)}: 'charlotte do {self.tool.name} --help'.",
        )


def with_absolute_paths(given: Mapping[str, Any], cwd: Path) -> dict[str, Any]:
    """Return arguments whose paths of files are relative to a directory as absolute paths."""

    def absolute(value: Any) -> Any:
        if isinstance(value, list):
            values: list[Any] = [*value]
            return [absolute(one) for one in values]
        is_path = isinstance(value, str) and value not in {"", "true", "false"}
        return str(cwd / value) if is_path and value[0] not in "[{" else value

    return {name: absolute(value) if name in _PATHS else value for name, value in given.items()}


def accepts(schema: Mapping[str, Any], word: str) -> bool:
    """Return whether a word can be a value by a JSON Schema."""
    match schema:
        case {"anyOf": alternatives}:
            return any(accepts(one, word) for one in alternatives)
        case {"enum": choices}:
            return word.casefold() in {choice.casefold() for choice in choices}
        case {"type": "array", "items": items}:
            return word.startswith("[") or accepts(items, word)
        case {"type": "object"}:
            return word.startswith("{") or _pair(schema, word) is not None
        case _:
            pattern = _PATTERNS.get(schema.get("type", ""))
            return pattern is None or bool(pattern.fullmatch(word))


def _can_be(name: str, word: str) -> bool:
    """Return whether a word can be the value of an optional parameter with that name."""
    is_for_element = name.endswith("_id") and name not in {"tab_id", "snapshot_id"}
    return not is_for_element or _is_reference(word)


def _is_reference(word: str, *forms: ReferenceForm) -> bool:
    try:
        form = get_reference_form(word)
    except CharlotteError:
        return False
    return form in (forms or get_args(ReferenceForm))


def _value(schema: Mapping[str, Any], word: str) -> Any:
    """Return the value of a word; ``id=text`` is an object in a list of pairs."""
    if schema.get("type") != "array" or word.startswith("["):
        return word
    return [_pair(schema["items"], word) or word]


def _pair(schema: Mapping[str, Any], word: str) -> dict[str, str] | None:
    """Return ``a=b`` as an object with the two required properties that the schema has."""
    first, sign, second = word.partition("=")
    match schema.get("required"):
        case [one, other] if first and sign:
            return {one: first, other: second}
        case _:
            return None


def list_tools(toolbox: Toolbox, command: str) -> Iterator[str]:
    """Return a line for each tool, by group."""
    groups = by_group(toolbox.tools)
    width = max(len(tool.name) for tools in groups.values() for tool in tools)
    for group, tools in groups.items():
        yield f"{group}:"
        for tool in tools:
            summary = tool.description.partition(". ")[0].rstrip(".")
            shortened = textwrap.shorten(summary, WIDTH - 4 - width, placeholder=" …")
            yield f"  {tool.name:<{width}}  {shortened}"
    yield f"\n'charlotte {command} TOOL --help' prints the parameters of a tool."


def help_of(tool: Tool, command: str, arguments: str) -> Iterator[str]:
    """Return the description of a tool and its parameters."""
    yield f"usage: charlotte {command} {tool.name} {arguments}\n"
    yield textwrap.fill(tool.description, WIDTH)
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
                each.meaning, WIDTH, initial_indent=indent, subsequent_indent=indent
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
