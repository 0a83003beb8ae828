"""Types become the shortest equivalent JSON Schema."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import attrs
import pytest

from charlotte.tools.schema.arguments import Limits, object_schema, schema
from tests.tools import samples


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (str, {"type": "string"}),
        (int, {"type": "integer"}),
        (float, {"type": "number"}),
        (bool, {"type": "boolean"}),
        (Any, {}),
        (Annotated[str, "What"], {"type": "string", "description": "What"}),
        (Annotated[samples.ElementId, "Where"], {"type": "string", "description": "Where"}),
        (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
        (int | None, {"type": "integer"}),
        (list[str], {"type": "array", "items": {"type": "string"}}),
        (Sequence[int], {"type": "array", "items": {"type": "integer"}}),
        (dict[str, str], {"type": "object", "additionalProperties": {"type": "string"}}),
        (dict[str, Any], {"type": "object"}),
        (
            str | list[str] | None,
            {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
        ),
    ],
)
def test_a_type_becomes_its_schema(hint: Any, expected: dict[str, Any]) -> None:
    assert expected == schema(hint)


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (
            Annotated[int, Limits(minimum=1, maximum=9)],
            {"type": "integer", "minimum": 1, "maximum": 9},
        ),
        (Annotated[str | None, Limits(max_length=5)], {"type": "string", "maxLength": 5}),
        (
            Annotated[list[int], Limits(min_length=1)],
            {"type": "array", "items": {"type": "integer"}, "minItems": 1},
        ),
    ],
)
def test_limits_are_in_the_schema(hint: Any, expected: dict[str, Any]) -> None:
    assert expected == schema(hint)


def test_obvious_defaults_are_left_out() -> None:
    @attrs.frozen
    class Arguments:
        kind: str = "left"
        limit: int = 50
        wait: bool = True
        quiet: bool = False
        nothing: str | None = None
        count: int = 0
        items: Sequence[str] = ()
        text: str = "as long as a description"

    properties = object_schema(Arguments)["properties"]

    assert {"kind": "left", "limit": 50, "wait": True} == {
        name: described["default"]
        for name, described in properties.items()
        if "default" in described
    }


@pytest.mark.parametrize("hint", [bytes, list, set[str], Literal[1, 2], Exception])
def test_a_type_without_a_json_form_is_refused_at_definition(hint: Any) -> None:
    with pytest.raises(TypeError):
        schema(hint)
