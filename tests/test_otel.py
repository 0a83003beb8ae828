"""Spans of calls, of actors' work and of protocol commands, in the trace of the client."""

import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from types import SimpleNamespace
from typing import Any

import attrs
import pytest
import trio
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import SpanKind

from charlotte import tracing
from charlotte.actors.kernel import mailbox as kernel
from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.config import Config
from charlotte.config_checks import check
from charlotte.errors import InvalidArgument, TabNotFound
from charlotte.otel import OtelTracer, open_tracer
from charlotte.protocol.connection import Session, open_connection
from charlotte.protocol.errors import ProtocolError
from charlotte.protocol.runtime import Evaluate
from charlotte.server.sdk import trace_fields
from charlotte.tracing import carrier_variable, span_variable
from tests.fakes import FakeBrowser

TRACE = "0af7651916cd43dd8448eb211c80319c"
PARENT = "b7ad6b7169203331"
CARRIER = {"traceparent": f"00-{TRACE}-{PARENT}-01"}


@attrs.define(eq=False)
class Traced:
    tracer: OtelTracer
    exporter: InMemorySpanExporter

    @contextmanager
    def call(self, tool: str = "click") -> Generator[None]:
        """Make a call that is traced."""
        span = self.tracer.begin_call(tool, {})
        token = span_variable.set(span)
        try:
            yield
        finally:
            span_variable.reset(token)
            span.end()

    def spans(self) -> dict[str, ReadableSpan]:
        return {span.name: span for span in self.exporter.get_finished_spans()}


@pytest.fixture
async def traced(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Traced]:
    monkeypatch.setattr(kernel, "carried_variables", [*kernel.carried_variables, span_variable])
    exporter, provider = InMemorySpanExporter(), TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    async with open_tracer(provider) as tracer:
        yield Traced(tracer, exporter)


def parent_of(span: ReadableSpan) -> int | None:
    return span.parent.span_id if span.parent else None


def id_of(span: ReadableSpan) -> int:
    assert span.context
    return int(span.context.span_id)


async def test_a_call_continues_the_trace_of_its_client(traced: Traced) -> None:
    carrier_variable.set(CARRIER)
    with traced.call("observe"):
        pass

    [span] = traced.exporter.get_finished_spans()
    assert "tools/call observe" == span.name
    assert SpanKind.SERVER == span.kind
    assert int(PARENT, 16) == parent_of(span)
    assert span.context
    assert int(TRACE, 16) == span.context.trace_id
    assert {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "observe"} == dict(
        span.attributes or {}
    )


@pytest.mark.parametrize("value", ["", "nonsense", f"00-{'0' * 32}-{PARENT}-01"])
async def test_an_invalid_trace_context_begins_another_trace(traced: Traced, value: str) -> None:
    carrier_variable.set({"traceparent": value})
    with traced.call():
        pass
    assert parent_of(traced.spans()["tools/call click"]) is None


async def test_a_call_that_a_call_makes_is_its_child(traced: Traced) -> None:
    carrier_variable.set(CARRIER)
    with traced.call("batch"), traced.call("click"):
        pass

    spans = traced.spans()
    assert id_of(spans["tools/call batch"]) == parent_of(spans["tools/call click"])
    assert SpanKind.INTERNAL == spans["tools/call click"].kind


class Worker:
    async def answer(self) -> str:
        return "yes"

    async def refuse(self) -> None:
        raise TabNotFound("none")


@asynccontextmanager
async def served() -> AsyncGenerator[Mailbox[Worker]]:
    mailbox = Mailbox[Worker]("tab-12 console")
    async with trio.open_nursery() as nursery:
        nursery.start_soon(mailbox.serve, Worker())  # noqa: ASYNC113 - requests queue till then
        yield mailbox
        nursery.cancel_scope.cancel()


