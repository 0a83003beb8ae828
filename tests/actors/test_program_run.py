"""Runs of programs: their calls, their limits, and the errors with which they end."""

import os
from typing import Any

import pytest
import trio
from trio.testing import MockClock

from charlotte.actors.program_run import (
    MOST_AT_ONCE,
    MOST_CALLS,
    MOST_MEMORY,
    ProgramResult,
    ProgramRun,
)
from charlotte.base.errors import (
    CharlotteError,
    DeadlineExceeded,
    ElementNotFound,
    EvaluationFailed,
    NotCompiled,
)
from charlotte.browser.sandbox_page import RendererMemory, Sandbox
from charlotte.protocol.connection import open_connection
from charlotte.protocol.target import AttachToTarget
from tests.actors.fake_programs import FakeProgram, call, end, failure
from tests.fakes import FakeBrowser

STACK = "Error\n    at call (<anonymous>:62:5)\n    at eval (program.js:9:11)\n    at run (x:1:1)"


async def echo(tool: str, arguments: dict[str, Any]) -> Any:
    return [tool, arguments]


async def fail(_tool: str, _arguments: dict[str, Any]) -> Any:
    raise ElementNotFound("No element 'btn-1'.", "Observe.", {"near": "btn-2"})


async def run(program: FakeProgram, perform: Any = echo, limit: int = 5000) -> ProgramResult:
    with trio.fail_after(60):
        async with program.opened() as sandbox:
            return await ProgramRun(perform).run(sandbox, "code", limit)


async def refused(program: FakeProgram, perform: Any = echo, limit: int = 5000) -> CharlotteError:
    with pytest.raises(CharlotteError) as caught:
        await run(program, perform, limit)
    return caught.value


async def test_the_program_gets_code_message_and_suggestion_of_a_failed_call() -> None:
    program = FakeProgram([[call(1, "click")], [end("caught")]])

    result = await run(program, fail)

    assert result.value == "caught"
    [answer] = program.answers
    error = answer["error"]
    expected = ("ELEMENT_NOT_FOUND", "No element 'btn-1'.", "Observe.")
    assert (error["code"], error["message"], error["suggestion"]) == expected


async def test_an_error_of_the_program_has_its_line_and_the_console() -> None:
    program = FakeProgram([[{"line": "begun"}, failure("TypeError: x", stack=STACK)]])

    error = await refused(program)

    assert isinstance(error, EvaluationFailed)
    assert error.message == "Line 7 of the program failed: TypeError: x"
    assert error.details == {"line": 7, "console": ["begun"]}


async def test_a_syntax_error_has_its_line_and_nothing_runs() -> None:
    program = FakeProgram([])
    program.refusal = {
        "text": "Uncaught",
        "lineNumber": 3,
        "columnNumber": 8,
        "exception": {"type": "object", "description": "SyntaxError: Unexpected\n    at x"},
    }

    error = await refused(program)

    assert isinstance(error, NotCompiled)
    assert error.message == "Line 2 of the program: SyntaxError: Unexpected"
    assert not program.has_started


async def test_calls_that_the_program_does_not_await_are_finished(
    autojump_clock: MockClock,
) -> None:
    done: list[str] = []

    async def take_a_second(tool: str, _: dict[str, Any]) -> None:
        await trio.sleep(1)
        done.append(tool)

    await run(FakeProgram([[call(1, "click"), end()]]), take_a_second)

    assert done == ["click"]


async def test_a_run_that_takes_too_long_ends_with_its_calls(autojump_clock: MockClock) -> None:
    program = FakeProgram([[call(1, "tabs")], [call(2, "wait_for")]])

    async def hang(tool: str, _: dict[str, Any]) -> None:
        if tool == "wait_for":
            await trio.sleep_forever()

    error = await refused(program, hang, limit=2000)

    assert isinstance(error, DeadlineExceeded)
    assert "2000 ms" in error.message
    assert "2 calls, and wait_for did not end" in error.message


