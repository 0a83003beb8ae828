"""Console calls and their arguments are formatted close to DevTools."""

import pytest

from charlotte.actors.monitors.console import call_text, format_message, format_value
from charlotte.protocol.runtime import (
    ConsoleApiCalled,
    ObjectPreview,
    PropertyPreview,
    RemoteObject,
)


def call(kind: str, *arguments: RemoteObject) -> ConsoleApiCalled:
    return ConsoleApiCalled(kind, list(arguments), 0)


def text(value: str) -> RemoteObject:
    return RemoteObject("string", value=value)


def test_a_claim_that_fails_says_that_it_did() -> None:
    assert (
        call_text(call("assert", text("%s is full"), text("It"))) == "Assertion failed: It is full"
    )


def number(value: int) -> RemoteObject:
    return RemoteObject("number", value=value, description=str(value))


def previewed(
    description: str, *properties: PropertyPreview, subtype: str | None = None, more: bool = False
) -> RemoteObject:
    preview = ObjectPreview(overflow=more, properties=[*properties])
    return RemoteObject("object", subtype, description=description, preview=preview)


SIZE = PropertyPreview("size", "number", value="1")
ID = PropertyPreview("id", "string", value="10.08")
STATUS = PropertyPreview("status", "number", value="500")
INNER = PropertyPreview("to", "object", value="Object")
LIST = PropertyPreview("all", "object", "array", "Array(3)")
GETTER = PropertyPreview("x-y", "accessor")
METHOD = PropertyPreview("f", "function")
NULL = PropertyPreview("n", "object", "null", "null")
FIRST, SECOND = PropertyPreview("0", "number", value="1"), PropertyPreview("1", "string", value="b")


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
    assert format_value(value) == expected


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (previewed("Object"), "{}"),
        (previewed("Object", ID, STATUS), "{id: '10.08', status: 500}"),
        (previewed("Object", STATUS, more=True), "{status: 500, …}"),
        (previewed("Object", INNER, LIST, NULL), "{to: {…}, all: Array(3), n: null}"),
        (previewed("Object", GETTER, METHOD), "{x-y: (...), f: ƒ}"),
        (previewed("Cart", STATUS), "Cart {status: 500}"),
        (previewed("Array(0)", subtype="array"), "[]"),
        (previewed("Array(2)", FIRST, SECOND, subtype="array"), "(2) [1, 'b']"),
        (previewed("Array(200)", FIRST, subtype="array", more=True), "(200) [1, …]"),
        (previewed("Uint8Array(1)", FIRST, SIZE, subtype="typedarray"), "Uint8Array(1) [1]"),
        (previewed("Map(1)", SIZE, subtype="map"), "Map(1)"),
        (previewed("Error: no\n    at f", STATUS, subtype="error"), "Error: no\n    at f"),
        (previewed("div#cart", STATUS, subtype="node"), "div#cart"),
    ],
)
def test_of_an_object_is_printed_what_its_preview_shows(value: RemoteObject, expected: str) -> None:
    assert format_value(value) == expected


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
    assert format_message(arguments) == expected
