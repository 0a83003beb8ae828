"""A tool is defined by its function and reports all problems of a call at once."""

from typing import Any

import attrs
import pytest

from charlotte.base.errors import InvalidArgument
from charlotte.tools.schema.arguments import camel_case, rename_to_fields, snake_case, spellings
from charlotte.tools.schema.tool import Tool
from tests.tools import samples
from tests.tools.samples import Filling, Grep, Point, Session, Tab


def refusal(tool: Tool, **arguments: Any) -> InvalidArgument:
    with pytest.raises(InvalidArgument) as caught:
        tool.parse(arguments)
    return caught.value


def test_a_tool_is_described_by_its_function() -> None:
    assert samples.click.name == "click"
    assert samples.click.description == (
        "Click an element, scrolling it into view. Answers with what changed."
    )
    assert samples.click.actor is Tab
    assert samples.tab_switch.actor is Session
    assert samples.click.input_schema == {
        "type": "object",
        "properties": {
            "element_id": {"type": "string", "description": "Id of an element"},
            "click_type": {
                "type": "string",
                "enum": ["left", "right", "middle", "double"],
                "default": "left",
            },
            "modifiers": {
                "type": "array",
                "items": {"type": "string", "enum": ["ctrl", "shift", "alt", "meta"]},
            },
            "tab_id": {"type": "string", "description": "Default: the active tab."},
        },
        "required": ["element_id"],
    }


def test_parsing_returns_every_argument_with_its_default() -> None:
    assert samples.click.parse({"element_id": "e1"}) == {
        "element_id": "e1",
        "click_type": "left",
        "modifiers": (),
        "tab_id": None,
    }


def test_nested_objects_are_built() -> None:
    parsed = samples.observe.parse(
        {"grep": {"pattern": "a", "ignoreCase": True}, "scrollOffset": {"x": 1, "y": "2"}}
    )

    assert parsed["grep"] == Grep("a", ignore_case=True)
    assert parsed["scroll_offset"] == Point(1, 2)
    assert samples.fill_form.parse({"fields": '[{"elementId": "e1", "value": ["a"]}]'})[
        "fields"
    ] == [Filling("e1", ["a"])]


def test_tab_id_is_an_argument_of_every_tool_that_works_on_a_tab() -> None:
    assert samples.back.parse({"tabId": 3}) == {"tab_id": "tab-3"}
    assert "tab_id" not in samples.batch.input_schema["properties"]
    assert samples.tab_switch.parse({"tab_id": "3"}) == {"tab_id": "tab-3"}
    assert samples.tab_switch.input_schema["required"] == ["tab_id"]


def test_every_problem_is_reported_at_once() -> None:
    error = refusal(
        samples.observe,
        grep={"pattern": [], "ignore": True},
        max_depth=500,
        amount="third",
        scroll_offset={"x": 1},
        headers={"a": []},
        type="too long",
        maxDeph=3,
        tab_id="x",
    )

    assert error.message == (
        "Invalid arguments for observe: "
        "grep.pattern must be a string, got an array; "
        "grep.ignore is not allowed, did you mean ignore_case?; "
        "max_depth must be at most 100, got 500; "
        'amount must be one of "page", "half" or a number, got "third"; '
        "scroll_offset.y is required; "
        "headers.a must be a string, got an array; "
        "type must have at most 5 characters, got 8; "
        'tab_id must be a tab id such as "tab-3", got "x"; '
        "maxDeph is not allowed, did you mean max_depth?"
    )


def test_the_accepted_parameters_are_listed_on_one_line() -> None:
    assert refusal(samples.click).suggestion == (
        "click takes element_id (required), click_type, modifiers, tab_id."
    )
    assert refusal(samples.tools, a=1).suggestion == "tools takes no parameters."


@pytest.mark.req("P-20")
def test_coordinates_without_an_element_suggest_the_tool_that_takes_them() -> None:
    error = refusal(samples.click, x=3, y=4)
    assert "click: element_id is required" in error.message
    assert "click_at" in str(error.suggestion)


def test_an_element_given_twice_is_a_problem() -> None:
    message = refusal(samples.click, element_id="e1", ref="e2").message

    assert message.endswith("ref means element_id, which is given as well")


def test_a_megabyte_in_the_wrong_place_gives_a_short_message() -> None:
    huge = "x" * 1_000_000
    error = refusal(
        samples.observe, max_depth=huge, scroll_offset=huge, headers={huge: []}, **{huge: 1}
    )

    assert len(error.message) < 1000
    assert [0, 1, 2, 3] == [
        place
        for place, name in enumerate(("max_depth ", "scroll_offset ", "headers.", "x… is not"))
        if name in error.message
    ]


def test_only_the_first_of_many_problems_are_listed_and_the_rest_counted() -> None:
    message = refusal(samples.fill_form, fields=[5] * 1_000).message

    assert "fields[19] must " in message
    assert message.endswith("; and 980 more")


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
