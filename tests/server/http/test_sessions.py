"""Owners, lifetime and number of sessions, with a mock clock."""

from contextlib import AsyncExitStack

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.api.session import START_WAIT
from charlotte.base.errors import SessionProblem
from charlotte.server.http.budget import MAX_WAIT
from charlotte.server.http.sessions import MAX_CALLS
from charlotte.server.mcp_server import SessionCall
from charlotte.server.sdk import Context
from tests.server.http.house import IDLE, House, connected, open_house, stateless
from tests.server.http.stage import Logs, reasons


async def test_an_idle_session_ends_and_its_name_becomes_invalid(
    autojump_clock: MockClock, logs: Logs
) -> None:
    async with open_house() as house:
        name = await house.begin()
        await trio.sleep(IDLE - 1)
        service = (await house.visit(name)).service
        await trio.sleep(IDLE - 1)
        assert not house.closed
        await trio.sleep(2)
        assert house.closed == [service]
        with pytest.raises(SessionProblem, match="ended after 100 s without a call"):
            await house.visit(name)
    assert reasons(logs) == ["not found"]


async def test_a_session_name_is_valid_only_for_its_owner(
    autojump_clock: MockClock, logs: Logs
) -> None:
    async with open_house() as house:
        name = await house.begin("me")
        with pytest.raises(SessionProblem) as refused:
            await house.visit(name, "somebody else")
        with pytest.raises(SessionProblem) as unknown:
            await house.visit("0" * len(name), "somebody else")
        assert not house.sessions.close(name, ("somebody else", None, None))
        lobby = house.sessions.find_service(stateless(None))
        assert house.sessions.find_service(stateless(name, "somebody else")) is lobby
        assert house.sessions.find_service(stateless(name)) is not lobby
        assert not (await house.visit(name)).issued
    assert reasons(logs) == ["foreign", "not found"]
    assert refused.value.message.replace(name, "") == unknown.value.message.replace("0" * 24, "")


KEPT = {"charlotte-session": "my agent"}


async def test_a_header_keeps_a_session_over_connections_and_protocols(
    autojump_clock: MockClock,
) -> None:
    calls = list[SessionCall]()
    async with open_house() as house, AsyncExitStack() as stack:

        async def call(context: Context) -> None:
            calls.append(await house.call(context))

        async with trio.open_nursery() as nursery:  # the first calls at once, too
            nursery.start_soon(call, stateless(**KEPT))
            nursery.start_soon(call, stateless(**KEPT))
        for context in (connected("a", stack, **KEPT), connected("b", stack, **KEPT)):
            # without a token, which these do not have, callers are one
            await call(context)
        await stack.aclose()
        await call(stateless(**KEPT))
        assert len({id(one.service) for one in calls}) == 2
        assert calls[0].service is calls[1].service is calls[4].service
        assert calls[2].service is calls[3].service
        assert [one.issued for one in calls] == [None] * 5
        assert [bool(one.began) for one in calls] == [True, False, True, False, False]


async def test_a_header_keeps_a_session_only_for_its_token(autojump_clock: MockClock) -> None:
    async with open_house() as house:
        mine = await house.call(stateless(**KEPT))
        other = await house.call(stateless(caller="other", **KEPT))
        found = house.sessions.find_service(stateless(caller="other", **KEPT))
    assert mine.service is not other.service
    assert found is other.service


async def test_a_session_that_a_header_keeps_begins_again_after_its_end(
    autojump_clock: MockClock,
) -> None:
    async with open_house() as house:
        first = await house.call(stateless(**KEPT))
        await trio.sleep(IDLE + 1)
        second = await house.call(stateless(**KEPT))
    assert first.service is not second.service
    assert "had ended" in str(second.began)


async def test_a_token_has_one_session_if_that_was_chosen(autojump_clock: MockClock) -> None:
    async with open_house(per_token=True) as house:
        first = await house.call(stateless())
        second = await house.call(stateless())
        other = await house.call(stateless(caller="other"))
    assert first.service is second.service is not other.service


async def test_a_full_server_reports_when_to_retry(autojump_clock: MockClock) -> None:
    async with open_house(limit=2) as house:
        await house.settle()
        await trio.sleep(IDLE - 40)
        await house.settle()
        with pytest.raises(SessionProblem, match="Charlotte is full: 2 sessions") as refused:
            await house.begin()
        assert refused.value.details == {"retry_after_s": 40}
        await trio.sleep(41)
        await house.begin()