async def test_a_limited_number_of_calls_run_at_the_same_time(autojump_clock: MockClock) -> None:
    running, most = 0, 0

    async def count(_tool: str, _arguments: dict[str, Any]) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await trio.sleep(0.01)
        running -= 1

    calls = [call(number, "tabs") for number in range(1, 3 * MOST_AT_ONCE)]
    await run(FakeProgram([calls, [end()]]), count)

    assert most == MOST_AT_ONCE


async def test_too_many_calls_end_the_run() -> None:
    calls = [call(number, "tabs") for number in range(1, MOST_CALLS + 2)]

    error = await refused(FakeProgram([calls]))

    assert isinstance(error, EvaluationFailed)
    assert f"more than {MOST_CALLS} calls" in error.message


async def test_too_much_memory_ends_the_run(autojump_clock: MockClock) -> None:
    program = FakeProgram([])
    program.heap = MOST_MEMORY + 1

    error = await refused(program)

    assert isinstance(error, EvaluationFailed)
    assert "512 MiB" in error.message


async def test_a_request_for_a_document_is_refused_and_ends_the_run(
    autojump_clock: MockClock,
) -> None:
    program = FakeProgram([[call(1, "tabs")]])

    async def navigate(_tool: str, _arguments: dict[str, Any]) -> None:
        program.request("http://other.test/")

    error = await refused(program, navigate)

    assert isinstance(error, EvaluationFailed)
    assert "no network" in error.message
    [refusal] = program.browser.received("Fetch.failRequest")
    assert refusal.params["requestId"] == "http://other.test/"


async def test_the_page_has_no_network_before_the_program_starts() -> None:
    program = FakeProgram([[end()]])

    await run(program)

    [conditions] = program.browser.received("Network.emulateNetworkConditions")
    assert conditions.params["offline"]
    sent = program.browser.methods(program.page.sessions[-1])
    assert sent.index("Network.emulateNetworkConditions") < sent.index("Runtime.callFunctionOn")


async def test_the_memory_is_that_of_the_process_with_the_time_of_the_page() -> None:
    browser = FakeBrowser()
    page = browser.open("context-1", "about:blank")
    metrics = {"JSHeapUsedSize": 5.0, "ProcessTime": 1.23}
    processes = {os.getpid(): 1.23, 2**22 + 1: 1.23, 1: 7.0}
    browser.on["Performance.getMetrics"] = lambda _: {
        "metrics": [{"name": name, "value": value} for name, value in metrics.items()]
    }
    browser.on["SystemInfo.getProcessInfo"] = lambda _: {
        "processInfo": [
            {"type": "renderer", "id": number, "cpuTime": time}
            for number, time in processes.items()
        ]
    }

    async with open_connection(browser) as connection:
        session = connection.session(await connection.root.call(AttachToTarget(target_id=page.id)))
        memory = RendererMemory(
            Sandbox("context-1", page.id, session, connection.root, is_local=True)
        )
        at_first = await memory.measure()
        processes[2**22 + 1] = 9.0
        later = await memory.measure()

    assert at_first == 5  # two processes have the same time: only the heap is known
    assert later > 2**20


async def test_a_crash_ends_the_run(autojump_clock: MockClock) -> None:
    program = FakeProgram([[call(1, "tabs")]])

    async def crash(_tool: str, _arguments: dict[str, Any]) -> None:
        program.browser.crash(program.page)

    error = await refused(program, crash)

    assert isinstance(error, EvaluationFailed)
    assert "crashed" in error.message


async def test_a_page_that_is_gone_ends_the_run(autojump_clock: MockClock) -> None:
    program = FakeProgram([[call(1, "tabs")]])

    async def close(_tool: str, _arguments: dict[str, Any]) -> None:
        program.browser.close(program.page)

    assert "left or closed its page" in (await refused(program, close)).message
