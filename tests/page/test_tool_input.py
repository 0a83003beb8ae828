"""The input of a page's tool is checked, and no schema makes that slow."""

from typing import Any

import pytest

from charlotte.page.tool_input import InputCheck, check_input

SCHEMA = {
    "type": "object",
    "properties": {
        "by": {"type": "integer", "minimum": 1},
        "kind": {"enum": ["a", "b"]},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 2},
    },
    "required": ["by"],
    "additionalProperties": False,
}
DOUBLING: Any = {
    "$defs": {
        **{f"a{n}": {"allOf": [{"$ref": f"#/$defs/a{n + 1}"}] * 2} for n in range(60)},
        "a60": {},
    },
    "$ref": "#/$defs/a0",
}


@pytest.mark.parametrize("schema", [None, {}, True, SCHEMA, {"type": "object"}])
def test_input_that_fits_has_no_problems(schema: Any) -> None:
    assert check_input(schema, {"by": 1}) == InputCheck()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "'by' is a required property"),
        ({"by": "1"}, 'by: must match {"type":"integer"}, got "1"'),
        ({"by": 0}, 'by: must match {"minimum":1}, got 0'),
        ({"by": 1, "kind": "c"}, 'kind: must match {"enum":["a","b"]}, got "c"'),
        ({"by": 1, "tags": [1]}, 'tags.0: must match {"type":"string"}, got 1'),
        ({"by": 1, "tags": ["", "", ""]}, 'tags: must match {"maxItems":2}, got an array'),
        ({"by": 1, "x": 1}, "Additional properties are not allowed ('x' was unexpected)"),
    ],
)
def test_each_problem_is_one_line(given: dict[str, Any], problem: str) -> None:
    assert check_input(SCHEMA, given) == InputCheck((problem,))


def test_schemas_inside_the_schema_are_followed() -> None:
    schema = {"$defs": {"n": {"type": "number"}}, "properties": {"a": {"$ref": "#/$defs/n"}}}
    assert check_input(schema, {"a": 1}) == InputCheck()
    assert len(check_input(schema, {"a": "x"}).problems) == 1


def test_many_problems_are_cut() -> None:
    schema = {"required": [f"n{number}" for number in range(50)]}
    assert len(check_input(schema, {}).problems) == 5


def test_a_problem_does_not_quote_a_huge_schema() -> None:
    [problem] = check_input({"properties": {"a": {"enum": ["x" * 30_000]}}}, {"a": 1}).problems
    assert len(problem) < 500


WRONG: list[Any] = [
    [],
    "text",
    5,
    {"type": "nothing"},
    {"properties": []},
    {"required": 5},
    {"allOf": 3},
    {"$ref": "#"},
    {"$ref": "#/nowhere"},
    {"$ref": "http://127.0.0.1:9/schema"},
    {"properties": {"by": {"multipleOf": 0}}},
    DOUBLING,
    {"allOf": [{"properties": {str(n): {} for n in range(1000)}}] * 1000},
]


@pytest.mark.parametrize("schema", WRONG, ids=range(len(WRONG)))
def test_a_schema_that_cannot_be_evaluated_is_reported_as_that(schema: Any) -> None:
    assert check_input(schema, {"by": 1}) == InputCheck((), is_complete=False)


@pytest.mark.parametrize(
    "schema",
    [
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
        {"properties": {"a": {"pattern": "^(a+)+$"}}},
        {"properties": {"a": {"$schema": "http://json-schema.org/draft-07/schema#",
                              "pattern": "^(a+)+$", "format": "regex"}}},
        {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a":
            {"pattern": "^(a+)+$"}}},
    ],
)  # fmt: skip
def test_regular_expressions_of_the_page_are_never_run(schema: Any) -> None:
    slow = "a" * 40 + "!"
    assert check_input(schema, {"a": slow, slow: 1}) == InputCheck()


def test_a_deep_schema_does_not_end_the_process() -> None:
    schema: dict[str, Any] = {}
    for _ in range(5_000):
        schema = {"not": schema}
    assert not check_input(schema, {}).is_complete
