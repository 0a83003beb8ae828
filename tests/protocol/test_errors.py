"""Every refusal of the browser that we know becomes the exception that says what it means."""

import pytest

from charlotte.base.errors import Fatal, SessionProblem
from charlotte.protocol.errors import (
    ContextGone,
    NodeGone,
    ProtocolError,
    Refused,
    SessionGone,
    TargetGone,
    protocol_error,
)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Cannot find context with specified id", ContextGone),
        ("uniqueContextId not found", ContextGone),
        ("Execution context was destroyed.", ContextGone),
        ("Inspected target navigated or closed", ContextGone),
        ("Cannot find default execution context", ContextGone),
        ("No frame for given id found", ContextGone),
        ("Frame with the given id was not found.", ContextGone),
        ("Could not find node with given id", NodeGone),
        ("No node with given id found", NodeGone),
        ("No node found for given backend id", NodeGone),
        ("Could not find object with given id", NodeGone),
        ("Node is detached from document", NodeGone),
        ("Session with given id not found.", SessionGone),
        ("No target with given id found", TargetGone),
        ("Target closed", TargetGone),
        ("Not attached to an active page", TargetGone),
        ("Failed to find browser context with id ABC", TargetGone),
        ("Failed to find context with id ABC", TargetGone),
        ("Internal error", Refused),
        ("", Refused),
    ],
)
def test_a_refusal_becomes_the_most_specific_exception(
    message: str, kind: type[ProtocolError]
) -> None:
    assert type(protocol_error("Page.navigate", -32000, message)) is kind


def test_an_exception_names_the_refused_command_and_the_reason() -> None:
    error = protocol_error("Page.navigate", -32602, "Invalid parameters")

    assert error.message == "The browser refused Page.navigate: Invalid parameters"
    assert (error.method, error.refusal_code, error.refusal) == (
        "Page.navigate",
        -32602,
        "Invalid parameters",
    )


def test_a_refusal_is_returned_but_a_lost_session_ends_the_incarnation() -> None:
    assert issubclass(ProtocolError, SessionProblem)
    assert [
        kind for kind in (ContextGone, NodeGone, SessionGone, TargetGone) if issubclass(kind, Fatal)
    ] == [SessionGone]


def test_the_own_message_of_a_lost_session_is_recognized() -> None:
    error = protocol_error("Runtime.evaluate", SessionGone.CODE, SessionGone.MESSAGE)

    assert isinstance(error, SessionGone)
