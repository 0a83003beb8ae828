"""Budgets of subjects: sessions and tabs, with a mock clock."""

from typing import cast

import pytest
import trio
from trio.testing import MockClock, wait_all_tasks_blocked

from charlotte.base.errors import BudgetExceeded, SessionProblem
from charlotte.server.http.budget import get_subject
from tests.server.fake_server import FakeService
from tests.server.http.house import IDLE, House, open_house
from tests.server.http.stage import Logs, reasons


async def _service(house: House, caller: str) -> FakeService:
    """Begin a session that a second call has named; return its fake."""
    call = await house.visit(await house.settle(caller), caller)
    return cast("FakeService", cast("object", call.service))


def test_a_user_with_two_clients_is_one_subject_and_a_shared_token_is_another() -> None:
    assert get_subject(("one", "https://a.test", "ada")) == get_subject(
        ("other", "https://a.test", "ada")
    )
    assert get_subject(("one", "https://a.test", "ada")) != get_subject(
        ("one", "https://b.test", "ada")
    )
    assert get_subject(("token", None, None)) != get_subject(())


async def test_a_subject_with_all_its_sessions_is_refused_at_once_and_others_are_not(
    autojump_clock: MockClock, logs: Logs
) -> None:
    async with open_house(subject_sessions=2) as house:
        await house.settle("ada")
        await trio.sleep(IDLE - 40)
        await house.settle("ada")
        begun = trio.current_time()
        with pytest.raises(BudgetExceeded, match="budget of 2 sessions is used up: 2") as refused:
            await house.begin("ada")
        assert trio.current_time() == begun
        assert refused.value.details == {
            "budget": "sessions",
            "limit": 2,
            "used": 2,
            "retry_after_s": 40,
        }
        await house.settle("eve")
        await trio.sleep(41)
        await house.begin("ada")
        assert house.sessions.admission.refusals == {"sessions": 1}
    assert reasons(logs) == ["budget"]


async def test_a_session_that_is_closed_makes_room_in_the_budget(autojump_clock: MockClock) -> None:
    async with open_house(subject_sessions=1) as house:
        name = await house.settle("ada")
        house.sessions.close(name, ("ada", None, None))
        await wait_all_tasks_blocked()
        await house.begin("ada")


async def test_a_client_that_never_names_its_session_ends_its_own_ones_only(
    autojump_clock: MockClock,
) -> None:
    async with open_house(subject_sessions=2) as house:
        other = await house.begin("eve")
        for _ in range(5):
            await house.begin("ada")
            await trio.sleep(1)
        await house.visit(other, "eve")
        assert len(house.sessions) == 3


async def test_a_server_without_any_place_does_not_count_sessions_that_are_open(
    autojump_clock: MockClock,
) -> None:
    async with open_house(limit=2) as house:
        house.sessions.admission.resize(0)
        with pytest.raises(SessionProblem, match="full: it has no place for a session"):
            await house.begin("ada")


async def test_the_budget_of_tabs_counts_the_other_sessions_of_the_subject(
    autojump_clock: MockClock,
) -> None:
    async with open_house(subject_tabs=10) as house:
        one, other, eve = [await _service(house, caller) for caller in ("ada", "ada", "eve")]
        one.tabs, other.tabs, eve.tabs = 6, 3, 9
        assert one.budget is not None
        budget = one.budget()
        assert (budget.limit, budget.others) == (10, 3)
        assert budget.find_refusal(6) is None
        refusal = budget.find_refusal(7)
        assert refusal is not None
        assert refusal.details == {"budget": "tabs", "limit": 10, "used": 10}


async def test_a_server_without_budgets_limits_no_tabs(autojump_clock: MockClock) -> None:
    async with open_house() as house:
        assert (await _service(house, "ada")).budget is None
