"""Values are parsed by type: lenient about spellings, strict about everything else."""

import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import attrs
import cattrs
import pytest

from charlotte.page.model import SHOWN, short_json
from charlotte.tools.schema.arguments import (
    Lenient,
    Limits,
    Pixel,
    explain,
    modifier_names,
    node_reference,
    reader,
    tab_name,
    text_or_texts,
)
from tests.tools.samples import Filling, Grep, Modifiers, Point

REFUSED = (ValueError, cattrs.BaseValidationError)


def read(hint: Any, value: Any) -> Any:
    holder = attrs.make_class("Holder", {"value": attrs.field(type=hint)})
    structured: Any = reader(holder)({"value": value})
    return structured.value


@pytest.mark.parametrize(
    ("hint", "given", "expected"),
    [
        (str, 99, "99"),
        (str, -1.5, "-1.5"),
        (str, 2.0, "2"),
        (list[str], [1], ["1"]),
        (bool, "true", True),
        (bool, "false", False),
        (int, "5", 5),
        (int, "-5", -5),
        (int, 5.0, 5),
        (int, "5.0", 5),
        (float, "1.5", 1.5),
        (float, 5, 5),
        (float, "007", 7),
        (list[str], '["a", "b"]', ["a", "b"]),
        (list[str], "a", ["a"]),
        (list[Literal["a", "b"]], "A", ["a"]),
        (Literal["a", "networkidle"], "NetworkIdle", "networkidle"),
        (Pixel, 300.6, 301),
        (Pixel, "300.4", 300),
        (Pixel, 7, 7),
        (Sequence[int], ["1", 2], [1, 2]),
        (dict[str, str], '{"a": "b"}', {"a": "b"}),
        (dict[str, str], {"a": "b", "c": None}, {"a": "b"}),
        (dict[str, Any], {"a": None, "isRaw": "1"}, {"a": None, "isRaw": "1"}),
        (Point, {"x": "1", "y": 2}, Point(1, 2)),
        (Point, '{"x": 1.5, "y": 2}', Point(1.5, 2)),
        (Grep, {"pattern": "a", "ignoreCase": "true"}, Grep("a", ignore_case=True)),
        (list[Filling], [{"ref": 1537, "value": "x"}], [Filling("e1537", "x")]),
    ],
)
def test_arguments_in_common_spellings_are_accepted(hint: Any, given: Any, expected: Any) -> None:
    result = read(hint, given)

    assert expected == result
    assert type(expected) is type(result)


@pytest.mark.parametrize(
    ("hint", "given"),
    [
        (str, True),
        (str, math.inf),
        (str, ["a"]),
        (bool, 1),
        (bool, "True"),
        (bool, "yes"),
        (int, True),
        (int, 1.5),
        (int, "1.5"),
        (int, "five"),
        (int, ""),
        (int, " 5"),
        (int, "\N{ARABIC-INDIC DIGIT FIVE}"),
        (int, 2**53),
        (int, 1e300),
        (int, "9" * 5000),
        (float, False),
        (float, math.inf),
        (float, math.nan),
        (float, 10**400),
        (float, "1e5"),
        (float, "nan"),
        (Literal["a", "b"], "c"),
        (Literal["a", "b"], ["a"]),
        (list[str], "a,b"),
        (list[str], '{"a": 1}'),
        (list[str], {"0": "a"}),
        (list[str], [None]),
        (dict[str, str], ["a"]),
        (dict[str, str], {"a": True}),
        (Point, [1, 2]),
        (Point, {"x": 1}),
        (Point, {"x": 1, "y": 2, "z": 3}),
        (Point, "[" * 100_000),
        (list[str], ["a"] * 5001),
        (dict[str, Any], dict.fromkeys(map(str, range(5001)))),
    ],
)
def test_other_values_are_refused(hint: Any, given: Any) -> None:
    with pytest.raises(REFUSED):
        read(hint, given)


@pytest.mark.parametrize(
    ("hint", "given", "expected"),
    [
        (str | bool, "true", "true"),
        (bool | str, "true", "true"),
        (str | int, "5", "5"),
        (str | int, 5, 5),
        (int | float, 5.5, 5.5),
        (str | list[str], '["a"]', '["a"]'),
        (str | list[str], ["a"], ["a"]),
        (Literal["page", "half"] | int, "half", "half"),
        (Literal["page", "half"] | int, "300", 300),
        (str | Grep, "a", "a"),
        (str | Grep, '{"a', '{"a'),
        (str | Grep, {"pattern": "a"}, Grep("a")),
    ],
)
def test_a_union_prefers_the_type_that_a_value_already_has(
    hint: Any, given: Any, expected: Any
) -> None:
    assert expected == read(hint, given)


