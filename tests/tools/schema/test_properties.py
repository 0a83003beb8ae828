"""Properties that hold for every possible tool."""

import json
from collections.abc import Iterable, Sequence
from typing import Any, cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from charlotte.base.errors import InvalidArgument
from charlotte.page.model import DECIMAL
from charlotte.tools.schema.arguments import Schema, camel_case, public_name
from charlotte.tools.schema.tool import Tool
from tests.tools import samples
from tests.tools.schema.strategies import calls, plain

Call = tuple[Tool, dict[str, Any]]


def refusal(tool: Tool, arguments: dict[str, Any]) -> str:
    with pytest.raises(InvalidArgument) as caught:
        tool.parse(arguments)
    return caught.value.message


@settings(max_examples=40, deadline=None)
@given(calls())
def test_values_allowed_by_the_schema_are_accepted_unchanged(call: Call) -> None:
    tool, arguments = call

    parsed = {public_name(name): value for name, value in tool.parse(arguments).items()}

    for name, value in arguments.items():
        assert_same(value, plain(parsed[name]))


@settings(max_examples=40, deadline=None)
@given(calls())
def test_camel_case_names_are_equivalent(call: Call) -> None:
    tool, arguments = call

    assert tool.parse(arguments) == tool.parse(
        {
            camel_case(name): humped(value, tool.input_schema["properties"][name])
            for name, value in arguments.items()
        }
    )


@settings(max_examples=40, deadline=None)
@given(calls())
def test_null_arguments_are_equivalent_to_omitted_ones(call: Call) -> None:
    tool, arguments = call
    nulls = dict.fromkeys(tool.input_schema["properties"])

    assert tool.parse(arguments) == tool.parse(nulls | arguments)


@settings(max_examples=40, deadline=None)
@given(calls())
def test_values_of_other_types_may_be_passed_as_text(call: Call) -> None:
    tool, arguments = call
    properties = tool.input_schema["properties"]

    assert tool.parse(arguments) == tool.parse(
        {name: as_text(value, properties[name]) for name, value in arguments.items()}
    )


@settings(max_examples=40, deadline=None)
@given(calls(), st.data())
def test_all_problems_are_reported_at_once(call: Call, data: st.DataObject) -> None:
    tool, arguments = call
    schema = tool.input_schema
    required: list[str] = schema.get("required", [])
    missing = data.draw(subset(required))
    wrong = data.draw(subset(set(arguments) - missing - {"tab_id"}))
    given_wrongly = {name: wrong_value(schema["properties"][name]) for name in wrong}
    kept = {name: value for name, value in arguments.items() if name not in missing}

    message = refusal(tool, kept | given_wrongly | {"unheard_of": 1})

    problems = message.removeprefix("Invalid arguments for handler: ").split("; ")
    assert {f"{name} is required" for name in missing} <= set(problems)
    assert missing | wrong | {"unheard_of"} == {problem.split()[0] for problem in problems}


@settings(deadline=None)
@given(st.sampled_from(sorted(samples.observe.input_schema["properties"])), st.integers(0, 20))
def test_a_misspelt_parameter_gets_the_right_name_suggested(name: str, place: int) -> None:
    place %= len(name)
    slip = name[:place] + "q" + name[place:]

    assert f"{slip} is not allowed, did you mean {name}?" in refusal(samples.observe, {slip: 1})


def subset(names: Iterable[str]) -> st.SearchStrategy[set[str]]:
    ordered = sorted(names)
    return st.sets(st.sampled_from(ordered)) if ordered else st.just(set())


def types(schema: Schema) -> set[str]:
    """Return the JSON types that a schema allows at its top level."""
    return {member["type"] for member in schema.get("anyOf", [schema])}


def wrong_value(schema: Schema) -> Any:
    """Return a value of a wrong type; numbers are valid texts, so use a list or an object."""
    wanted = types(schema)
    return 5 if wanted >= {"array", "object"} else {} if "array" in wanted else []


def humped(value: Any, schema: Schema) -> Any:
    """Spell the names of nested parameters in camelCase."""
    if isinstance(value, list):
        return [humped(item, schema.get("items", {})) for item in cast("Sequence[Any]", value)]
    if isinstance(value, dict):
        ours = any("properties" in member for member in schema.get("anyOf", [schema]))
        members = cast("dict[str, Any]", value).items()
        return {camel_case(name) if ours else name: inner for name, inner in members}
    return value


def as_text(value: Any, schema: Schema) -> Any:
    if "anyOf" in schema or isinstance(value, str):
        return value
    text = json.dumps(value)
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return value if is_number and not DECIMAL.fullmatch(text) else text


def assert_same(expected: Any, actual: Any) -> None:
    """Compare two values, ignoring members that are missing in the expected one."""
    if isinstance(expected, dict):
        for name, value in cast("dict[str, Any]", expected).items():
            assert_same(value, actual[name])
    elif isinstance(expected, list):
        for value, other in zip(cast("Sequence[Any]", expected), actual, strict=True):
            assert_same(value, other)
    else:
        assert expected == actual
