"""Alternative names of parameters."""

from typing import Any

import attrs
import pytest

from charlotte.tools.schema.arguments import camel_case, rename_to_fields, snake_case, spellings


@attrs.frozen
class Clicked:
    element_id: str
    click_type: str = "left"
    type_: str | None = None


@pytest.mark.parametrize(
    ("under", "humps"),
    [("element_id", "elementId"), ("x", "x"), ("max_line_width", "maxLineWidth")],
)
def test_snake_case_and_camel_case_are_inverse(under: str, humps: str) -> None:
    assert (humps, under) == (camel_case(under), snake_case(humps))


@pytest.mark.parametrize("name", ["elementId", "ref", "node_id", "nodeId", "element"])
def test_aliases_of_an_element_id_are_renamed(name: str) -> None:
    assert {"element_id": "btn-a3f1"} == renamed({name: "btn-a3f1"})


def test_an_alias_of_a_missing_parameter_is_not_renamed() -> None:
    @attrs.frozen
    class Pressed:
        button: str

    assert {"button": "left", "ref": "e1"} == rename_to_fields(
        {"button": "left", "ref": "e1"}, spellings(Pressed)
    )


def test_a_description_beside_a_ref_is_ignored_in_either_order() -> None:
    assert {"element_id": "e12"} == renamed({"element": "Sign in button", "ref": "e12"})
    assert {"element_id": "e12"} == renamed({"ref": "e12", "element": "Sign in button"})


def test_a_parameter_given_twice_keeps_both_names() -> None:
    assert {"element_id": "e1", "ref": "e2"} == renamed({"ref": "e2", "element_id": "e1"})


def renamed(given: dict[str, Any]) -> dict[str, Any]:
    return rename_to_fields(given, spellings(Clicked))