def test_only_the_problems_that_are_shown_are_described(monkeypatch: pytest.MonkeyPatch) -> None:
    described: list[str] = []

    def find_close(word: str, *_: Any, **__: Any) -> list[str]:
        described.append(word)
        return []

    monkeypatch.setattr("difflib.get_close_matches", find_close)
    with pytest.raises(cattrs.BaseValidationError) as caught:
        read(Point, dict.fromkeys(map(str, range(4000)), 1))
    assert explain(caught.value).endswith("; and 3982 more")
    assert len(described) <= 20


def test_text_that_is_the_json_of_an_object_becomes_that_object() -> None:
    # Some clients send the object as a string if both types are allowed
    assert Grep("a") == read(str | Grep, '{"pattern": "a"}')
    assert '{"pattern": true}' == read(str | Grep, '{"pattern": true}')


@pytest.mark.parametrize(
    ("hint", "given", "fits"),
    [
        (Annotated[int, Limits(minimum=1, maximum=9)], 1, True),
        (Annotated[int, Limits(minimum=1, maximum=9)], "9", True),
        (Annotated[int, Limits(minimum=1, maximum=9)], 0, False),
        (Annotated[int, Limits(minimum=1, maximum=9)], 9.0, True),
        (Annotated[int, Limits(minimum=1, maximum=9)], 10, False),
        (Annotated[str, Limits(min_length=1, max_length=2)], "ab", True),
        (Annotated[str, Limits(min_length=1, max_length=2)], "", False),
        (Annotated[str, Limits(min_length=1, max_length=2)], "abc", False),
        (Annotated[list[int], Limits(min_length=1)], [], False),
        (Literal["page"] | Annotated[int, Limits(minimum=1)], 0, False),
    ],
)
def test_limits_are_enforced(hint: Any, given: Any, fits: bool) -> None:  # noqa: FBT001
    if fits:
        read(hint, given)
    else:
        with pytest.raises(REFUSED):
            read(hint, given)


@pytest.mark.parametrize("given", ["tab-3", "3", 3, 3.0])
def test_a_tab_can_be_given_by_its_number(given: Any) -> None:
    assert tab_name(given) == "tab-3"


@pytest.mark.parametrize("given", ["", "tab-", "tab-x", "Tab 3", True, 1.5, ["tab-3"], {}])
def test_other_values_are_refused_as_a_tab_id(given: Any) -> None:
    with pytest.raises(ValueError, match="tab id such as"):
        tab_name(given)


@pytest.mark.req("S-MOD-01")
@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["ctrl", "alt"], ["ctrl", "alt"]),
        ("Control", ["ctrl"]),
        ('["ctrl"]', ["ctrl"]),
        ({"ctrl": True, "shift": False, "alt": None, "meta": "true"}, ["ctrl", "meta"]),
        ('{"ctrl": true}', ["ctrl"]),
        ({}, []),
    ],
)
def test_modifiers_can_be_an_object_of_flags(given: Any, expected: list[str]) -> None:
    assert expected == read(Modifiers, given)


@pytest.mark.parametrize("given", ["ctl", {"ctl": True}, {"ctrl": "yes"}, ["ctl"], 5])
def test_other_modifiers_are_refused(given: Any) -> None:
    with pytest.raises(REFUSED):
        read(Modifiers, given)


def test_a_number_becomes_a_reference_only_for_reference_types() -> None:
    assert read(Annotated[str, Lenient(node_reference)], 1537) == "e1537"
    assert read(Annotated[str, Lenient(modifier_names)], 1537) == "1537"


@pytest.mark.parametrize(
    ("given", "expected"),
    [('["a", "b"]', ["a", "b"]), (["a"], ["a"]), ("a", "a"), ("[1]", "[1]"), ("[a", "[a")],
)
def test_a_json_array_of_texts_is_a_list_where_a_text_or_a_list_is_wanted(
    given: Any, expected: Any
) -> None:
    assert read(Annotated[str | list[str], Lenient(text_or_texts)], given) == expected


def test_a_long_value_is_truncated() -> None:
    text = short_json("x" * 1_000_000)

    assert SHOWN + 1 == len(text)
    assert text.endswith("…")
