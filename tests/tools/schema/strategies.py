"""Random tools, and arguments that their schemas allow."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import GenericAlias
from typing import Annotated, Any, Literal, cast

import attrs
from hypothesis import strategies as st

from charlotte.answers.answer import Answer
from charlotte.tools.schema.arguments import Limits, Schema
from charlotte.tools.schema.tool import Tool, tool
from tests.tools.samples import Filling, Grep, Point, Tab

NAMES = ("url", "max_width", "full_page", "wait_for_it", "items_per_page", "type_")

LEAVES: Sequence[Any] = (
    str,
    int,
    float,
    bool,
    Point,
    Grep,
    Filling,
    Literal["left", "right"],
    Annotated[str, "Described", Limits(min_length=1, max_length=5)],
    Annotated[int, Limits(minimum=-3, maximum=3)],
    Annotated[float, Limits(minimum=0.5)],
    Annotated[list[int], Limits(min_length=1, max_length=2)],
    str | bool | list[str],
    str | Grep,
    Literal["page", "half"] | int,
    dict[str, Any],
)


def _containers(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        inner.map(lambda hint: GenericAlias(list, (hint,))),
        inner.map(lambda hint: GenericAlias(dict, (str, hint))),
    )


hints: st.SearchStrategy[Any] = st.recursive(st.sampled_from(LEAVES), _containers, max_leaves=3)


@st.composite
def tools(draw: st.DrawFn) -> Tool:
    """Return a tool with up to six parameters, some of them optional."""
    types = draw(st.dictionaries(st.sampled_from(NAMES), hints, min_size=1))
    optional = draw(st.sets(st.sampled_from(NAMES)))

    async def handler(tab: Tab, **arguments: Any) -> Answer:
        return Answer(())

    parameters = [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=None if name in optional else inspect.Parameter.empty,
        )
        for name in types
    ]
    actor = inspect.Parameter("tab", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    signature: dict[str, Any] = {"__signature__": inspect.Signature([actor, *parameters])}
    vars(handler).update(signature)
    handler.__annotations__ = {
        "tab": Tab,
        **{name: hint | None if name in optional else hint for name, hint in types.items()},
    }
    return tool(group="interaction")(handler)


@st.composite
def calls(draw: st.DrawFn) -> tuple[Tool, dict[str, Any]]:
    """Return a tool, and arguments that conform to its schema."""
    chosen = draw(tools())
    schema = chosen.input_schema
    schema["properties"]["tab_id"]["enum"] = ["tab-1", "tab-23"]
    return chosen, draw(conforming(schema))


def conforming(schema: Schema) -> st.SearchStrategy[Any]:
    """Return a strategy for values that a schema allows."""
    if "anyOf" in schema:
        return st.one_of(*map(conforming, schema["anyOf"]))
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    return _BY_TYPE[schema.get("type")](schema)


def _objects(schema: Schema) -> st.SearchStrategy[Any]:
    if "properties" not in schema:
        return st.dictionaries(
            st.text(max_size=5), conforming(schema.get("additionalProperties", {})), max_size=3
        )
    properties = {name: conforming(inner) for name, inner in schema["properties"].items()}
    required = schema.get("required", ())
    return st.fixed_dictionaries(
        {name: values for name, values in properties.items() if name in required},
        optional={name: values for name, values in properties.items() if name not in required},
    )


_BY_TYPE: Mapping[str | None, Callable[[Schema], st.SearchStrategy[Any]]] = {
    None: lambda _: st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    "string": lambda s: st.text(min_size=s.get("minLength", 0), max_size=s.get("maxLength", 9)),
    "integer": lambda s: st.integers(s.get("minimum", -(2**53) + 1), s.get("maximum", 2**53 - 1)),
    "number": lambda s: st.floats(
        s.get("minimum"), s.get("maximum"), allow_nan=False, allow_infinity=False
    ),
    "boolean": lambda _: st.booleans(),
    "array": lambda s: st.lists(
        conforming(s["items"]), min_size=s.get("minItems", 0), max_size=s.get("maxItems", 3)
    ),
    "object": _objects,
}


def plain(value: Any) -> Any:
    """Turn parsed arguments back into their JSON, without arguments that were not passed."""
    if attrs.has(value.__class__):
        return attrs.asdict(value)
    if isinstance(value, list):
        return [plain(item) for item in cast("Sequence[Any]", value)]
    if isinstance(value, dict):
        return {key: plain(member) for key, member in cast("dict[str, Any]", value).items()}
    return value
