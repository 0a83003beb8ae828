"""Short logs of actors that crash on purpose, and the session that tests of actors play in."""

from collections.abc import AsyncGenerator

import pytest
import trio
from trio.testing import MockClock

from charlotte.actors.kernel.mailbox import Mailbox
from charlotte.actors.state.records import TabRecord
from tests.actors.stage import URL, Caller, Stage, open_stage
from tests.actors.workers import Answers, Opener, Worker


@pytest.fixture(autouse=True)
def crashes_logged_short(short_logs: None) -> None:
    """Actors crash on purpose here."""


@pytest.fixture
def clock() -> MockClock:
    """Time that passes at once; pytest-trio wants every test to ask for it by itself."""
    return MockClock(autojump_threshold=0)


@pytest.fixture
async def stage(clock: MockClock) -> AsyncGenerator[Stage]:
    assert trio.lowlevel.current_clock() is clock
    async with open_stage() as stage:
        yield stage


@pytest.fixture
async def record(stage: Stage) -> TabRecord:
    return await stage.open_tab(URL)


@pytest.fixture
def caller(nursery: trio.Nursery) -> Caller:
    return Caller(nursery)


@pytest.fixture
def worker() -> Worker:
    return Worker()


@pytest.fixture
def mailbox() -> Mailbox[Worker]:
    return Mailbox("worker")


@pytest.fixture
def opener() -> Opener:
    return Opener()


@pytest.fixture
def answers() -> Answers:
    return Answers()
