"""The span of the call that is being executed, if calls are traced.

Work of actors and protocol commands become children of the span. Work that belongs to no call is
not traced, so the only cost without tracing is to look for a span.
"""

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Literal, Protocol

Attributes = Mapping[str, str | int | float]
SpanKind = Literal["internal", "client"]


class Span(Protocol):
    """A span that has begun."""

    def begin(self, name: str, attributes: Attributes, kind: SpanKind = "internal") -> "Span":
        """Begin a child."""
        ...

    def end(self, error: str | None = None, attributes: Attributes | None = None) -> None:
        """End the span, with the error if it failed; later calls have no effect."""
        ...

    @property
    def trace_id(self) -> str:
        """The id of the trace in hexadecimal digits."""
        ...


Carrier = Mapping[str, str]
"""The fields ``traceparent``, ``tracestate`` and ``baggage`` of a request (W3C Trace Context)."""

FIELDS = ("traceparent", "tracestate", "baggage")

span_variable: ContextVar[Span | None] = ContextVar("span", default=None)

carrier_variable: ContextVar[Carrier | None] = ContextVar("carrier", default=None)


class Tracer(Protocol):
    """The source of the spans of calls."""

    def begin_call(self, tool: str, attributes: Attributes) -> Span:
        """Begin the span of a call: a child of the call that makes it, or of the client's span."""
        ...


def error_name(error: BaseException) -> str:
    """Return the code of an error of Charlotte, or the type of another exception."""
    return str(getattr(error, "code", type(error).__name__))
