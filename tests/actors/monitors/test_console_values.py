"""Values that a page prints are written as DevTools writes them, as far as their preview goes."""

import pytest

from charlotte.actors.monitors.console_values import printed, written
from charlotte.protocol.runtime import (
    EntryPreview,
    ObjectPreview,
    PropertyPreview,
    RemoteObject,
    ValuePreview,
)


def text(value: str) -> RemoteObject:
    return RemoteObject("string", value=value)


def number(value: int) -> RemoteObject:
    return RemoteObject("number", value=value, description=str(value))


def previewed(
    description: str, *properties: PropertyPreview, subtype: str | None = None, more: bool = False
) -> RemoteObject:
    preview = ObjectPreview(overflow=more, properties=[*properties])
    return RemoteObject("object", subtype, description=description, preview=preview)


def collection(description: str, *entries: EntryPreview) -> RemoteObject:
    preview = ObjectPreview(properties=[SIZE], entries=[*entries])
    kind = description.partition("(")[0].lower()
    return RemoteObject("object", kind, description=description, preview=preview)


SIZE = PropertyPreview("size", "number", value="1")
ID = PropertyPreview("id", "string", value="10'08")
STATUS = PropertyPreview("status", "number", value="500")
INNER = PropertyPreview("to", "object", value="Object")
LIST = PropertyPreview("all", "object", "array", "Array(3)")
GETTER = PropertyPreview("x-y", "accessor")
METHOD = PropertyPreview("f", "function")
NULL = PropertyPreview("n", "object", "null", "null")
ONE, TWO = PropertyPreview("0", "number", value="1"), PropertyPreview("1", "string", value="b")
KEY, VALUE = ValuePreview("string", description="k"), ValuePreview("object", description="Object")


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (text("plain"), "plain"),
        (text(""), ""),
        (RemoteObject("undefined"), "undefined"),
        (RemoteObject("object", "null", value=None), "null"),
        (RemoteObject("boolean", value=True), "true"),
        (RemoteObject("boolean", value=False), "false"),
        (number(1), "1"),
        (RemoteObject("number", value=1), "1"),
        (RemoteObject("number", value=0), "0"),
        (RemoteObject("number", value=1.5), "1.5"),
        (RemoteObject("number", unserializable_value="-0", description="-0"), "-0"),
        (RemoteObject("bigint", unserializable_value="7n", description="7n"), "7n"),
        (RemoteObject("object", "array", "Array", description="Array(3)"), "Array(3)"),
        (RemoteObject("object", class_name="Cart"), "Cart"),
        (RemoteObject("function", description="() => 1"), "() => 1"),
        (RemoteObject("symbol", description="Symbol(x)"), "Symbol(x)"),
        (RemoteObject("object"), "object"),
    ],
)
def test_arguments_are_printed_as_in_devtools(value: RemoteObject, expected: str) -> None:
    assert printed(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (previewed("Object"), "{}"),
        (previewed("Object", ID, STATUS), "{id: '10\\'08', status: 500}"),
        (previewed("Object", STATUS, more=True), "{status: 500, …}"),
        (previewed("Object", INNER, LIST, NULL), "{to: {…}, all: Array(3), n: null}"),
        (previewed("Object", GETTER, METHOD), "{'x-y': (...), f: ƒ}"),
        (previewed("Cart", STATUS), "Cart {status: 500}"),
        (previewed("Array(0)", subtype="array"), "[]"),
        (previewed("Array(2)", ONE, TWO, subtype="array"), "(2) [1, 'b']"),
        (previewed("Array(200)", ONE, subtype="array", more=True), "(200) [1, …]"),
        (previewed("Uint8Array(1)", ONE, SIZE, subtype="typedarray"), "Uint8Array(1) [1]"),
        (collection("Map(1)", EntryPreview(VALUE, KEY)), "Map(1) {'k' => {…}}"),
        (collection("Set(1)", EntryPreview(KEY)), "Set(1) {'k'}"),
        (previewed("Error: no\n    at f", STATUS, subtype="error"), "Error: no\n    at f"),
        (previewed("div#cart", STATUS, subtype="node"), "div#cart"),
    ],
)
def test_of_an_object_is_printed_what_its_preview_shows(value: RemoteObject, expected: str) -> None:
    assert printed(value) == expected


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ([], ""),
        ([text("100%")], "100%"),
        ([text("50%s")], "50%s"),
        ([number(1), text("%s")], "1 %s"),
        (
            [text("Each %s needs a key.%s"), text("<li>"), text(" See it.")],
            "Each <li> needs a key. See it.",
        ),
        (
            [text("%d of %i, %o"), number(1), number(2), previewed("Object", STATUS)],
            "1 of 2, {status: 500}",
        ),
        ([text("%cred%c %%"), text("color: red"), text("")], "red %"),
        ([text("%s"), number(1), number(2)], "1 2"),
        ([text("%s %s"), number(1)], "1 %s"),
    ],
)
def test_a_first_text_says_where_the_next_arguments_go(
    arguments: list[RemoteObject], expected: str
) -> None:
    assert written(arguments) == expected
