"""The input of a page's tool is checked, and no schema makes that slow."""

from typing import Any

import pytest

from charlotte.actors.state.page_tools import find_problems

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


@pytest.mark.parametrize("schema", [None, {}, True, SCHEMA, {"type": "object"}])
def test_input_that_fits_has_no_problems(schema: Any) -> None:
    assert find_problems(schema, {"by": 1}) == []


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
    assert find_problems(SCHEMA, given) == [problem]


def test_problems_are_few_and_do_not_quote_a_huge_schema() -> None:
    needed = {"required": [f"n{number}" for number in range(50)]}
    assert len(find_problems(needed, {}) or ()) == 5
    [problem] = find_problems({"properties": {"a": {"enum": ["x" * 30_000]}}}, {"a": 1}) or [""]
    assert len(problem) < 500


@pytest.mark.parametrize(
    "schema",
    [
        [],
        "text",
        5,
        {"type": "nothing"},
        {"properties": []},
        {"required": 5},
        {"anyOf": 3},
        {"properties": {"by": {"multipleOf": 0}}},
    ],
    ids=str,
)
def test_a_schema_that_cannot_be_evaluated_is_reported_as_that(schema: Any) -> None:
    assert find_problems(schema, {"by": 1}) is None


def test_a_deep_schema_does_not_end_the_process() -> None:
    schema: dict[str, Any] = {}
    for _ in range(5_000):
        schema = {"items": schema}
    assert find_problems(schema, {}) is None


@pytest.mark.parametrize(
    "schema",
    [
        {"patternProperties": {"^(a+)+$": {}}, "additionalProperties": False},
        {"properties": {"a": {"pattern": "^(a+)+$", "format": "regex"}}},
        {"$schema": "http://json-schema.org/draft-04/schema#", "pattern": "^(a+)+$"},
        {"$ref": "http://127.0.0.1:9/schema", "allOf": [{"$ref": "#"}]},
    ],
    ids=str,
)
def test_patterns_and_references_of_the_page_are_not_followed(schema: Any) -> None:
    slow = "a" * 40 + "!"
    assert find_problems(schema, {"a": slow, slow: 1}) == []