async def test_the_work_of_an_actor_is_a_child_of_the_call(traced: Traced) -> None:
    async with served() as mailbox:
        with traced.call():
            await mailbox.ask(Worker.answer)
            with pytest.raises(TabNotFound):
                await mailbox.ask(Worker.refuse)

    spans = traced.spans()
    done, failed = spans["tab console: answer"], spans["tab console: refuse"]
    assert id_of(spans["tools/call click"]) == parent_of(done) == parent_of(failed)
    assert {"charlotte.actor": "tab-12 console"} == dict(done.attributes or {})
    assert "TAB_NOT_FOUND" == (failed.attributes or {})["error.type"]
    assert not failed.status.is_ok
    assert done.status.is_unset


async def test_work_that_belongs_to_no_call_is_not_traced(traced: Traced) -> None:
    async with served() as mailbox, connected(FakeBrowser()) as session:
        await mailbox.ask(Worker.answer)
        await session.call(Evaluate(expression="1"))
    assert {} == traced.spans()


@asynccontextmanager
async def connected(browser: FakeBrowser) -> AsyncGenerator[Session]:
    target = browser.open("context-1", "about:blank")
    async with open_connection(browser) as connection:
        yield connection.session(browser.attach(target))


async def test_each_protocol_command_is_a_span_from_sending_to_reply(traced: Traced) -> None:
    browser = FakeBrowser()
    async with connected(browser) as session:
        browser.hold("Runtime.evaluate")
        with traced.call():
            sent = await session.begin(Evaluate(expression="1"))
            refused = await session.begin(Evaluate(expression="2"))
            assert {} == traced.spans()
            browser.answer(await browser.until_sent("Runtime.evaluate"), result={"type": "number"})
            browser.refuse(await browser.until_sent("Runtime.evaluate", 2), "no")
            await sent.settled.wait()
            with pytest.raises(ProtocolError):
                await refused.result()
            with trio.move_on_after(0.05):
                await session.call(Evaluate(expression="3"))

    call = traced.spans()["tools/call click"]
    commands = [one for one in traced.exporter.get_finished_spans() if one is not call]
    assert ["Runtime.evaluate"] * 3 == [one.name for one in commands]
    assert [SpanKind.CLIENT] * 3 == [one.kind for one in commands]
    assert {id_of(call)} == {parent_of(one) for one in commands}
    assert [None, "refused", "cancelled"] == [
        (one.attributes or {}).get("error.type") for one in commands
    ]


async def test_a_command_has_no_span_if_its_call_is_not_traced() -> None:
    async with connected(FakeBrowser()) as session:
        pending = await session.begin(Evaluate(expression="1"))
        assert pending.span is None
    assert tracing.span_variable not in kernel.carried_variables


def test_the_sdk_of_opentelemetry_is_not_imported_without_the_flag() -> None:
    code = (
        "import sys, charlotte.app, charlotte.server, charlotte.cli.serve; "
        "print([name for name in sys.modules if name.startswith('opentelemetry.sdk')])"
    )
    done = subprocess.run(  # noqa: S603 - a fixed program
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=50
    )
    assert "[]\n" == done.stdout


async def test_an_exporter_that_is_not_installed_is_an_error(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "zipkin")
    with pytest.raises(InvalidArgument, match="zipkin, which is not installed"):
        async with open_tracer():
            pass
    with pytest.raises(InvalidArgument, match="zipkin, which is not installed"):
        check(Config(otel=True))
    monkeypatch.setenv("OTEL_TRACES_EXPORTER", "console,none")
    check(Config(otel=True))


@pytest.mark.parametrize(
    ("meta", "headers", "expected"),
    [
        ({**CARRIER, "progress_token": 1}, {"traceparent": "other"}, CARRIER),
        (None, {**CARRIER, "tracestate": "a=b"}, {**CARRIER, "tracestate": "a=b"}),
        ({"progress_token": 1}, CARRIER, CARRIER),
        (None, None, {}),
    ],
)
def test_the_trace_context_is_that_of_meta_or_else_of_the_headers(
    meta: dict[str, Any] | None, headers: dict[str, str] | None, expected: dict[str, str]
) -> None:
    request = None if headers is None else SimpleNamespace(headers=headers)
    context: Any = SimpleNamespace(meta=meta, request=request)
    assert expected == trace_fields(context)
