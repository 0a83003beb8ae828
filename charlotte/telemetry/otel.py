"""Spans of OpenTelemetry (extra ``otel``); imported only if tracing is on.

The MCP SDK creates the span of each request, and `verb_span` its child for the work of an actor.
The environment variables of OpenTelemetry configure service name, exporter, sampler and limits.
"""

import os
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from importlib import import_module
from typing import Any

import trio
from opentelemetry import trace
from opentelemetry.sdk.resources import SERVICE_NAME, Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, ConsoleSpanExporter, SpanExporter
from opentelemetry.trace import StatusCode

from charlotte.base.errors import InvalidArgument
from charlotte.base.version import __version__

_NAME = "charlotte"
_FLUSH_WAIT = 5.0


@asynccontextmanager
async def open_tracing() -> AsyncGenerator[None]:
    """Send the spans of the process to a collector, unless the program has set its own provider.

    At the end, the last spans are exported within `_FLUSH_WAIT` seconds. Raises `InvalidArgument`
    if the exporter is not installed.
    """
    if not isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
        yield
        return
    named = "OTEL_SERVICE_NAME" in os.environ or "service.name=" in os.environ.get(
        "OTEL_RESOURCE_ATTRIBUTES", ""
    )
    resource = Resource.create({} if named else {SERVICE_NAME: _NAME})
    provider = TracerProvider(resource=resource, shutdown_on_exit=False)
    if os.environ.get("OTEL_TRACES_EXPORTER") != "none":
        provider.add_span_processor(BatchSpanProcessor(_new_exporter()))
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        with trio.move_on_after(_FLUSH_WAIT, shield=True):
            await trio.to_thread.run_sync(provider.force_flush, abandon_on_cancel=True)


@contextmanager
def verb_span(actor: str, tool: str) -> Generator[None]:
    """Trace a verb of an actor, which is a child of the present span: that of the MCP request."""
    tracer = trace.get_tracer(_NAME, __version__)
    kind = actor.partition("-")[0]
    about = {"charlotte.actor": actor, "gen_ai.tool.name": tool}
    with tracer.start_as_current_span(
        f"{kind}: {tool}", attributes=about, record_exception=False, set_status_on_exception=False
    ) as span:
        try:
            yield
        except BaseException as error:
            span.set_attribute("error.type", str(getattr(error, "code", type(error).__name__)))
            span.set_status(StatusCode.ERROR)
            raise


def trace_id() -> str | None:
    """Return the id of the present trace in hexadecimal digits, None without a trace."""
    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else None


def _new_exporter() -> SpanExporter:
    """Return the exporter to a collector, or for ``console`` to stderr: stdout carries MCP.

    Raises `InvalidArgument` if it is not installed.
    """
    if os.environ.get("OTEL_TRACES_EXPORTER") == "console":
        return ConsoleSpanExporter(
            out=sys.stderr, formatter=lambda span: f"{span.to_json(indent=None)}\n"
        )
    try:
        otlp: Any = import_module("opentelemetry.exporter.otlp.proto.http.trace_exporter")
    except ImportError:
        raise InvalidArgument(
            "The exporter of --otel is not installed.", "Install charlotte-mcp[otel]."
        ) from None
    exporter: SpanExporter = otlp.OTLPSpanExporter()
    return exporter
