"""Spans of OpenTelemetry (extra ``otel``); imported only if tracing is on.

The environment variables of OpenTelemetry configure service name, exporter, sampler and limits.
"""

import os
import sys
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from importlib.metadata import entry_points

import attrs
import trio
from opentelemetry import trace
from opentelemetry.propagate import extract
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter
from opentelemetry.trace import SpanKind, Status, StatusCode

from charlotte import tracing
from charlotte.errors import InvalidArgument
from charlotte.tracing import Attributes
from charlotte.version import __version__

_NAME = "charlotte"
_EXPORTERS = "opentelemetry_traces_exporter"
_FLUSH_WAIT = 5.0
_PROTOCOLS = {"grpc": "otlp_proto_grpc", "http/protobuf": "otlp_proto_http"}
_KINDS = {"internal": SpanKind.INTERNAL, "client": SpanKind.CLIENT}


@attrs.frozen(eq=False)
class OtelSpan:
    """A span of OpenTelemetry."""

    _tracer: trace.Tracer
    _span: trace.Span

    def begin(
        self, name: str, attributes: Attributes, kind: tracing.SpanKind = "internal"
    ) -> "OtelSpan":
        """Begin a child."""
        context = trace.set_span_in_context(self._span)
        span = self._tracer.start_span(
            name, context, _KINDS[kind], attributes, record_exception=False
        )
        return OtelSpan(self._tracer, span)

    def end(self, error: str | None = None, attributes: Attributes | None = None) -> None:
        """End the span; later calls have no effect."""
        if not self._span.is_recording():
            return
        self._span.set_attributes(attributes or {})
        if error is not None:
            self._span.set_attribute("error.type", error)
            self._span.set_status(Status(StatusCode.ERROR))
        self._span.end()

    @property
    def trace_id(self) -> str:
        """The id of the trace in hexadecimal digits."""
        return trace.format_trace_id(self._span.get_span_context().trace_id)


@attrs.frozen(eq=False)
class OtelTracer:
    """The source of the spans of calls."""

    _tracer: trace.Tracer

    def begin_call(self, tool: str, attributes: Attributes) -> OtelSpan:
        """Begin the span of a call.

        Its parent is the call that makes it, the client's span, or the present span of the program.
        """
        known = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, **attributes}
        if (parent := tracing.span_variable.get()) is not None:
            return OtelSpan.begin(parent, f"tools/call {tool}", known)  # type: ignore[arg-type]
        context = extract(tracing.carrier_variable.get() or {})
        span = self._tracer.start_span(f"tools/call {tool}", context, SpanKind.SERVER, known)
        return OtelSpan(self._tracer, span)


@asynccontextmanager
async def open_tracer(provider: trace.TracerProvider | None = None) -> AsyncGenerator[OtelTracer]:
    """Provide a tracer: of ``provider``, of the program's provider, or of a new one.

    A new provider exports its last spans at the end, within `_FLUSH_WAIT` seconds. Raises
    `InvalidArgument` for an exporter that is not installed.
    """
    given = provider or trace.get_tracer_provider()
    if isinstance(given, trace.ProxyTracerProvider):
        own = _new_provider()
        try:
            yield OtelTracer(own.get_tracer(_NAME, __version__))
        finally:
            with trio.move_on_after(_FLUSH_WAIT, shield=True):
                await trio.to_thread.run_sync(own.shutdown, abandon_on_cancel=True)
    else:
        yield OtelTracer(given.get_tracer(_NAME, __version__))


def _new_provider() -> TracerProvider:
    named = "OTEL_SERVICE_NAME" in os.environ or "service.name=" in os.environ.get(
        "OTEL_RESOURCE_ATTRIBUTES", ""
    )
    resource = Resource.create({} if named else {SERVICE_NAME: _NAME})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    for factory in find_exporters():
        provider.add_span_processor(BatchSpanProcessor(factory()))
    return provider


def find_exporters() -> list[Callable[[], SpanExporter]]:
    """Return factories of the exporters that are configured.

    Raises `InvalidArgument` for one that is not installed.
    """
    names = os.environ.get("OTEL_TRACES_EXPORTER", "otlp").split(",")
    return [_find_exporter(name.strip()) for name in names if name.strip() != "none"]


def _find_exporter(name: str) -> Callable[[], SpanExporter]:
    if name == "console":
        return _open_console
    if name == "otlp":
        protocol = os.environ.get("OTEL_EXPORTER_OTLP_PROTOCOL", "http/protobuf")
        protocol = os.environ.get("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", protocol)
        name = _PROTOCOLS.get(protocol, protocol)
    for entry in entry_points(group=_EXPORTERS, name=name):
        factory: Callable[[], SpanExporter] = entry.load()
        return factory
    raise InvalidArgument(
        f"OTEL_TRACES_EXPORTER names {name}, which is not installed.",
        "Install its package, or charlotte-mcp[otel] for otlp over HTTP.",
    )


def _open_console() -> SpanExporter:
    """Return an exporter to stderr, because stdout carries the messages of MCP."""
    return ConsoleSpanExporter(
        out=sys.stderr, formatter=lambda span: f"{span.to_json(indent=None)}\n"
    )