async def test_a_client_that_never_names_its_session_cannot_fill_the_server(
    autojump_clock: MockClock,
) -> None:
    async with open_house(limit=3) as house:
        named = await house.settle("me")
        for _ in range(10):
            await house.begin("a client that never names its session")
            await trio.sleep(1)
        assert len(house.sessions) == 3
        assert not (await house.visit(named)).issued
        mine = await house.begin("another")
        for _ in range(3):
            await house.begin("a client that never names its session")
        assert not (await house.visit(mine, "another")).issued
        assert trio.current_time() < MAX_WAIT


async def test_a_call_of_an_evicted_session_is_an_error_with_the_reason(
    autojump_clock: MockClock, logs: Logs
) -> None:
    async with open_house(limit=1) as house:
        name = await house.begin()
        await house.begin("another")
        with pytest.raises(SessionProblem, match="the server was full and no second call"):
            await house.visit(name)
    assert reasons(logs) == ["not found"]


async def test_waiting_calls_get_free_places_in_order(autojump_clock: MockClock) -> None:
    began: list[str] = []

    async def begin(house: House, caller: str) -> None:
        await house.begin(caller)
        began.append(caller)

    async with open_house(limit=1, queue=2) as house, trio.open_nursery() as nursery:
        first = await house.settle()
        for caller in "ab":
            nursery.start_soon(begin, house, caller)
            await wait_all_tasks_blocked()
        assert house.sessions.admission.waiting == 2
        with pytest.raises(SessionProblem, match="2 more wait"):
            await house.begin()
        assert house.sessions.close(first, ("me", None, None))
        await wait_all_tasks_blocked()
        assert began == ["a"]
        nursery.cancel_scope.cancel()


async def test_the_reason_for_having_no_place_is_that_of_the_browsers(
    autojump_clock: MockClock,
) -> None:
    async with open_house(limit=0, queue=1) as house:
        house.sessions.admission.find_outage = lambda: SessionProblem("No host is live.")
        with pytest.raises(SessionProblem, match="No host is live"):
            await house.begin()
        assert trio.current_time() >= START_WAIT


async def test_the_first_call_after_the_session_ended_is_an_error_and_the_next_starts_a_session(
    autojump_clock: MockClock,
) -> None:
    async with open_house() as house, AsyncExitStack() as stack:
        context = connected("one", stack)
        first = (await house.call(context)).service
        await trio.sleep(IDLE + 1)
        with pytest.raises(SessionProblem, match="this call did nothing"):
            await house.call(context)
        assert (await house.call(context)).service is not first


async def test_a_session_ends_with_its_connection(autojump_clock: MockClock) -> None:
    async with open_house() as house:
        async with AsyncExitStack() as stack:
            await house.call(connected("one", stack))
        await wait_all_tasks_blocked()
        assert len(house.closed) == 1
        assert len(house.sessions) == 0


async def test_a_session_is_closed_by_its_name(autojump_clock: MockClock) -> None:
    async with open_house() as house:
        name = await house.begin()
        assert not house.sessions.close("an unknown session", ("me", None, None))
        assert house.sessions.close(name, ("me", None, None))
        await wait_all_tasks_blocked()
        assert len(house.closed) == 1
        with pytest.raises(SessionProblem, match="not found"):
            await house.visit(name)


async def test_a_closing_server_refuses_calls_and_waits_for_running_ones(
    autojump_clock: MockClock,
) -> None:
    async with open_house() as house, trio.open_nursery() as nursery:
        name = await house.begin()

        async def work() -> None:
            async with house.sessions.open_call(stateless(name), {}):
                await trio.sleep(5)

        nursery.start_soon(work)
        await wait_all_tasks_blocked()
        house.sessions.is_closing = True
        begun = trio.current_time()
        with pytest.raises(SessionProblem, match="shutting down"):
            await house.visit(name)
        await house.sessions.wait_idle()
        assert trio.current_time() - begun == 5


async def test_a_session_has_a_limit_of_running_calls(autojump_clock: MockClock) -> None:
    async with open_house() as house, AsyncExitStack() as stack:
        name = await house.begin()
        for _ in range(MAX_CALLS):
            await stack.enter_async_context(house.sessions.open_call(stateless(name), {}))
        with pytest.raises(SessionProblem, match="256 calls of this session"):
            await house.visit(name)
        assert await house.begin()


async def test_places_can_be_added_and_removed_while_sessions_are_open(
    autojump_clock: MockClock,
) -> None:
    async with open_house(limit=1, queue=1) as house:
        admission = house.sessions.admission
        one = await admission.enter(("ada",), 1)
        admission.resize(2)
        other = await admission.enter(("eve",), 1)
        admission.resize(1)
        assert admission.is_full
        admission.leave(one)
        assert admission.is_full, "a session beyond the limit has kept its place"
        admission.leave(other)
        assert not admission.is_full
        admission.resize(0)
        assert admission.is_full
