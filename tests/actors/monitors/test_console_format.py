"""Calls of the console are told in the words of DevTools."""

import pytest

from charlotte.actors.monitors.console_format import Groups, said
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
            "(index) | a | b\n0 | 1 |\n1 |  | 2",
        ),
        (
            ObjectPreview(properties=[line("x", cell("a", "1")), cell("y", "2")]),
            "(index) | a | Value\nx | 1 |\ny |  | 2",
        ),
        (ObjectPreview(overflow=True, properties=[cell("0", "7")]), "(index) | Value\n0 | 7\n…"),
        (
            ObjectPreview(entries=[EntryPreview(ONE, KEY)]),
            "(iteration index) | Key | Value\n0 | 'k' | 1",
        ),
        (ObjectPreview(entries=[EntryPreview(ONE)]), "(iteration index) | Value\n0 | 1"),
        (ObjectPreview(), "{}"),
    ],
)
def test_a_table_has_a_row_for_each_property_or_entry(
    preview: ObjectPreview, expected: str
) -> None:
    assert said(call("table", printed_object(preview))) == expected


def test_what_is_no_object_is_no_table() -> None:
    assert said(call("table", text("plain"))) == "plain"


def test_a_claim_that_fails_says_that_it_did() -> None:
    assert said(call("assert", text("%s is full"), text("It"))) == "Assertion failed: It is full"


def test_a_trace_has_its_stack_without_what_the_probe_adds() -> None:
    ours = CallFrame("", 9, 9, "apply")
    frames = [ours, CallFrame("http://a.test/", 2, 4, "f"), CallFrame("http://a.test/", 0, 0)]

    assert said(call("trace", text("here"), stack=StackTrace(frames))) == (
        "here\n    at f (http://a.test/:3:5)\n    at http://a.test/:1:1"
    )
    assert said(call("trace", text("here"))) == "here"


def test_groups_indent_what_they_hold_and_end_with_the_console() -> None:
    groups, seen = Groups(), list[str]()
    kinds = ["endGroup", "startGroup", "log", "startGroupCollapsed", "endGroup", "clear"]
    for kind in kinds:
        groups.note(call(kind))
        seen.append(groups.indent)

    assert seen == ["", "  ", "  ", "    ", "  ", ""]


def test_a_page_that_opens_groups_without_end_does_not_indent_without_end() -> None:
    groups = Groups()
    for _ in range(1000):
        groups.note(call("startGroup"))

    assert groups.indent == " " * 40
