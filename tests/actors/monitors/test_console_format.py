"""Console calls and their arguments are formatted close to DevTools."""

import pytest

from charlotte.actors.monitors.console import call_text, format_message, format_value
from charlotte.protocol.runtime import (
    CallFrame,
    ConsoleApiCalled,
    EntryPreview,
    ObjectPreview,
    PropertyPreview,
    RemoteObject,
    StackTrace,
    ValuePreview,
)


def call(kind: str, *arguments: RemoteObject, stack: StackTrace | None = None) -> ConsoleApiCalled:
    return ConsoleApiCalled(kind, list(arguments), 0, stack)


def text(value: str) -> RemoteObject:
    return RemoteObject("string", value=value)


def printed_object(preview: ObjectPreview) -> RemoteObject:
    return RemoteObject("object", description="Object", preview=preview)


def cell(name: str, value: str) -> PropertyPreview:
    return PropertyPreview(name, "number", value=value)


def line(index: str, *cells: PropertyPreview) -> PropertyPreview:
    return PropertyPreview(index, "object", value_preview=ObjectPreview(properties=[*cells]))


ONE = ValuePreview("number", description="1")
KEY = ValuePreview("string", description="k")


@pytest.mark.parametrize(
    ("preview", "expected"),
    [
        (
            ObjectPreview(properties=[line("0", cell("a", "1")), line("1", cell("b", "2"))]),
            "0: {a: 1}\n1: {b: 2}",
        ),
        (
            ObjectPreview(properties=[line("x", cell("a", "1")), cell("y", "2")]),
            "x: {a: 1}\ny: 2",
        ),
        (ObjectPreview(overflow=True, properties=[cell("0", "7")]), "0: 7\n…"),
        (
            ObjectPreview(entries=[EntryPreview(ONE, KEY)]),
            "0: 'k' => 1",
        ),
        (ObjectPreview(entries=[EntryPreview(ONE)]), "0: 1"),
        (ObjectPreview(), "{}"),
    ],
)
def test_a_table_has_a_row_for_each_property_or_entry(
    preview: ObjectPreview, expected: str
) -> None:
    assert call_text(call("table", printed_object(preview))) == expected


def test_what_is_no_object_is_no_table() -> None:
    assert call_text(call("table", text("plain"))) == "plain"


def test_a_claim_that_fails_says_that_it_did() -> None:
    assert (
        call_text(call("assert", text("%s is full"), text("It"))) == "Assertion failed: It is full"
    )


def test_a_trace_has_its_stack_without_what_the_probe_adds() -> None:
    ours = CallFrame("", 9, 9, "apply")
    frames = [ours, CallFrame("http://a.test/", 2, 4, "f"), CallFrame("http://a.test/", 0, 0)]

    assert call_text(call("trace", text("here"), stack=StackTrace(frames))) == (
        "here\n    at f (http://a.test/:3:5)\n    at http://a.test/:1:1"
    )
    assert call_text(call("trace", text("here"))) == "here"


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
FIRST, SECOND = PropertyPreview("0", "number", value="1"), PropertyPreview("1", "string", value="b")
OBJECT = ValuePreview("object", description="Object")


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
        (previewed("Object", ID, STATUS), "{id: '10\\'08', status: 500}"),
        (previewed("Object", STATUS, more=True), "{status: 500, …}"),
        (previewed("Object", INNER, LIST, NULL), "{to: {…}, all: Array(3), n: null}"),
        (previewed("Object", GETTER, METHOD), "{'x-y': (...), f: ƒ}"),
        (previewed("Cart", STATUS), "Cart {status: 500}"),
        (previewed("Array(0)", subtype="array"), "[]"),
        (previewed("Array(2)", FIRST, SECOND, subtype="array"), "(2) [1, 'b']"),
        (previewed("Array(200)", FIRST, subtype="array", more=True), "(200) [1, …]"),
        (previewed("Uint8Array(1)", FIRST, SIZE, subtype="typedarray"), "Uint8Array(1) [1]"),
        (collection("Map(1)", EntryPreview(OBJECT, KEY)), "Map(1) {'k' => {…}}"),
        (collection("Set(1)", EntryPreview(KEY)), "Set(1) {'k'}"),
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
