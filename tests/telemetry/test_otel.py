"""Spans of verbs, in the trace of the request."""

import sys

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from charlotte.base.errors import InvalidArgument, TabNotFound
from charlotte.telemetry.otel import open_tracing, trace_id, verb_span
from tests.programs import run_python


@pytest.fixture
def exporter(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "_TRACER_PROVIDER", provider)
    return exporter


def test_a_verb_is_a_child_of_the_present_span(exporter: InMemorySpanExporter) -> None:
    assert trace_id() is None
    with trace.get_tracer("test").start_as_current_span("tools/call click"):
        known = trace_id()
        with verb_span("tab-12", "click"):
            pass

    work, call = exporter.get_finished_spans()
    assert work.name == "tab: click"
    assert dict(work.attributes or {}) == {"charlotte.actor": "tab-12", "gen_ai.tool.name": "click"}
    assert work.parent is not None
    assert work.parent == call.get_span_context()
    assert known == trace.format_trace_id(work.parent.trace_id)
    assert work.status.is_unset


def test_a_failed_verb_has_the_code_of_its_error(exporter: InMemorySpanExporter) -> None:
    with pytest.raises(TabNotFound), verb_span("tab-12 console", "console"):
        raise TabNotFound("none")

    [work] = exporter.get_finished_spans()
    assert (work.attributes or {})["error.type"] == "TAB_NOT_FOUND"
    assert not work.status.is_ok
    assert not work.events


async def test_a_program_that_has_set_a_provider_keeps_it(exporter: InMemorySpanExporter) -> None:
    own = trace.get_tracer_provider()
    async with open_tracing():
        assert trace.get_tracer_provider() is own
        with verb_span("tab-1", "click"):
            pass
    assert exporter.get_finished_spans()


def test_the_sdk_of_opentelemetry_is_not_imported_without_the_flag() -> None:
    code = (
        "import sys, charlotte.api.app, charlotte.server, charlotte.cli.serve; "
        "print([name for name in sys.modules if name.startswith('opentelemetry.sdk')])"
    )
    assert "[]\n" == run_python("-c", code).out


async def test_an_exporter_that_is_not_installed_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("OTEL_TRACES_EXPORTER", raising=False)
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter", None)
    with pytest.raises(InvalidArgument, match="exporter of --otel is not installed"):
        async with open_tracing():
            pass


async def test_the_exporter_none_exports_nothing_and_need_not_be_installed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    providers: list[TracerProvider] = []
    monkeypatch.setattr(trace, "set_tracer_provider", providers.append)
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "none")
    monkeypatch.setitem(sys.modules, "opentelemetry.exporter", None)
    async with open_tracing():
        [provider] = providers
        assert provider.get_tracer("test").start_span("spans have ids").is_recording()
